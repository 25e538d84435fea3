"""Migrate a database to a revision of the schema, and read which revision it has."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, create_engine, make_url, text
from sqlalchemy.pool import NullPool

# One migrator at a time; the number only has to be the same in every process.
_MIGRATION_LOCK = 7_301_977_112


def metadata() -> MetaData:
    """Return the tables of all rooms; imports every room's `tables`."""
    from intelli.audit import tables as _audit  # noqa: F401
    from intelli.checks import tables as _checks  # noqa: F401
    from intelli.citations import tables as _citations  # noqa: F401
    from intelli.content import tables as _content  # noqa: F401
    from intelli.conversations import tables as _conversations  # noqa: F401
    from intelli.deliverables import tables as _deliverables  # noqa: F401
    from intelli.entities import tables as _entities  # noqa: F401
    from intelli.identity import tables as _identity  # noqa: F401
    from intelli.kit.tables import Base
    from intelli.library import tables as _library  # noqa: F401
    from intelli.memory import tables as _memory  # noqa: F401
    from intelli.models import tables as _models  # noqa: F401
    from intelli.retrieval import tables as _retrieval  # noqa: F401
    from intelli.runs import tables as _runs  # noqa: F401

    return Base.metadata


def upgrade(admin_url: str, revision: str = "head") -> None:
    """Migrate the database forward. Safe to call from several processes at once: an advisory lock serialises them."""
    with _locked(admin_url) as connection:
        command.upgrade(_config(connection), revision)


def downgrade(admin_url: str, revision: str) -> None:
    """Migrate the database back to a revision, under the same advisory lock as `upgrade`."""
    with _locked(admin_url) as connection:
        command.downgrade(_config(connection), revision)


def current_revision(url: str) -> str | None:
    """Return the revision of the database; None when it was never migrated."""
    with _connected(url) as connection:
        return MigrationContext.configure(connection).get_current_revision()


def head_revision() -> str:
    """Return the newest revision that this version of Intelli knows."""
    head = ScriptDirectory(str(Path(__file__).parent)).get_current_head()
    assert head is not None, "the migrations directory is empty"
    return head


def pending(url: str) -> bool:
    """Tell whether the database is at another revision than this version's newest."""
    return current_revision(url) != head_revision()


@contextmanager
def _locked(admin_url: str) -> Iterator[Connection]:
    with _connected(admin_url) as connection:
        connection.execute(text("select pg_advisory_lock(:key)"), {"key": _MIGRATION_LOCK})
        connection.commit()
        try:
            yield connection
        finally:
            connection.rollback()
            connection.execute(text("select pg_advisory_unlock(:key)"), {"key": _MIGRATION_LOCK})
            connection.commit()


@contextmanager
def _connected(url: str) -> Iterator[Connection]:
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), poolclass=NullPool)
    with engine.connect() as connection:
        yield connection


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    return config
