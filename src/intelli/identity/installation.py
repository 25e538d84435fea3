"""Installation-wide queries for the operator: all workspaces, their members, and whether there is an owner."""

from collections.abc import AsyncIterator, Sequence
from uuid import UUID

from intelli.identity import members, store, wire
from intelli.kit.db import Tx

_PAGE = 200


async def is_claimed(tx: Tx) -> bool:
    """True once the first account exists."""
    return await store.find_installation(tx) is not None


async def list_workspace_ids(tx: Tx) -> Sequence[UUID]:
    """Return the ids of all workspaces. The transaction must be opened as `WorkspaceLister`."""
    return await store.list_workspace_ids(tx)


async def get_workspace(tx: Tx) -> wire.Workspace:
    """Return the workspace of the transaction."""
    return wire.Workspace.model_validate(await store.get_workspace(tx))


async def iterate_members(tx: Tx) -> AsyncIterator[wire.Member]:
    """Iterate over all members of the transaction's workspace, loading them page by page."""
    cursor = None
    while True:
        page = await members.list_members(tx, cursor=cursor, limit=_PAGE)
        for member in page.items:
            yield member
        cursor = page.next_cursor
        if cursor is None:
            return
