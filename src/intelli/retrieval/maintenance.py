"""Tending: as a workspace grows, its index is given what a larger one needs."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from intelli.kit.db import Tx
from intelli.retrieval import spaces
from intelli.retrieval.store import lexical, vectors
from intelli.retrieval.tables import Space

Begin = Callable[[], AbstractAsyncContextManager[Tx]]
# From so many chunks on, finding the nearest by an index beats comparing with all.
BUILD_AT = 8_000
_GROWTH = 1.25
# A word in more chunks than this is read only where it has to be.
_FREQUENT_CHUNKS = 12_000
# Strays are borne until they are so many, and such a part of what is indexed.
_STRAYS, _STRAY_SHARE = 100, 0.05
_CLEANSE_BATCH = 2_000


async def is_due(tx: Tx) -> bool:
    """True when the index has grown by a quarter since this last said so, or too much in it is void."""
    if await _has_many_strays(tx):
        return True
    chunks, counted = await lexical.growth(tx)
    if chunks < BUILD_AT or chunks < counted * _GROWTH:
        return False
    await lexical.set_counted(tx)
    return True


async def count_words(tx: Tx) -> None:
    """Find out which terms are frequent."""
    await lexical.count_frequent(tx, chunks=_FREQUENT_CHUNKS)


async def cleanse(begin: Begin) -> None:
    """Remove what is void from the postings. Interrupted, it is begun again without harm."""
    async with begin() as tx:
        gone = await lexical.strays(tx) if await _has_many_strays(tx) else lexical.NO_STRAYS
    if not gone:
        return
    place: lexical.Place | None = lexical.BEFORE_ALL
    while place is not None:
        async with begin() as tx:
            place = await lexical.cleanse(tx, gone, after=place, limit=_CLEANSE_BATCH)
    async with begin() as tx:
        await lexical.forget(tx, gone)


async def _has_many_strays(tx: Tx) -> bool:
    strays = await lexical.count_strays(tx)
    return strays >= _STRAYS and strays >= await lexical.count_indexed(tx) * _STRAY_SHARE


async def build(tx: Tx) -> None:
    """Make the index of the active space when it is large enough and has none."""
    space = await spaces.find_active(tx)
    if space is not None:
        await build_space(tx, space)


async def build_space(tx: Tx, space: Space) -> None:
    """The same for any space."""
    if space.is_built or await vectors.count(tx, space.number) < BUILD_AT:
        return
    await vectors.build(tx, space.number)
    await vectors.change_space(tx, space.number, is_built=True)
