"""A migrated database in a temporary directory, with a few workspaces."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
    """Where to connect, and who lives there."""

    app_url: str
    admin_url: str
    workspaces: tuple[UUID, ...]


@contextmanager
def scratch(*, workspaces: int, connections: int = 100) -> Iterator[Scratch]:
    """The database, until the block ends."""
    settings = {"max_connections": str(connections)}
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedPostgres(Path(folder) / "postgres", settings=settings) as postgres,
    ):
        schema.upgrade(postgres.admin_url)
        ids = tuple(uuid7() for _ in range(workspaces))
        with psycopg.connect(postgres.admin_url) as connection, connection.cursor() as cursor:
            cursor.executemany(
                "insert into workspaces (id, name) values (%s, 'bench')", [(workspace,) for workspace in ids]
            )
        yield Scratch(postgres.app_url, postgres.admin_url, ids)
