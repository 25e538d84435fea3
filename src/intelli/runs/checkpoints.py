"""Checkpoints of the graph: LangGraph's PostgreSQL saver inside our fenced, tenant-bound transactions."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.postgres.base import BasePostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncCursor
from psycopg.rows import DictRow

from intelli.runs.lease import Lease
from intelli.runs.store import checkpoints as store


class LeaseSaver(AsyncPostgresSaver):
    """Checkpoint saver of one running run. A worker that lost the lease can neither read nor write checkpoints."""

    def __init__(self, lease: Lease) -> None:
        # Only plain values are ever rebuilt from a checkpoint, whatever the environment says.
        BasePostgresSaver.__init__(self, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        self.lock = asyncio.Lock()
        self.loop = asyncio.get_running_loop()
        self._lease = lease

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        lease = self._lease
        async with self.lock, store.cursor(lease.db, lease.who, lease.run_id, epoch=lease.epoch) as cursor:
            if cursor is None:
                raise lease.forfeit()
            yield cursor


def thread_id_of(lease: Lease) -> str:
    """Return the LangGraph thread id of a run."""
    return f"{lease.tenant_id}:{lease.run_id}"
