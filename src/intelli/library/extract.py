"""Extraction jobs: read each artifact once into text, span map, thumbnail and chunks, and store the result."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from uuid import UUID

import structlog

from intelli.content import artifacts
from intelli.content.artifacts import ReceivedBytes
from intelli.kit.blobs import BlobDamaged, BlobMissing, Blobs
from intelli.kit.db import Tx
from intelli.kit.jobs import Argument, Job, Queue
from intelli.kit.tasks import task_group
from intelli.kit.work import TRANSIENT, LeaseLost, Work
from intelli.library import blob_copies, change_channel, reading_result, readings, thumbnails
from intelli.library.errors import NotFailed
from intelli.library.extraction.model import Refusal, Unreadable
from intelli.library.ports import ExtractorPort, IndexEntryPort, IndexerPort, IndexPort, NewReading, TextReady
from intelli.library.reading_result import ReadingResult, StoredFiles
from intelli.library.settings import LibrarySettings
from intelli.library.store import readings as store
from intelli.library.store.readings import WaitingReading
from intelli.library.tables import Reading
from intelli.library.wire import IndexingStatus

_FRESH = {"status": IndexingStatus.PENDING, "refusal": None, "reason": None, "chunks_done": 0}
_ATTEMPTS = 5
# Files up to this size are read many at a time.
_SMALL_BYTES = 256 << 10
_TOGETHER = 128
# Most chunks that are written, and made findable, in one transaction.
_TOGETHER_CHUNKS = 2048
# While one writer waits for the database, another prepares its batch, if that has at least as many chunks.
_MANY_CHUNKS = 256
# Files that are read one by one are collected for this long, to be written together.
_GATHER_S = 0.3
# Plain text that is read in one child: takes half a second, and the next group is read while this one is written.
_GROUP_BYTES = 2 << 20
_BLOB_GONE = "The stored file is damaged or missing. Upload it again."
_NO_ANSWER = "The file could not be read because a part of the system did not answer. Try again in a while."
_OUR_FAULT = "Reading this file failed, and the fault is ours. Try again after the next update, or report it."

_Outcomes = Mapping[str, ReadingResult | Exception]

log = structlog.get_logger()


class _Ready:
    """Queue of results (or errors) that wait to be written, for two concurrent writers."""

    def __init__(self, awaited: int) -> None:
        self._left = awaited
        self._waiting = dict[str, ReadingResult | Exception]()
        self._changed = asyncio.Condition()

    async def put(self, made: _Outcomes) -> None:
        """Add results of files, or the errors that they failed with."""
        async with self._changed:
            self._waiting.update(made)
            self._changed.notify_all()

    async def take(self, *, at_least: int, within_s: float | None = None) -> _Outcomes:
        """Wait for `at_least` chunks or `within_s` seconds, then remove and return results; empty after the last."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._left or self._has(0))
            with suppress(TimeoutError):
                async with asyncio.timeout(within_s):
                    await self._changed.wait_for(lambda: self._is_last() or self._has(at_least))
            taken = dict[str, ReadingResult | Exception]()
            while self._waiting and _chunks(taken) < _TOGETHER_CHUNKS:
                sha256 = next(iter(self._waiting))
                taken[sha256] = self._waiting.pop(sha256)
            self._left -= len(taken)
            self._changed.notify_all()
            return taken

    def _is_last(self) -> bool:
        return len(self._waiting) >= self._left

    def _has(self, chunks: int) -> bool:
        return bool(self._waiting) and _chunks(self._waiting) >= chunks


async def ensure_reading(tx: Tx, sha256: str, *, size_bytes: int) -> Reading:
    """Return the reading of content; enqueue it if new or failed. The caller locks the content, and notifies."""
    reading, is_new = await store.ensure(tx, sha256)
    if is_new or reading.status == IndexingStatus.FAILED:
        await _defer(tx, sha256, size_bytes, is_new=is_new)
    return reading if is_new else await store.find(tx, sha256) or reading


