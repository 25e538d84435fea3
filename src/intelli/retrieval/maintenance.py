"""Maintenance of an index as its workspace grows: when it is due, and void postings."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from intelli.kit.db import Tx
from intelli.retrieval import frequent_terms, vector_builds
from intelli.retrieval.store import lexical

Begin = Callable[[], AbstractAsyncContextManager[Tx]]
# Growth after which the frequent terms are chosen anew: by this factor, or by so many chunks.
_GROWTH, _MOST_GROWTH = 1.25, 20_000
# Void readings are tolerated until they are this many, and this share of what is indexed.
_MANY_VOID, _VOID_SHARE = 100, 0.05
_CLEANSE_BATCH = 2_000


async def is_due(tx: Tx) -> bool:
    """Return True when the index has grown enough since this last returned True, or too much in it is void."""
    if await _has_many_void(tx):
        return True
    chunks, counted = await lexical.load_growth(tx)
    if chunks < vector_builds.BUILD_AT or chunks < min(counted * _GROWTH, counted + _MOST_GROWTH):
        return False
    await lexical.set_counted(tx)
    return True


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
        await frequent_terms.remove_void(tx, gone)
        await lexical.delete_void_readings(tx, gone)


async def _has_many_void(tx: Tx) -> bool:
    void = await lexical.count_void_readings(tx)
    return void >= _MANY_VOID and void >= await lexical.count_indexed(tx) * _VOID_SHARE
