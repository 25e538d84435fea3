"""Content's background work: collecting garbage."""

from functools import partial

from intelli.content import gc
from intelli.content.settings import ContentSettings
from intelli.identity import census
from intelli.kit.blobs import Blobs
from intelli.kit.context import Census
from intelli.kit.jobs import Job, Queue
from intelli.kit.room import Premises
from intelli.kit.work import Work


async def _collect(work: Work) -> None:
    blobs, grace = work.part(Blobs), work.part(ContentSettings).grace
    async with work.begin() as tx:
        workspaces = await census.workspace_ids(tx)
    for workspace_id in workspaces:
        await gc.collect(Premises(workspace_id, blobs, partial(work.begin, workspace_id)), grace)
    if isinstance(work.who, Census):
        for workspace_id in await gc.erased_workspaces(blobs, work.begin):
            await gc.collect_erased(blobs, workspace_id, grace)
    await gc.collect_drafts(blobs)


COLLECT = Job(name="content.collect", queue=Queue.MAINTENANCE, run=_collect, every="43 * * * *")
