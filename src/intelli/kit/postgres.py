"""Embedded PostgreSQL server, shared by our processes: start, restart after a crash, stop.

It never touches a PostgreSQL of the system. Each process that uses the server holds a shared lock on one file; the
process that releases it last stops the server.
"""

import asyncio
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self
from urllib.parse import quote

import psycopg
import structlog

from intelli.kit import postgres_launch
from intelli.kit.machine_memory import total_memory_bytes
from intelli.kit.postgres_access import APP_ROLE, SUPERUSER, Access
from intelli.kit.postgres_cluster import (
    PORT,
    Cluster,
    PostgresDirectoryRefused,
    PostgresFailed,
    PostgresVersionMismatch,
    Version,
    binaries,
    try_lock,
)

__all__ = [
    "EmbeddedPostgres",
    "PostgresDirectoryRefused",
    "PostgresFailed",
    "PostgresVersionMismatch",
    "Version",
    "binaries",
]

DATABASE = "intelli"

_DEFAULTS = {
    "autovacuum_naptime": "10s",  # a first large upload must not wait a minute for statistics
    "max_connections": "100",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # The log is for the operator: it must not collect what people typed.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    # After a crash PostgreSQL syncs a thousand files one by one; one call for the file system is many times quicker.
    **({"recovery_init_sync_method": "syncfs"} if sys.platform == "linux" else {}),
}
# Pages in the cache of the system are copied into that of the server again and again: a search of a large workspace
# then takes twice the processor time. Memory that is not needed is never touched.
_CACHE_SHARE = 1 / 8
_LEAST_CACHE_MB, _MOST_CACHE_MB = 128, 2_048
_FIXED = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
}
# A busy backend outlives its killed postmaster for a moment and holds the shared memory or the pid file.
_OLD_SERVER = ("pre-existing shared memory block", 'lock file "')
_OLD_SERVER_TIMEOUT_S = 60
_START_TIMEOUT_S = 600
_CONNECT_ATTEMPTS = 50
_STOP_TIMEOUT_S = 60
_LOOK_S = 0.02
_WATCH_S = 0.2
_PAUSE_AFTER_FAILURE_S = 1.0

_log = structlog.get_logger(__name__)


