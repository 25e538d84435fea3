"""A real PostgreSQL for the whole run, and a fresh, migrated database for each test that asks for one."""

import fcntl
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import make_url
from tests.support.spare import Spares

from intelli.engine import Engine
from intelli.kit.db import APP_ROLE, Database
from intelli.kit.postgres import EmbeddedPostgres
from intelli.migrations import schema

SECRET = b"k" * 48
_TEMPLATE = "template_intelli"
# What is run on both versions: where our SQL, policies and triggers are. The rest meets the database through these.
_ABOUT_POSTGRES = (
    "tests/audit/test_chain.py",
    "tests/content/test_artifacts.py",
    "tests/content/test_gc.py",
    "tests/content/test_pointers.py",
    "tests/contracts/test_migrations.py",
    "tests/contracts/test_tenancy.py",
    "tests/identity/test_members.py",
    "tests/journeys/",
    "tests/kit/test_db.py",
    "tests/kit/test_jobs.py",
    "tests/kit/test_live.py",
    "tests/kit/test_queue.py",
    "tests/library/test_documents.py",
    "tests/library/test_folders.py",
    "tests/retrieval/",
    "tests/runs/test_life.py",
)


@dataclass(frozen=True)
class Cluster:
    """The server that all tests of a run share."""

    postgres: EmbeddedPostgres
    root: Path

    def engine(self, database: str) -> Engine:
        app, admin = (make_url(url).set(database=database) for url in (self.postgres.app_url, self.postgres.admin_url))
        return Engine(app.render_as_string(hide_password=False), admin.render_as_string(hide_password=False))

    def execute(self, statement: str) -> None:
        with psycopg.connect(self.postgres.maintenance_url, autocommit=True) as connection:
            connection.execute(statement)

    def prepare_template(self) -> None:
        """Migrate once; every test's database is a copy."""
        with (self.root / "template.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if (self.root / "template.ready").exists():
                return
            # Nobody pulls the plug on a test's rows, so no commit needs to wait for the disk.
            for role in (APP_ROLE, "postgres"):
                self.execute(f"alter role {role} set synchronous_commit = off")
            self.execute(f"create database {_TEMPLATE}")
            schema.upgrade(self.engine(_TEMPLATE).admin_url)
            (self.root / "template.ready").touch()

    @contextmanager
    def copy_of(self, template: str) -> Iterator[Engine]:
        name = f"test_{uuid4().hex}"
        self.execute(f"create database {name} template {template}")
        try:
            yield self.engine(name)
        finally:
            self.execute(f"drop database {name} with (force)")


def postgres_version() -> Literal[16, 18]:
    """The version the run is for: 18 unless the environment says 16."""
    return 16 if is_other_version() else 18


def is_other_version() -> bool:
    """True when the run is for PostgreSQL 16, our production floor."""
    return os.environ.get("INTELLI_TEST_POSTGRES") == "16"


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One cluster for all processes of the run; the last one to leave stops it."""
    base = tmp_path_factory.getbasetemp()
    root = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "cluster"
    with EmbeddedPostgres(root, version=postgres_version(), settings={"max_connections": "300"}) as postgres:
        cluster = Cluster(postgres, root)
        cluster.prepare_template()
        yield cluster


@pytest.fixture(scope="session")
def spares(cluster: Cluster) -> Spares:
    """Reusable databases of this process; dropped with the cluster."""
    return Spares(cluster.postgres.maintenance_url, _TEMPLATE)


@pytest.fixture
def engine(cluster: Cluster, spares: Spares) -> Iterator[Engine]:
    """A migrated database that looks fresh."""
    with spares.use() as name:
        yield cluster.engine(name)


@pytest.fixture
async def database(engine: Engine) -> AsyncIterator[Database]:
    """Open a fresh, migrated database as the application's role."""
    database = Database(engine.app_url, secret=SECRET, pool_size=10)
    yield database
    await database.close()


@pytest.fixture
def database_url(engine: Engine) -> str:
    """Where the application connects."""
    return engine.app_url


@pytest.fixture
def admin_url(engine: Engine) -> str:
    """Where the superuser connects, for a test to look behind row-level security."""
    return engine.admin_url


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore files whose tests do not depend on PostgreSQL in a run on another version of it."""
    if not is_other_version() or collection_path.is_dir():
        return None
    name = collection_path.relative_to(config.rootpath).as_posix()
    return None if name.startswith(_ABOUT_POSTGRES) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests without a database in a run on another version of PostgreSQL."""
    if not is_other_version():
        return
    kept = [item for item in items if _meets_one(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


def _meets_one(item: pytest.Item) -> bool:
    return "cluster" in getattr(item, "fixturenames", ()) or item.nodeid.startswith("tests/journeys/")
