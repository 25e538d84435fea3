"""HTTP clients for `intelli models`: of a server, or of this machine's installation, served within the command."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from intelli.cli import remote
from intelli.kit.errors import Invalid, NotFound

if TYPE_CHECKING:
    import httpx

    from intelli.app import App
    from intelli.cli.users import UserMembership

_KEY_NAME = "intelli models"
_ADMINS = ("owner", "admin")
_TIMEOUT_S = 120


@asynccontextmanager
async def open_client(
    data: Path | None, *, server: str | None, key: str | None, email: str | None
) -> AsyncIterator["httpx.AsyncClient"]:
    """Open a client of the server that is given or set; without one, of this machine's installation."""
    from intelli.cli import local

    address = remote.find_address(local.load(data), server, key)
    if address is not None:
        async with remote.connect(*address) as client:
            yield client
        return
    admin = await _choose_admin(data, email)
    async with _serve_here(data) as app, _temporary_key(app, admin) as made, _connect(app, made) as client:
        yield client


async def _choose_admin(data: Path | None, email: str | None) -> "UserMembership":
    """Return the account to act for: the named one, or the first that may change models of the only workspace."""
    from intelli.cli.users import list_memberships

    members = [each for each in await list_memberships(data) if each.role in _ADMINS]
    if email is not None:
        members = [each for each in members if each.email == email.strip().lower()]
    if not members:
        raise NotFound(
            "No account here may change models. Run `intelli serve` and create one, or name it with --email."
        )
    if len({each.workspace_id for each in members}) > 1:
        raise Invalid("There are several workspaces. Name an account of the one you mean with --email.")
    return members[0]


@asynccontextmanager
async def _serve_here(data: Path | None) -> AsyncIterator["App"]:
    """Open the installation with a worker for tests of models, beside a server if one is running."""
    from intelli import settings
    from intelli.app import JOBS, App
    from intelli.cli import local, prepare_database
    from intelli.kit.jobs import Queue
    from intelli.worker import Worker

    loaded = settings.complete(settings.load(data)).settings
    with local.existing_engine(loaded) as engine:
        prepare_database.check_migrated(engine)
        app, stop = App(loaded, engine), asyncio.Event()
        worker = Worker(app.pools.maintenance, JOBS, queues=(Queue.MAINTENANCE,), parts=app.parts)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(worker.run(stop))
                try:
                    yield app
                finally:
                    stop.set()
        finally:
            await app.close()


@asynccontextmanager
async def _temporary_key(app: "App", admin: "UserMembership") -> AsyncIterator[str]:
    """Make an API key for the account while the command runs, so that all is done with its rights and recorded."""
    from intelli.identity import keys
    from intelli.identity.wire import CreateApiKey
    from intelli.kit.context import SCOPES_OF_ROLE, Role, Scope, System

    who, asked = System(admin.workspace_id), CreateApiKey(name=_KEY_NAME, scopes=[Scope.READ, Scope.ADMIN])
    async with app.db.begin(who) as tx:
        made = await keys.create(tx, asked, user_id=admin.user_id, may_grant=SCOPES_OF_ROLE[Role(admin.role)])
    try:
        yield made.key
    finally:
        async with app.db.begin(who) as tx:
            await keys.revoke(tx, admin.user_id, made.id)


@asynccontextmanager
async def _connect(app: "App", key: str) -> AsyncIterator["httpx.AsyncClient"]:
    import httpx

    from intelli.web.factory import create_web

    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=create_web(app)),
        base_url="http://127.0.0.1/api/v1/",
        headers={"X-API-Key": key},
        timeout=_TIMEOUT_S,
    ) as client:
        yield client
