"""Reading the head of a byte stream, and putting it back."""

from collections.abc import AsyncIterator


async def read_head(chunks: AsyncIterator[bytes], *, most_bytes: int) -> tuple[bytes, bool]:
    """Read up to about `most_bytes` of a stream. Return them, and True when the stream ended within `most_bytes`."""
    head = bytearray()
    async for chunk in chunks:
        head += chunk
        if len(head) > most_bytes:
            return bytes(head), False
    return bytes(head), True


async def prepend(head: bytes, rest: AsyncIterator[bytes] | None = None) -> AsyncIterator[bytes]:
    """Yield `head`, then the rest of its stream."""
    yield head
    if rest is not None:
        async for chunk in rest:
            yield chunk