class EmbeddedPostgres:
    """Handle on the PostgreSQL server below `root`. One instance per process, used from its main thread.

    With `die_with_parent` a server started here ends with this process, however that ends; other users restart it.
    """

    def __init__(
        self,
        root: Path,
        *,
        version: Version | None = None,
        settings: Mapping[str, str] | None = None,
        die_with_parent: bool = False,
    ) -> None:
        self._cluster = Cluster(root)
        self._access = Access(self._cluster)
        self._asked = version
        cache = {"shared_buffers": cache_size(total_memory_bytes())}
        self._settings = {**cache, **_DEFAULTS, **(settings or {}), **_FIXED}
        self._die_with_parent = die_with_parent
        self._socket_dir = self._cluster.socket_dir
        self._use: IO[bytes] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._log_offset = 0

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def app_url(self) -> str:
        """Connection URL of the application: a role that owns nothing and cannot bypass row-level security."""
        return self._url(APP_ROLE, DATABASE)

    @property
    def admin_url(self) -> str:
        """Connection URL of migrations: the superuser, in the same database."""
        return self._url(SUPERUSER, DATABASE)

    @property
    def maintenance_url(self) -> str:
        """Connection URL for creating and dropping databases: the superuser, in the database `postgres`."""
        return self._url(SUPERUSER, "postgres")

    @property
    def version(self) -> Version:
        """Major version of the cluster on disk, or of a new one. Raise PostgresVersionMismatch for another request."""
        found = self._cluster.find_version()
        if found and self._asked and found != self._asked:
            raise PostgresVersionMismatch(
                f"{self._cluster.data} was made by PostgreSQL {found}, but {self._asked} was asked for. "
                f"Ask for {found}, or dump it with {found} and restore it into a new data directory."
            )
        return found or self._asked or 18

    @property
    def log_path(self) -> Path:
        """Path of the server's log."""
        return self._cluster.log

    def is_running(self) -> bool:
        """Return True when a server of this directory accepts connections, whoever started it."""
        postmaster = self._cluster.find_postmaster()
        return postmaster is not None and postmaster.is_ready

    def start(self) -> Self:
        """Register as a user of the server. Start it unless it runs, and create the cluster if there is none."""
        self._cluster.prepare_root()
        is_new_user = self._use is None
        try:
            with closing(self._start_steps()) as steps:
                for _ in steps:
                    time.sleep(_LOOK_S)
        except BaseException:
            if is_new_user:
                self.stop()
            raise
        return self

    def stop(self) -> None:
        """Unregister as a user of the server, and stop it if no other process uses it."""
        if self._use is None:
            return
        with ExitStack() as held:
            for _ in self._lock_steps(held):
                time.sleep(_LOOK_S)
            self._release()
            others_gone = try_lock(self._cluster.use_lock, fcntl.LOCK_EX)
            if others_gone is not None:
                with others_gone:
                    self._shut_down()
        if self._process is not None:
            # The server now belongs to its other users: without a return code Popen would warn that it was left behind.
            self._process.returncode = self._process.poll() or 0
            self._process = None

    async def watch(self) -> None:
        """Restart the server whenever it dies, without end; failures are logged. End this task before `stop()`."""
        while True:
            await asyncio.sleep(_WATCH_S)
            if self._cluster.find_postmaster() is not None:
                continue
            _log.warning("postgres_died", data=str(self._cluster.data))
            try:
                await self._restart()
            except (PostgresFailed, PostgresDirectoryRefused, OSError) as error:
                _log.error("postgres_restart_failed", error=str(error))
                await asyncio.sleep(_PAUSE_AFTER_FAILURE_S)

    async def _restart(self) -> None:
        begun = time.monotonic()
        # In this thread, not in a worker's: a server that dies with its parent dies with the thread that started it.
        with closing(self._restart_steps()) as steps:
            for _ in steps:
                await asyncio.sleep(_LOOK_S)
        _log.info("postgres_restarted", seconds=round(time.monotonic() - begun, 3))

    def _start_steps(self) -> Generator[None, None, None]:
        """Start the server in steps; the caller sleeps between them, blocking or on its event loop."""
        with ExitStack() as held:
            yield from self._lock_steps(held)
            if self._use is None:
                self._use = try_lock(self._cluster.use_lock, fcntl.LOCK_SH)
            version = self.version
            if self._cluster.find_version() is None:
                self._cluster.create(version)
            yield from self._database_steps()

    def _restart_steps(self) -> Generator[None, None, None]:
        with ExitStack() as held:
            yield from self._lock_steps(held)
            yield from self._server_steps()

    def _lock_steps(self, held: ExitStack) -> Generator[None, None, None]:
        """Take the lock that allows one process at a time to start or stop the server; released with `held`."""
        deadline = time.monotonic() + _START_TIMEOUT_S
        while (lock := try_lock(self._cluster.start_lock, fcntl.LOCK_EX)) is None:
            if time.monotonic() > deadline:
                raise PostgresFailed(
                    f"Another process has been starting or stopping the database for {_START_TIMEOUT_S} s."
                )
            yield
        held.enter_context(lock)

    def _database_steps(self) -> Generator[None, None, None]:
        # A server that was found ready may have been dying at that moment, hence more than one attempt.
        for _ in range(_CONNECT_ATTEMPTS):
            yield from self._server_steps()
            try:
                self._make_database()
            except psycopg.OperationalError as error:
                refusal = str(error)
                yield
            else:
                return
        raise PostgresFailed(
            f"PostgreSQL runs but does not let us in. If {self._access.passfile} is not its own, stop every process of "
            "Intelli, remove that file and start again: new secrets are made. PostgreSQL says:",
            log_tail=refusal,
        )

    def _server_steps(self) -> Generator[None, None, None]:
        """Wait until a server is ready. Start one if none runs; retry while the remains of an old one block it."""
        begun = time.monotonic()
        launched = False
        while (postmaster := self._cluster.find_postmaster()) is None or not postmaster.is_ready:
            if postmaster is None and not self._is_child_alive():
                if launched:
                    self._refuse_unless_old_server(begun)
                self._launch()
                launched = True
            if time.monotonic() - begun > _START_TIMEOUT_S:
                raise self._failure(f"PostgreSQL was not ready after {_START_TIMEOUT_S} s. Its log says how far it is:")
            yield
        self._socket_dir = postmaster.socket_dir

    def _launch(self) -> None:
        cluster = self._cluster
        cluster.prepare_socket_dir()
        cluster.clear_false_pid()
        self._log_offset = cluster.prepare_log()
        if not self._access.is_set() and not self._access.set(self.version):
            return
        program = [str(binaries(self.version) / "postgres"), "-D", str(cluster.data)]
        program += ["-k", str(cluster.socket_dir), "-p", str(PORT)]
        for name, value in self._settings.items():
            program += ["-c", f"{name}={value}"]
        command = postgres_launch.build_command(
            program,
            account=cluster.find_account(),
            reach=[cluster.data, cluster.socket_dir],
            parent_pid=os.getpid() if self._die_with_parent else None,
        )
        with cluster.log.open("ab") as log:
            # A session of its own: Ctrl-C in the terminal is for us, who then stop the server in good order.
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def _is_child_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _refuse_unless_old_server(self, begun: float) -> None:
        output = self._cluster.log_since(self._log_offset)
        if not any(words in output for words in _OLD_SERVER) or time.monotonic() - begun > _OLD_SERVER_TIMEOUT_S:
            raise self._failure(f"PostgreSQL did not start. The end of {self.log_path}:")

    def _failure(self, detail: str) -> PostgresFailed:
        return PostgresFailed(detail, log_tail=self._cluster.log_since(self._log_offset))

    def _make_database(self) -> None:
        with psycopg.connect(self.maintenance_url, autocommit=True, connect_timeout=10) as connection:
            if not connection.execute("select from pg_database where datname = %s", [DATABASE]).rowcount:
                connection.execute(f"create database {DATABASE}")

    def _shut_down(self) -> None:
        deadline = time.monotonic() + _STOP_TIMEOUT_S
        postmaster = self._cluster.find_postmaster()
        if postmaster is None and not self._is_child_alive():
            return
        while postmaster is not None or self._is_child_alive():
            if postmaster is not None:
                with suppress(ProcessLookupError):
                    os.kill(postmaster.pid, signal.SIGINT)
            if time.monotonic() > deadline:
                raise self._failure(f"PostgreSQL did not stop within {_STOP_TIMEOUT_S} s. The end of {self.log_path}:")
            time.sleep(_LOOK_S)
            postmaster = self._cluster.find_postmaster()
        # It may lie in the system's temporary directory, where nothing of ours should stay.
        with suppress(OSError):
            self._socket_dir.rmdir()

    def _release(self) -> None:
        if self._use is not None:
            self._use.close()
            self._use = None

    def _url(self, role: str, database: str) -> str:
        # Port and an empty password are named lest PGPORT or PGPASSWORD in someone's environment be used instead.
        place, passfile = (quote(str(path), safe="") for path in (self._socket_dir, self._access.passfile))
        return f"postgresql://{role}@/{database}?host={place}&port={PORT}&password=&passfile={passfile}"


def cache_size(memory_bytes: int) -> str:
    """Return the size of the server's cache: a share of the machine's memory, within bounds."""
    wanted = int(memory_bytes * _CACHE_SHARE) >> 20
    return f"{max(_LEAST_CACHE_MB, min(_MOST_CACHE_MB, wanted))}MB"
