"""Maintenance of an index as its workspace grows: count frequent terms, remove void postings, build the HNSW index."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from intelli.kit.db import Tx
from intelli.retrieval import spaces
from intelli.retrieval.store import lexical, vectors
from intelli.retrieval.tables import Space

Begin = Callable[[], AbstractAsyncContextManager[Tx]]
# From this number of chunks on, an HNSW index beats comparing with all vectors.
BUILD_AT = 8_000
_GROWTH = 1.25
# A word in more chunks than this is read only where it has to be.
_FREQUENT_CHUNKS = 12_000
# Void readings are tolerated until they are this many, and this share of what is indexed.
_MANY_VOID, _VOID_SHARE = 100, 0.05
_CLEANSE_BATCH = 2_000


async def is_due(tx: Tx) -> bool:
    """Return True when the index has grown by a quarter since this last returned True, or too much in it is void."""
    if await _has_many_void(tx):
        return True
    chunks, counted = await lexical.load_growth(tx)
    if chunks < BUILD_AT or chunks < counted * _GROWTH:
        return False
    await lexical.set_counted(tx)
    return True


async def count_frequent_terms(tx: Tx) -> None:
    """Recompute which terms are frequent."""
    await lexical.count_frequent(tx, chunks=_FREQUENT_CHUNKS)


async def remove_void_hits(begin: Begin) -> None:
    """Remove the hits of void readings from the postings, in small transactions; safe to repeat after a crash."""
    async with begin() as tx:
        gone = await lexical.list_void_readings(tx) if await _has_many_void(tx) else lexical.NO_VOID_READINGS
    if not gone:
        return
    place: lexical.Place | None = lexical.BEFORE_ALL
    while place is not None:
        async with begin() as tx:
            place = await lexical.remove_void_hits(tx, gone, after=place, limit=_CLEANSE_BATCH)
    async with begin() as tx:
        await lexical.delete_void_readings(tx, gone)


async def _has_many_void(tx: Tx) -> bool:
    void = await lexical.count_void_readings(tx)
    return void >= _MANY_VOID and void >= await lexical.count_indexed(tx) * _VOID_SHARE


async def build_active(tx: Tx) -> None:
    """Build the HNSW index of the active space when it is large enough and has none."""
    space = await spaces.find_active(tx)
    if space is not None:
        await build_space(tx, space)


async def build_space(tx: Tx, space: Space) -> None:
    """Build the HNSW index of a space when it is large enough and has none."""
    if space.is_built or await vectors.count(tx, space.number) < BUILD_AT:
        return
    await vectors.build_index(tx, space.number)
    await vectors.change_space(tx, space.number, is_built=True)
