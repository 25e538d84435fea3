"""Passwords: Argon2id off the event loop, and the same work for an account that does not exist."""

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
    """Hashes and verifies, a few at a time, so that a flood of logins cannot take all memory."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_SIMULTANEOUS, thread_name_prefix="passwords")
        self._decoy = _decoy()

    async def hash(self, password: str) -> str:
        """The hash to store."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, _HASH.hash, password)

    async def verify(self, password: str, stored: str | None) -> bool:
        """True when the password fits. Without a stored hash it takes the same time and is never true."""
        fits = await asyncio.get_running_loop().run_in_executor(
            self._threads, _HASH.verify, password, stored or self._decoy
        )
        return fits and stored is not None

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False, cancel_futures=True)


@cache
def _decoy() -> str:
    return _HASH.hash("a password that nobody has")


def check_strength(password: str, *, email: str) -> None:
    """Refuse what is guessed first: one repeated character, or the account's own address."""
    if len(set(password)) < 4:
        raise WeakPassword("This password repeats too few characters. A few unrelated words make a good one.")
    if password.casefold() in {email.casefold(), email.partition("@")[0].casefold()}:
        raise WeakPassword("The password must not be your e-mail address. A few unrelated words make a good one.")
