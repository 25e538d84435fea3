"""Children that live as long as a block."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


@asynccontextmanager
async def children() -> AsyncIterator[asyncio.TaskGroup]:
    """A task group whose first error is raised as itself: callers tell errors apart by their kind."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from errors
