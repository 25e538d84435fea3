"""Where an address leads: what may be fetched, what an operator may allow, and what nobody may."""

import asyncio
import ipaddress
import socket
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.kit.checked_connections import AddressRefused, CheckedBackend
from intelli.kit.ip_addresses import AddressReach, reach

INSIDE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "0.0.0.0", "192.0.2.1", "192.88.99.1"),
    *("::1", "::", "fd00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
    *("::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b:1::7f00:1", "fec0::1", "3fff::1", "5f00::1", "2001:db8::1"),
    *("64:ff9b:1::5db8:d822", "2001:0:5db8:d822::1", "100::1", "4000::1"),
]
METADATA = ["169.254.169.254", "169.254.170.2", "168.63.129.16", "192.0.0.192", "100.100.100.200"]
FORBIDDEN = [
    *("224.0.0.1", "255.255.255.255", "ff02::1", "fe80::1", "fe80::a9fe:a9fe%2"),
    *("fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"),
]
OUTSIDE = ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822", "2002:5db8:d822::"]


def _wrapped(address: str) -> list[str]:
    """The forms of IPv6 in which an address of IPv4 is reached."""
    bits = int(ipaddress.IPv4Address(address))
    high, low = bits >> 16, bits & 0xFFFF
    client = bits ^ 0xFFFF_FFFF
    return [
        *(f"::ffff:{address}", f"::{address}", f"::ffff:0:{address}", f"64:ff9b::{address}", f"64:ff9b:1::{address}"),
        *(
            f"2002:{high:x}:{low:x}::1",
            f"2001:0:{high:x}:{low:x}::1",
            f"64:ff9b:1:{high:x}:{low >> 8:x}:{low & 255:x}00::",
        ),
        f"2001:0:102:304:0:0:{client >> 16:x}:{client & 0xFFFF:x}",
    ]


@pytest.mark.parametrize("address", INSIDE)
def test_addresses_inside_are_told_from_those_outside(address: str):
    assert reach(ipaddress.ip_address(address)) is AddressReach.PRIVATE


@pytest.mark.parametrize("address", OUTSIDE)
def test_addresses_of_the_internet_may_be_fetched(address: str):
    assert reach(ipaddress.ip_address(address)) is AddressReach.PUBLIC


@pytest.mark.parametrize("address", [*FORBIDDEN, *METADATA, *(form for each in METADATA for form in _wrapped(each))])
def test_metadata_services_are_never_reached_in_whatever_form(address: str):
    assert reach(ipaddress.ip_address(address)) is AddressReach.FORBIDDEN


@given(st.ip_addresses(v=4))
def test_an_address_wrapped_in_another_never_leads_further_than_by_itself(address: ipaddress.IPv4Address):
    for form in _wrapped(str(address)):
        assert reach(ipaddress.ip_address(form)) >= reach(address)
    assert reach(ipaddress.ip_address(f"::ffff:{address}")) == reach(address)


@given(st.ip_addresses())
def test_what_python_calls_private_is_never_taken_for_the_internet(address: ipaddress.IPv4Address):
    if address.is_private or address.is_loopback or address.is_link_local or address.is_multicast:
        assert reach(address) > AddressReach.PUBLIC or _carries_public(address)


def _carries_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None


async def test_a_name_that_resolves_inside_is_refused_where_the_connection_is_made():
    """Also in the middle of a redirect, and however the name resolved before."""
    with pytest.raises(AddressRefused):
        await CheckedBackend(allow_private=False, setting="A_SETTING").connect_tcp("localhost", 80)


@pytest.fixture
def resolving(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes every name resolve to given addresses."""

    def to(*addresses: str) -> None:
        async def getaddrinfo(*_: Any, **__: Any) -> list[Any]:
            return [(socket.AF_INET6, socket.SOCK_STREAM, 6, "", (each, 80, 0, 0)) for each in addresses]

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo, raising=False)

    return to


@pytest.mark.parametrize("address", [*METADATA, "fe80::1%1", "::ffff:192.0.0.192", "fd00:ec2::254"])
async def test_a_name_of_a_metadata_service_is_refused_even_where_private_networks_are_allowed(
    resolving: Callable[..., None], address: str
):
    resolving("93.184.216.34", address)
    with pytest.raises(AddressRefused, match="never fetched"):
        await CheckedBackend(allow_private=True, setting="A_SETTING").connect_tcp("metadata.example.org", 80)


async def test_the_next_address_is_tried_where_one_does_not_answer(resolving: Callable[..., None]):
    async with await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        resolving("127.99.99.99", "127.0.0.1")
        stream = await CheckedBackend(allow_private=True, setting="A_SETTING").connect_tcp(
            "two.example.org", port, timeout=30
        )
        assert stream.get_extra_info("server_addr")[0] == "127.0.0.1"
        await stream.aclose()
