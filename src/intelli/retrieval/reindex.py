"""Reindexing: repeat outdated analyses and move to another embedder, while searches go on."""

import asyncio
from collections.abc import Callable, Sequence

from intelli.kit.db import Tx
from intelli.library import readings
from intelli.reasoning.ports import Embedder
from intelli.retrieval import analysis, index, maintenance, spaces
from intelli.retrieval.errors import AnotherReindex
from intelli.retrieval.index import Begin
from intelli.retrieval.ports import ChunkPiece, ReadingLanguage
from intelli.retrieval.store import lexical, vectors
from intelli.retrieval.tables import Space

OnProgress = Callable[[int], None]
_BATCH = 100
_VECTORS_BATCH = 5_000
_SMALL_CHUNKS = 50  # readings up to this size are analysed together
# Longer than a search that began in the old space takes to end.
_GRACE_S = 2.0


async def reindex(begin: Begin, embedder: Embedder, *, on_progress: OnProgress = lambda _: None) -> None:
    """Bring a workspace's index to this analysis version and this embedder. Interrupted, it resumes where it stopped.

    Transactions last no longer than usual, but for the one that builds an index: `begin` should allow it an hour.
    """
    await _analyse_again(begin, on_progress)
    async with begin() as tx:
        space = await spaces.begin_filling(tx, embedder)
    if space is not None:
        await _fill(begin, space, embedder, on_progress)
    await drop_leaving(begin)


async def count_remaining(tx: Tx, embedder: Embedder) -> int:
    """Count the readings that a reindex would process."""
    active = await spaces.find_active(tx)
    outdated = await lexical.count_outdated(tx, version=analysis.VERSION)
    if active is None or active.name == embedder.name:
        return outdated
    filling = await vectors.find_space(tx, vectors.FILLING)
    number = filling.number if filling is not None and filling.name == embedder.name else 0
    return outdated + await vectors.count_missing(tx, number)


async def drop_leaving(begin: Begin) -> None:
    """Remove spaces that are no longer used, in small transactions."""
    async with begin() as tx:
        leaving = [space.number for space in await vectors.list_leaving_spaces(tx)]
    if leaving:
        await asyncio.sleep(_GRACE_S)
    for number in leaving:
        async with begin() as tx:
            await vectors.drop_index(tx, number)
        while True:
            async with begin() as tx:
                if not await vectors.remove_some(tx, number, limit=_VECTORS_BATCH):
                    await vectors.remove_space(tx, number)
                    break


async def _analyse_again(begin: Begin, on_progress: OnProgress) -> None:
    while True:
        async with begin() as tx:
            numbers = await lexical.list_outdated(tx, version=analysis.VERSION, limit=_BATCH)
        if not numbers:
            return
        together: list[index.ReadingText] = []
        for number in numbers:
            found = await _load_reading(begin, number)
            if found is not None and len(found[1]) > _SMALL_CHUNKS:
                await index.write_words(begin, found[0], await index.analyse_reading(*found))
            elif found is not None:
                together.append(index.ReadingText(*found))
        await index.write_small_words(begin, together)
        on_progress(len(numbers))
        await maintenance.remove_void_hits(begin)


async def _fill(begin: Begin, space: Space, embedder: Embedder, on_progress: OnProgress) -> None:
    """Fill a space until nothing is missing, then switch to it; documents may be added meanwhile."""
    is_switched = False
    while not is_switched:
        await _fill_missing(begin, space, embedder, on_progress)
        async with begin() as tx:
            await maintenance.build_space(tx, space)
        async with begin() as tx:
            is_switched = await spaces.switch(tx, space)


async def _fill_missing(begin: Begin, space: Space, embedder: Embedder, on_progress: OnProgress) -> None:
    while True:
        async with begin() as tx:
            numbers = await vectors.list_missing(tx, space.number, limit=_BATCH)
        if not numbers:
            return
        for number in numbers:
            found = await _load_reading(begin, number)
            if found is not None and not await index.add_vectors(begin, *found, embedder=embedder, space=space):
                raise AnotherReindex("Another reindex has taken over. Wait for it to end, then run this again.")
            on_progress(1)


async def _load_reading(begin: Begin, number: int) -> tuple[ReadingLanguage, Sequence[ChunkPiece]] | None:
    async with begin() as tx:
        reading = await readings.find_number(tx, number)
        return (reading, await readings.list_chunks(tx, number)) if reading is not None else None
