"""Spaces: which embedders' vectors a workspace is searched by, and the move from one to another without a pause.

All vectors finally go to the active space. Searches compare with the earlier ones too, as long as readings have their
vectors only there: what is new is embedded quickly first, and after a change of the embedder nothing is lost.
"""

from collections.abc import Sequence

from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.library.ports import EncodingProgress
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.ports import Embedder
from intelli.retrieval.store import moves
from intelli.retrieval.store import vectors as store
from intelli.retrieval.tables import Space


async def find_active(tx: Tx) -> Space | None:
    """Return the space that all vectors finally go to; None before anything was indexed."""
    return await store.find_space(tx, store.ACTIVE)


async def list_searched(tx: Tx) -> Sequence[Space]:
    """Return the spaces that a search compares with, the active one first; none before anything was indexed."""
    return await moves.list_searched_spaces(tx)


async def load_progress(tx: Tx) -> EncodingProgress:
    """Return how many passages have vectors in the active space, of how many."""
    return await moves.load_progress(tx)


async def find_fault(tx: Tx, embedders: Embedders) -> str | None:
    """Return the reason why the workspace is searched by words only; None when vectors are searched too."""
    faults = []
    for space in await list_searched(tx):
        try:
            embedders.of_space(space.name)
        except IntelliError as error:
            faults.append(error.detail)
        else:
            return None
    return faults[0] if faults else None


async def ensure_active(tx: Tx, embedder: Embedder) -> Space:
    """Return the space that all vectors finally go to, inserted for an embedder when there is none."""
    found = await find_active(tx)
    if found is not None:
        return found
    await store.lock_spaces(tx)
    return await find_active(tx) or await _add(tx, embedder, state=store.ACTIVE)


async def ensure_written(tx: Tx, embedders: Embedders) -> Space:
    """Return the space that new readings are written to at once: a quick one where the active one is an encoder's."""
    active = await ensure_active(tx, embedders.chosen)
    if not embedders.is_encoder(active.name):
        return active
    found = await _find_earlier(tx, embedders.quick.name)
    if found is not None:
        return found
    await store.lock_spaces(tx)
    found = await _find_earlier(tx, embedders.quick.name)
    return found or await _add(tx, embedders.quick, state=store.EARLIER)


async def hold(tx: Tx, space: Space) -> Space | None:
    """Return a space as it is now, with a shared lock that keeps it so until the transaction ends.

    None when it is not searched any more. Vectors are written to the row that this returns.
    """
    await store.lock_spaces_shared(tx)
    now = await store.find_number(tx, space.number)
    return now if now is not None and now.state != store.LEAVING else None


async def begin_move(tx: Tx, embedder: Embedder) -> Space:
    """Make the space of an embedder the active one, new or an earlier one. The active one becomes an earlier one."""
    active = await ensure_active(tx, embedder)
    if active.name == embedder.name:
        return active
    await store.lock_spaces(tx)
    active = await ensure_active(tx, embedder)
    if active.name == embedder.name:
        return active
    await store.change_space(tx, active, state=store.EARLIER)
    await moves.restart(tx)
    found = await _find_earlier(tx, embedder.name)
    if found is None:
        return await _add(tx, embedder, state=store.ACTIVE)
    await store.change_space(tx, found, state=store.ACTIVE)
    return await ensure_active(tx, embedder)


async def begin_upgrade(tx: Tx, embedders: Embedders) -> bool:
    """Begin the move from the static space to the encoder of the settings; return True when readings are to be moved.

    Between other embedders, `intelli reindex` begins it.
    """
    active = await find_active(tx)
    if active is None:
        return False
    if embedders.is_upgrade(active.name):
        active = await begin_move(tx, embedders.chosen)
    return await moves.count_unmoved(tx, active) > 0


async def retire(tx: Tx, *, kept: str) -> None:
    """Take earlier spaces that are empty out of use, but for the one of the embedder named `kept`."""
    await store.lock_spaces(tx)
    for space in await store.list_spaces(tx):
        if space.state == store.EARLIER and space.name != kept and await moves.is_empty(tx, space):
            await store.change_space(tx, space, state=store.LEAVING)


async def _find_earlier(tx: Tx, name: str) -> Space | None:
    found = [space for space in await store.list_spaces(tx) if space.state == store.EARLIER and space.name == name]
    return found[0] if found else None


async def _add(tx: Tx, embedder: Embedder, *, state: str) -> Space:
    return await store.add_space(tx, name=embedder.name, dimensions=embedder.dimensions, state=state)
