"""Reanalysis: index the words of readings again that an older version of the analysis wrote, while searches go on."""

from collections.abc import Sequence

from intelli.kit.db import Tx
from intelli.library import readings
from intelli.retrieval import analysis, index, maintenance
from intelli.retrieval.index import Begin, ReadingText
from intelli.retrieval.ports import ChunkPiece, ReadingLanguage
from intelli.retrieval.store import lexical

_BATCH = 32
_SMALL_CHUNKS = 50  # readings up to this size are analysed together


async def count_outdated(tx: Tx) -> int:
    """Count the readings that are to be analysed again."""
    return await lexical.count_outdated(tx, version=analysis.VERSION)


async def is_due(tx: Tx) -> bool:
    """Return True when a reading is to be analysed again."""
    return bool(await lexical.list_outdated(tx, version=analysis.VERSION, limit=1))


async def analyse_some(begin: Begin) -> int:
    """Analyse a few outdated readings again, in small transactions; return their number, 0 when none was left."""
    async with begin() as tx:
        numbers = await lexical.list_outdated(tx, version=analysis.VERSION, limit=_BATCH)
    together: list[ReadingText] = []
    for number in numbers:
        found = await load_reading(begin, number)
        if found is not None and len(found[1]) > _SMALL_CHUNKS:
            await index.write_words(begin, found[0], await index.analyse_reading(*found))
        elif found is not None:
            together.append(ReadingText(*found))
    if together:
        await index.write_small_words(begin, together)
    await maintenance.remove_void_hits(begin)
    return len(numbers)


async def load_reading(begin: Begin, number: int) -> tuple[ReadingLanguage, Sequence[ChunkPiece]] | None:
    """Return a reading with its chunks; None when it is gone."""
    async with begin() as tx:
        reading = await readings.find_number(tx, number)
        return (reading, await readings.list_chunks(tx, number)) if reading is not None else None
