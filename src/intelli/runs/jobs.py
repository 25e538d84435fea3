"""Background edges of runs: executing one, and finding those that nobody works on although somebody should."""

from uuid import UUID

import structlog

from intelli.identity import census
from intelli.kit.context import System
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import Work
from intelli.runs import recover
from intelli.runs.execute import execute

log = structlog.get_logger()


async def _execute(work: Work, *, run_id: str) -> None:
    await execute(work, UUID(run_id))


# A worker that dies is no fault of the run: it takes many deaths until it is given up.
EXECUTE = Job(name="runs.execute", queue=Queue.RUNS, run=_execute, attempts=25)


async def _recover(work: Work) -> None:
    async with work.begin() as tx:
        workspaces = await census.workspace_ids(tx)
    for workspace_id in workspaces:
        async with work.db.begin(System(workspace_id)) as tx:
            await recover.recover(tx, EXECUTE)


RECOVER = Job(name="runs.recover", queue=Queue.MAINTENANCE, run=_recover, every="* * * * *")
