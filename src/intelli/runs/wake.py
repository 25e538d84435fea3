"""Waking: having a worker look at a run. The errand carries an id and nothing else; the run knows the rest."""

from uuid import UUID

from intelli.kit.db import Tx
from intelli.kit.jobs import JobRef, Queue

EXECUTE = JobRef("runs.execute", Queue.RUNS)
SALVAGE = JobRef("runs.salvage", Queue.RUNS)
REDELIVER = JobRef("runs.deliver", Queue.DELIVERABLES)


async def wake(tx: Tx, run_id: UUID) -> None:
    """Have a worker look at a run once this transaction commits."""
    await tx.defer(EXECUTE, key=f"run:{run_id}", run_id=str(run_id))


async def salvage(tx: Tx, run_id: UUID) -> None:
    """Have a worker prove what a run had said when it was broken off, once this transaction commits."""
    await tx.defer(SALVAGE, key=f"run:{run_id}", run_id=str(run_id))


async def redeliver(tx: Tx, deliverable_id: UUID) -> None:
    """Have a worker make a deliverable from an answer that is there, once this transaction commits."""
    await tx.defer(REDELIVER, key=f"deliverable:{deliverable_id}", deliverable_id=str(deliverable_id))
