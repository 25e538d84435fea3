"""Values of the blob store: metadata of blobs, and drafts of blobs that are not stored yet."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from intelli.kit.errors import Invalid

SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """Result of a `put`; `is_new` is false when the workspace already had these bytes."""

    sha256: str
    size_bytes: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class BlobStat:
    """Metadata of a blob."""

    sha256: str
    size_bytes: int
    modified_at: datetime


@dataclass(frozen=True, slots=True)
class UnfinishedBlob:
    """Draft file that is being written, or was left behind when its writer was killed."""

    name: str
    size_bytes: int
    modified_at: datetime


@dataclass(frozen=True, slots=True)
class BytesInMemory:
    """Content of a small draft in memory, with the key it will be stored under."""

    key: str
    content: bytes


class BlobDraft:
    """Received content that is not stored under its hash yet: `place` makes it durable, else it is dropped."""

    def __init__(
        self, sha256: str, size_bytes: int, place: Callable[[], Awaitable[bool]], *, held: BytesInMemory | None = None
    ) -> None:
        self.sha256 = sha256
        self.size_bytes = size_bytes
        self.held = held
        self._place = place

    async def place(self) -> bool:
        """Store the bytes under their hash, replacing a damaged blob. Return False when an intact one was there.

        May be called again.
        """
        return await self._place()


def key(tenant_id: UUID, sha256: str) -> str:
    """Return the path of a blob relative to the root of the store. Raise Invalid for a malformed hash."""
    if not SHA256.fullmatch(sha256):
        raise Invalid("A SHA-256 is 64 hexadecimal digits in lower case.")
    return f"{tenant_id}/{sha256[:2]}/{sha256}"
