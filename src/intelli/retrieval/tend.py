"""Tending: as a workspace grows, its index is given what a larger one needs."""

from intelli.kit.db import Tx
from intelli.retrieval import spaces
from intelli.retrieval.store import lexical, vectors
from intelli.retrieval.tables import Space

# From so many chunks on, finding the nearest by an index beats comparing with all.
BUILD_AT = 8_000
_COUNT_AT = 2_000
_GROWTH = 1.25
# A word with more postings than this is read only where it has to be.
_FREQUENT_ROWS = 2_000


async def is_due(tx: Tx) -> bool:
    """True when the index has grown by a quarter since this last said so."""
    chunks, counted = await lexical.growth(tx)
    if chunks < _COUNT_AT or chunks < counted * _GROWTH:
        return False
    await lexical.set_counted(tx)
    return True


async def count_words(tx: Tx) -> None:
    """Find out which terms are frequent."""
    await lexical.count_frequent(tx, rows=_FREQUENT_ROWS)


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
