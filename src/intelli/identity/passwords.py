"""Password hashing with Argon2id in threads, in constant time whether or not the account exists."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from intelli.identity.errors import WeakPassword

# OWASP's parameters for Argon2id: 19 MiB, two passes, one lane.
_HASH = PasswordHash((Argon2Hasher(memory_cost=19 * 1024, time_cost=2, parallelism=1),))
_SIMULTANEOUS = 2


class Passwords:
    """Password hasher with a small thread pool, so that a flood of logins cannot exhaust the memory."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_SIMULTANEOUS, thread_name_prefix="passwords")
        self._decoy = _decoy()

    async def hash(self, password: str) -> str:
        """Return the hash to store."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, _HASH.hash, password)

    async def verify(self, password: str, stored: str | None) -> bool:
        """True when the password matches. Without a stored hash it takes as long and returns False."""
        fits = await asyncio.get_running_loop().run_in_executor(
            self._threads, _HASH.verify, password, stored or self._decoy
        )
        return fits and stored is not None

    def close(self) -> None:
        """Shut the thread pool down without waiting."""
        self._threads.shutdown(wait=False, cancel_futures=True)


@cache
def _decoy() -> str:
    return _HASH.hash("a password that nobody has")


def check_strength(password: str, *, email: str) -> None:
    """Raise WeakPassword for fewer than four different characters or the account's own address."""
    if len(set(password)) < 4:
        raise WeakPassword("This password repeats too few characters. A few unrelated words make a good one.")
    if password.casefold() in {email.casefold(), email.partition("@")[0].casefold()}:
        raise WeakPassword("The password must not be your e-mail address. A few unrelated words make a good one.")
