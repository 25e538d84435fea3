"""Defer jobs that have a worker look at a run. A job carries only an id; the run's row has the rest."""

from uuid import UUID

from intelli.kit.db import Tx
from intelli.kit.jobs import JobRef, Queue

EXECUTE = JobRef("runs.execute", Queue.RUNS)
SALVAGE = JobRef("runs.salvage", Queue.RUNS)
REDELIVER = JobRef("runs.deliver", Queue.DELIVERABLES)


async def wake(tx: Tx, run_id: UUID) -> None:
    """Defer the execution of a run; it starts once this transaction commits."""
    await tx.defer(EXECUTE, key=f"run:{run_id}", run_id=str(run_id))


async def salvage(tx: Tx, run_id: UUID) -> None:
    """Defer the check of an answer that was broken off; it starts once this transaction commits."""
    await tx.defer(SALVAGE, key=f"run:{run_id}", run_id=str(run_id))


async def redeliver(tx: Tx, deliverable_id: UUID) -> None:
    """Defer the making of a deliverable from an existing answer; it starts once this transaction commits."""
    await tx.defer(REDELIVER, key=f"deliverable:{deliverable_id}", deliverable_id=str(deliverable_id))
