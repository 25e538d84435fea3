"""Spaces: which embedder's vectors a workspace is searched by, and the switch to another one without a pause."""

from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.ports import Embedder
from intelli.retrieval.store import vectors as store
from intelli.retrieval.tables import Space


async def find_active(tx: Tx) -> Space | None:
    """Return the space that searches use; None before anything was indexed."""
    return await store.find_space(tx, store.ACTIVE)


async def find_fault(tx: Tx, embedders: Embedders) -> str | None:
    """Return the reason why the workspace is searched by words only; None when vectors are searched too."""
    space = await find_active(tx)
    try:
        if space is not None:
            embedders.of_space(space.name)
    except IntelliError as error:
        return error.detail
    return None


async def ensure_active(tx: Tx, embedder: Embedder) -> Space:
    """Return the space that searches use, inserted for an embedder when there is none."""
    found = await store.find_space(tx, store.ACTIVE)
    if found is not None:
        return found
    await store.lock_spaces(tx)
    found = await store.find_space(tx, store.ACTIVE)
    if found is not None:
        return found
    return await store.add_space(tx, name=embedder.name, dimensions=embedder.dimensions, state=store.ACTIVE)


async def begin_filling(tx: Tx, embedder: Embedder) -> Space | None:
    """Return the space to fill for an embedder, new or resumed; None when the active space is of this embedder."""
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
    """Make a filled space the active one from this commit on; return False while readings are missing in it.

    Writers of vectors share the lock that this takes exclusively, so none is added to the old space alone meanwhile.
    """
    await store.lock_spaces(tx)
    if await store.list_missing(tx, filling.number, limit=1):
        return False
    active = await store.find_space(tx, store.ACTIVE)
    if active is not None:
        await store.change_space(tx, active.number, state=store.LEAVING)
    await store.change_space(tx, filling.number, state=store.ACTIVE)
    return True
