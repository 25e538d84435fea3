"""Answers of strangers over HTTP: few headers, known codings, content that grows to a limit and no further.

The library would decode whatever an answer claims to be, all at once; here it meets plain content alone.
"""

from collections.abc import AsyncIterator, Awaitable, Callable

import httpx

from intelli.kit import content_coding
from intelli.kit.content_coding import Undecodable

# What a client sends to be answered in a coding that is decoded here.
HEADERS = {"Accept-Encoding": content_coding.ACCEPTED}
_MOST_HEADERS = 200


def bounding(limit_bytes: int) -> Callable[[httpx.Response], Awaitable[None]]:
    """A hook for a client's responses: each is refused where its headers tell enough, and decoded as it is read."""

    async def bound(response: httpx.Response) -> None:
        if len(response.headers.raw) > _MOST_HEADERS:
            raise _undecodable(Undecodable(f"it has more than {_MOST_HEADERS} headers"))
        coding = response.headers.pop("Content-Encoding", "")
        try:
            content_coding.insist_on_known(coding)
        except Undecodable as error:
            raise _undecodable(error) from error
        assert isinstance(response.stream, httpx.AsyncByteStream), "an asynchronous client reads so"
        response.stream = _Decoded(response.stream, coding, limit_bytes=limit_bytes)

    return bound


class _Decoded(httpx.AsyncByteStream):
    """The content of an answer, decoded and counted as it comes."""

    def __init__(self, stream: httpx.AsyncByteStream, coding: str, *, limit_bytes: int) -> None:
        self._stream = stream
        self._coding = coding
        self._limit_bytes = limit_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        given = 0
        try:
            chunks = content_coding.decoded(aiter(self._stream), self._coding, limit_bytes=self._limit_bytes)
            async for piece in chunks:
                given += len(piece)
                content_coding.insist_on_size(given, self._limit_bytes)
                yield piece
        except Undecodable as error:
            raise _undecodable(error) from error

    async def aclose(self) -> None:
        """Let go of the connection."""
        await self._stream.aclose()


def _undecodable(error: Undecodable) -> httpx.DecodingError:
    return httpx.DecodingError(f"The answer cannot be read: {error}.")
