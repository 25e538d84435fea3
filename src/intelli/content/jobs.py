"""Background job of content: garbage collection."""

from functools import partial

from intelli.content import gc
from intelli.content.settings import ContentSettings
from intelli.identity import installation
from intelli.kit.blobs import Blobs
from intelli.kit.context import WorkspaceLister
from intelli.kit.jobs import Job, Queue
from intelli.kit.room import WorkspaceAccess
from intelli.kit.work import Work


async def _collect(work: Work) -> None:
    blobs, grace = work.part(Blobs), work.part(ContentSettings).grace
    async with work.begin() as tx:
        workspaces = await installation.list_workspace_ids(tx)
    for workspace_id in workspaces:
        await gc.collect(WorkspaceAccess(workspace_id, blobs, partial(work.begin, workspace_id)), grace)
    if isinstance(work.who, WorkspaceLister):
        for workspace_id in await gc.list_erased_workspaces(blobs, work.begin):
            await gc.collect_erased(blobs, workspace_id, grace)
    await gc.collect_drafts(blobs)


COLLECT = Job(name="content.collect", queue=Queue.MAINTENANCE, run=_collect, every="43 * * * *")
