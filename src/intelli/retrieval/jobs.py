"""Background jobs of retrieval: index readings, move them to the active space, and maintain an index that has grown."""

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import structlog

from intelli.identity import installation
from intelli.kit.context import System
from intelli.kit.db import Tx
from intelli.kit.jobs import Argument, Job, Queue
from intelli.kit.work import TRANSIENT, LeaseLost, Work
from intelli.library import readings, suggested_questions
from intelli.library.extraction.model import Refusal
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.errors import EmbeddingNotInstalled, EmbeddingRefused
from intelli.retrieval import (
    encode,
    frequent_terms,
    index,
    maintenance,
    reanalysis,
    reindex,
    spaces,
    vector_builds,
)
from intelli.retrieval.errors import AnotherReindex
from intelli.retrieval.ports import ChunkPiece, PendingReading
from intelli.retrieval.store import vectors
from intelli.retrieval.tables import Space

_ATTEMPTS = 8
_TOGETHER = 128
_GROUP_CHUNKS = 1024
# A reading with more is indexed step by step, and shows how far it is.
LARGE_CHUNKS = 256
# A million vectors on a busy machine: the database builds their index in one piece.
_BUILD_S = 3600
# Then the next workspace has its turn.
_MOVE_S = 20.0
_LOW = -10
_MOVE_KEY, _MAINTAIN_KEY, _REANALYSE_KEY = "retrieval.encode", "retrieval.tend", "retrieval.reanalyse"
_NOT_EMBEDDED = "The file was read, but its passages could not be embedded. {}"
_NO_ANSWER = "The embedding endpoint does not answer. Try again once it does."

log = structlog.get_logger()


async def enqueue(tx: Tx, hashes: Sequence[str]) -> None:
    """Enqueue the indexing of readings for when this transaction commits."""
    await tx.defer_each(INDEX, {f"index:{sha256}": {"sha256": sha256} for sha256 in hashes})


async def enqueue_maintenance(tx: Tx) -> None:
    """Enqueue maintenance of the index when it has grown enough, and the trial of questions that it may answer."""
    await suggested_questions.wake(tx)
    if await maintenance.is_due(tx):
        await tx.defer(MAINTAIN, key=_MAINTAIN_KEY)


async def wake_move(tx: Tx, written: Space) -> None:
    """Enqueue the move of readings that were written to a space, unless that is where they stay."""
    if written.state != vectors.ACTIVE:
        await tx.wake(ENCODE, key=_MOVE_KEY)


async def _index(work: Work, each: Sequence[Mapping[str, Argument]]) -> None:
    async with work.begin() as tx:
        found = await readings.find_all(tx, [str(args["sha256"]) for args in each])
    await _settle_each(work, list(_groups(found)))


async def _settle_each(work: Work, groups: Sequence[Sequence[PendingReading]]) -> None:
    """Index groups one after the other; raise an error that is to be retried at once, others after the last group."""
    errors = []
    for group in groups:
        try:
            await _settle(work, group)
        except LeaseLost:
            raise
        except Exception as error:
            if isinstance(error, TRANSIENT) and work.attempt + 1 < _ATTEMPTS:
                raise
            errors.append(error)
    if errors:
        raise errors[0]


def _groups(found: Sequence[PendingReading]) -> Iterator[Sequence[PendingReading]]:
    """Yield groups of small readings, up to a number of chunks; each large reading alone."""
    group, chunks = list[PendingReading](), 0
    for reading in sorted(found, key=lambda reading: reading.chunk_count or 0):
        count = reading.chunk_count or 0
        if group and (chunks + count > _GROUP_CHUNKS or count > LARGE_CHUNKS):
            yield group
            group, chunks = [], 0
        group, chunks = [*group, reading], chunks + count
    if group:
        yield group


async def _settle(work: Work, group: Sequence[PendingReading]) -> None:
    """The edge: each reading ends as completed, or as failed with a reason."""
    try:
        await _add(work, group)
    except LeaseLost:
        raise
    except TRANSIENT:
        if work.attempt + 1 >= _ATTEMPTS:
            await _give_up(work, group, _NO_ANSWER)
        raise
    except Exception as error:
        if len(group) > 1:
            await _settle_each(work, [[reading] for reading in group])  # only one of them may be to blame
            return
        if not isinstance(error, EmbeddingRefused | EmbeddingNotInstalled):
            raise
        await _give_up(work, group, error.detail)


