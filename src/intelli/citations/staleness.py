"""Staleness: find citations whose quote is missing from a newer version of their document."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from intelli.citations import origins, store
from intelli.citations.store import CitationWithDocument
from intelli.identity import installation
from intelli.kit.blobs import Blobs
from intelli.kit.context import System
from intelli.kit.db import Tx
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import Work
from intelli.language.quotes import QuoteIndex

_BATCH = 1000


async def enqueue(tx: Tx, hashes: Sequence[str]) -> None:
    """Defer the comparison of citations with documents that were just read."""
    await tx.defer(COMPARE, key="citations.compare")


async def _compare(work: Work) -> None:
    if isinstance(work.who, System):
        await compare_workspace(work, work.who.tenant_id)
        return
    async with work.begin() as tx:
        workspaces = await installation.list_workspace_ids(tx)
    for workspace_id in workspaces:
        await compare_workspace(work, workspace_id)


async def compare_workspace(work: Work, workspace_id: UUID) -> None:
    """Compare all citations of a workspace whose document has new content, whoever owns them."""
    while True:
        async with work.begin(workspace_id) as tx:
            batch = await store.list_not_compared(tx, limit=_BATCH)
        if not batch:
            return
        is_stale = await _find_stale(work, workspace_id, batch)
        compared = [(row.citation.id, row.document.artifact_sha256) for row in batch if row.document]
        async with work.begin(workspace_id) as tx:
            await store.save_compared(tx, [(each, is_stale[each], sha256) for each, sha256 in compared])


async def _find_stale(work: Work, workspace_id: UUID, batch: Sequence[CitationWithDocument]) -> dict[UUID, bool]:
    """Return for each citation whether it is stale; when the new text cannot be read, all of its citations are."""
    hashes = {row.document.artifact_sha256 for row in batch if row.document}
    async with work.begin(workspace_id) as tx:
        found = await origins.find(tx, hashes)
    stale: dict[UUID, bool] = {}
    for sha256, origin in found.items():
        sources = await origins.load(work.part(Blobs), workspace_id, {sha256: origin})
        rows = [row for row in batch if row.document and row.document.artifact_sha256 == sha256]
        text = sources[sha256].text if sha256 in sources else ""
        stale |= await asyncio.to_thread(find_missing, text, rows)
    return {row.citation.id: stale.get(row.citation.id, True) for row in batch}


def find_missing(text: str, rows: Sequence[CitationWithDocument]) -> dict[UUID, bool]:
    """Return for each citation whether the text lacks its quote."""
    index = QuoteIndex(text)
    return {row.citation.id: row.citation.quote not in text and index.find(row.citation.quote) is None for row in rows}


COMPARE = Job(name="citations.compare", queue=Queue.MAINTENANCE, run=_compare, every="*/10 * * * *")
