"""One installation with workers for all tests of a module: each test has groups of its own."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.memory.memory_server import MemoryServer, Script, opened, remembering
from tests.support.database import Cluster
from tests.support.spare import Spares


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def idle_desk(
    cluster: Cluster, spares: Spares, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[MemoryServer]:
    """A server where nobody works."""
    with spares.use() as name:
        async with opened(tmp_path_factory.mktemp("server"), cluster.engine(name)) as server:
            yield server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(idle_desk: MemoryServer) -> AsyncIterator[MemoryServer]:
    """A server with a worker that needs no model."""
    async with remembering(idle_desk):
        yield idle_desk


@pytest.fixture(scope="module")
def script() -> Script:
    """What the model of `thinking_desk` says."""
    return Script()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def thinking_desk(idle_desk: MemoryServer, script: Script) -> AsyncIterator[MemoryServer]:
    """A server with a worker that asks a model."""
    async with remembering(idle_desk, reasoner=script):
        yield idle_desk