async def ensure_readings(tx: Tx, sizes: Mapping[str, int]) -> dict[str, Reading]:
    """Return the readings of contents, given as hash to size in bytes; new small ones are enqueued as one job."""
    made = await store.ensure_all(tx, sizes)
    small = [sha256 for sha256 in made if sizes[sha256] <= _SMALL_BYTES]
    if len(small) > 1:
        await tx.defer(EXTRACT_BATCH, hashes=",".join(small))
    for sha256 in made if len(small) <= 1 else made.keys() - small:
        await tx.defer(_job_for(sizes[sha256]), key=f"reading:{sha256}", sha256=sha256)
    others = {
        sha256: await ensure_reading(tx, sha256, size_bytes=sizes[sha256]) for sha256 in sorted(sizes.keys() - made)
    }
    return {**made, **others}


async def retry_reading(tx: Tx, sha256: str, *, size_bytes: int) -> None:
    """Enqueue content again whose reading failed. Raises NotFailed otherwise."""
    reading = await store.lock(tx, sha256)
    if reading is None or reading.status != IndexingStatus.FAILED:
        raise NotFailed("Only a document whose reading failed can be tried again.")
    await _defer(tx, sha256, size_bytes, is_new=False)


async def _defer(tx: Tx, sha256: str, size_bytes: int, *, is_new: bool) -> None:
    await tx.defer(_job_for(size_bytes), key=f"reading:{sha256}", sha256=sha256)
    if not is_new:
        await store.update_by_hash(tx, sha256, _FRESH)
        await change_channel.notify(tx)


def _job_for(size_bytes: int) -> Job:
    return EXTRACT_SMALL if size_bytes <= _SMALL_BYTES else EXTRACT


async def _extract(work: Work, *, sha256: str) -> None:
    await _settle(work, [sha256])


async def _extract_small(work: Work, each: Sequence[Mapping[str, Argument]]) -> None:
    await _settle(work, [str(args["sha256"]) for args in each])


async def _extract_batch(work: Work, *, hashes: str) -> None:
    await _settle(work, hashes.split(","))


async def _draw(work: Work, *, hashes: str) -> None:
    extractor = work.part(ExtractorPort)  # type: ignore[type-abstract]  # found by its type alone
    await thumbnails.draw_pages(work.begin, work.part(Blobs), hashes.split(","), extractor=extractor)


async def _settle(work: Work, hashes: Sequence[str]) -> None:
    """The edge: whatever goes wrong, each reading ends as completed or as failed with a reason."""
    settled = set[str]()
    try:
        await _read(work, hashes, settled)
    except LeaseLost:
        raise
    except TRANSIENT:
        if work.attempt + 1 >= _ATTEMPTS:
            left = [sha256 for sha256 in hashes if sha256 not in settled]
            await _refuse(work, dict.fromkeys(left, Unreadable(Refusal.TIMEOUT, _NO_ANSWER)))
        raise
    except Exception:
        if len(hashes) == 1:
            await _refuse(work, {hashes[0]: Unreadable(Refusal.CRASHED, _OUR_FAULT)})
            raise
        await _settle_each(work, [sha256 for sha256 in hashes if sha256 not in settled])


async def _settle_each(work: Work, hashes: Sequence[str]) -> None:
    """Settle readings one by one, so that one failure does not affect the others; raise the first error at the end."""
    errors = []
    for sha256 in hashes:
        try:
            await _settle(work, [sha256])
        except (LeaseLost, *TRANSIENT):
            raise
        except Exception as error:  # noqa: BLE001  # raised below, when the others have had their turn
            errors.append(error)
    if errors:
        raise errors[0]


