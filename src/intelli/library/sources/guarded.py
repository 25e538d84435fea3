"""Fetching over HTTP without being led inside: every connection goes to an address that was checked, and to no other.

The check stands where the connection is made. So it holds for each redirect, and a name that resolves differently the
next time gains nothing.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import httpcore
import httpx

from intelli.library.errors import AddressRefused, SourceRefused, SourceUnavailable
from intelli.library.settings import LibrarySettings

_CONNECT_S = 10
_SILENCE_S = 20
_REDIRECTS = 5
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_AGENT = "Intelli (self-hosted research workbench)"

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_public(address: IpAddress) -> bool:
    """True for an address of the internet; addresses that carry another inside are judged by that one."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast


@asynccontextmanager
async def client(settings: LibrarySettings) -> AsyncIterator[httpx.AsyncClient]:
    """A client whose connections are checked. It follows a few redirects, keeps no cookies and reads no environment."""
    async with httpx.AsyncClient(
        transport=_Transport(_Checked(allow_private=settings.web_allow_private)),
        timeout=httpx.Timeout(_SILENCE_S, connect=_CONNECT_S),
        follow_redirects=True,
        max_redirects=_REDIRECTS,
        trust_env=False,
        headers={"User-Agent": _AGENT, "Accept-Encoding": "identity"},
    ) as opened:
        yield opened


@asynccontextmanager
async def told() -> AsyncIterator[None]:
    """What can go wrong on the way, in our own words."""
    try:
        yield
    except httpx.TooManyRedirects as error:
        raise SourceRefused("The address leads on and on. Give the one where the document is.") from error
    except (httpx.UnsupportedProtocol, httpx.InvalidURL, UnicodeError) as error:
        raise AddressRefused("Give a full address that begins with http:// or https://.") from error
    except (httpx.HTTPError, httpcore.NetworkError, httpcore.TimeoutException, OSError) as error:
        raise SourceUnavailable("The source does not answer. Check the address, or try again in a while.") from error


async def limited(response: httpx.Response, *, seconds: float) -> AsyncIterator[bytes]:
    """The body of an answer as it comes, given up when it takes longer than this in all."""
    until = asyncio.get_running_loop().time() + seconds
    async with told():
        async for chunk in response.aiter_bytes():
            if asyncio.get_running_loop().time() > until:
                raise SourceUnavailable("The source takes too long to give the document. Try again in a while.")
            yield chunk


def insist(response: httpx.Response) -> None:
    """Refuse an answer that is not the document."""
    if response.is_success:
        return
    raise SourceRefused(
        f"The source answered {response.status_code} {response.reason_phrase}. Check that the document is there.",
        status_code=response.status_code,
    )


class _Transport(httpx.AsyncHTTPTransport):
    """The usual transport, on connections of our own making."""

    def __init__(self, backend: httpcore.AsyncNetworkBackend) -> None:
        super().__init__(trust_env=False)
        self._pool = httpcore.AsyncConnectionPool(ssl_context=ssl.create_default_context(), network_backend=backend)


class _Checked(httpcore.AsyncNetworkBackend):
    """Resolves a name once, checks what it finds, and connects to exactly that."""

    def __init__(self, *, allow_private: bool) -> None:
        self._allow_private = allow_private
        self._backend = httpcore.AnyIOBackend()

    async def connect_tcp(  # noqa: PLR0917  # the library's signature
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to a host that may be reached."""
        address = await self._resolve(host, port)
        return await self._backend.connect_tcp(
            address, port, timeout=timeout, local_address=local_address, socket_options=socket_options
        )

    async def sleep(self, seconds: float) -> None:
        """Wait between two attempts."""
        await self._backend.sleep(seconds)

    async def _resolve(self, host: str, port: int) -> str:
        async with asyncio.timeout(_CONNECT_S):
            loop = asyncio.get_running_loop()
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(entry[4][0]) for entry in found]
        # One address inside is enough to refuse: a name that mixes them is up to something.
        if not self._allow_private and not all(is_public(ipaddress.ip_address(each)) for each in addresses):
            raise AddressRefused(
                "This address is inside the server's own network and is not fetched. "
                "The operator may allow it with INTELLI_LIBRARY__WEB_ALLOW_PRIVATE."
            )
        return addresses[0]
