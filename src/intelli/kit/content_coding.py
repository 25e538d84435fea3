"""Content codings of HTTP, decoded in pieces: a small answer that grows without end takes no memory and is refused."""

import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

# What a client that decodes with this module asks for, and all it decodes.
ACCEPTED = "gzip, deflate"
PIECE_BYTES = 64 << 10
_GZIP = 16 + zlib.MAX_WBITS
_MOST_CODINGS = 2
# A page of nothing but one character comes near to this; what exceeds it was made to.
_MOST_RATIO = 400
_RATIO_FREE_BYTES = 4 << 20


class Undecodable(ValueError):
    """Content in a coding that is unknown, broken, or grows beyond its bounds."""


async def decoded(chunks: AsyncIterator[bytes], header: str, *, limit_bytes: int) -> AsyncIterator[bytes]:
    """Content as it was before the codings that a `Content-Encoding` names."""
    bounds = _Bounds(limit_bytes)
    stages = _stages(header, bounds)
    async for chunk in chunks:
        bounds.received += len(chunk)
        for piece in _through(stages, chunk):
            yield piece
    for stage in stages:
        stage.insist_on_end()


def insist_on_known(header: str) -> None:
    """Refuse codings that could not be decoded."""
    _stages(header, _Bounds(0))


def insist_on_size(size_bytes: int, limit_bytes: int) -> None:
    """Refuse content that is larger."""
    if size_bytes > limit_bytes:
        raise Undecodable(f"it is larger than {limit_bytes} bytes")


@dataclass(slots=True)
class _Bounds:
    """How far content may grow: to a size, and to a multiple of what was received."""

    limit_bytes: int
    received: int = 0

    def insist(self, grown: int) -> None:
        """Refuse what has grown further. Asked at every stage: one may grow and the next throw it away."""
        insist_on_size(grown, self.limit_bytes)
        if grown > _RATIO_FREE_BYTES and grown > _MOST_RATIO * self.received:
            raise Undecodable(f"it grows to more than {_MOST_RATIO} times its size")


class _Inflate:
    """One coding: what goes in comes out in pieces."""

    def __init__(self, window_bits: int, bounds: _Bounds) -> None:
        self._window_bits = window_bits
        self._bounds = bounds
        self._stream = zlib.decompressobj(window_bits)
        self._is_begun = False
        self._given = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The pieces that more of the content makes."""
        while data := self._within(data):
            is_full = True
            # A full piece may have left more inside, which comes out without anything put in.
            while (data or is_full) and not self._stream.eof:
                piece = self._inflated(data)
                self._given += len(piece)
                self._bounds.insist(self._given)
                if piece:
                    yield piece
                data, is_full = self._stream.unconsumed_tail, len(piece) == PIECE_BYTES
            data = self._stream.unused_data

    def insist_on_end(self) -> None:
        """Refuse content that broke off. None at all is the answer to a question for the headers alone."""
        if self._is_begun and not self._stream.eof:
            raise Undecodable("it breaks off")

    def _within(self, data: bytes) -> bytes:
        """What of the data is still content: `gzip` may be several, one behind the other, and then rubbish."""
        if not self._stream.eof:
            return data
        if self._window_bits != _GZIP or not data.startswith(b"\x1f"):
            return b""
        self._stream = zlib.decompressobj(_GZIP)
        return data

    def _inflated(self, data: bytes) -> bytes:
        is_first, self._is_begun = not self._is_begun, True
        try:
            return self._stream.decompress(data, PIECE_BYTES)
        except zlib.error as error:
            # Many servers send what they call deflate without the header that it should have.
            if self._window_bits != zlib.MAX_WBITS or not is_first:
                raise Undecodable("it is broken") from error
        self._window_bits = -zlib.MAX_WBITS
        self._stream = zlib.decompressobj(self._window_bits)
        return self._inflated(data)


def _stages(header: str, bounds: _Bounds) -> list[_Inflate]:
    """The codings in the order in which they are undone."""
    names = [name for part in header.split(",") if (name := part.strip().lower()) not in {"", "identity"}]
    if len(names) > _MOST_CODINGS:
        raise Undecodable(f"it is encoded {len(names)} times over")
    bits = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": zlib.MAX_WBITS}
    if unknown := [name for name in names if name not in bits]:
        raise Undecodable(f"its encoding {unknown[0][:40]!r} was not asked for")
    return [_Inflate(bits[name], bounds) for name in reversed(names)]


def _through(stages: Sequence[_Inflate], data: bytes) -> Iterator[bytes]:
    if not stages:
        yield data
        return
    for piece in stages[0].feed(data):
        yield from _through(stages[1:], piece)
