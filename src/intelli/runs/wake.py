"""Waking: having a worker look at a run. The job carries the run's id and nothing else; the run knows the rest."""

from uuid import UUID

from intelli.kit.db import Tx
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import Work


async def _execute(work: Work, *, run_id: str) -> None:
    # Whoever only starts runs need not load what executes them.
    from intelli.runs.execute import execute

    await execute(work, UUID(run_id))


# A worker that dies is no fault of the run: it takes many deaths until it is given up.
EXECUTE = Job(name="runs.execute", queue=Queue.RUNS, run=_execute, attempts=25)


async def _salvage(work: Work, *, run_id: str) -> None:
    from intelli.runs.salvage import salvage

    await salvage(work, UUID(run_id))


SALVAGE = Job(name="runs.salvage", queue=Queue.RUNS, run=_salvage)


async def _redeliver(work: Work, *, deliverable_id: str) -> None:
    from intelli.runs.redeliver import deliver

    await deliver(work, UUID(deliverable_id))


REDELIVER = Job(name="runs.deliver", queue=Queue.DELIVERABLES, run=_redeliver)


async def wake(tx: Tx, run_id: UUID) -> None:
    """Have a worker look at a run once this transaction commits."""
    await tx.defer(EXECUTE, key=f"run:{run_id}", run_id=str(run_id))


async def salvage(tx: Tx, run_id: UUID) -> None:
    """Have a worker prove what a run had said when it was broken off, once this transaction commits."""
    await tx.defer(SALVAGE, key=f"run:{run_id}", run_id=str(run_id))


async def redeliver(tx: Tx, deliverable_id: UUID) -> None:
    """Have a worker make a deliverable from an answer that is there, once this transaction commits."""
    await tx.defer(REDELIVER, key=f"deliverable:{deliverable_id}", deliverable_id=str(deliverable_id))