async def _read(work: Work, hashes: Sequence[str], settled: set[str]) -> None:
    """Read contents and write their results in groups; no transaction is open while files are parsed."""
    async with work.begin() as tx:
        waiting = await readings.list_unread(tx, hashes)
        if len(waiting) == 1:
            await readings.mark_in_progress(tx, list(waiting))
        indexer = await work.part(IndexPort).find_indexer(tx)  # type: ignore[type-abstract]  # found by its type alone
        tenant_id = tx.tenant_id
    ready = _Ready(len(waiting))

    async def conclude_each(*, at_least: int, within_s: float | None = None) -> None:
        while outcomes := await ready.take(at_least=at_least, within_s=within_s):
            await _conclude(work, tenant_id, outcomes, waiting=waiting, indexer=indexer)
            settled.update(outcomes)

    async with task_group() as group:
        group.create_task(_read_each(work, tenant_id, waiting, ready=ready))
        group.create_task(conclude_each(at_least=_MANY_CHUNKS, within_s=_GATHER_S))
        group.create_task(conclude_each(at_least=_MANY_CHUNKS))


def _chunks(outcomes: _Outcomes) -> int:
    return sum(len(made.chunks) for made in outcomes.values() if isinstance(made, ReadingResult))


async def _read_each(work: Work, tenant_id: UUID, waiting: Mapping[str, WaitingReading], *, ready: _Ready) -> None:
    """Read plain files first, in groups, so that one is written while the next is read; then the others singly."""
    left = {sha256: each.name for sha256, each in waiting.items()}
    if len(waiting) > 1:
        async with blob_copies.open_small_copies(work.part(Blobs), tenant_id, waiting) as paths, task_group() as group:
            for some in _size_groups(paths):
                files = {sha256: (paths[sha256], waiting[sha256].name) for sha256 in some}
                group.create_task(_read_plain(work, files, left, ready))
        if left:
            async with work.begin() as tx:
                await readings.mark_in_progress(tx, list(left))
    async with task_group() as group:
        for sha256, name in left.items():
            group.create_task(_read_one(work, tenant_id, sha256, name, ready=ready))


def _size_groups(paths: Mapping[str, Path]) -> Iterator[list[str]]:
    """Yield hashes of files in groups of about `_GROUP_BYTES`."""
    some, size_bytes = list[str](), 0
    for sha256, path in paths.items():
        some, size_bytes = [*some, sha256], size_bytes + path.stat().st_size
        if size_bytes >= _GROUP_BYTES:
            yield some
            some, size_bytes = [], 0
    if some:
        yield some


async def _read_plain(
    work: Work, files: Mapping[str, tuple[Path, str | None]], left: dict[str, str | None], ready: _Ready
) -> None:
    """Read a group of files in one child; those that are plain text are put into `ready` and removed from `left`."""
    extractor = work.part(ExtractorPort)  # type: ignore[type-abstract]  # as above
    step = reading_result.child_step(work.part(LibrarySettings))
    found = await extractor.extract_plain(list(files.values()), step=step)
    plain = {sha256: made for sha256, made in zip(files, found, strict=True) if made is not None}
    made = await asyncio.to_thread(lambda: [reading_result.build_result(each) for each in plain.values()])
    for sha256 in plain:
        del left[sha256]
    await ready.put(dict(zip(plain, made, strict=True)))


async def _read_one(work: Work, tenant_id: UUID, sha256: str, name: str | None, *, ready: _Ready) -> None:
    extractor = work.part(ExtractorPort)  # type: ignore[type-abstract]  # as above
    try:
        async with blob_copies.open_copy(work.part(Blobs), tenant_id, sha256) as path:
            made = await reading_result.read_file(path, name, extractor=extractor, settings=work.part(LibrarySettings))
    except Exception as error:  # noqa: BLE001  # the writer handles it
        await ready.put({sha256: error})
    else:
        await ready.put({sha256: made})


