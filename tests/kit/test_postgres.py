"""The embedded PostgreSQL: it starts, is shared, survives what is left of accidents, and says what is wrong."""

import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest
from sqlalchemy import create_engine, make_url

from intelli.kit.machine_memory import total_memory_bytes
from intelli.kit.postgres import (
    EmbeddedPostgres,
    PostgresDirectoryRefused,
    PostgresFailed,
    PostgresVersionMismatch,
    cache_size,
)

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root changes the server's user")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a cluster that is at rest before and after each test."""
    root = tmp_path_factory.mktemp("postgres")
    with EmbeddedPostgres(root):
        pass
    return root


@pytest.fixture
def postgres(root: Path) -> Iterator[EmbeddedPostgres]:
    with EmbeddedPostgres(root) as postgres:
        yield postgres


def until(is_so: Callable[[], bool], *, timeout_s: float = 60) -> None:
    deadline = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def postmaster_pid(root: Path) -> int:
    return int((root / "pgdata" / "postmaster.pid").read_text().split()[0])


def ask(url: str, query: str) -> object:
    with psycopg.connect(url, connect_timeout=10) as connection:
        row = connection.execute(query.encode()).fetchone()
        return row[0] if row and len(row) == 1 else row


def server_account(root: Path) -> int:
    return (root / "pgdata").stat().st_uid


