"""Readings: how far the content of documents is on its way to being findable, told as it changes."""

from collections.abc import Sequence

from intelli.kit.db import Tx
from intelli.library import live
from intelli.library.errors import NotReadYet
from intelli.library.extraction.model import Refusal
from intelli.library.store import readings as store
from intelli.library.tables import Chunk, Reading
from intelli.library.wire import IndexingStatus

# The rules hand these rows out, so callers name them from here.
__all__ = ["Chunk", "Reading", "begin", "chunks_of", "complete", "fail", "find", "find_number", "get", "progress"]


async def get(tx: Tx, sha256: str) -> Reading:
    """What was read from an artifact."""
    reading = await store.find(tx, sha256)
    if reading is None or reading.text_sha256 is None:
        raise NotReadYet("This document has no text: it has not been read yet, or could not be. See its status.")
    return reading


async def find(tx: Tx, sha256: str) -> Reading | None:
    """The reading of an artifact, however far it is."""
    return await store.find(tx, sha256)


async def find_number(tx: Tx, number: int) -> Reading | None:
    """The reading of a number."""
    return await store.find_number(tx, number)


async def chunks_of(tx: Tx, number: int) -> Sequence[Chunk]:
    """The chunks of a reading, in order."""
    return await store.chunks(tx, number)


async def progress(tx: Tx, number: int, done: int) -> bool:
    """Say how many chunks are indexed; false when the reading is gone."""
    return await _tell(tx, await store.change_number(tx, number, {"chunks_done": done}))


async def complete(tx: Tx, number: int) -> bool:
    """Say that all chunks are indexed: the documents with this content can be found. False when it is gone."""
    reading = await store.find_number(tx, number)
    if reading is None:
        return False
    values = {"status": IndexingStatus.COMPLETED, "chunks_done": reading.chunk_count or 0}
    return await _tell(tx, await store.change_number(tx, number, values))


async def begin(tx: Tx, sha256: str) -> bool:
    """Say that the content is being read; false when it is gone."""
    values = {"status": IndexingStatus.IN_PROGRESS, "refusal": None, "reason": None, "chunks_done": 0}
    return await _tell(tx, await store.change(tx, sha256, values))


async def fail(tx: Tx, sha256: str, refusal: Refusal, reason: str) -> bool:
    """Say why the content cannot be read or indexed, in words for the person who uploaded it."""
    values = {"status": IndexingStatus.FAILED, "refusal": refusal, "reason": reason}
    return await _tell(tx, await store.change(tx, sha256, values))


async def _tell(tx: Tx, is_there: bool) -> bool:
    if is_there:
        await live.tell(tx)
    return is_there
