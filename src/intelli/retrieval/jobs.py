"""Retrieval's background work: indexing what was read, and tending an index that has grown."""

from intelli.kit.db import Tx
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import TRANSIENT, Work
from intelli.library import readings
from intelli.library.extraction.model import Refusal
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.errors import EmbeddingNotInstalled, EmbeddingRefused
from intelli.retrieval import index, tend

_ATTEMPTS = 8
_NOT_EMBEDDED = "The file was read, but its passages could not be embedded. {}"
_NO_ANSWER = "The embedding endpoint does not answer. Try again once it does."


async def enqueue(tx: Tx, sha256: str) -> None:
    """Have a reading indexed once its text is stored."""
    await tx.defer(INDEX, key=f"index:{sha256}", sha256=sha256)


async def _index(work: Work, *, sha256: str) -> None:
    """The edge: a document ends as findable, or as failed with a reason."""
    async with work.begin() as tx:
        reading = await readings.find(tx, sha256)
        chunks = await readings.chunks_of(tx, reading.number) if reading is not None else []
    if reading is None:
        return
    try:
        await index.add(work.begin, reading, chunks, embedders=work.part(Embedders))
    except (EmbeddingRefused, EmbeddingNotInstalled) as error:
        await _give_up(work, sha256, error.detail)
        return
    except TRANSIENT:
        if work.attempt + 1 >= _ATTEMPTS:
            await _give_up(work, sha256, _NO_ANSWER)
        raise
    async with work.begin() as tx:
        await readings.complete(tx, reading.number)
        if await tend.is_due(tx):
            await tx.defer(TEND, key="retrieval.tend")


async def _give_up(work: Work, sha256: str, reason: str) -> None:
    async with work.begin() as tx:
        await readings.fail(tx, sha256, Refusal.CRASHED, _NOT_EMBEDDED.format(reason))


async def _tend(work: Work) -> None:
    for step in (tend.count_words, tend.build):
        async with work.begin() as tx:
            await step(tx)


INDEX = Job(name="retrieval.index", queue=Queue.INDEX, run=_index, attempts=_ATTEMPTS)
TEND = Job(name="retrieval.tend", queue=Queue.MAINTENANCE, run=_tend)
