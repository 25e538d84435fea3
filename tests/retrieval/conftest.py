"""A workspace to put documents into and search."""

import pytest
from tests.retrieval import large_workspace
from tests.retrieval.makers import Shelf

from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.retrieval import vector_builds


@pytest.fixture
def shelf(database: Database, who: System) -> Shelf:
    return Shelf(database, who)


@pytest.fixture
def small_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes at which a few documents take every step of a build more than once."""
    monkeypatch.setattr(vector_builds, "BUILD_AT", 20)
    monkeypatch.setattr(vector_builds, "_COPY_BATCH", 7)
    monkeypatch.setattr(vector_builds, "_CHANGES_BATCH", 2)
    monkeypatch.setattr(vector_builds, "_REMOVE_BATCH", 9)
    monkeypatch.setattr(vector_builds, "_GRACE_S", 0)


@pytest.fixture
async def filled(shelf: Shelf) -> Shelf:
    """A workspace of as many readings as make it a large one."""
    await shelf.put_together(*(large_workspace.body(number) for number in range(large_workspace.COUNT)))
    return shelf
