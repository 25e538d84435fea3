"""Readings: extraction and indexing status of contents. Every change notifies followers of the library."""

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
    """Return the reading of an artifact. Raises NotReadYet when there is no text of it."""
    reading = await store.find(tx, sha256)
    if reading is None or reading.text_sha256 is None:
        raise NotReadYet("This document has no text: it has not been read yet, or could not be. See its status.")
    return reading


async def find(tx: Tx, sha256: str) -> Reading | None:
    """Return the reading of an artifact in any status; None when there is none."""
    return await store.find(tx, sha256)


async def find_number(tx: Tx, number: int) -> Reading | None:
    """Return the reading of a number; None when it is gone."""
    return await store.find_number(tx, number)


async def find_all(tx: Tx, hashes: Sequence[str]) -> Sequence[Reading]:
    """Return the readings of artifacts in any status; those that are gone are left out."""
    return await store.find_all(tx, hashes)


async def list_chunks(tx: Tx, *numbers: int) -> Sequence[ChunkRow]:
    """Return the text and headings of all chunks of readings, in order."""
    return await store.list_chunks(tx, numbers)


async def lock_existing(tx: Tx, *numbers: int) -> set[int]:
    """Lock readings until the transaction ends and return those that exist; others can neither lock nor remove them."""
    return await store.lock_numbers(tx, numbers)


async def set_progress(tx: Tx, number: int, done: int) -> bool:
    """Set how many chunks are indexed; return False when the reading is gone."""
    return await _notify(tx, await store.update_by_number(tx, number, {"chunks_done": done}))


async def mark_completed(tx: Tx, *numbers: int) -> bool:
    """Mark readings as completed: all chunks are indexed and can be found. Return False when all are gone."""
    return await _notify(tx, await store.mark_completed(tx, numbers) > 0)


async def list_unread(tx: Tx, hashes: Sequence[str]) -> dict[str, WaitingReading]:
    """Return those contents that are still to be read, by hash."""
    return await store.list_unread(tx, hashes)


async def mark_in_progress(tx: Tx, hashes: Sequence[str]) -> bool:
    """Mark contents as being read; return False when none of them exists."""
    return await _notify(tx, await store.mark_in_progress(tx, hashes) > 0)


async def mark_failed(tx: Tx, sha256: str, refusal: Refusal, reason: str) -> bool:
    """Mark content as failed, with the reason in words for the person who uploaded it. Return False when it is gone."""
    values = {"status": IndexingStatus.FAILED, "refusal": refusal, "reason": reason}
    return await _notify(tx, await store.update_by_hash(tx, sha256, values))


async def notify_followers(tx: Tx) -> None:
    """Tell followers of the library that its statistics have changed."""
    await change_channel.notify(tx)


async def _notify(tx: Tx, is_there: bool) -> bool:
    if is_there:
        await change_channel.notify(tx)
    return is_there
