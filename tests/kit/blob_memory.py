"""Streams bytes through a blob store in a process of its own and prints by how much its memory grew at most."""

import asyncio
import hashlib
import json
import os
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

from intelli.kit.blobs import open_blobs

CHUNK_BYTES = 64 << 10


async def content(size_bytes: int) -> AsyncIterator[bytes]:
    for _ in range(size_bytes // CHUNK_BYTES):
        yield os.urandom(CHUNK_BYTES)


def resident_bytes(field: str) -> int:
    """From the kernel's own account: `ru_maxrss` of a child begins at the peak of the process that started it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(re.findall(rf"{field}:\s+(\d+) kB", status)[0])


async def main(url: str, options: dict[str, str], size_bytes: int) -> dict[str, object]:
    blobs = open_blobs(url, options=options)
    tenant_id = uuid4()
    await blobs.put(tenant_id, content(CHUNK_BYTES))
    before = resident_bytes("VmRSS")
    stored = await blobs.put(tenant_id, content(size_bytes))
    digest = hashlib.sha256()
    async for piece in await blobs.get(tenant_id, stored.sha256):
        digest.update(piece)
    return {
        "growth_bytes": resident_bytes("VmHWM") - before,
        "size_bytes": stored.size_bytes,
        "is_same": digest.hexdigest() == stored.sha256,
    }


if __name__ == "__main__":
    outcome = asyncio.run(main(sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3])))
    sys.stdout.write(json.dumps(outcome))
