"""Throttling: an attempt is counted before it is checked, so that many at once cannot slip through together.

The counts live in the database under hashed names, shared by all processes. A name that fails too often is refused for
thirty seconds, then twice as long with each further failure, up to a quarter of an hour.
"""

from dataclasses import dataclass

from intelli.identity import store
from intelli.identity.credentials import digest
from intelli.identity.errors import TooManyAttempts
from intelli.kit.db import Tx

_WINDOW_S = 15 * 60
_FIRST_BLOCK_S = 30


@dataclass(frozen=True, slots=True)
class Name:
    """Something that attempts are counted for."""

    text: str
    limit: int

    @property
    def hash(self) -> str:
        """The stored form, which tells no address."""
        return digest(self.text)


def account(email: str) -> Name:
    """Attempts to sign in to one account, whether it exists or not."""
    return Name(f"login:account:{email}", limit=10)


def address(host: str) -> Name:
    """Attempts to sign in from one address; higher, since an office shares one."""
    return Name(f"login:address:{host}", limit=100)


def sign_ups(host: str) -> Name:
    """New accounts and invitation look-ups from one address."""
    return Name(f"register:address:{host}", limit=100)


async def count(tx: Tx, *names: Name) -> TooManyAttempts | None:
    """Count one attempt under each name. A refusal is returned, not raised: the count has to be committed."""
    for name in names:
        if remaining_s := await store.seconds_blocked(tx, name.hash):
            return _refusal(remaining_s)
    for name in names:
        attempts = await store.count_attempt(tx, name.hash, window_s=_WINDOW_S)
        if attempts > name.limit:
            block_s = min(_FIRST_BLOCK_S * 2 ** min(attempts - name.limit - 1, 10), _WINDOW_S)
            await store.block(tx, name.hash, block_s)
            return _refusal(block_s)
    return None


def _refusal(seconds: int) -> TooManyAttempts:
    return TooManyAttempts(f"Too many attempts. Try again in {seconds} seconds.", retry_after_s=seconds)
