"""HTTP client for untrusted addresses: checked connections, one time limit, bounded answers.

Addresses are checked where the connection is made, so the check covers each redirect, and a name that resolves
differently the next time gains nothing. Every network call runs within `FetchSession.guard`, which turns its failures
into errors of the library.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import cache

import httpcore
import httpx

from intelli.kit import bounded_http
from intelli.kit.checked_connections import CONNECT_S, AddressRefused, CheckedBackend
from intelli.kit.errors import IntelliError
from intelli.library.errors import SourceRefused, SourceUnavailable
from intelli.library.settings import LibrarySettings

_SILENCE_S = 20
_ALLOWED_BY = "INTELLI_LIBRARY__WEB_ALLOW_PRIVATE"
_REDIRECTS = 5
_AGENT = "Intelli (self-hosted research workbench)"
# Read a little more than may be stored, so that the store can tell a too large document from a complete one.
_SPARE_BYTES = 1 << 20
# Everything that httpx and httpcore raise about addresses, connections, certificates, headers, encodings and contents.
_FAILURES = (
    *(httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, httpcore.NetworkError, httpcore.TimeoutException),
    *(httpcore.ProtocolError, OSError, ValueError, LookupError, ArithmeticError, EOFError, RecursionError),
)
_NO_ADDRESS = (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.LocalProtocolError, UnicodeError, OverflowError)


@asynccontextmanager
async def session(settings: LibrarySettings) -> AsyncIterator["FetchSession"]:
    """Open a session for the requests of one document: no cookies, no environment, one time limit for all of them."""
    bound = bounded_http.response_hook(settings.fetch_limit_bytes + _SPARE_BYTES)
    async with httpx.AsyncClient(
        transport=_Transport(CheckedBackend(allow_private=settings.web_allow_private, setting=_ALLOWED_BY)),
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
        """Send a GET request and follow redirects; the response is open while the block lasts."""
        async with self.guard():
            response = await self._follow(self._client.build_request("GET", url, headers=headers))
        async with self._closing(response):
            yield response

    @asynccontextmanager
    async def post(self, url: str, form: Mapping[str, str]) -> AsyncIterator[httpx.Response]:
        """Send a form by POST; the response is open while the block lasts. Forms may hold secrets: no redirects."""
        async with self.guard():
            response = await self._client.send(self._client.build_request("POST", url, data=form), stream=True)
        async with self._closing(response):
            yield response

    async def chunks(self, response: httpx.Response) -> AsyncIterator[bytes]:
        """Yield the body of a response as it arrives."""
        raw = response.aiter_raw()
        while True:
            async with self.guard():
                chunk = await anext(raw, None)
            if chunk is None:
                return
            yield chunk

    @asynccontextmanager
    async def guard(self) -> AsyncIterator[None]:
        """Guard a network call: cancel it when the session's time is over, and turn its failures into our errors."""
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
            # The body of a redirect is not read: it could be anything.
            await response.aclose()
            if following.url.userinfo:
                raise AddressRefused("The address leads to one with a user name and password, which is not followed.")
            request = following
        raise SourceRefused("The address leads on and on. Give the one where the document is.")

    @asynccontextmanager
    async def _closing(self, response: httpx.Response) -> AsyncIterator[None]:
        try:
            _check_success(response)
            yield
        finally:
            with suppress(*_FAILURES):
                await response.aclose()


def _check_success(response: httpx.Response) -> None:
    """Raise SourceRefused unless the response is a success."""
    if response.is_success:
        return
    raise SourceRefused(
        f"The source answered {response.status_code} {response.reason_phrase[:100]}. Check that the document is there.",
        status_code=response.status_code,
    )


def _refusal(error: Exception, *, is_late: bool) -> IntelliError:
    """Build our error for a failed network call."""
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
    """HTTP transport on checked connections. It drops cookies."""

    def __init__(self, backend: httpcore.AsyncNetworkBackend) -> None:
        super().__init__(verify=_tls_context(), trust_env=False)
        self._pool = httpcore.AsyncConnectionPool(ssl_context=_tls_context(), network_backend=backend)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; remove `Set-Cookie` from the response."""
        response = await super().handle_async_request(request)
        response.headers.pop("Set-Cookie", None)
        return response


@cache
def _tls_context() -> ssl.SSLContext:
    # Reading the machine's certificates takes a while in which nobody else is served, so it is done once.
    return ssl.create_default_context()
