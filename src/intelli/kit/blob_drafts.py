"""What the blob store hands out: what is known of blobs, and drafts of those that are to be."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from intelli.kit.errors import Invalid

SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """The outcome of a `put`; `is_new` is false when the workspace already had these bytes."""

    sha256: str
    size_bytes: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class BlobStat:
    """What is known of a blob without reading it."""

    sha256: str
    size_bytes: int
    modified_at: datetime


@dataclass(frozen=True, slots=True)
class UnfinishedBlob:
    """A blob that is being written, or was when its writer was killed."""

    name: str
    size_bytes: int
    modified_at: datetime


@dataclass(frozen=True, slots=True)
class BytesInMemory:
    """Bytes in memory, and the key they are to have."""

    key: str
    content: bytes


class BlobDraft:
    """Bytes that arrived whole, but belong to nothing yet: durable once they are placed, or gone with their block."""

    def __init__(
        self, sha256: str, size_bytes: int, place: Callable[[], Awaitable[bool]], *, held: BytesInMemory | None = None
    ) -> None:
        self.sha256 = sha256
        self.size_bytes = size_bytes
        self.held = held
        self._place = place

    async def place(self) -> bool:
        """File the bytes under their hash, also in place of damaged ones; false when the workspace had them whole.

        It may be asked for again.
        """
        return await self._place()


def key(tenant_id: UUID, sha256: str) -> str:
    """Where a blob is, relative to the root of the store."""
    if not SHA256.fullmatch(sha256):
        raise Invalid("A SHA-256 is 64 hexadecimal digits in lower case.")
    return f"{tenant_id}/{sha256[:2]}/{sha256}"
