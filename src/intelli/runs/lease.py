"""The lease of a run: its transactions commit only while the worker owns the run, and it signals its loss."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

import structlog

from intelli.kit.context import System
from intelli.kit.db import Database, Tx
from intelli.kit.work import TRANSIENT
from intelli.runs.errors import RunLost
from intelli.runs.store import runs as store

# A cancelled run is fenced off at once; this is how soon its worker notices and stops.
_LONGEST_BEAT_S = 1.0
log = structlog.get_logger()


@dataclass(eq=False, slots=True)
class Lease:
    """Ownership of a running run. `epoch` is the fencing number; `lost` is set when the run is no longer ours."""

    db: Database
    tenant_id: UUID
    user_id: UUID
    run_id: UUID
    epoch: int
    conversation_id: UUID | None = None
    lost: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def who(self) -> System:
        """The person who asked: a run sees what they would see."""
        return System(self.tenant_id, self.user_id, run_id=self.run_id, conversation_id=self.conversation_id)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[Tx]:
        """Open a transaction that locks the run; raise RunLost when it is no longer ours."""
        async with self.db.begin(self.who) as tx:
            if not await store.fence(tx, self.run_id, epoch=self.epoch):
                raise self.forfeit()
            yield tx

    async def keep_renewed(self, *, lease_s: float) -> None:
        """Renew the lease until cancelled; raise RunLost when it is lost.

        Database outages are waited out: nobody else can take the lease meanwhile.
        """
        while True:
            await asyncio.sleep(min(_LONGEST_BEAT_S, lease_s / 3))
            try:
                async with self.db.begin(self.who) as tx:
                    is_ours = await store.renew(tx, self.run_id, epoch=self.epoch, lease_s=lease_s)
            except TRANSIENT as error:
                log.warning("run_lease_not_renewed", run_id=str(self.run_id), error=type(error).__name__)
                continue
            if not is_ours:
                raise self.forfeit()

    def forfeit(self) -> RunLost:
        """Mark the lease as lost and return the error to raise."""
        self.lost.set()
        return RunLost(f"Run {self.run_id} was cancelled or is worked on by another worker.")
