"""A migrated database in a temporary directory, with a few workspaces."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import psycopg

from intelli.kit.ids import uuid7
from intelli.kit.postgres import EmbeddedPostgres
from intelli.migrations import schema

SECRET = b"k" * 48


@dataclass(frozen=True)
class Scratch:
    """Connection URLs of the scratch database and its workspaces."""

    app_url: str
    admin_url: str
    workspaces: tuple[UUID, ...]


_given: ContextVar[tuple[str, str] | None] = ContextVar("given", default=None)


@contextmanager
def within(app_url: str, admin_url: str) -> Iterator[None]:
    """Let benches use a migrated, empty database that is there already, which is quicker than to make one."""
    token = _given.set((app_url, admin_url))
    try:
        yield
    finally:
        _given.reset(token)


@contextmanager
def scratch(*, workspaces: int, connections: int = 100) -> Iterator[Scratch]:
    """The database, until the block ends."""
    with ExitStack() as stack:
        app_url, admin_url = _given.get() or _made(stack, connections)
        ids = tuple(uuid7() for _ in range(workspaces))
        with psycopg.connect(admin_url) as connection, connection.cursor() as cursor:
            cursor.executemany(
                "insert into workspaces (id, name) values (%s, 'bench')", [(workspace,) for workspace in ids]
            )
        yield Scratch(app_url, admin_url, ids)


def _made(stack: ExitStack, connections: int) -> tuple[str, str]:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    settings = {"max_connections": str(connections)}
    postgres = stack.enter_context(EmbeddedPostgres(folder / "postgres", settings=settings))
    schema.upgrade(postgres.admin_url)
    return postgres.app_url, postgres.admin_url
