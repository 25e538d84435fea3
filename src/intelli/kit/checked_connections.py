"""Network backend that connects only to addresses that were checked."""

import asyncio
import ipaddress
import socket
from collections.abc import Iterable

import httpcore

from intelli.kit import ip_addresses
from intelli.kit.errors import Invalid
from intelli.kit.ip_addresses import AddressReach

CONNECT_S = 10
_MOST_ADDRESSES = 4


class AddressRefused(Invalid):
    """An address that must not be reached: not of the web, or inside the network of the server."""

    code = "address_refused"


class HostUnknown(AddressRefused):
    """No host has the name."""


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Resolves a host once, checks all its addresses, and connects to one of exactly those (no DNS rebinding)."""

    def __init__(self, *, allow_private: bool, setting: str) -> None:
        self._allow_private = allow_private
        self._setting = setting
        self._backend = httpcore.AnyIOBackend()

    async def connect_tcp(  # noqa: PLR0917  # the library's signature
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address of a host that answers. Raises AddressRefused for hosts that are not allowed."""
        failed: Exception | None = None
        for address in await resolve(host, port, allow_private=self._allow_private, setting=self._setting):
            try:
                return await self._backend.connect_tcp(
                    address, port, timeout=timeout, local_address=local_address, socket_options=socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed or AddressRefused("No host has this name. Check the address.")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Raise AddressRefused: documents are fetched from other hosts only."""
        raise AddressRefused("Give an address of the web.")

    async def sleep(self, seconds: float) -> None:
        """Wait; httpcore calls this between two attempts."""
        await self._backend.sleep(seconds)


async def resolve(host: str, port: int, *, allow_private: bool, setting: str) -> list[str]:
    """Resolve a host. Raises AddressRefused when any of its addresses is not allowed: mixtures are suspect.

    `setting` is the environment variable by which the operator allows private addresses.
    """
    found = dict.fromkeys(await _look_up(host, port))
    worst = max((ip_addresses.reach(ipaddress.ip_address(each)) for each in found), default=AddressReach.PUBLIC)
    if worst is AddressReach.FORBIDDEN:
        raise AddressRefused("This address belongs to the machine or its cloud and is never fetched.")
    if worst is AddressReach.PRIVATE and not allow_private:
        raise AddressRefused(
            "This address is inside the server's own network and is not fetched. "
            f"The operator may allow it with {setting}."
        )
    return list(found)[:_MOST_ADDRESSES]


async def _look_up(host: str, port: int) -> list[str]:
    try:
        async with asyncio.timeout(CONNECT_S):
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno == socket.EAI_AGAIN:
            raise
        raise HostUnknown("No host has this name. Check the address.") from error
    return [str(entry[4][0]) for entry in found]