async def _conclude(
    work: Work,
    tenant_id: UUID,
    outcomes: _Outcomes,
    *,
    waiting: Mapping[str, WaitingReading],
    indexer: IndexerPort,
) -> None:
    made = {sha256: each for sha256, each in outcomes.items() if isinstance(each, ReadingResult)}
    if made:
        fresh = [NewReading(each, waiting[each].number, of.language, of.passages) for each, of in made.items()]
        # One computes while the other waits for the disk.
        async with task_group() as group:
            preparing = group.create_task(indexer.prepare(fresh))
            holding = group.create_task(reading_result.store_files(made, work.part(Blobs), tenant_id))
        await _write(work, made, holding.result(), preparing.result())
    refused = {sha256: error for sha256, error in outcomes.items() if isinstance(error, Unreadable)}
    gone = [sha256 for sha256, error in outcomes.items() if isinstance(error, BlobDamaged | BlobMissing)]
    await _refuse(work, {**refused, **dict.fromkeys(gone, Unreadable(Refusal.DAMAGED, _BLOB_GONE))})
    for sha256, error in outcomes.items():
        if isinstance(error, Exception) and sha256 not in {*refused, *gone}:
            raise error


async def _write(work: Work, made: Mapping[str, ReadingResult], held: StoredFiles, entry: IndexEntryPort) -> None:
    """Write all of the readings in one transaction, so that whoever sees a text sees its chunks, mostly indexed too."""
    async with work.begin() as tx:
        await artifacts.lock_hashes(tx, (each.draft.sha256 for files in held.values() for each in files.values()))
        numbers = await store.lock_all(tx, made)
        await reading_result.insert_artifacts(tx, {sha256: held[sha256] for sha256 in numbers})
        chunks = [{"reading": number, **row} for sha256, number in numbers.items() for row in made[sha256].chunks]
        await store.replace_chunks(tx, list(numbers.values()), chunks)
        with_text = [sha256 for sha256 in numbers if made[sha256].chunks]
        found = await entry.put(tx, [numbers[sha256] for sha256 in with_text]) if with_text else set[int]()
        rows = [_row(each, made[each], held[each], is_found=number in found) for each, number in numbers.items()]
        await store.save_results(tx, rows)
        pictured = [sha256 for sha256 in numbers if thumbnails.shows_page(str(made[sha256].facts["media_type"]))]
        if pictured:
            await tx.defer(DRAW, key="draw", hashes=",".join(pictured))
        if with_text:
            await work.part(TextReady)(tx, with_text)
        await change_channel.notify(tx)


def _row(sha256: str, made: ReadingResult, held: Mapping[str, ReceivedBytes], *, is_found: bool) -> dict[str, object]:
    count = len(made.chunks)
    return {
        **made.facts,
        "sha256": sha256,
        **{column: received.draft.sha256 for column, received in held.items()},
        "status": IndexingStatus.COMPLETED if is_found or not count else IndexingStatus.IN_PROGRESS,
        "chunk_count": count,
        "chunks_done": count if is_found else 0,
    }


async def _refuse(work: Work, refused: Mapping[str, Unreadable]) -> None:
    if not refused:
        return
    async with work.begin() as tx:
        for sha256, error in sorted(refused.items()):
            log.info("document_not_read", refusal=error.refusal.value)
            await readings.mark_failed(tx, sha256, error.refusal, error.reason)


EXTRACT = Job(name="library.extract", queue=Queue.INDEX, run=_extract, attempts=_ATTEMPTS)
EXTRACT_SMALL = Job(
    name="library.extract_small", queue=Queue.INDEX, run=_extract_small, attempts=_ATTEMPTS, together=_TOGETHER
)
EXTRACT_BATCH = Job(name="library.extract_batch", queue=Queue.INDEX, run=_extract_batch, attempts=_ATTEMPTS)
# Thumbnails are not needed to search, so every other job goes first.
DRAW = Job(name="library.draw", queue=Queue.INDEX, run=_draw, attempts=_ATTEMPTS, priority=-1)
JOBS = (EXTRACT, EXTRACT_SMALL, EXTRACT_BATCH, DRAW)
