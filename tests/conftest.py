"""Fixtures that every test may ask for."""

pytest_plugins = [
    "tests.support.database",
    "tests.support.installation",
    "tests.support.jobs",
    "tests.support.server",
]
