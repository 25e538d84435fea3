"""A server of one's own, for a command that needs all of Intelli and finds nothing running.

It lives in a data directory apart, as a child of the command, and answers on the loopback only.
"""

import asyncio
import json
import os
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from intelli.cli import claim, remote
from intelli.kit.errors import Unavailable
from intelli.settings import environment_apart

if TYPE_CHECKING:
    import httpx

_EMAIL = "research@example.org"
_KEY = "client.key"
_LOG = "server.log"
_READY_S = 180
_END_S = 20
_ANSWER_S = 60


@asynccontextmanager
async def running(directory: Path) -> AsyncIterator[tuple[str, str]]:
    """The address of the directory's server and a key for it. One that runs already is used and left running."""
    await asyncio.to_thread(directory.mkdir, mode=0o700, parents=True, exist_ok=True)
    holder = claim.find_holder(directory)
    if holder is not None and holder.url:
        yield holder.url, await _key(directory, holder.url)
        return
    server = await _start(directory)
    try:
        url = await _address(server, directory)
        yield url, await _key(directory, url)
    finally:
        await _end(server)


async def _start(directory: Path) -> asyncio.subprocess.Process:
    serve = [sys.executable, "-m", "intelli.cli", "serve", "--until-eof", "--json"]
    place = ["--data", str(directory), "--host", "127.0.0.1", "--port", "0"]
    with (directory / _LOG).open("wb") as log:
        return await asyncio.create_subprocess_exec(
            *serve,
            *place,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env=environment_apart(),
            start_new_session=True,
        )


async def _address(server: asyncio.subprocess.Process, directory: Path) -> str:
    assert server.stdout is not None, "its output is a pipe"
    async with asyncio.timeout(_READY_S):
        line = await server.stdout.readline()
    if not line:
        raise Unavailable(f"The server behind this command did not start. {directory / _LOG} says why.")
    return str(json.loads(line)["url"])


async def _end(server: asyncio.subprocess.Process) -> None:
    assert server.stdin is not None, "its input is a pipe"
    server.stdin.close()
    try:
        async with asyncio.timeout(_END_S):
            await server.wait()
    except TimeoutError:
        server.kill()
        await server.wait()


async def _key(directory: Path, url: str) -> str:
    """The key that an earlier use made, while it works; else an account is made, and a key for it."""
    import httpx

    async with httpx.AsyncClient(base_url=f"{url}/api/v1/", timeout=_ANSWER_S) as client:
        kept = await asyncio.to_thread(_kept, directory / _KEY)
        if kept and (await client.get("auth/me", headers={"X-API-Key": kept})).is_success:
            return kept
        made = await _new_key(client)
    await asyncio.to_thread(_keep, directory / _KEY, made)
    return made


async def _new_key(client: "httpx.AsyncClient") -> str:
    account = {"email": _EMAIL, "password": secrets.token_urlsafe(24), "name": "Research", "workspace_name": "Research"}
    tokens = remote.answer(await client.post("auth/register", json=account))
    request = {"name": "intelli research", "scopes": ["read", "write"]}
    bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
    return str(remote.answer(await client.post("api-keys", json=request, headers=bearer))["key"])


def _kept(path: Path) -> str | None:
    return path.read_text().strip() if path.exists() else None


def _keep(path: Path, key: str) -> None:
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
        file.write(key)
