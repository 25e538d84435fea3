"""Throttling: an attempt is counted before it is checked, so that many at once cannot slip through together.

The counts live in the database under hashed names, shared by all processes. A name that fails too often is refused for
thirty seconds, then twice as long with each further failure, up to a quarter of an hour.

Wrong passwords slow down the network they come from: for the account first, then for all accounts. Guesses at one
account from many networks add up as well, but those from a network where its owner signed in before are counted
apart, so that strangers cannot lock the owner out.
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
    """Something that attempts are counted for; those of an account can be forgotten together."""

    text: str
    limit: int
    account: str | None = None

    @property
    def hash(self) -> str:
        """The stored form, which tells no address."""
        return digest(self.text)

    @property
    def account_hash(self) -> str | None:
        """The stored form of the account."""
        return hash_of_account(self.account) if self.account else None


def hash_of_account(email: str) -> str:
    """What all attempts at one account are stored under, whether it exists or not."""
    return digest(f"account:{email}")


def networks(host: str) -> tuple[str, ...]:
    """The networks of an address, the narrowest first: an IPv6 line has 2^64 addresses, and a site many lines."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return (host,)
    if isinstance(address, ipaddress.IPv4Address):
        return (str(address),)
    if address.ipv4_mapped:
        return (str(address.ipv4_mapped),)
    return tuple(str(ipaddress.ip_network((address, bits), strict=False)) for bits in (_IPV6_LINE, _IPV6_SITE))


def sign_ins(email: str, host: str, *, is_familiar: bool) -> tuple[ThrottleKey, ...]:
    """What one attempt to sign in is counted for. The same number of names whether the account exists or not."""
    line = networks(host)[0]
    whence = "familiar" if is_familiar else "anywhere"
    return (
        ThrottleKey(f"login:account:{email}:{line}", limit=10, account=email),
        *_of_networks("login", host, limit=100),
        ThrottleKey(f"login:{whence}:{email}", limit=100, account=email),
    )


def sign_ups(host: str) -> tuple[ThrottleKey, ...]:
    """Sign-ups and invitation look-ups that failed: each may tell whether an address has an account."""
    return _of_networks("register", host, limit=30)


def password_change(email: str) -> ThrottleKey:
    """Attempts of a signed-in person at their own password; nobody else can use them up."""
    return ThrottleKey(f"password:{email}", limit=10, account=email)


def familiarity(email: str, host: str) -> str:
    """The stored form of an account and a network it was signed in to from."""
    return digest(f"familiar:{email}:{networks(host)[0]}")


async def count(tx: Tx, *names: ThrottleKey) -> TooManyAttempts | None:
    """Count one attempt under each name. A refusal is returned, not raised: the count has to be committed."""
    for name in names:
        if remaining_s := await store.seconds_blocked(tx, name.hash):
            return _refusal(remaining_s)
    for name in names:
        attempts = await store.count_attempt(tx, name.hash, account_hash=name.account_hash, window_s=_WINDOW_S)
        if attempts > name.limit:
            block_s = min(_FIRST_BLOCK_S * 2 ** min(attempts - name.limit - 1, 10), _WINDOW_S)
            await store.block(tx, name.hash, block_s)
            return _refusal(block_s)
    return None


async def take_back(tx: Tx, *names: ThrottleKey) -> None:
    """Take back one attempt that turned out well."""
    for name in names:
        await store.forgive(tx, name.hash)


async def welcome(tx: Tx, email: str, *, host: str) -> None:
    """Start afresh for an account that was signed in to from here, and remember its network."""
    is_familiar = await store.is_familiar(tx, familiarity(email, host))
    own, *shared = sign_ins(email, host, is_familiar=is_familiar)
    await store.forget_attempts(tx, own.hash)
    await take_back(tx, *shared)
    await store.remember_network(tx, familiarity(email, host))


def _of_networks(kind: str, host: str, *, limit: int) -> tuple[ThrottleKey, ...]:
    """One name for each network; the wider one may try ten times as often."""
    return tuple(
        ThrottleKey(f"{kind}:address:{network}", limit * 10**width) for width, network in enumerate(networks(host))
    )


def _refusal(seconds: int) -> TooManyAttempts:
    return TooManyAttempts(f"Too many attempts. Try again in {seconds} seconds.", retry_after_s=seconds)
