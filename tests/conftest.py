"""Fixtures that every test may ask for."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Nearly all tests do not care how meanings are compared, and encoding would keep a core busy beside them. Those that
# do care name the encoder themselves.
os.environ.setdefault("INTELLI_EMBEDDING__NAME", "static")

pytest_plugins = [
    "tests.support.database",
    "tests.support.fast",
    "tests.support.installation",
    "tests.support.jobs",
    "tests.support.server",
]


def pytest_configure() -> None:
    """How long an example takes says more about the machine than about us."""
    settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A run of the journeys alone does not even load the files that have none."""
    if config.option.markexpr != "browser" or collection_path.suffix != ".py" or not collection_path.is_file():
        return None
    return None if "mark.browser" in collection_path.read_text(encoding="utf-8") else True
