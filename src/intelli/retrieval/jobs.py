"""Background jobs of retrieval: index readings, and maintain an index that has grown."""

from collections.abc import Iterator, Mapping, Sequence

from intelli.kit.db import Tx
from intelli.kit.jobs import Argument, Job, Queue
from intelli.kit.work import TRANSIENT, LeaseLost, Work
from intelli.library import readings
from intelli.library.extraction.model import Refusal
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.errors import EmbeddingNotInstalled, EmbeddingRefused
from intelli.retrieval import index, maintenance
from intelli.retrieval.ports import ChunkPiece, PendingReading

_ATTEMPTS = 8
_TOGETHER = 128
_GROUP_CHUNKS = 1024
# A reading with more is indexed step by step, and shows how far it is.
LARGE_CHUNKS = 256
# A million vectors on a busy machine: the database builds their index in one piece.
_BUILD_S = 3600
_NOT_EMBEDDED = "The file was read, but its passages could not be embedded. {}"
_NO_ANSWER = "The embedding endpoint does not answer. Try again once it does."


async def enqueue(tx: Tx, hashes: Sequence[str]) -> None:
    """Enqueue the indexing of readings for when this transaction commits."""
    await tx.defer_each(INDEX, {f"index:{sha256}": {"sha256": sha256} for sha256 in hashes})


async def enqueue_maintenance(tx: Tx) -> None:
    """Enqueue maintenance of the index when it has grown enough."""
    if await maintenance.is_due(tx):
        await tx.defer(MAINTAIN, key="retrieval.tend")


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


async def _give_up(work: Work, group: Sequence[PendingReading], reason: str) -> None:
    async with work.begin() as tx:
        for reading in group:
            await readings.mark_failed(tx, reading.sha256, Refusal.CRASHED, _NOT_EMBEDDED.format(reason))


async def _maintain(work: Work) -> None:
    await maintenance.remove_void_hits(work.begin)
    for step in (maintenance.count_frequent_terms, maintenance.build_active):
        async with work.begin(timeout_s=_BUILD_S) as tx:
            await step(tx)


INDEX = Job(name="retrieval.index", queue=Queue.INDEX, run=_index, attempts=_ATTEMPTS, together=_TOGETHER)
MAINTAIN = Job(name="retrieval.tend", queue=Queue.MAINTENANCE, run=_maintain)
