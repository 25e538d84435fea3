"""Copies of blobs on the local disk, for programs that open files and know nothing of a blob store."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from intelli.kit import clock
from intelli.kit.blobs import Blobs

_PREFIX = "intelli-copy-"


@asynccontextmanager
async def copied(blobs: Blobs, tenant_id: UUID, sha256: str) -> AsyncIterator[Path]:
    """A blob as a file, checked against its hash, while the block lasts."""
    with tempfile.NamedTemporaryFile(prefix=_PREFIX) as file:
        async for piece in await blobs.get(tenant_id, sha256):
            await asyncio.to_thread(file.write, piece)
        file.flush()
        yield Path(file.name)


async def forget(older_than: timedelta) -> int:
    """Remove copies that a killed process left behind; the age must exceed the longest reading. Returns how many."""
    return await asyncio.to_thread(_forget, (clock.now() - older_than).timestamp())


def _forget(before: float) -> int:
    removed = 0
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):  # another user's, or gone by now
            if path.stat().st_mtime < before:
                path.unlink()
                removed += 1
    return removed
