"""Reading content: a job for each artifact, which makes text, span map, thumbnail and chunks of it, once."""

import structlog

from intelli.content import artifacts
from intelli.kit.blobs import BlobDamaged, BlobMissing, Blobs
from intelli.kit.db import Tx
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import TRANSIENT, LostLease, Work
from intelli.library import disk, live, readings, yields
from intelli.library.errors import NotFailed
from intelli.library.extraction.model import Refusal, Unreadable
from intelli.library.ports import Extracting, TextReady
from intelli.library.settings import LibrarySettings
from intelli.library.store import readings as store
from intelli.library.wire import IndexingStatus
from intelli.library.yields import Yield

_FRESH = {"status": IndexingStatus.PENDING, "refusal": None, "reason": None, "chunks_done": 0}
_ATTEMPTS = 5
_BLOB_GONE = "The stored file is damaged or missing. Upload it again."
_NO_ANSWER = "The file could not be read because a part of the system did not answer. Try again in a while."
_OUR_FAULT = "Reading this file failed, and the fault is ours. Try again after the next update, or report it."

log = structlog.get_logger()


async def ask_for(tx: Tx, sha256: str) -> None:
    """Have content read, unless it has been, or is going to be."""
    await artifacts.hold_still(tx, [sha256])
    reading, is_new = await store.ensure(tx, sha256)
    if is_new or reading.status == IndexingStatus.FAILED:
        await _defer(tx, sha256)


async def ask_again(tx: Tx, sha256: str) -> None:
    """Have content read again that could not be."""
    reading = await store.lock(tx, sha256)
    if reading is None or reading.status != IndexingStatus.FAILED:
        raise NotFailed("Only a document whose reading failed can be tried again.")
    await _defer(tx, sha256)


async def _defer(tx: Tx, sha256: str) -> None:
    await store.change(tx, sha256, _FRESH)
    await tx.defer(EXTRACT, key=f"reading:{sha256}", sha256=sha256)
    await live.tell(tx)


async def _extract(work: Work, *, sha256: str) -> None:
    """The edge: whatever goes wrong, the document ends as read or as failed with a reason."""
    try:
        await _read(work, sha256)
    except Unreadable as error:
        await _refuse(work, sha256, error.refusal, error.reason)
    except (BlobDamaged, BlobMissing):
        await _refuse(work, sha256, Refusal.DAMAGED, _BLOB_GONE)
    except LostLease:
        raise
    except TRANSIENT:
        if work.attempt + 1 >= _ATTEMPTS:
            await _refuse(work, sha256, Refusal.TIMEOUT, _NO_ANSWER)
        raise
    except Exception:
        await _refuse(work, sha256, Refusal.CRASHED, _OUR_FAULT)
        raise


async def _read(work: Work, sha256: str) -> None:
    """Read, think, write: no transaction is open while the file is parsed."""
    blobs = work.part(Blobs)
    async with work.begin() as tx:
        name = await store.find_name(tx, sha256)
        if not await readings.begin(tx, sha256):
            return
        tenant_id = tx.tenant_id
    async with disk.copied(blobs, tenant_id, sha256) as path:
        extractor = work.part(Extracting)  # type: ignore[type-abstract]  # a part is found by its type alone
        made = await yields.make(path, name, extractor=extractor, settings=work.part(LibrarySettings))
    async with yields.stored(made, blobs, tenant_id) as drafts, work.begin() as tx:
        await artifacts.hold_still(tx, (draft.draft.sha256 for draft in drafts.values()))
        if await store.lock(tx, sha256) is None:
            return
        values = await yields.keep(tx, drafts, source_sha256=sha256)
        await _finish(tx, sha256, made, values, text_ready=work.part(TextReady))


async def _finish(tx: Tx, sha256: str, made: Yield, kept: dict[str, str], *, text_ready: TextReady) -> None:
    """All of a reading in one transaction: whoever sees its text sees its chunks."""
    is_empty = not made.chunks
    values = {
        **made.facts,
        "thumbnail_sha256": None,
        **kept,
        "status": IndexingStatus.COMPLETED if is_empty else IndexingStatus.IN_PROGRESS,
        "chunk_count": len(made.chunks),
        "chunks_done": 0,
    }
    await store.change(tx, sha256, values)
    reading = await store.lock(tx, sha256)
    assert reading is not None, "it was locked by us a moment ago"
    await store.replace_chunks(tx, reading.number, made.chunks)
    if not is_empty:
        await text_ready(tx, sha256)
    await live.tell(tx)


async def _refuse(work: Work, sha256: str, refusal: Refusal, reason: str) -> None:
    log.info("document_not_read", refusal=refusal.value)
    async with work.begin() as tx:
        await readings.fail(tx, sha256, refusal, reason)


EXTRACT = Job(name="library.extract", queue=Queue.INDEX, run=_extract, attempts=_ATTEMPTS)
