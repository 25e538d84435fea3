"""Private server for commands that need all of Intelli while none is running.

It has a data directory of its own and listens on the loopback only. Concurrent commands share it: the first starts it,
and it ends when the last one has ended, in whatever way.
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

# Locked (shared) by every command that uses the server, and (exclusively) by the server itself once none does.
_IN_USE = "in-use.lock"
# Locked by the one command that looks for the server, starts it if need be, and gets the key.
_TURN = "start.lock"
_EMAIL = "research@example.org"
_KEY = "client.key"
_PASSWORD = "client.password"  # noqa: S105  # the name of a file
_LOG = "server.log"
_READY_S = 180
_END_S = 20
_ANSWER_S = 60
_POLL_S = 0.1


@asynccontextmanager
async def ensure_running(directory: Path) -> AsyncIterator[tuple[str, str]]:
    """Yield URL and API key of the directory's server, started if none runs; it ends after the last such block."""
    await asyncio.to_thread(directory.mkdir, mode=0o700, parents=True, exist_ok=True)
    server: subprocess.Popen[bytes] | None = None
    with _open(directory / _IN_USE) as use:
        await _lock(use, fcntl.LOCK_SH, _END_S, "Waiting for the server of an earlier command to end.")
        try:
            with _open(directory / _TURN) as turn:
                await _lock(turn, fcntl.LOCK_EX, _READY_S, "Waiting for the server that another command is starting.")
                if data_lock.find_holder(directory) is None:
                    server = await asyncio.to_thread(_start, directory)
                url = await _wait_for_address(directory, server)
                key = await _get_key(directory, url)
            yield url, key
        finally:
            if server is not None and _is_last(use):
                await asyncio.to_thread(_wait_for_exit, server)


@contextmanager
def exit_when_unused(directory: Path) -> Iterator[None]:
    """Send ourselves SIGTERM when no command uses this server; commands that start meanwhile wait for its end."""

    def wait() -> None:
        fcntl.flock(use, fcntl.LOCK_EX)
        os.kill(os.getpid(), signal.SIGTERM)

    with _open(directory / _IN_USE) as use:
        threading.Thread(target=wait, daemon=True, name="in-use").start()
        yield


def _open(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")


async def _lock(file: IO[bytes], kind: int, longest_s: float, words: str) -> None:
    """Lock a file; print `words` once when that has to wait, and raise Unavailable after `longest_s`."""
    until, is_printed = time.monotonic() + longest_s, False
    while True:
        try:
            return fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise Unavailable(f"{words} It takes too long: see whether a process hangs, and try again.") from None
        if not is_printed:
            sys.stderr.write(f"{words}\n")
        is_printed = True
        await asyncio.sleep(_POLL_S)


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


async def _wait_for_address(directory: Path, server: subprocess.Popen[bytes] | None) -> str:
    """Wait until the directory's server has announced its URL; raise Unavailable when it has exited instead."""
    async with asyncio.timeout(_READY_S):
        while True:
            holder = data_lock.find_holder(directory)
            if holder is not None and holder.url:
                return holder.url
            is_gone = holder is None if server is None else server.poll() is not None
            if is_gone:
                raise Unavailable(f"The server behind this command did not start. {directory / _LOG} says why.")
            await asyncio.sleep(_POLL_S)


def _is_last(use: IO[bytes]) -> bool:
    """Tell whether no other command uses the server. Releases our own lock when it is so."""
    try:
        fcntl.flock(use, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    fcntl.flock(use, fcntl.LOCK_UN)
    return True


def _wait_for_exit(server: subprocess.Popen[bytes]) -> None:
    """Wait for an unused server to exit by itself; kill it when that takes too long."""
    try:
        server.wait(_END_S)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


async def _get_key(directory: Path, url: str) -> str:
    """Return the stored API key while it is valid; else create and store one, with an account if there is none."""
    import httpx

    async with httpx.AsyncClient(base_url=f"{url}/api/v1/", timeout=_ANSWER_S) as client:
        stored = await asyncio.to_thread(_read_secret, directory / _KEY)
        if stored and (await client.get("auth/me", headers={"X-API-Key": stored})).is_success:
            return stored
        made = await _create_key(client, await asyncio.to_thread(_ensure_password, directory / _PASSWORD))
    await asyncio.to_thread(_write_secret, directory / _KEY, made)
    return made


async def _create_key(client: "httpx.AsyncClient", password: str) -> str:
    account = {"email": _EMAIL, "password": password}
    # An earlier command may have made the account and been stopped before it had a key.
    if remote.parse_response(await client.get("installation"))["claimed"]:
        entered = await client.post("auth/login", json=account)
    else:
        entered = await client.post("auth/register", json={**account, "name": "Research", "workspace_name": "Research"})
    tokens = remote.parse_response(entered)
    request = {"name": "intelli research", "scopes": ["read", "write"]}
    bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
    return str(remote.parse_response(await client.post("api-keys", json=request, headers=bearer))["key"])


def _ensure_password(path: Path) -> str:
    """Return the account's password; a new one is stored before it is used, so that no crash locks us out."""
    stored = _read_secret(path)
    if stored:
        return stored
    made = secrets.token_urlsafe(24)
    _write_secret(path, made)
    return made


def _read_secret(path: Path) -> str | None:
    return path.read_text().strip() if path.exists() else None


def _write_secret(path: Path, secret: str) -> None:
    """Write a secret to a file atomically, readable by its owner only."""
    half = path.with_suffix(".new")
    with os.fdopen(os.open(half, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
        file.write(secret)
    half.replace(path)
