"""Serves the product over real HTTP in the test process, with signed-in users as fixtures."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from tests.support.database import SECRET

from intelli.app import App
from intelli.engine import Engine
from intelli.settings import Settings
from intelli.web.factory import create_web
from intelli.web.server import Server

PASSWORD = "correct horse battery"
# A client reads the certificates of the world by itself, which takes longer than most tests; here nothing is encrypted.
_NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
# A command that a test waits for halts the server, too, which shares its process. A client that kept a connection
# as long as the server does could use it in the moment in which the server closes it.
_LIMITS = httpx.Limits(keepalive_expiry=1)


@dataclass
class Person:
    """User with a signed-in HTTP client."""

    client: httpx.AsyncClient
    email: str
    tokens: dict[str, Any]

    async def me(self) -> dict[str, Any]:
        return (await self.client.get("/auth/me")).raise_for_status().json()

    async def sign_in(self, email: str | None = None, password: str = PASSWORD, **more: Any) -> httpx.Response:
        """Sign in and go on with the new tokens."""
        body = {"email": email or self.email, "password": password, **more}
        answer = await self.client.post("/auth/login", json=body, headers={"Authorization": ""})
        if answer.is_success:
            self.adopt(answer.json())
        return answer

    def adopt(self, tokens: dict[str, Any]) -> None:
        self.tokens = tokens
        self.client.headers["Authorization"] = f"Bearer {tokens['access_token']}"


Visit = Callable[[], httpx.AsyncClient]


def settings_for(data: Path, **changes: Any) -> Settings:
    """Settings of a test's own installation."""
    return Settings(data=data, secret_key=SecretStr(SECRET.decode()), **changes)


@asynccontextmanager
async def running(app: App) -> AsyncIterator[str]:
    """The app on a free port of the loopback, until the block ends."""
    listening = socket.create_server(("127.0.0.1", 0))
    ready = asyncio.Event()
    server = _Server(app, create_web(app), on_ready=ready.set)
    async with asyncio.TaskGroup() as group:
        background = [group.create_task(app.listen()), group.create_task(server._serve([listening]))]
        await ready.wait()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            await server.end()
            for task in background:
                task.cancel()


class _Server(Server):
    """Server that stops as soon as its responses are sent; the product's polls ten times a second for that."""

    async def end(self) -> None:
        self._app.live.close()
        for listening in self.servers:
            listening.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        async with asyncio.timeout(self.config.timeout_graceful_shutdown):
            while self.server_state.connections or self.server_state.tasks:  # noqa: ASYNC110  # uvicorn has no event for it
                await asyncio.sleep(0.001)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The test's settings; override this fixture to change them."""
    return settings_for(tmp_path)


@pytest.fixture
async def app(settings: Settings, engine: Engine) -> AsyncIterator[App]:
    """An App on a fresh database."""
    app = App(settings, engine)
    yield app
    await app.close()


@pytest.fixture
async def address(app: App) -> AsyncIterator[str]:
    """Where the product is served."""
    async with running(app) as address:
        yield address


@pytest.fixture
async def visit(address: str) -> AsyncIterator[Visit]:
    """Return a factory of clients without a session."""
    clients: list[httpx.AsyncClient] = []

    def new() -> httpx.AsyncClient:
        options = {"timeout": 60, "headers": {"User-Agent": "a test"}, "verify": _NO_CERTIFICATES, "limits": _LIMITS}
        clients.append(httpx.AsyncClient(base_url=f"{address}/api/v1", **options))  # type: ignore[arg-type]  # by name
        return clients[-1]

    yield new
    for client in clients:
        await client.aclose()


@pytest.fixture
def client(visit: Visit) -> httpx.AsyncClient:
    """HTTP client without a session."""
    return visit()


async def register(client: httpx.AsyncClient, email: str, **more: Any) -> Person:
    """Create an account and sign it in."""
    body = {"email": email, "password": PASSWORD, "name": email.partition("@")[0].title(), **more}
    answer = (await client.post("/auth/register", json=body)).raise_for_status()
    client.cookies.clear()
    person = Person(client, email, {})
    person.adopt(answer.json())
    return person


async def join(owner: Person, client: httpx.AsyncClient, email: str, *, role: str = "member") -> Person:
    """Invite someone and let them in."""
    invitation = (await owner.client.post("/invitations", json={"role": role})).raise_for_status().json()
    return await register(client, email, invitation_token=invitation["token"])


@pytest.fixture
async def owner(visit: Visit) -> Person:
    """The first account, which owns the installation."""
    return await register(visit(), "owner@example.org", workspace_name="Research")


@pytest.fixture
async def member(owner: Person, visit: Visit) -> Person:
    """A member of the owner's workspace."""
    return await join(owner, visit(), "member@example.org")
