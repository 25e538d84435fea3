"""`intelli gc`: counts or removes content that nothing references any more."""

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import output
from intelli.cli.options import AsJson, Data

if TYPE_CHECKING:
    from intelli.content.gc import GarbageReport

# A step that waits for the lock of a long upload should not give up.
_STEP_S = 300


def gc(
    *,
    apply: Annotated[
        bool, typer.Option("--apply/--dry-run", help="Remove it; without this, only say what would be freed.")
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Find content that nothing has referenced for longer than the grace period, and remove it with --apply.

    It may run while the product is in use; a worker does the same every hour.
    """
    garbage, unfinished = asyncio.run(_gc(data, apply=apply))
    if as_json:
        output.write_json({"applied": apply, "garbage": garbage, "unfinished": unfinished})
        return
    what = (
        f"{garbage.pointers} pointers, {garbage.manifests} manifests, {garbage.artifacts} artifacts, "
        f"{garbage.orphans} blobs without a row and {garbage.drafts} uploads that never ended"
    )
    if apply:
        output.line(f"Removed {what}; {garbage.size_bytes} bytes are free.")
    else:
        output.line(f"Would remove {what}; {garbage.size_bytes} bytes. Run `intelli gc --apply` to do it.")
    if unfinished:
        output.line(f"{unfinished} uploads that began less than a day ago are left: they may still be under way.")


async def _gc(data: Path | None, *, apply: bool) -> "tuple[GarbageReport, int]":
    """Return the garbage found in all workspaces, and the number of unfinished uploads, which are not garbage."""
    from intelli.cli import local
    from intelli.content import gc as collection
    from intelli.identity import installation
    from intelli.kit.context import System, WorkspaceLister
    from intelli.kit.room import WorkspaceAccess

    grace = local.load(data).content.grace
    work = collection.collect if apply else collection.count_garbage
    erase = collection.collect_erased if apply else collection.count_erased
    drafts = collection.collect_drafts if apply else collection.count_drafts
    total = collection.GarbageReport()
    async with local.stores(data, timeout_s=_STEP_S) as (db, blobs):
        async with db.begin(WorkspaceLister()) as tx:
            workspace_ids = await installation.list_workspace_ids(tx)
        for workspace_id in workspace_ids:
            total.add(await work(WorkspaceAccess(workspace_id, blobs, partial(db.begin, System(workspace_id))), grace))
        for workspace_id in await collection.list_erased_workspaces(blobs, partial(db.begin, WorkspaceLister())):
            total.add(await erase(blobs, workspace_id, grace))
        total.add(await drafts(blobs))
        unfinished = len(await blobs.unfinished()) - (0 if apply else total.drafts)
    return total, unfinished
