"""An HTTP transport for answers of strangers: few headers, known codings, content that grows to a limit and no further.

The library would decode whatever an answer claims to be, all at once; here it meets plain content alone.
"""

from collections.abc import AsyncIterator

import httpx

from intelli.kit import content_coding
from intelli.kit.content_coding import Undecodable

_MOST_HEADERS = 200
# Content arrives decoded, and its length is that of what was sent. Nobody keeps cookies.
_DROPPED = frozenset({b"content-encoding", b"content-length", b"set-cookie"})


class BoundedTransport(httpx.AsyncBaseTransport):
    """Another transport, whose answers are bounded and decoded."""

    def __init__(self, transport: httpx.AsyncBaseTransport, *, limit_bytes: int) -> None:
        self._transport = transport
        self._limit_bytes = limit_bytes

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; its answer is refused where its headers tell enough."""
        request.headers["Accept-Encoding"] = content_coding.ACCEPTED
        response = await self._transport.handle_async_request(request)
        try:
            return self._bounded(response)
        except Undecodable as error:
            await response.aclose()
            raise _undecodable(error) from error

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self._transport.aclose()

    def _bounded(self, response: httpx.Response) -> httpx.Response:
        if len(response.headers.raw) > _MOST_HEADERS:
            raise Undecodable(f"it has more than {_MOST_HEADERS} headers")
        coding = response.headers.get("Content-Encoding", "")
        content_coding.insist_on_known(coding)
        return httpx.Response(
            response.status_code,
            headers=[(name, value) for name, value in response.headers.raw if name.lower() not in _DROPPED],
            stream=_Decoded(response, coding, limit_bytes=self._limit_bytes),
            extensions=response.extensions,
        )


class _Decoded(httpx.AsyncByteStream):
    """The content of an answer, decoded and counted as it comes."""

    def __init__(self, response: httpx.Response, coding: str, *, limit_bytes: int) -> None:
        self._response = response
        self._coding = coding
        self._limit_bytes = limit_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        given = 0
        try:
            chunks = content_coding.decoded(self._response.aiter_raw(), self._coding, limit_bytes=self._limit_bytes)
            async for piece in chunks:
                given += len(piece)
                if given > self._limit_bytes:
                    raise Undecodable(f"it is larger than {self._limit_bytes} bytes")
                yield piece
        except Undecodable as error:
            raise _undecodable(error) from error

    async def aclose(self) -> None:
        """Let go of the answer."""
        await self._response.aclose()


def _undecodable(error: Undecodable) -> httpx.DecodingError:
    return httpx.DecodingError(f"The answer cannot be read: {error}.")
