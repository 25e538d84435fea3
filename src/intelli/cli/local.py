"""Access to this machine's installation for commands: settings, database, blobs, and validated requests."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from intelli import settings
from intelli.cli import prepare_database
from intelli.engine import Engine, open_engine
from intelli.kit.blobs import Blobs, open_blobs
from intelli.kit.db import Database
from intelli.kit.errors import Invalid, NotFound
from intelli.kit.log import LogLevel, configure
from intelli.kit.postgres_cluster import Cluster
from intelli.settings import Settings

Model = TypeVar("Model", bound=BaseModel)


class NoDatabaseYet(NotFound):
    """The data directory holds no database."""

    code = "no_database_yet"


def load(data: Path | None) -> Settings:
    """Load the settings and configure the log to show only warnings and errors."""
    loaded = settings.load(data).settings
    configure(loaded.log_format, max(LogLevel.WARNING, loaded.log_level, key=list(LogLevel).index))
    return loaded


def has_database(loaded: Settings) -> bool:
    """Tell whether there is a database: False when it is embedded and was never created."""
    return not loaded.is_embedded or Cluster(loaded.data / "postgres").find_version() is not None


@contextmanager
def existing_engine(loaded: Settings, *, die_with_parent: bool = False) -> Iterator[Engine]:
    """Open the existing database; raise NoDatabaseYet instead of creating one."""
    if not has_database(loaded):
        raise NoDatabaseYet(
            f"There is no database in {loaded.data} yet. Run `intelli serve` first, or name the right --data."
        )
    with open_engine(loaded, die_with_parent=die_with_parent) as engine:
        yield engine


@asynccontextmanager
async def database(data: Path | None, *, timeout_s: float = 30) -> AsyncIterator[Database]:
    """Open the database as the application's role; raise when it is not migrated. Transactions may last `timeout_s`."""
    async with _open_database(load(data), timeout_s=timeout_s) as opened:
        yield opened


@asynccontextmanager
async def stores(data: Path | None, *, timeout_s: float = 30) -> AsyncIterator[tuple[Database, Blobs]]:
    """Open the database, as `database` does, together with the blob store."""
    loaded = load(data)
    async with _open_database(loaded, timeout_s=timeout_s) as opened:
        blobs = open_blobs(loaded.blobs_location, options=loaded.blobs.options())
        try:
            yield opened, blobs
        finally:
            await blobs.close()


@asynccontextmanager
async def _open_database(loaded: Settings, *, timeout_s: float) -> AsyncIterator[Database]:
    with existing_engine(loaded) as engine:
        prepare_database.check_migrated(engine)
        opened = Database(engine.app_url, secret=_secret(loaded), pool_size=2, timeout_s=timeout_s)
        try:
            yield opened
        finally:
            await opened.close()


def _secret(loaded: Settings) -> bytes | None:
    """Return the secret key, generated if the database is embedded and was never served; None when none is set."""
    if loaded.secret_key is None and not loaded.is_embedded:
        return None
    return settings.complete(settings.Loaded(loaded, {})).settings.signing_key


def parse_request(model: type[Model], **values: object) -> Model:
    """Validate values of the command line as a request model; raise Invalid with one line for each error."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        lines = [
            f"{'.'.join(str(step) for step in fault['loc'])}: {fault['msg']}."
            for fault in error.errors(include_input=False)
        ]
        raise Invalid("\n".join(lines)) from None
