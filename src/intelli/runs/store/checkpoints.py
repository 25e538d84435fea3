"""Access to LangGraph's checkpoint tables through the run's own fenced transactions."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row
from sqlalchemy import text

from intelli.kit.context import System
from intelli.kit.db import Database, Tx

_TABLES = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
_FENCE = text("""
    select set_config('search_path', 'langgraph', true) from runs
     where tenant_id = :tenant_id and id = :run_id and epoch = :epoch and status = 'processing'
       for no key update
""")


@asynccontextmanager
async def cursor(db: Database, who: System, run_id: UUID, *, epoch: int) -> AsyncIterator[AsyncCursor[DictRow] | None]:
    """Open a cursor on LangGraph's tables while the run has this epoch; yield None when it has not."""
    async with db.begin(who) as tx:
        values = {"tenant_id": who.tenant_id, "run_id": run_id, "epoch": epoch}
        if await tx.session.scalar(_FENCE, values) is None:
            yield None
            return
        raw = await (await tx.session.connection()).get_raw_connection()
        connection: Any = raw.driver_connection
        async with connection.cursor(binary=True, row_factory=dict_row) as opened:
            yield opened


async def delete_of_run(tx: Tx, run_id: UUID) -> None:
    """Delete the checkpoints of a run."""
    values = {"workspace_id": tx.tenant_id, "run_id": run_id}
    for table in _TABLES:
        statement = f"delete from langgraph.{table} where workspace_id = :workspace_id and run_id = :run_id"  # noqa: S608
        await tx.session.execute(text(statement), values)
