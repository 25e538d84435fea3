"""Load a check for its export, and the bytes of the Word file that was checked."""

from dataclasses import dataclass
from uuid import UUID

from intelli.checks import show, wire
from intelli.checks.errors import CheckNotReady
from intelli.kit.blobs import BlobDamaged, BlobMissing, Blobs
from intelli.kit.db import Tx

_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@dataclass(frozen=True, slots=True)
class ExportedCheck:
    """A check to export, its workspace, and the hash of the Word file that it is of, if it is of one that is there."""

    check: wire.TextCheck
    tenant_id: UUID
    word_sha256: str | None


async def load(tx: Tx, check_id: UUID, *, keep_excerpts: bool) -> ExportedCheck:
    """Load a check that has ended; raise CheckNotReady when it has not."""
    row = await show.get(tx, check_id)
    if row.status not in wire.ENDED:
        raise CheckNotReady(f"This check is {row.status}. Export it when it has ended.")
    is_there = row.file_sha256 is not None or row.document_id is not None
    original = row.source_sha256 if is_there and row.media_type == _WORD else None
    return ExportedCheck(await show.load(tx, check_id, keep_excerpts=keep_excerpts), tx.tenant_id, original)


async def read_original(blobs: Blobs, exported: ExportedCheck) -> bytes | None:
    """Read the Word file that was checked; None when it was another kind of text, or is not there any more."""
    if exported.word_sha256 is None:
        return None
    try:
        return b"".join([piece async for piece in await blobs.get(exported.tenant_id, exported.word_sha256)])
    except (BlobMissing, BlobDamaged):
        return None
