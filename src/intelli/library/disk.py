"""Copies of blobs on the local disk, for programs that open files and know nothing of a blob store."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

from intelli.kit.blobs import Blobs


@asynccontextmanager
async def copied(blobs: Blobs, tenant_id: UUID, sha256: str) -> AsyncIterator[Path]:
    """A blob as a file, checked against its hash, while the block lasts."""
    with tempfile.NamedTemporaryFile(prefix="intelli-") as file:
        async for piece in await blobs.get(tenant_id, sha256):
            await asyncio.to_thread(file.write, piece)
        file.flush()
        yield Path(file.name)
