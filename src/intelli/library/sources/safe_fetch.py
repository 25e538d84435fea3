"""Fetching over HTTP without being led inside or held up: checked connections, one time limit, bounded answers.

The check stands where the connection is made. So it holds for each redirect, and a name that resolves differently the
next time gains nothing. All that meets the outside runs within `Session.guard`, which turns every failure into ours.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import cache

import httpcore
import httpx

from intelli.kit import bounded_http
from intelli.kit.errors import IntelliError
from intelli.library.errors import AddressRefused, SourceRefused, SourceUnavailable
from intelli.library.settings import LibrarySettings
from intelli.library.sources.checked_connections import CONNECT_S, CheckedBackend

_SILENCE_S = 20
_REDIRECTS = 5
_AGENT = "Intelli (self-hosted research workbench)"
# Beyond what may be kept, so that who keeps it can tell it from what was cut off here.
_SPARE_BYTES = 1 << 20
# All that the libraries below raise about addresses, connections, certificates, headers, encodings and contents.
_FAILURES = (
    *(httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, httpcore.NetworkError, httpcore.TimeoutException),
    *(httpcore.ProtocolError, OSError, ValueError, LookupError, ArithmeticError, EOFError, RecursionError),
)
_NO_ADDRESS = (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.LocalProtocolError, UnicodeError, OverflowError)


@asynccontextmanager
async def session(settings: LibrarySettings) -> AsyncIterator["FetchSession"]:
    """The requests that one document takes. They keep no cookies, read no environment, and end in time all together."""
    bound = bounded_http.bounding(settings.fetch_limit_bytes + _SPARE_BYTES)
    async with httpx.AsyncClient(
        transport=_Transport(CheckedBackend(allow_private=settings.web_allow_private)),
        event_hooks={"response": [bound]},
        timeout=httpx.Timeout(_SILENCE_S, connect=CONNECT_S),
        trust_env=False,
        headers={"User-Agent": _AGENT, **bounded_http.HEADERS},
    ) as client:
        yield FetchSession(client, seconds=settings.fetch_timeout_s)


class FetchSession:
    """Requests with one time limit over all of them: connecting, headers, redirects and contents."""

    def __init__(self, client: httpx.AsyncClient, *, seconds: float) -> None:
        self._client = client
        self._until = asyncio.get_running_loop().time() + seconds

    @asynccontextmanager
    async def get(self, url: str, *, headers: Mapping[str, str] | None = None) -> AsyncIterator[httpx.Response]:
        """The answer at an address, wherever it leads, while the block lasts."""
        async with self.guard():
            response = await self._follow(self._client.build_request("GET", url, headers=headers))
        async with self._closing(response):
            yield response

    @asynccontextmanager
    async def post(self, url: str, form: Mapping[str, str]) -> AsyncIterator[httpx.Response]:
        """The answer to a form, while the block lasts. A form may hold secrets, so it is not sent on to elsewhere."""
        async with self.guard():
            response = await self._client.send(self._client.build_request("POST", url, data=form), stream=True)
        async with self._closing(response):
            yield response

    async def chunks(self, response: httpx.Response) -> AsyncIterator[bytes]:
        """The content of an answer as it comes."""
        raw = response.aiter_raw()
        while True:
            async with self.guard():
                chunk = await anext(raw, None)
            if chunk is None:
                return
            yield chunk

    @asynccontextmanager
    async def guard(self) -> AsyncIterator[None]:
        """Everything that meets the outside: given up when the time is over, and failing in our own words."""
        try:
            async with asyncio.timeout_at(self._until):
                yield
        except IntelliError:
            raise
        except _FAILURES as error:
            raise _refusal(error, is_late=asyncio.get_running_loop().time() >= self._until) from error

    async def _follow(self, request: httpx.Request) -> httpx.Response:
        for _ in range(_REDIRECTS + 1):
            response = await self._client.send(request, stream=True)
            following = response.next_request
            if following is None:
                return response
            # Its content is not looked at: it could be anything.
            await response.aclose()
            if following.url.userinfo:
                raise AddressRefused("The address leads to one with a user name and password, which is not followed.")
            request = following
        raise SourceRefused("The address leads on and on. Give the one where the document is.")

    @asynccontextmanager
    async def _closing(self, response: httpx.Response) -> AsyncIterator[None]:
        try:
            _insist(response)
            yield
        finally:
            with suppress(*_FAILURES):
                await response.aclose()


def _insist(response: httpx.Response) -> None:
    """Refuse an answer that is not the document."""
    if response.is_success:
        return
    raise SourceRefused(
        f"The source answered {response.status_code} {response.reason_phrase[:100]}. Check that the document is there.",
        status_code=response.status_code,
    )


def _refusal(error: Exception, *, is_late: bool) -> IntelliError:
    """A failure of the outside in our own words."""
    if is_late:
        return SourceUnavailable("The source takes too long to give the document. Try again in a while.")
    if isinstance(error, _NO_ADDRESS):
        return AddressRefused("Give a full address that begins with http:// or https://, and spell its host plainly.")
    if isinstance(error, httpx.DecodingError):
        return SourceRefused(f"{error} Save the document yourself and upload it.")
    if _is_about_tls(error):
        return SourceRefused("The source's certificate or encryption cannot be trusted. Check the address.")
    if isinstance(error, httpx.TransportError | OSError) and not isinstance(error, httpx.ProtocolError):
        return SourceUnavailable("The source does not answer. Check the address, or try again in a while.")
    return SourceRefused("The source does not answer as HTTP asks for. Save the document yourself and upload it.")


def _is_about_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False


class _Transport(httpx.AsyncHTTPTransport):
    """The usual transport, on connections of our own making. It passes no cookies on."""

    def __init__(self, backend: httpcore.AsyncNetworkBackend) -> None:
        super().__init__(verify=_trusted(), trust_env=False)
        self._pool = httpcore.AsyncConnectionPool(ssl_context=_trusted(), network_backend=backend)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request."""
        response = await super().handle_async_request(request)
        response.headers.pop("Set-Cookie", None)
        return response


@cache
def _trusted() -> ssl.SSLContext:
    # Reading the machine's certificates takes a while in which nobody else is served, so it is done once.
    return ssl.create_default_context()
