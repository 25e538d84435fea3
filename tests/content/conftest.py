"""A workspace's premises without HTTP, for tests about what happens below it."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from intelli.kit.blobs import Blobs, open_blobs
from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.kit.room import WorkspaceAccess


@pytest.fixture
async def blobs(tmp_path: Path) -> AsyncIterator[Blobs]:
    opened = open_blobs((tmp_path / "kept").as_uri())
    yield opened
    await opened.close()


@pytest.fixture
def premises(database: Database, blobs: Blobs, who: System) -> WorkspaceAccess:
    return WorkspaceAccess(who.tenant_id, blobs, partial(database.begin, who))
