"""What a command works on: the settings, the database behind them, and requests that keep the rules of form."""

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
    """The settings; from here on, only warnings are logged."""
    loaded = settings.load(data).settings
    configure(loaded.log_format, max(LogLevel.WARNING, loaded.log_level, key=list(LogLevel).index))
    return loaded


def has_database(loaded: Settings) -> bool:
    """True unless the database is embedded and was never made."""
    return not loaded.is_embedded or Cluster(loaded.data / "postgres").find_version() is not None


@contextmanager
def existing_engine(loaded: Settings, *, die_with_parent: bool = False) -> Iterator[Engine]:
    """The database that is there; none is made by the way."""
    if not has_database(loaded):
        raise NoDatabaseYet(
            f"There is no database in {loaded.data} yet. Run `intelli serve` first, or name the right --data."
        )
    with open_engine(loaded, die_with_parent=die_with_parent) as engine:
        yield engine


@asynccontextmanager
async def database(data: Path | None, *, timeout_s: float = 30) -> AsyncIterator[Database]:
    """The application's way into a database that is up to date; a transaction may last `timeout_s`."""
    async with _opened(load(data), timeout_s=timeout_s) as opened:
        yield opened


@asynccontextmanager
async def stores(data: Path | None, *, timeout_s: float = 30) -> AsyncIterator[tuple[Database, Blobs]]:
    """The same with the blobs, for work on all that is kept."""
    loaded = load(data)
    async with _opened(loaded, timeout_s=timeout_s) as opened:
        blobs = open_blobs(loaded.blobs_location, options=loaded.blobs.options())
        try:
            yield opened, blobs
        finally:
            await blobs.close()


@asynccontextmanager
async def _opened(loaded: Settings, *, timeout_s: float) -> AsyncIterator[Database]:
    with existing_engine(loaded) as engine:
        prepare_database.insist(engine)
        opened = Database(engine.app_url, secret=_secret(loaded), pool_size=2, timeout_s=timeout_s)
        try:
            yield opened
        finally:
            await opened.close()


def _secret(loaded: Settings) -> bytes | None:
    """The secret key, made if the database is embedded and was never served; None when another's was not given."""
    if loaded.secret_key is None and not loaded.is_embedded:
        return None
    return settings.complete(settings.Loaded(loaded, {})).settings.signing_key


def request(model: type[Model], **values: object) -> Model:
    """A request made of what the command line gave, refused in words when it breaks a rule of form."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        lines = [
            f"{'.'.join(str(step) for step in fault['loc'])}: {fault['msg']}."
            for fault in error.errors(include_input=False)
        ]
        raise Invalid("\n".join(lines)) from None
