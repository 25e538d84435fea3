"""Verify stored citations: each quote has its hash and is at its span of the text it names."""

from collections.abc import AsyncIterator, Sequence
from itertools import groupby
from uuid import UUID

from intelli.citations import origins, store
from intelli.citations.prove import StoredText
from intelli.citations.save import quote_hash
from intelli.citations.store import TextOrigin
from intelli.citations.tables import Citation
from intelli.kit.room import WorkspaceAccess

_BATCH = 500


async def findings(access: WorkspaceAccess) -> AsyncIterator[str]:
    """Yield the faults of citations, for `intelli verify`. Texts are read outside of any transaction."""
    after: UUID | None = None
    while True:
        async with access.begin() as tx:
            batch = await store.list_after(tx, after, limit=_BATCH)
        for finding in await _faults(access, batch):
            yield f"{finding} (workspace {access.tenant_id})"
        if len(batch) < _BATCH:
            return
        after = batch[-1].id


async def _faults(access: WorkspaceAccess, batch: Sequence[Citation]) -> list[str]:
    found = [f"citation {row.id}: its quote was changed" for row in batch if quote_hash(row.quote) != row.quote_sha256]
    named = sorted((row for row in batch if row.text_sha256), key=lambda row: row.text_sha256 or "")
    for text_sha256, rows in groupby(named, key=lambda row: row.text_sha256):
        loaded = await origins.load(access.blobs, access.tenant_id, {"": TextOrigin(text_sha256, None)})
        if "" not in loaded:
            # Its document was deleted: the citation keeps what it knows, and there is nothing to compare it with.
            continue
        found += [
            f"citation {row.id}: its quote does not stand at its span of {text_sha256}"
            for row in rows
            if not _has_quote(row, loaded[""])
        ]
    return found


def _has_quote(row: Citation, source: StoredText) -> bool:
    return source.is_whole and source.text[row.char_start : row.char_end] == row.quote
