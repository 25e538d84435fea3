"""Limits on responses of untrusted HTTP servers: number of headers, content codings, decoded size.

httpx would decode any coding at once and without a limit; here it receives content that is already decoded.
"""

from collections.abc import AsyncIterator, Awaitable, Callable

import httpx

from intelli.kit import content_coding
from intelli.kit.content_coding import Undecodable

# Request headers of a client, so that the server uses a coding that is decoded here.
HEADERS = {"Accept-Encoding": content_coding.ACCEPTED}
_MOST_HEADERS = 200


def response_hook(limit_bytes: int) -> Callable[[httpx.Response], Awaitable[None]]:
    """Build an httpx response hook: it checks the headers, and decodes the content up to the limit as it is read.

    What is refused raises httpx.DecodingError.
    """

    async def bound(response: httpx.Response) -> None:
        if len(response.headers.raw) > _MOST_HEADERS:
            raise _undecodable(Undecodable(f"it has more than {_MOST_HEADERS} headers"))
        coding = response.headers.pop("Content-Encoding", "")
        try:
            content_coding.check_codings(coding)
        except Undecodable as error:
            raise _undecodable(error) from error
        assert isinstance(response.stream, httpx.AsyncByteStream), "an asynchronous client reads so"
        response.stream = _DecodedStream(response.stream, coding, limit_bytes=limit_bytes)

    return bound


class _DecodedStream(httpx.AsyncByteStream):
    """Content of a response, decoded and counted while it is read."""

    def __init__(self, stream: httpx.AsyncByteStream, coding: str, *, limit_bytes: int) -> None:
        self._stream = stream
        self._coding = coding
        self._limit_bytes = limit_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size_bytes = 0
        try:
            chunks = content_coding.decode(aiter(self._stream), self._coding, limit_bytes=self._limit_bytes)
            async for piece in chunks:
                size_bytes += len(piece)
                content_coding.check_size(size_bytes, self._limit_bytes)
                yield piece
        except Undecodable as error:
            raise _undecodable(error) from error

    async def aclose(self) -> None:
        """Release the connection."""
        await self._stream.aclose()


def _undecodable(error: Undecodable) -> httpx.DecodingError:
    return httpx.DecodingError(f"The answer cannot be read: {error}.")
