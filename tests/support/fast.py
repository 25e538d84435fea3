"""Marks the tests that `make check` runs: those without a database, child processes or long runtime."""

import pytest

# What these put in place takes seconds, or needs a server that does.
_COSTLY_FIXTURES = frozenset({"cluster", "install"})
_COSTLY_MARKS = ("browser", "slow")
# These start servers, databases or jails of their own, or measure how time grows.
_COSTLY_FILES = (
    "tests/cli/test_check.py",
    "tests/cli/test_operator.py",
    "tests/cli/test_program.py",
    "tests/cli/test_research",
    "tests/cli/test_serve.py",
    "tests/contracts/test_growth.py",
    "tests/contracts/test_patterns.py",
    "tests/deliverables/test_forms_hostile.py",
    "tests/deliverables/test_rendering_confined.py",
    "tests/faults/",
    "tests/journeys/",
    "tests/kit/test_blobs.py",
    "tests/kit/test_compute.py",
    "tests/kit/test_postgres",
    "tests/library/extraction/test_bad_files.py",
    "tests/library/extraction/test_jail.py",
    "tests/library/extraction/test_sandbox.py",
    "tests/library/test_hostile_web.py",
    "tests/models/local/",
    "tests/reasoning/test_model_faults.py",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark fast tests before pytest selects by mark."""
    for item in items:
        if not _is_costly(item):
            item.add_marker("fast")


def _is_costly(item: pytest.Item) -> bool:
    return (
        item.nodeid.startswith(_COSTLY_FILES)
        or not _COSTLY_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))
        or any(item.get_closest_marker(mark) for mark in _COSTLY_MARKS)
    )
