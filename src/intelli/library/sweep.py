"""Sweep job: removes readings of content that no document references, safely beside a new upload of it."""

from datetime import timedelta
from uuid import UUID

from intelli.content import artifacts
from intelli.identity import installation
from intelli.kit.context import System
from intelli.kit.db import Tx
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import Work
from intelli.library import blob_copies, extract, readings
from intelli.library.extraction.model import Refusal
from intelli.library.store import readings as store

_BATCH = 200
# Longer than any pause between two attempts of a job.
_GIVEN_UP_AFTER = timedelta(hours=1)
_COPY_AGE = timedelta(days=1)
_GIVEN_UP = (
    "Reading this file was given up after several attempts. Try again; if it fails again, the file may be damaged."
)


async def enqueue(tx: Tx) -> None:
    """Enqueue a sweep of the workspace when this transaction commits."""
    await tx.defer(SWEEP, key="library.sweep")


async def _sweep(work: Work) -> None:
    if isinstance(work.who, System):
        await _sweep_workspace(work, work.who.tenant_id)
        return
    async with work.begin() as tx:
        workspaces = await installation.list_workspace_ids(tx)
    for workspace_id in workspaces:
        await _sweep_workspace(work, workspace_id)
    await blob_copies.remove_stale(_COPY_AGE)


async def _sweep_workspace(work: Work, workspace_id: UUID) -> None:
    while True:
        async with work.begin(workspace_id) as tx:
            found = await store.list_unreferenced(tx, limit=_BATCH)
        removed = [sha256 for sha256 in found if await _remove(work, workspace_id, sha256)]
        if not removed:
            break
    async with work.begin(workspace_id) as tx:
        for sha256 in await store.list_abandoned(tx, jobs=[job.name for job in extract.JOBS], age=_GIVEN_UP_AFTER):
            await readings.mark_failed(tx, sha256, Refusal.CRASHED, _GIVEN_UP)


async def _remove(work: Work, workspace_id: UUID, sha256: str) -> bool:
    """Remove one reading in its own transaction, under the lock that an upload of the same bytes takes first."""
    async with work.begin(workspace_id) as tx:
        await artifacts.lock_hashes(tx, [sha256])
        return await store.remove_if_unreferenced(tx, sha256)


SWEEP = Job(name="library.sweep", queue=Queue.MAINTENANCE, run=_sweep, every="13 * * * *")
