"""The database a process works on: the configured one, or the embedded one, started if it does not run yet."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pydantic import SecretStr

from intelli.kit.postgres import EmbeddedPostgres
from intelli.settings import Settings


@dataclass(frozen=True, slots=True)
class Engine:
    """Where the database is, and who runs it."""

    app_url: str
    admin_url: str
    embedded: EmbeddedPostgres | None = None


@contextmanager
def open_engine(settings: Settings, *, die_with_parent: bool = False) -> Iterator[Engine]:
    """The configured database, or the embedded one, started if it does not run yet."""
    if settings.database_url is not None:
        admin = settings.database_admin_url or settings.database_url
        yield Engine(_plain(settings.database_url), _plain(admin))
        return
    postgres = EmbeddedPostgres(
        settings.data / "postgres", version=settings.postgres_version.value, die_with_parent=die_with_parent
    )
    with postgres:
        yield Engine(postgres.app_url, postgres.admin_url, postgres)


def _plain(url: SecretStr) -> str:
    """The address as every driver reads it: SQLAlchemy's way to name one is not known to libpq."""
    return url.get_secret_value().replace("postgresql+psycopg://", "postgresql://", 1)