async def _add(work: Work, group: Sequence[PendingReading]) -> None:
    async with work.begin() as tx:
        chunks = await readings.list_chunks(tx, *(reading.number for reading in group))
    of = {reading.number: list[ChunkPiece]() for reading in group}
    for chunk in chunks:
        of[chunk.reading].append(chunk)
    embedders, is_large = work.part(Embedders), len(group) == 1 and len(chunks) > LARGE_CHUNKS
    if not is_large:
        texts = [index.ReadingText(reading, of[reading.number]) for reading in group]
        await index.add_small(work.begin, texts, embedders=embedders)
    else:
        await index.add(work.begin, group[0], chunks, embedders=embedders)
    async with work.begin() as tx:
        if is_large:
            await readings.mark_completed(tx, group[0].number)
        await enqueue_maintenance(tx)
        await wake_move(tx, await spaces.ensure_written(tx, embedders))


async def _give_up(work: Work, group: Sequence[PendingReading], reason: str) -> None:
    async with work.begin() as tx:
        for reading in group:
            await readings.mark_failed(tx, reading.sha256, Refusal.CRASHED, _NOT_EMBEDDED.format(reason))


async def _reanalyse(work: Work) -> None:
    """Job: analyse outdated readings again; when the worker stops, the job is enqueued anew and goes on."""
    while await reanalysis.analyse_some(work.begin):
        if work.is_stopping():
            async with work.begin() as tx:
                await tx.wake(REANALYSE, key=_REANALYSE_KEY)
            return


async def _look_after(work: Work) -> None:
    """Job: enqueue what each workspace's index needs, also after an upgrade, a crash or a deletion."""
    async with work.begin() as tx:
        await vector_builds.sweep(tx)
        workspace_ids = await installation.list_workspace_ids(tx)
    for workspace_id in workspace_ids:
        async with work.begin(workspace_id) as tx:
            await enqueue_maintenance(tx)
            if await vector_builds.is_due(tx):
                await tx.wake(MAINTAIN, key=_MAINTAIN_KEY)
            if await reanalysis.is_due(tx):
                await tx.wake(REANALYSE, key=_REANALYSE_KEY)


async def _maintain(work: Work) -> None:
    await maintenance.remove_void_hits(work.begin)
    await frequent_terms.update(work.begin)
    await vector_builds.build_due(partial(work.begin, timeout_s=_BUILD_S))


async def _encode(work: Work) -> None:
    """Move readings of one workspace for a while; on schedule, wake that for all that have readings to move."""
    if isinstance(work.who, System):
        await _move(work)
        return
    async with work.begin() as tx:
        workspace_ids = await installation.list_workspace_ids(tx)
    for workspace_id in workspace_ids:
        async with work.begin(workspace_id) as tx:
            if await spaces.begin_upgrade(tx, work.part(Embedders)):
                await tx.wake(ENCODE, key=_MOVE_KEY)


async def _move(work: Work) -> None:
    embedders, ends_at = work.part(Embedders), time.monotonic() + _MOVE_S
    async with work.begin() as tx:
        active = await spaces.find_active(tx)
    if active is None:
        return
    try:
        embedder = embedders.of_space(active.name)
        is_done = await encode.move_readings(
            work.begin,
            active,
            embedder,
            together=embedders.texts_at_once(active.name),
            is_ending=lambda: work.is_stopping() or time.monotonic() > ends_at,
        )
    except (EmbeddingNotInstalled, EmbeddingRefused, AnotherReindex) as error:
        # What is in another space is found there. The schedule tries again.
        log.warning("readings_not_moved", error=type(error).__name__, reason=error.detail)
        return
    if is_done:
        await reindex.finish_move(work.begin, embedders)
    async with work.begin() as tx:
        if await vector_builds.is_due(tx):
            await tx.wake(MAINTAIN, key=_MAINTAIN_KEY)
        if not is_done:
            await tx.defer(ENCODE, key=_MOVE_KEY)


INDEX = Job(name="retrieval.index", queue=Queue.INDEX, run=_index, attempts=_ATTEMPTS, together=_TOGETHER)
ENCODE = Job(name="retrieval.encode", queue=Queue.ENCODING, run=_encode, every="*/10 * * * *")
REANALYSE = Job(name="retrieval.reanalyse", queue=Queue.MAINTENANCE, run=_reanalyse, priority=_LOW)
LOOK_AFTER = Job(name="retrieval.look_after", queue=Queue.MAINTENANCE, run=_look_after, every="*/5 * * * *")
MAINTAIN = Job(name="retrieval.tend", queue=Queue.MAINTENANCE, run=_maintain)
