"""Background edges of runs: executing one, and finding those that nobody works on although somebody should."""

from intelli.identity import census
from intelli.kit.context import System
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import Work
from intelli.runs import recover
from intelli.runs.wake import EXECUTE, REDELIVER, SALVAGE


async def _recover(work: Work) -> None:
    async with work.begin() as tx:
        workspaces = await census.workspace_ids(tx)
    for workspace_id in workspaces:
        async with work.db.begin(System(workspace_id)) as tx:
            await recover.recover(tx)


RECOVER = Job(name="runs.recover", queue=Queue.MAINTENANCE, run=_recover, every="* * * * *")
JOBS = (EXECUTE, SALVAGE, REDELIVER, RECOVER)
