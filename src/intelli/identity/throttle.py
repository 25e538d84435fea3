"""Throttling of sign-ins: an attempt is counted before it is checked, so that parallel attempts are all counted.

The counts are stored in the database under hashed keys, shared by all processes. A key with too many failures is
blocked for thirty seconds, then twice as long with each further failure, up to a quarter of an hour.

Wrong passwords block the network they come from: first for the account, then for all accounts. Guesses at one account
from many networks add up as well, but those from a network where its owner signed in before are counted separately,
so that attackers cannot lock the owner out.
"""

import ipaddress
from dataclasses import dataclass

from intelli.identity import store
from intelli.identity.credentials import digest
from intelli.identity.errors import TooManyAttempts
from intelli.kit.db import Tx

_WINDOW_S = 15 * 60
_FIRST_BLOCK_S = 30
_IPV6_LINE, _IPV6_SITE = 64, 48


@dataclass(frozen=True, slots=True)
class ThrottleKey:
    """Key under which attempts are counted; `account` allows to delete all attempts on an account together."""

    text: str
    limit: int
    account: str | None = None

    @property
    def hash(self) -> str:
        """Stored form, which does not reveal addresses."""
        return digest(self.text)

    @property
    def account_hash(self) -> str | None:
        """Stored form of the account; None for a key without one."""
        return hash_account(self.account) if self.account else None


def hash_account(email: str) -> str:
    """Return the hash under which all attempts on an account are stored, whether or not it exists."""
    return digest(f"account:{email}")


def networks_of_host(host: str) -> tuple[str, ...]:
    """Return the networks of an address, the narrowest first.

    An IPv6 line has 2^64 addresses, and a site has many lines:
    "2001:db8:1:2::3" → ("2001:db8:1:2::/64", "2001:db8:1::/48").
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return (host,)
    if isinstance(address, ipaddress.IPv4Address):
        return (str(address),)
    if address.ipv4_mapped:
        return (str(address.ipv4_mapped),)
    return tuple(str(ipaddress.ip_network((address, bits), strict=False)) for bits in (_IPV6_LINE, _IPV6_SITE))


def sign_in_keys(email: str, host: str, *, is_familiar: bool) -> tuple[ThrottleKey, ...]:
    """Return the keys of one sign-in attempt; their number does not depend on whether the account exists."""
    line = networks_of_host(host)[0]
    origin = "familiar" if is_familiar else "anywhere"
    return (
        ThrottleKey(f"login:account:{email}:{line}", limit=10, account=email),
        *_network_keys("login", host, limit=100),
        ThrottleKey(f"login:{origin}:{email}", limit=100, account=email),
    )


def sign_up_keys(host: str) -> tuple[ThrottleKey, ...]:
    """Return the keys of a sign-up or invitation look-up; failures could reveal whether an account exists."""
    return _network_keys("register", host, limit=30)


def password_change_key(email: str) -> ThrottleKey:
    """Return the key of a signed-in user's attempts at their own password; nobody else can use it up."""
    return ThrottleKey(f"password:{email}", limit=10, account=email)


def hash_account_network(email: str, host: str) -> str:
    """Return the hash of an account together with the network of the host."""
    return digest(f"familiar:{email}:{networks_of_host(host)[0]}")


async def count_attempt(tx: Tx, *keys: ThrottleKey) -> TooManyAttempts | None:
    """Count one attempt under each key. A refusal is returned, not raised: the count has to be committed."""
    for key in keys:
        if remaining_s := await store.get_remaining_block_s(tx, key.hash):
            return _refusal(remaining_s)
    for key in keys:
        attempts = await store.count_attempt(tx, key.hash, account_hash=key.account_hash, window_s=_WINDOW_S)
        if attempts > key.limit:
            block_s = min(_FIRST_BLOCK_S * 2 ** min(attempts - key.limit - 1, 10), _WINDOW_S)
            await store.block(tx, key.hash, block_s)
            return _refusal(block_s)
    return None


async def undo_attempt(tx: Tx, *keys: ThrottleKey) -> None:
    """Decrement the keys of an attempt that succeeded."""
    for key in keys:
        await store.decrement_attempts(tx, key.hash)


async def reset_after_sign_in(tx: Tx, email: str, *, host: str) -> None:
    """Reset the attempts on an account after a sign-in from this host, and store its network as familiar."""
    is_familiar = await store.is_familiar_network(tx, hash_account_network(email, host))
    own, *shared = sign_in_keys(email, host, is_familiar=is_familiar)
    await store.delete_attempts(tx, own.hash)
    await undo_attempt(tx, *shared)
    await store.save_familiar_network(tx, hash_account_network(email, host))


def _network_keys(kind: str, host: str, *, limit: int) -> tuple[ThrottleKey, ...]:
    """Return one key for each network; the wider one has ten times the limit."""
    return tuple(
        ThrottleKey(f"{kind}:address:{network}", limit * 10**width)
        for width, network in enumerate(networks_of_host(host))
    )


def _refusal(seconds: int) -> TooManyAttempts:
    return TooManyAttempts(f"Too many attempts. Try again in {seconds} seconds.", retry_after_s=seconds)
