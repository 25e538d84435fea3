"""Classify IP addresses as public, private or forbidden, against server-side request forgery.

The lists are our own, since those of `ipaddress` differ between versions of Python and leave out the metadata services
of clouds. An address that embeds another one is classified by both.
"""

import ipaddress
from collections.abc import Iterator
from enum import IntEnum

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class AddressReach(IntEnum):
    """Class of an address; a higher value is more dangerous."""

    PUBLIC = 0
    PRIVATE = 1
    FORBIDDEN = 2


def _networks(*texts: str) -> tuple[_Network, ...]:
    return tuple(ipaddress.ip_network(text) for text in texts)


# Link-local and other addresses of cloud metadata services, which hand out credentials; multicast, broadcast.
_FORBIDDEN = _networks(
    *(
        "169.254.0.0/16",
        "168.63.129.16/32",
        "192.0.0.192/32",
        "100.100.100.200/32",
        "224.0.0.0/4",
        "255.255.255.255/32",
    ),
    *("fe80::/10", "fd00:ec2::/32", "fd20:ce::254/128", "fd00:c1::a9fe:a9fe/128", "fd00:42::42/128", "ff00::/8"),
)
_PRIVATE = _networks(
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24"),
    *("192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4"),
    *("2001::/23", "2001:db8::/32", "3fff::/20"),
)
_GLOBAL_IPV6 = ipaddress.IPv6Network("2000::/3")
# Translated to exactly the IPv4 address in their last 32 bits.
_TRANSLATED = _networks("::ffff:0:0/96", "64:ff9b::/96")
# Obsolete or local to a network: never public, whatever address they embed.
_EMBEDDING = _networks("::/96", "::ffff:0:0:0/96", "64:ff9b:1::/48")
_LOCAL_NAT64 = ipaddress.IPv6Network("64:ff9b:1::/48")
_SIX_TO_FOUR = ipaddress.IPv6Network("2002::/16")


def reach(address: IpAddress) -> AddressReach:
    """Classify an address; one that embeds others gets the worst class of them."""
    inner = max((reach(each) for each in _embedded(address)), default=AddressReach.PUBLIC)
    return max(_own_reach(address), inner)


def _own_reach(address: IpAddress) -> AddressReach:
    if _is_in(address, _FORBIDDEN):
        return AddressReach.FORBIDDEN
    if _is_in(address, _TRANSLATED):
        return AddressReach.PUBLIC
    is_outside = isinstance(address, ipaddress.IPv6Address) and address not in _GLOBAL_IPV6
    return AddressReach.PRIVATE if is_outside or _is_in(address, _PRIVATE) else AddressReach.PUBLIC


def _embedded(address: IpAddress) -> Iterator[ipaddress.IPv4Address]:
    """Yield the IPv4 addresses that an IPv6 address may embed."""
    if not isinstance(address, ipaddress.IPv6Address):
        return
    bits = int(address)
    if _is_in(address, _TRANSLATED) or _is_in(address, _EMBEDDING):
        yield _ipv4(bits)
    if address in _LOCAL_NAT64:
        yield from _nat64_layouts(bits)
    if address in _SIX_TO_FOUR:
        yield _ipv4(bits >> 80)
    if address.teredo:
        yield from address.teredo


def _nat64_layouts(bits: int) -> Iterator[ipaddress.IPv4Address]:
    """Yield the IPv4 addresses that RFC 6052 embeds behind prefixes of 48, 56 and 64 bits; bits 64 to 71 are unused."""
    for prefix in (48, 56, 64):
        high = bits >> 64 & ((1 << 64 - prefix) - 1)
        low_bits = 32 - (64 - prefix)
        low = bits >> (56 - low_bits) & ((1 << low_bits) - 1)
        yield _ipv4(high << low_bits | low)


def _ipv4(bits: int) -> ipaddress.IPv4Address:
    return ipaddress.IPv4Address(bits & 0xFFFF_FFFF)


def _is_in(address: IpAddress, networks: tuple[_Network, ...]) -> bool:
    return any(address.version == network.version and address in network for network in networks)
