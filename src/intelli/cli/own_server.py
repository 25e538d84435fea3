"""A server of one's own, for commands that need all of Intelli and find nothing running.

It lives in a data directory apart and answers on the loopback only. Commands that run at the same time share it: the
first starts it, and it ends when the last is gone, however that one ended.
"""

import asyncio
import fcntl
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from intelli.cli import data_lock, remote
from intelli.kit.errors import Unavailable
from intelli.settings import environment_of_other_installation

if TYPE_CHECKING:
    import httpx

# Held by every command that uses the server, and by the server itself once nobody does.
_IN_USE = "in-use.lock"
# Held by the one command that looks for the server, starts it if need be, and gets the key.
_TURN = "start.lock"
_EMAIL = "research@example.org"
_KEY = "client.key"
_PASSWORD = "client.password"  # noqa: S105  # the name of a file
_LOG = "server.log"
_READY_S = 180
_END_S = 20
_ANSWER_S = 60
_LOOK_S = 0.1


@asynccontextmanager
async def running(directory: Path) -> AsyncIterator[tuple[str, str]]:
    """The address of the directory's server and a key for it. One that runs already is used and left running."""
    await asyncio.to_thread(directory.mkdir, mode=0o700, parents=True, exist_ok=True)
    server: subprocess.Popen[bytes] | None = None
    with _opened(directory / _IN_USE) as use:
        await _lock(use, fcntl.LOCK_SH, _END_S, "Waiting for the server of an earlier command to end.")
        try:
            with _opened(directory / _TURN) as turn:
                await _lock(turn, fcntl.LOCK_EX, _READY_S, "Waiting for the server that another command is starting.")
                if data_lock.find_holder(directory) is None:
                    server = await asyncio.to_thread(_start, directory)
                url = await _address(directory, server)
                key = await _key(directory, url)
            yield url, key
        finally:
            if server is not None and _is_last(use):
                await asyncio.to_thread(_end, server)


@contextmanager
def ended_unused(directory: Path) -> Iterator[None]:
    """In the server: end in order as soon as no command uses us; those that come meanwhile wait until we are gone."""

    def wait() -> None:
        fcntl.flock(use, fcntl.LOCK_EX)
        os.kill(os.getpid(), signal.SIGTERM)

    with _opened(directory / _IN_USE) as use:
        threading.Thread(target=wait, daemon=True, name="in-use").start()
        yield


def _opened(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")


async def _lock(file: IO[bytes], kind: int, longest_s: float, words: str) -> None:
    """Lock a file; whoever has to wait for it is told why."""
    until, is_told = time.monotonic() + longest_s, False
    while True:
        try:
            return fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise Unavailable(f"{words} It takes too long: see whether a process hangs, and try again.") from None
        if not is_told:
            sys.stderr.write(f"{words}\n")
        is_told = True
        await asyncio.sleep(_LOOK_S)


def _start(directory: Path) -> subprocess.Popen[bytes]:
    serve = [sys.executable, "-m", "intelli.cli", "serve", "--while-in-use"]
    place = ["--data", str(directory), "--host", "127.0.0.1", "--port", "0"]
    with (directory / _LOG).open("wb") as log:
        return subprocess.Popen(
            [*serve, *place],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            env=environment_of_other_installation(),
            start_new_session=True,
        )


async def _address(directory: Path, server: subprocess.Popen[bytes] | None) -> str:
    """Where the directory's server answers, as soon as it does; one that we did not start may still be starting."""
    async with asyncio.timeout(_READY_S):
        while True:
            holder = data_lock.find_holder(directory)
            if holder is not None and holder.url:
                return holder.url
            is_gone = holder is None if server is None else server.poll() is not None
            if is_gone:
                raise Unavailable(f"The server behind this command did not start. {directory / _LOG} says why.")
            await asyncio.sleep(_LOOK_S)


def _is_last(use: IO[bytes]) -> bool:
    """Whether no other command uses the server; either way we do not any more."""
    try:
        fcntl.flock(use, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    fcntl.flock(use, fcntl.LOCK_UN)
    return True


def _end(server: subprocess.Popen[bytes]) -> None:
    """Wait for a server that nobody uses to end by itself."""
    try:
        server.wait(_END_S)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


async def _key(directory: Path, url: str) -> str:
    """The key that an earlier use made, while it works; else one for the account, which is made if there is none."""
    import httpx

    async with httpx.AsyncClient(base_url=f"{url}/api/v1/", timeout=_ANSWER_S) as client:
        kept = await asyncio.to_thread(_kept, directory / _KEY)
        if kept and (await client.get("auth/me", headers={"X-API-Key": kept})).is_success:
            return kept
        made = await _new_key(client, await asyncio.to_thread(_password, directory / _PASSWORD))
    await asyncio.to_thread(_keep, directory / _KEY, made)
    return made


async def _new_key(client: "httpx.AsyncClient", password: str) -> str:
    account = {"email": _EMAIL, "password": password}
    # An earlier command may have made the account and been stopped before it had a key.
    if remote.answer(await client.get("installation"))["claimed"]:
        entered = await client.post("auth/login", json=account)
    else:
        entered = await client.post("auth/register", json={**account, "name": "Research", "workspace_name": "Research"})
    tokens = remote.answer(entered)
    request = {"name": "intelli research", "scopes": ["read", "write"]}
    bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
    return str(remote.answer(await client.post("api-keys", json=request, headers=bearer))["key"])


def _password(path: Path) -> str:
    """The password of the account: kept before it is used, so that no crash locks us out."""
    kept = _kept(path)
    if kept:
        return kept
    made = secrets.token_urlsafe(24)
    _keep(path, made)
    return made


def _kept(path: Path) -> str | None:
    return path.read_text().strip() if path.exists() else None


def _keep(path: Path, secret: str) -> None:
    """Write a secret down, whole or not at all."""
    half = path.with_suffix(".new")
    with os.fdopen(os.open(half, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
        file.write(secret)
    half.replace(path)
