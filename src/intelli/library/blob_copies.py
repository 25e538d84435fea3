"""Copies of blobs on the local disk, for programs that open files and know nothing of a blob store."""

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
async def copied(blobs: Blobs, tenant_id: UUID, sha256: str) -> AsyncIterator[Path]:
    """A blob as a file, checked against its hash, while the block lasts."""
    with tempfile.NamedTemporaryFile(prefix=_PREFIX) as file:
        async for piece in await blobs.get(tenant_id, sha256):
            await asyncio.to_thread(file.write, piece)
        file.flush()
        yield Path(file.name)


@asynccontextmanager
async def written(content: bytes) -> AsyncIterator[Path]:
    """A few bytes as a file, while the block lasts."""
    with tempfile.NamedTemporaryFile(prefix=_PREFIX) as file:
        file.write(content)
        file.flush()
        yield Path(file.name)


@asynccontextmanager
async def copied_small(blobs: Blobs, tenant_id: UUID, hashes: Iterable[str]) -> AsyncIterator[dict[str, Path]]:
    """Small blobs as files, each checked; what is missing or damaged is left out, and is told when it is asked for."""
    contents = await blobs.read_small(tenant_id, hashes)
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as folder:
        paths = {sha256: Path(folder, sha256) for sha256 in contents}
        await asyncio.to_thread(lambda: [path.write_bytes(contents[sha256]) for sha256, path in paths.items()])
        yield paths


async def forget(older_than: timedelta) -> int:
    """Remove copies that a killed process left behind; the age must exceed the longest reading. Returns how many."""
    return await asyncio.to_thread(_forget, (clock.now() - older_than).timestamp())


def _forget(before: float) -> int:
    removed = 0
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):  # another user's, or gone by now
            if path.stat().st_mtime < before:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
                removed += 1
    return removed
