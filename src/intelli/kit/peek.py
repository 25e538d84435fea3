"""Streams of bytes: looking at how one begins without losing it."""

from collections.abc import AsyncIterator


async def begin(chunks: AsyncIterator[bytes], *, most_bytes: int) -> tuple[bytes, bool]:
    """How a stream begins, and whether that is all of it. More than `most_bytes` is never all."""
    head = bytearray()
    async for chunk in chunks:
        head += chunk
        if len(head) > most_bytes:
            return bytes(head), False
    return bytes(head), True


async def again(head: bytes, rest: AsyncIterator[bytes] | None = None) -> AsyncIterator[bytes]:
    """A stream that begins with these bytes."""
    yield head
    if rest is not None:
        async for chunk in rest:
            yield chunk
