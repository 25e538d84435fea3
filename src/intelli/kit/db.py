"""Database transactions: `Database.begin(who)` is the only way to a session, and so to any row.

The database function `intelli_enter` binds every transaction to its actor: it sets the variables that the row-level
policies read, and refuses a member whose session ended or whose role changed since the token was issued.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

import psycopg
import structlog
from psycopg.pq import Format
from sqlalchemy import Connection, event, exc, make_url, text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import Session, SessionTransaction

from intelli.kit import arrays, jobs
from intelli.kit.context import Actor, Anonymous, System, UserContext, WorkspaceLister
from intelli.kit.errors import Unauthenticated, Unavailable

Result = TypeVar("Result")
APP_ROLE = "intelli_app"
LOST_STANDING = "IN401"
# Execution option of a statement whose result has large `bytea` values: in text format they are twice as long.
AS_BYTES = "as_bytes"
_DISK_FULL = "53100"
# Undefined function, table, column or schema.
_MISSING = {"42883", "42P01", "42703", "3F000"}
_SNAPSHOT = {"isolation_level": "REPEATABLE READ"}
_ENTER = "select intelli_enter(%s, %s, %s, %s, %s, %s, %s)"
# Retry-After when all connections are busy: transactions are short, so one is free by then.
_BUSY_S = 2
# Candidates are four for each of a hundred results, with which recall was 97 % at 100,000 vectors. Rows that a filter
# leaves out are made up for, in no strict order.
_HNSW = {
    "hnsw.ef_search": "400",
    "hnsw.iterative_scan": "relaxed_order",
    "hnsw.max_scan_tuples": "60000",
    "hnsw.scan_mem_multiplier": "8",
}

log = structlog.get_logger()


class SessionEnded(Unauthenticated):
    """The session was ended, or the member's role changed or was taken away."""

    code = "session_ended"


class DatabaseUnavailable(Unavailable):
    """The database does not answer."""

    code = "database_unavailable"


class SecretMissing(Unavailable):
    """What is to be written has to be sealed, and this process was not given the secret key."""

    code = "secret_missing"


class DatabaseNotMigrated(Unavailable):
    """The database is there, but its schema is not the one this version needs."""

    code = "database_not_migrated"


class Tx:
    """Open transaction of one actor. Rules take it; they never open, commit or roll back."""

    def __init__(self, session: AsyncSession, who: Actor, *, secret: bytes | None = None) -> None:
        self.session = session
        self.who = who
        self._secret = secret

    @property
    def secret(self) -> bytes:
        """Secret of the installation, which seals audit entries. Raise SecretMissing without one."""
        if self._secret is None:
            raise SecretMissing("INTELLI_SECRET_KEY is missing: what is done here has to be sealed in the audit log.")
        return self._secret

    @property
    def tenant_id(self) -> UUID:
        """Workspace that this transaction is bound to. Raise RuntimeError when there is none."""
        match self.who:
            case UserContext() | System():
                return self.who.tenant_id
            case Anonymous() | WorkspaceLister():
                raise RuntimeError("this transaction is bound to no workspace")

    @property
    def user_id(self) -> UUID | None:
        """Person that this transaction acts for, or None."""
        match self.who:
            case UserContext() | System() | Anonymous():
                return self.who.user_id
            case WorkspaceLister():
                return None

    @property
    def person_id(self) -> UUID:
        """Person that this transaction acts for. Raise RuntimeError when there is none."""
        if self.user_id is None:
            raise RuntimeError("this transaction acts for no person")
        return self.user_id

    async def become(self, who: Actor) -> None:
        """Continue this transaction as another actor, such as the person that a proof turned out to belong to."""
        self.who = self.session.info["who"] = who
        connection = await self.session.connection()
        await connection.exec_driver_sql(_ENTER, _parameters(who))

    async def defer(self, job: jobs.JobRef, *, key: str | None = None, **args: jobs.Argument) -> None:
        """Enqueue a job, visible with this transaction's commit. Jobs of one `key` run one at a time, in order."""
        await self.defer_each(job, {key: args})

    async def defer_each(self, job: jobs.JobRef, args_by_key: Mapping[str | None, Mapping[str, jobs.Argument]]) -> None:
        """Enqueue several jobs of a kind, each under its own key, as `defer` does."""
        who = {"tenant_id": str(self.tenant_id), "user_id": str(self.user_id) if self.user_id else None}
        args = [{**who, **each} for each in args_by_key.values()]
        await jobs.defer(await self._driver_connection(), job, keys=list(args_by_key), args=args)

    async def wake(self, job: jobs.JobRef, *, key: str, **args: jobs.Argument) -> None:
        """Enqueue a job of this key unless one is waiting; it runs for the workspace, not for a person."""
        bound = {"tenant_id": str(self.tenant_id), **args}
        await jobs.wake(await self._driver_connection(), job, key=key, args=bound)

    async def notify(self, channel: str, payload: str) -> None:
        """Notify the listeners of a channel when this transaction commits. The payload is an id, never content."""
        await self.session.execute(
            text("select pg_notify(:channel, :payload)"), {"channel": channel, "payload": payload}
        )

    async def _driver_connection(self) -> psycopg.AsyncConnection[Any]:
        raw = await (await self.session.connection()).get_raw_connection()
        connection: psycopg.AsyncConnection[Any] = raw.driver_connection  # type: ignore[assignment]  # typed as object
        return connection


