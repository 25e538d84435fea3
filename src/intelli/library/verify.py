"""Checking that the library is whole: paths, versions, readings and chunks agree with each other."""

from collections.abc import AsyncIterator

from intelli.kit.room import WorkspaceAccess
from intelli.library.store import faults

_MOST = 1000


async def findings(premises: WorkspaceAccess) -> AsyncIterator[str]:
    """What is broken, for `intelli verify`."""
    async with premises.begin() as tx:
        found = await faults.all_kinds(tx, most=_MOST)
    for finding in found:
        yield f"{finding} (workspace {premises.tenant_id})"
