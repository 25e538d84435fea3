"""Context of a running job: its transactions commit only while it owns the job, and its effects happen once."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar, cast
from uuid import UUID

import psycopg
from sqlalchemy import exc, text
from sqlalchemy.dialects.postgresql import insert

from intelli.kit.context import System, WorkspaceLister
from intelli.kit.db import Database, Tx
from intelli.kit.errors import Conflict, Unavailable
from intelli.kit.ids import uuid7
from intelli.kit.tables import Effect

Part = TypeVar("Part")
# A worker that is frozen inside a transaction would keep its job's row locked, so that it could not be reaped: the
# server ends such a transaction after this share of the stall limit.
_IDLE_SHARE = 0.5

_FENCE = text("""
    with held as (
        select id from procrastinate_jobs
         where id = any(:job_ids) and status = 'doing' and attempts = :attempt order by id for share)
    select set_config('idle_in_transaction_session_timeout', :idle, true) from held having count(*) = :jobs
""")
# Errors after which a retry may succeed: something outside did not answer.
TRANSIENT = (
    Unavailable,
    psycopg.OperationalError,
    exc.OperationalError,
    exc.TimeoutError,
    TimeoutError,
    ConnectionError,
)


class LeaseLost(Conflict):
    """The job was given to another worker while this one was silent."""

    code = "lost_lease"


@dataclass(frozen=True, slots=True)
class Work:
    """Running job. `attempt` is its fencing token: it grows each time the job gets another owner.

    `others` are the jobs that run as one with it, at the same attempt. Once it `is_stopping`, the worker soon returns
    its jobs to the queue: a job that works in steps should start no further step.
    """

    job_id: int
    attempt: int
    who: System | WorkspaceLister
    db: Database
    stall_s: float
    parts: Mapping[type, object] = field(default_factory=dict)
    others: tuple[int, ...] = ()
    is_stopping: Callable[[], bool] = lambda: False

    def part(self, kind: type[Part]) -> Part:
        """Return one of the app's parts by its type."""
        return cast(Part, self.parts[kind])  # the composition root stores each part under its own type

    @asynccontextmanager
    async def begin(self, tenant_id: UUID | None = None, *, timeout_s: float | None = None) -> AsyncIterator[Tx]:
        """Open a transaction fenced by the job's lease. Raise LeaseLost when the job has another owner.

        A scheduled job belongs to no workspace and passes the `tenant_id` it works on. Only a long single statement
        needs to set `timeout_s`.
        """
        async with self.db.begin(System(tenant_id) if tenant_id else self.who, timeout_s=timeout_s) as tx:
            await self._check_lease(tx)
            yield tx

    async def once(self, tx: Tx, key: str) -> bool:
        """Return True the first time `key` is used in the workspace. Do the effect in the same transaction."""
        effect = {"tenant_id": tx.tenant_id, "id": uuid7(), "key": key, "job_id": self.job_id, "attempt": self.attempt}
        added = insert(Effect).values(effect).on_conflict_do_nothing(index_elements=["tenant_id", "key"])
        return await tx.session.scalar(added.returning(Effect.id)) is not None

    async def _check_lease(self, tx: Tx) -> None:
        idle = f"{int(self.stall_s * _IDLE_SHARE * 1000)}ms"
        job_ids = [self.job_id, *self.others]
        given = {"job_ids": job_ids, "jobs": len(job_ids), "attempt": self.attempt, "idle": idle}
        if await tx.session.scalar(_FENCE, given) is None:
            raise LeaseLost(f"Job {self.job_id} was given to another worker, which carries on.")
