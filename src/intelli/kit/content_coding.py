"""Incremental decoder of HTTP content codings; refuses a decompression bomb before it takes memory."""

import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

# Value of Accept-Encoding for clients of this module: the codings that it can decode.
ACCEPTED = "gzip, deflate"
PIECE_BYTES = 64 << 10
_GZIP = 16 + zlib.MAX_WBITS
_MOST_CODINGS = 2
# A page of a single repeated character comes near this ratio; only a crafted one exceeds it.
_MOST_RATIO = 400
_RATIO_FREE_BYTES = 4 << 20


class Undecodable(ValueError):
    """Content in a coding that is unknown, broken, or grows beyond its bounds."""


async def decode(chunks: AsyncIterator[bytes], header: str, *, limit_bytes: int) -> AsyncIterator[bytes]:
    """Decode content by its `Content-Encoding` header. Raise Undecodable when it is broken or exceeds the limits."""
    bounds = _Bounds(limit_bytes)
    stages = _stages(header, bounds)
    async for chunk in chunks:
        bounds.received += len(chunk)
        for piece in _decode_all(stages, chunk):
            yield piece
    for stage in stages:
        stage.check_end()


def check_codings(header: str) -> None:
    """Raise Undecodable when a `Content-Encoding` header names a coding that is not supported."""
    _stages(header, _Bounds(0))


def check_size(size_bytes: int, limit_bytes: int) -> None:
    """Raise Undecodable when content is larger than the limit."""
    if size_bytes > limit_bytes:
        raise Undecodable(f"it is larger than {limit_bytes} bytes")


@dataclass(slots=True)
class _Bounds:
    """Limits of the decoded size: absolute, and as a multiple of the received bytes."""

    limit_bytes: int
    received: int = 0

    def check(self, decoded_bytes: int) -> None:
        """Raise Undecodable beyond a limit. Called at every stage: one may expand what the next one discards."""
        check_size(decoded_bytes, self.limit_bytes)
        if decoded_bytes > _RATIO_FREE_BYTES and decoded_bytes > _MOST_RATIO * self.received:
            raise Undecodable(f"it grows to more than {_MOST_RATIO} times its size")


class _Inflate:
    """Decoder of one coding (gzip or deflate); its output comes in pieces of at most PIECE_BYTES."""

    def __init__(self, window_bits: int, bounds: _Bounds) -> None:
        self._window_bits = window_bits
        self._bounds = bounds
        self._stream = zlib.decompressobj(window_bits)
        self._has_begun = False
        self._decoded_bytes = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decode more input and yield the decoded pieces."""
        while data := self._content_of(data):
            is_full = True
            # After a full piece the decompressor may hold more output, which comes without further input.
            while (data or is_full) and not self._stream.eof:
                piece = self._decompress(data)
                self._decoded_bytes += len(piece)
                self._bounds.check(self._decoded_bytes)
                if piece:
                    yield piece
                data, is_full = self._stream.unconsumed_tail, len(piece) == PIECE_BYTES
            data = self._stream.unused_data

    def check_end(self) -> None:
        """Raise Undecodable when the content is truncated. No content at all is valid: the answer to HEAD."""
        if self._has_begun and not self._stream.eof:
            raise Undecodable("it breaks off")

    def _content_of(self, data: bytes) -> bytes:
        """Return the data that is still content: gzip members may follow each other; trailing garbage is dropped."""
        if not self._stream.eof:
            return data
        if self._window_bits != _GZIP or not data.startswith(b"\x1f"):
            return b""
        self._stream = zlib.decompressobj(_GZIP)
        return data

    def _decompress(self, data: bytes) -> bytes:
        is_first, self._has_begun = not self._has_begun, True
        try:
            return self._stream.decompress(data, PIECE_BYTES)
        except zlib.error as error:
            # Many servers send what they call deflate without the header that it should have.
            if self._window_bits != zlib.MAX_WBITS or not is_first:
                raise Undecodable("it is broken") from error
        self._window_bits = -zlib.MAX_WBITS
        self._stream = zlib.decompressobj(self._window_bits)
        return self._decompress(data)


def _stages(header: str, bounds: _Bounds) -> list[_Inflate]:
    """Build the decoders in order of decoding. Raise Undecodable for too many or unsupported codings."""
    names = [name for part in header.split(",") if (name := part.strip().lower()) not in {"", "identity"}]
    if len(names) > _MOST_CODINGS:
        raise Undecodable(f"it is encoded {len(names)} times over")
    bits = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": zlib.MAX_WBITS}
    if unknown := [name for name in names if name not in bits]:
        raise Undecodable(f"its encoding {unknown[0][:40]!r} was not asked for")
    return [_Inflate(bits[name], bounds) for name in reversed(names)]


def _decode_all(stages: Sequence[_Inflate], data: bytes) -> Iterator[bytes]:
    if not stages:
        yield data
        return
    for piece in stages[0].feed(data):
        yield from _decode_all(stages[1:], piece)