@contextmanager
def another_process(root: Path, arguments: str = "") -> Iterator[subprocess.Popen[str]]:
    """A process that has started the server of `root` and uses it until its standard input ends."""
    script = (
        "import sys; from pathlib import Path; from intelli.kit.postgres import EmbeddedPostgres\n"
        f"with EmbeddedPostgres(Path(sys.argv[1]), {arguments}): print('ready', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, str(root)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            if process.stdin is not None and not process.stdin.closed:
                process.stdin.close()
            process.wait(30)


def test_a_first_start_makes_cluster_role_and_database(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "new") as postgres:
        assert ask(postgres.app_url, "select current_user || '@' || current_database()") == "intelli_app@intelli"
        assert ask(postgres.admin_url, "select current_user || '@' || current_database()") == "postgres@intelli"
        rights = "select rolsuper, rolbypassrls, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user"
        assert ask(postgres.app_url, rights) == (False, False, False, False)
        assert ask(postgres.app_url, "select lower('ÄÖÜ')") == "äöü"


def test_the_url_serves_sqlalchemy_as_well(postgres: EmbeddedPostgres) -> None:
    engine = create_engine(make_url(postgres.app_url).set(drivername="postgresql+psycopg"))
    with engine.connect() as connection:
        assert connection.exec_driver_sql("select current_user").scalar() == "intelli_app"
    engine.dispose()


def test_another_port_in_the_environment_misleads_nobody(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPORT", "6543")
    with EmbeddedPostgres(root) as postgres:
        assert ask(postgres.app_url, "select 1") == 1


def test_only_the_owner_of_the_socket_directory_can_reach_the_server(root: Path, postgres: EmbeddedPostgres) -> None:
    assert ask(postgres.admin_url, "show listen_addresses") == ""
    assert stat.S_IMODE((root / "socket").stat().st_mode) == 0o700


def test_durability_cannot_be_switched_off(root: Path) -> None:
    unsafe = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "work_mem": "7MB"}
    with EmbeddedPostgres(root, settings=unsafe) as postgres:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            assert ask(postgres.app_url, f"show {name}") == "on"
        assert ask(postgres.app_url, "show work_mem") == "7MB"


@pytest.mark.parametrize(("memory_gb", "cache"), [(0.5, "128MB"), (4, "512MB"), (64, "2048MB")])
def test_the_cache_follows_the_memory_of_the_machine_within_bounds(memory_gb: float, cache: str) -> None:
    assert cache_size(int(memory_gb * (1 << 30))) == cache


def test_the_server_has_the_cache_that_the_machine_has_room_for(postgres: EmbeddedPostgres) -> None:
    shown = "select setting::bigint * 8 / 1024 || 'MB' from pg_settings where name = 'shared_buffers'"
    assert ask(postgres.admin_url, shown) == cache_size(total_memory_bytes())


def test_starting_again_joins_the_server_that_runs(root: Path, postgres: EmbeddedPostgres) -> None:
    pid = postmaster_pid(root)
    postgres.start()
    with EmbeddedPostgres(root):
        assert postmaster_pid(root) == pid
    assert postgres.is_running()


def test_the_last_user_to_leave_stops_the_server(root: Path) -> None:
    first, second = EmbeddedPostgres(root).start(), EmbeddedPostgres(root).start()
    first.stop()
    assert second.is_running()
    second.stop()
    assert not second.is_running()
    assert not (root / "pgdata" / "postmaster.pid").exists()


def test_a_user_in_another_process_keeps_the_server_alive(root: Path) -> None:
    mine = EmbeddedPostgres(root).start()
    with another_process(root):
        mine.stop()
        assert mine.is_running()
    assert not mine.is_running()


def test_a_command_that_started_the_server_leaves_it_to_those_who_use_it(root: Path) -> None:
    mine = EmbeddedPostgres(root)
    with another_process(root):
        mine.start()
    assert ask(mine.app_url, "select 1") == 1
    mine.stop()
    assert not mine.is_running()


@on_linux
def test_a_server_tied_to_its_starter_stops_when_the_starter_is_killed(root: Path) -> None:
    with another_process(root, "die_with_parent=True") as starter:
        pid = postmaster_pid(root)
        starter.kill()
        until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    assert "fast shutdown" in (root / "postgres.log").read_text()


def test_a_server_not_tied_to_its_starter_outlives_it_and_is_taken_over(root: Path) -> None:
    with another_process(root) as starter:
        starter.kill()
    pid = postmaster_pid(root)
    with EmbeddedPostgres(root) as postgres:
        assert postmaster_pid(root) == pid
    assert not postgres.is_running()


def test_ctrl_c_in_the_terminal_does_not_reach_the_server(root: Path, postgres: EmbeddedPostgres) -> None:
    assert os.getsid(postmaster_pid(root)) == postmaster_pid(root) != os.getsid(0)


@on_linux
def test_the_server_does_not_inherit_our_locks(root: Path, postgres: EmbeddedPostgres) -> None:
    opened = {link.readlink() for link in Path(f"/proc/{postmaster_pid(root)}/fd").iterdir()}
    assert not {root / "use.lock", root / "start.lock"} & opened


def test_a_pid_that_now_belongs_to_another_program_is_not_taken_for_the_server(root: Path) -> None:
    user = server_account(root) if os.geteuid() == 0 else None
    with subprocess.Popen(["sleep", "60"], user=user) as stranger:
        (root / "pgdata" / "postmaster.pid").write_text(f"{stranger.pid}\n{root / 'pgdata'}\n")
        (root / "socket").mkdir()
        (root / "socket" / ".s.PGSQL.5432.lock").write_text(f"{stranger.pid}\n")
        with EmbeddedPostgres(root) as postgres:
            assert ask(postgres.app_url, "select 1") == 1
        assert stranger.poll() is None
        stranger.kill()


def test_a_zombie_is_not_taken_for_the_server(root: Path) -> None:
    user = server_account(root) if os.geteuid() == 0 else None
    with subprocess.Popen(["true"], user=user) as zombie:
        until(lambda: psutil.Process(zombie.pid).status() == psutil.STATUS_ZOMBIE)
        (root / "pgdata" / "postmaster.pid").write_text(f"{zombie.pid}\n{root / 'pgdata'}\n")
        with EmbeddedPostgres(root) as postgres:
            assert ask(postgres.app_url, "select 1") == 1


@pytest.mark.parametrize("content", ["", "\n", "12x", "9" * 40, "\0\0\0"])
def test_a_half_written_pid_file_does_not_stop_the_start(root: Path, content: str) -> None:
    (root / "pgdata" / "postmaster.pid").write_text(content)
    with EmbeddedPostgres(root) as postgres:
        assert ask(postgres.app_url, "select 1") == 1


def test_what_an_interrupted_creation_left_is_swept_away(tmp_path: Path) -> None:
    remains = tmp_path / "pgdata.new-half"
    remains.mkdir()
    (remains / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres(tmp_path) as postgres:
        assert ask(postgres.app_url, "select 1") == 1
    assert not remains.exists()


def test_a_disk_that_is_full_during_creation_leaves_nothing_half_made(tmp_path: Path) -> None:
    script = (
        "import resource, sys; from pathlib import Path; from intelli.kit.postgres import EmbeddedPostgres\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)); EmbeddedPostgres(Path(sys.argv[1])).start()"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert "PostgresFailed: The database could not be created" in done.stderr
    assert list(tmp_path.glob("pgdata*")) == []


def test_a_directory_with_something_else_in_it_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "pgdata").mkdir()
    (tmp_path / "pgdata" / "thesis.txt").write_text("precious")
    if os.geteuid() == 0:
        shutil.chown(tmp_path / "pgdata", "nobody")
    with pytest.raises(PostgresDirectoryRefused, match="Move it away"):
        EmbeddedPostgres(tmp_path).start()
    assert (tmp_path / "pgdata" / "thesis.txt").read_text() == "precious"


def test_the_version_of_the_cluster_wins_and_another_one_is_refused(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path, version=16) as postgres:
        assert str(ask(postgres.app_url, "show server_version")).startswith("16.")
        assert ask(postgres.app_url, "select lower('abc')") == "abc"
    with EmbeddedPostgres(tmp_path) as postgres:
        assert postgres.version == 16
        assert str(ask(postgres.app_url, "show server_version")).startswith("16.")
    with pytest.raises(PostgresVersionMismatch, match="made by PostgreSQL 16, but 18 was asked for"):
        EmbeddedPostgres(tmp_path, version=18).start()


def test_a_server_that_does_not_start_says_why(root: Path) -> None:
    with pytest.raises(PostgresFailed) as raised:
        EmbeddedPostgres(root, settings={"shared_buffers": "a lot"}).start()
    assert "shared_buffers" in str(raised.value)
    assert "shared_buffers" not in raised.value.detail
    with EmbeddedPostgres(root) as postgres:
        assert postgres.is_running()


def test_a_log_that_grew_too_large_is_set_aside(root: Path) -> None:
    with (root / "postgres.log").open("ab") as log:
        log.truncate(11 * 1024 * 1024)
    with EmbeddedPostgres(root) as postgres:
        assert postgres.log_path.stat().st_size < 100_000
    assert (root / "postgres.log.1").exists()


def test_the_log_does_not_collect_what_people_typed(root: Path, postgres: EmbeddedPostgres) -> None:
    with psycopg.connect(postgres.admin_url) as connection:
        connection.execute("create temp table person (email text unique)")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("insert into person values ('secret@example.org'), ('secret@example.org')")
    assert "duplicate key" in postgres.log_path.read_text()
    assert "secret@example.org" not in postgres.log_path.read_text()


@pytest.mark.parametrize("name", ["d" * 100, "a,b"])
def test_a_path_no_socket_can_have_gets_its_socket_elsewhere(root: Path, tmp_path: Path, name: str) -> None:
    far = _copy_of_cluster(root, tmp_path / name)
    with EmbeddedPostgres(far) as postgres:
        socket_dir = Path(str(ask(postgres.admin_url, "show unix_socket_directories")))
        assert ask(postgres.app_url, "select 1") == 1
        assert socket_dir.parent == Path(tempfile.gettempdir())
        assert stat.S_IMODE(socket_dir.stat().st_mode) == 0o700
        assert socket_dir.stat().st_uid == server_account(far)
    assert not socket_dir.exists()


def test_a_planted_socket_directory_is_refused(root: Path, tmp_path: Path) -> None:
    far = _copy_of_cluster(root, tmp_path / ("e" * 100))
    postgres = EmbeddedPostgres(far)
    planted = postgres._cluster.socket_dir
    planted.symlink_to(tmp_path, target_is_directory=True)
    try:
        with pytest.raises(PostgresDirectoryRefused, match="not a directory of ours"):
            postgres.start()
    finally:
        planted.unlink()


@as_root
def test_a_socket_directory_of_another_user_is_refused(root: Path, tmp_path: Path) -> None:
    far = _copy_of_cluster(root, tmp_path / ("f" * 100))
    postgres = EmbeddedPostgres(far)
    planted = postgres._cluster.socket_dir
    planted.mkdir()
    os.chown(planted, 1, 1)
    try:
        with pytest.raises(PostgresDirectoryRefused, match="not a directory of ours"):
            postgres.start()
    finally:
        planted.rmdir()


@as_root
def test_root_gets_a_server_below_a_closed_directory_without_opening_it(root: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    modes = [parent.stat().st_mode for parent in closed.parents]
    deep = _copy_of_cluster(root, closed / "postgres")
    with EmbeddedPostgres(deep) as postgres:
        assert ask(postgres.app_url, "select 1") == 1
        assert psutil.Process(postmaster_pid(deep)).uids().effective == pwd.getpwnam("nobody").pw_uid
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
    assert [parent.stat().st_mode for parent in closed.parents] == modes


@as_root
@on_linux
def test_a_server_that_can_reach_its_files_keeps_no_right_of_root(root: Path) -> None:
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o711)
        near = _copy_of_cluster(root, Path(directory) / "postgres")
        with EmbeddedPostgres(near):
            rights = Path(f"/proc/{postmaster_pid(near)}/status").read_text()
    assert "CapEff:\t0000000000000000" in rights
    assert "CapPrm:\t0000000000000000" in rights


@as_root
def test_a_cluster_that_belongs_to_root_is_refused_with_the_remedy(root: Path, tmp_path: Path) -> None:
    wrong = _copy_of_cluster(root, tmp_path / "postgres")
    os.chown(wrong / "pgdata", 0, 0)
    with pytest.raises(PostgresDirectoryRefused, match="chown -R nobody"):
        EmbeddedPostgres(wrong).start()


def test_a_stopped_server_is_stopped_once(postgres: EmbeddedPostgres) -> None:
    postgres.stop()
    postgres.stop()
    assert not postgres.is_running()


def test_a_starting_user_waits_for_one_that_is_shutting_down(root: Path, postgres: EmbeddedPostgres) -> None:
    pid = postmaster_pid(root)
    os.kill(pid, signal.SIGINT)
    postgres.start()
    assert ask(postgres.app_url, "select 1") == 1


def _copy_of_cluster(root: Path, target: Path) -> Path:
    """A second cluster, quicker than making one; owners are kept, as `cp -a` does."""
    target.mkdir(mode=0o711)
    subprocess.run(["cp", "-a", str(root / "pgdata"), str(target / "pgdata")], check=True, timeout=60)
    return target
