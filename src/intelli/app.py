"""The composition root: settings in, a running App out. Rooms, ports and hooks meet here and nowhere else."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from importlib.metadata import version

from pydantic import SecretStr

from intelli.audit.record import CHANNEL as AUDIT_CHANNEL
from intelli.audit.room import ROOM as AUDIT
from intelli.content.ports import Storing
from intelli.content.room import ROOM as CONTENT
from intelli.content.settings import ContentSettings
from intelli.identity.guard import Guard
from intelli.identity.passwords import Passwords
from intelli.identity.room import ROOM as IDENTITY
from intelli.identity.settings import IdentitySettings
from intelli.kit import queue
from intelli.kit.blobs import Blobs, open_blobs
from intelli.kit.context import Census
from intelli.kit.db import Database
from intelli.kit.http import AnswerSecret, Authenticator
from intelli.kit.live import Live
from intelli.kit.postgres import EmbeddedPostgres
from intelli.kit.room import Room
from intelli.kit.telemetry import Telemetry
from intelli.reasoning.reasoners import Reasoners
from intelli.runs.journal import Journal
from intelli.runs.ports import EMPTY_LIBRARY, Library, Minds
from intelli.runs.room import ROOM as RUNS
from intelli.runs.settings import RunSettings
from intelli.runs.stream import CHANNEL as RUNS_CHANNEL
from intelli.runs.stream import Streams
from intelli.settings import Settings

ROOMS: tuple[Room, ...] = (AUDIT, IDENTITY, CONTENT, RUNS)
JOBS = tuple(job for room in ROOMS for job in room.jobs)
CHANNELS = (AUDIT_CHANNEL, RUNS_CHANNEL)


@dataclass(frozen=True, slots=True)
class Engine:
    """The database a process works on, and who runs it."""

    app_url: str
    admin_url: str
    embedded: EmbeddedPostgres | None = None


class App:
    """What one process holds: the parts that edges find by their type, and the way to close them."""

    def __init__(self, settings: Settings, engine: Engine) -> None:
        self.settings = settings
        self.engine = engine
        self.telemetry = Telemetry(version=version("intelli"), otlp_endpoint=settings.otlp_endpoint)
        self.db = Database(
            engine.app_url, pool_size=settings.database_pool_size, on_ended=self.telemetry.observe_transaction
        )
        self.blobs = open_blobs(settings.blobs_location, options=settings.blobs.options())
        self.live = Live(engine.app_url, CHANNELS)
        self.passwords = Passwords()
        self.identity = _identity(settings)
        self.content = content_settings(settings)
        self.runs = settings.budget.runs()
        self.journal = Journal(self.db, flush_s=self.runs.flush_s)
        self.streams = Streams(self.db, self.live)
        self.reasoners = Reasoners(settings.model.settings())
        self.minds = Minds(reasoner=self.reasoners.chosen, fallback=self.reasoners.without_model)
        self.telemetry.watch_queues(self._queue_depths)
        self.telemetry.watch_subscribers(lambda: self.live.subscribers)

    @property
    def parts(self) -> Mapping[type, object]:
        """Each part under the type that edges ask for."""
        return {
            Database: self.db,
            Blobs: self.blobs,
            Live: self.live,
            Telemetry: self.telemetry,
            Passwords: self.passwords,
            IdentitySettings: self.identity,
            ContentSettings: self.content,
            Storing: Storing(),
            RunSettings: self.runs,
            Journal: self.journal,
            Streams: self.streams,
            Library: EMPTY_LIBRARY,
            Minds: self.minds,
            Authenticator: Guard(self.db, self.identity),
            AnswerSecret: AnswerSecret(self.identity.secret_key),
        }

    async def close(self) -> None:
        """Let go of everything, in the order that nothing is missed."""
        self.live.close()
        await self.reasoners.close()
        await self.blobs.close()
        await self.db.close()
        await self.telemetry.close()
        self.passwords.close()

    async def _queue_depths(self) -> Mapping[tuple[str, str], int]:
        async with self.db.begin(Census()) as tx:
            return {(depth.queue, depth.status): depth.jobs for depth in await queue.depths(tx)}


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


def _identity(settings: Settings) -> IdentitySettings:
    return IdentitySettings(
        secret_key=settings.signing_key,
        registration=settings.registration,
        access_token_lifetime=timedelta(minutes=settings.access_token_minutes),
        refresh_token_lifetime=timedelta(days=settings.refresh_token_days),
        public_url=settings.public_url,
    )


def content_settings(settings: Settings) -> ContentSettings:
    """What content is told of the settings."""
    return ContentSettings(
        upload_limit_bytes=settings.content.upload_limit_bytes,
        grace=timedelta(hours=settings.content.grace_hours),
    )
