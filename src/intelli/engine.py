"""The database of a process: the configured PostgreSQL, or the embedded one, started if it does not run yet."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pydantic import SecretStr

from intelli.kit.postgres import EmbeddedPostgres
from intelli.settings import Settings


@dataclass(frozen=True, slots=True)
class Engine:
    """Connection URLs of the database; `embedded` is the server that we run, or None for a configured one."""

    app_url: str
    admin_url: str
    embedded: EmbeddedPostgres | None = None


@contextmanager
def open_engine(settings: Settings, *, die_with_parent: bool = False) -> Iterator[Engine]:
    """Yield the configured database, or the embedded one, started if it does not run yet."""
    if settings.database_url is not None:
        admin = settings.database_admin_url or settings.database_url
        yield Engine(_libpq_url(settings.database_url), _libpq_url(admin))
        return
    postgres = EmbeddedPostgres(
        settings.data / "postgres", version=settings.postgres_version.value, die_with_parent=die_with_parent
    )
    with postgres:
        yield Engine(postgres.app_url, postgres.admin_url, postgres)


def _libpq_url(url: SecretStr) -> str:
    """Return the URL with the scheme `postgresql://`: libpq does not know SQLAlchemy's `postgresql+psycopg://`."""
    return url.get_secret_value().replace("postgresql+psycopg://", "postgresql://", 1)
