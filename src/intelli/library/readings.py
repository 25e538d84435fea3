"""Readings: how far the content of documents is on its way to being findable, told as it changes."""

from collections.abc import Sequence

from intelli.kit.db import Tx
from intelli.library import change_channel
from intelli.library.errors import NotReadYet
from intelli.library.extraction.model import Refusal
from intelli.library.store import readings as store
from intelli.library.store.readings import ChunkRow, WaitingReading
from intelli.library.tables import Reading
from intelli.library.wire import IndexingStatus


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


async def find_all(tx: Tx, hashes: Sequence[str]) -> Sequence[Reading]:
    """The readings of artifacts, however far they are; those that are gone are left out."""
    return await store.find_all(tx, hashes)


async def chunks_of(tx: Tx, *numbers: int) -> Sequence[ChunkRow]:
    """What the chunks of readings say, in order."""
    return await store.chunks(tx, numbers)


async def hold(tx: Tx, *numbers: int) -> set[int]:
    """Those readings that are there, none of which others hold or remove before the transaction ends."""
    return await store.hold(tx, numbers)


async def progress(tx: Tx, number: int, done: int) -> bool:
    """Say how many chunks are indexed; false when the reading is gone."""
    return await _tell(tx, await store.change_number(tx, number, {"chunks_done": done}))


async def complete(tx: Tx, *numbers: int) -> bool:
    """Say that all chunks are indexed: the documents with this content can be found. False when all are gone."""
    return await _tell(tx, await store.complete(tx, numbers) > 0)


async def waiting(tx: Tx, hashes: Sequence[str]) -> dict[str, WaitingReading]:
    """What of the content is to be read."""
    return await store.waiting(tx, hashes)


async def begin(tx: Tx, hashes: Sequence[str]) -> bool:
    """Say that content is being read; false when none of it is there."""
    return await _tell(tx, await store.begin(tx, hashes) > 0)


async def fail(tx: Tx, sha256: str, refusal: Refusal, reason: str) -> bool:
    """Say why the content cannot be read or indexed, in words for the person who uploaded it."""
    values = {"status": IndexingStatus.FAILED, "refusal": refusal, "reason": reason}
    return await _tell(tx, await store.change(tx, sha256, values))


async def _tell(tx: Tx, is_there: bool) -> bool:
    if is_there:
        await change_channel.tell(tx)
    return is_there
