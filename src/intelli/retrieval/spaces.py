"""Spaces: which vectors a workspace is searched by, and how another model takes over without a pause."""

from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.ports import Embedder
from intelli.retrieval.store import vectors as store
from intelli.retrieval.tables import Space


async def find_active(tx: Tx) -> Space | None:
    """The space that searches use; none before anything was indexed."""
    return await store.find_space(tx, store.ACTIVE)


async def find_fault(tx: Tx, embedders: Embedders) -> str | None:
    """Why the workspace is searched by words alone; None when its vectors can be searched too."""
    space = await find_active(tx)
    try:
        if space is not None:
            embedders.of_space(space.name)
    except IntelliError as error:
        return error.detail
    return None


async def ensure_active(tx: Tx, embedder: Embedder) -> Space:
    """The space that searches use, made for an embedder when there is none."""
    found = await store.find_space(tx, store.ACTIVE)
    if found is not None:
        return found
    await store.lock_spaces(tx)
    found = await store.find_space(tx, store.ACTIVE)
    if found is not None:
        return found
    return await store.add_space(tx, name=embedder.name, dimensions=embedder.dimensions, state=store.ACTIVE)


async def begin_filling(tx: Tx, embedder: Embedder) -> Space | None:
    """The space to fill for an embedder, begun anew or taken up again; none when it is the active one already."""
    await store.lock_spaces(tx)
    active = await ensure_active(tx, embedder)
    filling = await store.find_space(tx, store.FILLING)
    if filling is not None and (filling.name != embedder.name or active.name == embedder.name):
        await store.change_space(tx, filling.number, state=store.LEAVING)
        filling = None
    if active.name == embedder.name:
        return None
    if filling is not None:
        return filling
    return await store.add_space(tx, name=embedder.name, dimensions=embedder.dimensions, state=store.FILLING)


async def switch(tx: Tx, filling: Space) -> bool:
    """Search by the space that was filled, from this commit on; false while readings are missing in it.

    Whoever adds vectors shares the lock that this takes, so none is added to the old space alone in between.
    """
    await store.lock_spaces(tx)
    if await store.missing(tx, filling.number, limit=1):
        return False
    active = await store.find_space(tx, store.ACTIVE)
    if active is not None:
        await store.change_space(tx, active.number, state=store.LEAVING)
    await store.change_space(tx, filling.number, state=store.ACTIVE)
    return True
