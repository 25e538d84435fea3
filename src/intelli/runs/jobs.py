"""Jobs of runs: execute, salvage and redeliver one, and recover runs that no worker is working on."""

from uuid import UUID

from intelli.identity import installation
from intelli.kit import lazy_import
from intelli.kit.context import System
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import Work
from intelli.library.suggested_questions import TRY
from intelli.runs import recover
from intelli.runs.wake import EXECUTE, REDELIVER, SALVAGE


async def _execute(work: Work, *, run_id: str) -> None:
    # Whoever only serves HTTP need not load what executes runs.
    await lazy_import.load("intelli.runs.execute")
    from intelli.runs.execute import execute

    await execute(work, UUID(run_id))


async def _salvage(work: Work, *, run_id: str) -> None:
    await lazy_import.load("intelli.runs.salvage")
    from intelli.runs.salvage import salvage

    await salvage(work, UUID(run_id))


async def _redeliver(work: Work, *, deliverable_id: str) -> None:
    await lazy_import.load("intelli.runs.redeliver")
    from intelli.runs.redeliver import deliver

    await deliver(work, UUID(deliverable_id))


async def _suggest(work: Work) -> None:
    await lazy_import.load("intelli.runs.suggest")
    from intelli.runs.suggest import suggest

    await suggest(work)


async def _recover(work: Work) -> None:
    async with work.begin() as tx:
        workspaces = await installation.list_workspace_ids(tx)
    for workspace_id in workspaces:
        async with work.db.begin(System(workspace_id)) as tx:
            await recover.recover(tx)


# That something outside does not answer is no fault of the run. Deaths of its workers are counted by the run itself.
_EXECUTE = Job(name=EXECUTE.name, queue=EXECUTE.queue, run=_execute, attempts=25)
_SALVAGE = Job(name=SALVAGE.name, queue=SALVAGE.queue, run=_salvage)
RECOVER = Job(name="runs.recover", queue=Queue.MAINTENANCE, run=_recover, every="* * * * *")
_REDELIVER = Job(name=REDELIVER.name, queue=REDELIVER.queue, run=_redeliver)
_SUGGEST = Job(name=TRY.name, queue=TRY.queue, priority=TRY.priority, run=_suggest, every="*/10 * * * *")
JOBS = (_EXECUTE, _SALVAGE, _REDELIVER, RECOVER, _SUGGEST)
