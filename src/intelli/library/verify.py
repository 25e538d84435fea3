"""Consistency check of the library: paths, versions, readings and chunks must agree with each other."""

from collections.abc import AsyncIterator

from intelli.kit.room import WorkspaceAccess
from intelli.library.store import faults

_MOST = 1000


async def findings(access: WorkspaceAccess) -> AsyncIterator[str]:
    """Yield a sentence for each inconsistency, for `intelli verify`."""
    async with access.begin() as tx:
        found = await faults.list_faults(tx, most=_MOST)
    for finding in found:
        yield f"{finding} (workspace {access.tenant_id})"
