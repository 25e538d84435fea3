"""Temporary copies of blobs on the local disk, for programs that can only open files."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from intelli.kit import clock
from intelli.kit.blobs import Blobs

_PREFIX = "intelli-copy-"


@asynccontextmanager
async def open_copy(blobs: Blobs, tenant_id: UUID, sha256: str) -> AsyncIterator[Path]:
    """Copy a blob to a temporary file, checked against its hash; the file is removed when the block ends."""
    with tempfile.NamedTemporaryFile(prefix=_PREFIX) as file:
        async for piece in await blobs.get(tenant_id, sha256):
            await asyncio.to_thread(file.write, piece)
        file.flush()
        yield Path(file.name)


@asynccontextmanager
async def open_bytes(content: bytes) -> AsyncIterator[Path]:
    """Write a few bytes to a temporary file, which is removed when the block ends."""
    with tempfile.NamedTemporaryFile(prefix=_PREFIX) as file:
        file.write(content)
        file.flush()
        yield Path(file.name)


@asynccontextmanager
async def open_small_copies(blobs: Blobs, tenant_id: UUID, hashes: Iterable[str]) -> AsyncIterator[dict[str, Path]]:
    """Copy small blobs to temporary files, by hash; missing or damaged ones are left out (`open_copy` raises)."""
    contents = await blobs.read_small(tenant_id, hashes)
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as folder:
        paths = {sha256: Path(folder, sha256) for sha256 in contents}
        await asyncio.to_thread(lambda: [path.write_bytes(contents[sha256]) for sha256, path in paths.items()])
        yield paths


async def remove_stale(older_than: timedelta) -> int:
    """Remove copies that a killed process left; return their number. The age must exceed the longest reading."""
    return await asyncio.to_thread(_remove_before, (clock.now() - older_than).timestamp())


def _remove_before(before: float) -> int:
    removed = 0
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):  # another user's, or gone by now
            if path.stat().st_mtime < before:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
                removed += 1
    return removed