class Database:
    """Connection pool to PostgreSQL, in a role that cannot bypass row-level security."""

    def __init__(
        self,
        url: str,
        *,
        secret: bytes | None = None,
        pool_size: int = 10,
        wait_s: float = 10,
        timeout_s: float = 30,
        on_ended: Callable[[float], None] | None = None,
        step_aside: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.url = url
        self._step_aside = step_aside
        self.transactions = 0
        self._secret = secret
        self._on_ended = on_ended
        self._timeout_s = timeout_s
        self.engine = _engine(url, pool_size=pool_size, wait_s=wait_s)
        self._sessions = async_sessionmaker(self.engine, sync_session_class=_BoundSession, expire_on_commit=False)

    @asynccontextmanager
    async def begin(
        self, who: Actor, *, timeout_s: float | None = None, is_snapshot: bool = False
    ) -> AsyncIterator[Tx]:
        """Open a transaction bound to `who`: committed when the body ends, rolled back when it raises.

        It is aborted after `timeout_s`, which only a long query needs to set. A snapshot reads all data as of one
        moment (isolation level repeatable read). Raises DatabaseUnavailable, DatabaseNotMigrated or SessionEnded.
        """
        if self._step_aside:
            await self._step_aside()
        begun = time.perf_counter()
        self.transactions += 1
        try:
            async with (
                asyncio.timeout(timeout_s or self._timeout_s) as limit,
                self._sessions(info={"who": who}) as session,
                session.begin(),
            ):
                await session.connection(execution_options=_SNAPSHOT if is_snapshot else None)
                yield Tx(session, who, secret=self._secret)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise DatabaseUnavailable("The database did not answer in time. Try again in a moment.") from error
        except exc.TimeoutError as error:
            raise DatabaseUnavailable(
                "All database connections are in use. Try again in a moment.", retry_after_s=_BUSY_S
            ) from error
        except exc.DBAPIError as error:
            raise _translate_error(error) from error
        finally:
            if self._on_ended:
                self._on_ended(time.perf_counter() - begun)

    async def close(self) -> None:
        """Close all connections."""
        await self.engine.dispose()


async def schema_revision(tx: Tx) -> str | None:
    """Return the current migration of the database; None when there is none."""
    revision: str | None = await tx.session.scalar(text("select version_num from alembic_version"))
    return revision


async def access_ends_at(tx: Tx) -> datetime | None:
    """Return when the credential of the transaction expires; None for never."""
    session_id, key_id = (tx.who.session_id, tx.who.key_id) if isinstance(tx.who, UserContext) else (None, None)
    ends = text("select intelli_access_ends(:tenant_id, :session_id, :key_id)")
    parameters = {"tenant_id": tx.tenant_id, "session_id": session_id, "key_id": key_id}
    expiry: datetime | None = await tx.session.scalar(ends, parameters)
    return expiry


async def run_to_completion(work: Coroutine[Any, Any, Result]) -> Result:
    """Await database work that must not be cancelled, for a stream whose client may disconnect at any moment.

    A cancelled query costs its connection; here the work runs on to its end when the caller is cancelled, and a failure
    is then logged, because nobody awaits it any more.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(_log_failure)
        raise


def _log_failure(task: asyncio.Future[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.warning("abandoned_query_failed", error=type(error).__name__)


class _BoundSession(Session):
    """Session that binds each of its transactions to the actor in its `info`."""


@event.listens_for(_BoundSession, "after_begin")
def _bind_transaction(session: Session, transaction: SessionTransaction, connection: Connection) -> None:
    if transaction.nested:
        return
    connection.exec_driver_sql(_ENTER, _parameters(session.info["who"]))


def _parameters(who: Actor) -> tuple[str | None, ...]:
    """Return the arguments of `intelli_enter`: tenant, user, role, session, key, proof, census."""
    match who:
        case UserContext():
            return (
                str(who.tenant_id),
                str(who.user_id),
                who.role,
                _text(who.session_id),
                _text(who.key_id),
                None,
                None,
            )
        case System():
            return (str(who.tenant_id), _text(who.user_id), None, None, None, who.proof, None)
        case Anonymous():
            return (None, _text(who.user_id), None, None, None, who.proof, None)
        case WorkspaceLister():
            return (None, None, None, None, None, None, "on")


def _text(id: UUID | None) -> str | None:
    return str(id) if id else None


def _translate_error(error: exc.DBAPIError) -> Exception:
    """Translate an error to one that a caller can handle; an error that shows a bug is returned unchanged."""
    sqlstate = getattr(error.orig, "sqlstate", None)
    if sqlstate in _MISSING:
        return DatabaseNotMigrated("The database lacks the schema this version needs. Run `intelli db upgrade`.")
    if sqlstate == LOST_STANDING:
        return SessionEnded("This session has ended or your role has changed. Sign in again.")
    if sqlstate == _DISK_FULL:
        return DatabaseUnavailable("The database's disk is full. Nothing was lost; free some space and try again.")
    if error.connection_invalidated or (isinstance(error, exc.OperationalError) and _is_outage(sqlstate)):
        return DatabaseUnavailable("The database is restarting or out of reach. Try again in a moment.")
    return error


def _is_outage(sqlstate: str | None) -> bool:
    """Return True when the server is out of reach: no SQLSTATE (the connection failed), or class 08, 53 or 57."""
    return sqlstate is None or sqlstate[:2] in {"08", "53", "57"}


def _engine(url: str, *, pool_size: int, wait_s: float) -> AsyncEngine:
    engine = create_async_engine(
        make_url(url).set(drivername="postgresql+psycopg"),
        pool_size=pool_size,
        max_overflow=0,
        hide_parameters=True,
        pool_pre_ping=True,
        pool_timeout=wait_s,
        connect_args={"options": session_options(), "connect_timeout": 10},
    )
    event.listen(
        engine.sync_engine, "connect", lambda connection, _record: arrays.register_dumpers(connection.driver_connection)
    )
    event.listen(engine.sync_engine, "before_cursor_execute", _choose_format)
    return engine


def _choose_format(*arguments: Any) -> None:
    """Request the result in binary format when the statement has the option AS_BYTES."""
    _connection, cursor, _statement, _parameters, context, _is_many = arguments
    if context.execution_options.get(AS_BYTES):
        cursor._cursor.format = Format.BINARY  # nothing public leads to the driver's cursor


def session_options() -> str:
    """Return the start-up options of every application connection.

    Role, search path of the queue, idle timeout, and how far a search of an HNSW index looks, which in each search
    would be a statement of its own.
    """
    options = {
        "role": APP_ROLE,
        "search_path": f"public,{jobs.SCHEMA}",
        "idle_in_transaction_session_timeout": "60s",
        **_HNSW,
    }
    return " ".join(f"-c {name}={value}" for name, value in options.items())
