"""Reindexing: repeat outdated analyses and move to another embedder, while searches go on."""

import asyncio
from collections.abc import Callable

from intelli.kit.db import Tx
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.ports import Embedder
from intelli.retrieval import encode, reanalysis, spaces, vector_builds
from intelli.retrieval.index import Begin
from intelli.retrieval.store import moves, vectors

OnProgress = Callable[[int], None]
_BATCH = 100
_VECTORS_BATCH = 5_000
# Longer than a search that began in the old space takes to end.
_GRACE_S = 2.0


async def reindex(
    begin: Begin, embedder: Embedder, embedders: Embedders, *, on_progress: OnProgress = lambda _: None
) -> None:
    """Bring a workspace's index to this analysis version and this embedder. Interrupted, it resumes where it stopped.

    Transactions last no longer than usual, but for the one that builds an index: `begin` should allow it an hour.
    """
    await _analyse_again(begin, on_progress)
    async with begin() as tx:
        active = await spaces.begin_move(tx, embedder)
    await encode.move_readings(
        begin, active, embedder, together=embedders.texts_at_once(embedder.name), on_progress=on_progress
    )
    await vector_builds.build_due(begin)
    await finish_move(begin, embedders)


async def finish_move(begin: Begin, embedders: Embedders) -> None:
    """Remove the spaces that a move has emptied; the one that new readings are written to stays."""
    async with begin() as tx:
        await spaces.retire(tx, kept=embedders.quick.name)
    await drop_leaving(begin)


async def count_remaining(tx: Tx, embedder: Embedder) -> int:
    """Count the readings that a reindex would process."""
    active = await spaces.find_active(tx)
    outdated = await reanalysis.count_outdated(tx)
    is_moved = active is not None and active.name == embedder.name
    return outdated + await moves.count_unmoved(tx, active if is_moved else None)


async def drop_leaving(begin: Begin) -> None:
    """Remove spaces that are no longer used, in small transactions."""
    async with begin() as tx:
        leaving = await vectors.list_leaving_spaces(tx)
    if leaving:
        await asyncio.sleep(_GRACE_S)
    for space in leaving:
        if not await vector_builds.drop_former_index(begin, space):
            continue
        while True:
            async with begin() as tx:
                if not await vectors.remove_some(tx, space, limit=_VECTORS_BATCH):
                    await vectors.remove_space(tx, space)
                    break


async def _analyse_again(begin: Begin, on_progress: OnProgress) -> None:
    while done := await reanalysis.analyse_some(begin):
        on_progress(done)
