"""The embedded server asks everyone for a secret: as root, as an ordinary user, and where it was made before."""

import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
from tests.support import ordinary

from intelli.kit.postgres import EmbeddedPostgres

_TRUSTING = b"local all all trust\nlocal replication all trust\n"
_ROLES = ["postgres", "intelli_app"]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a cluster that is at rest before and after each test, and holds a row."""
    root = tmp_path_factory.mktemp("postgres")
    with EmbeddedPostgres(root) as postgres, psycopg.connect(postgres.admin_url) as connection:
        connection.execute("create table kept as select 'this' as what")
    return root


@pytest.fixture
def postgres(root: Path) -> Iterator[EmbeddedPostgres]:
    with EmbeddedPostgres(root) as postgres:
        yield postgres


def secrets(root: Path) -> list[str]:
    return [line.rsplit(":", 1)[1] for line in (root / "pgpass").read_text().splitlines()]


def refusal(root: Path, role: str, **more: str) -> str:
    with pytest.raises(psycopg.OperationalError) as refused:
        psycopg.connect(host=str(root / "socket"), user=role, dbname="postgres", passfile="/dev/null", **more)
    return str(refused.value)


def kept(postgres: EmbeddedPostgres) -> object:
    with psycopg.connect(postgres.admin_url) as connection:
        [(what,)] = connection.execute("select what from kept").fetchall()
        return what


@pytest.mark.parametrize("role", _ROLES)
def test_nobody_enters_without_the_secret(root: Path, postgres: EmbeddedPostgres, role: str):
    assert "no password supplied" in refusal(root, role)
    assert "password authentication failed" in refusal(root, role, password="guess")
    assert "pg_hba.conf" in refusal(root, role, password=secrets(root)[0], replication="true")


def test_a_secret_opens_one_role_only(root: Path, postgres: EmbeddedPostgres):
    superuser, application = secrets(root)
    assert superuser != application
    assert "password authentication failed" in refusal(root, "postgres", password=application)


def test_the_file_and_the_socket_are_the_owners_alone(root: Path, postgres: EmbeddedPostgres):
    assert stat.S_IMODE((root / "pgpass").stat().st_mode) == 0o600
    assert stat.S_IMODE((root / "socket" / ".s.PGSQL.5432").stat().st_mode) == 0o700


def test_no_address_command_line_or_log_holds_a_secret(root: Path, postgres: EmbeddedPostgres):
    server = psutil.Process(int((root / "pgdata" / "postmaster.pid").read_text().split()[0]))
    seen = [postgres.app_url, postgres.admin_url, postgres.maintenance_url, str(server.cmdline())]
    seen += [postgres.log_path.read_text(), (root / "pgdata" / "pg_hba.conf").read_text()]
    assert [secret for secret in secrets(root) for each in seen if secret in each] == []


def test_a_password_in_the_environment_misleads_nobody(root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PGPASSWORD", "another")
    with EmbeddedPostgres(root) as postgres:
        assert kept(postgres) == "this"


@pytest.mark.parametrize(
    "statement",
    [
        "copy (select 1) to program 'true'",
        "create temp table t (a text); copy t from program 'id'",
        "create temp table t (a text); copy t from '/etc/passwd'",
        "copy (select 1) to '/tmp/intelli-copied'",
        "select pg_read_file('/etc/passwd')",
        "select pg_read_binary_file('/etc/passwd')",
        "select pg_ls_dir('/')",
        "select lo_import('/etc/passwd')",
        "select lo_export(1, '/tmp/intelli-exported')",
        "alter system set archive_command = 'true'",
        "create function f() returns int language c as 'libc', 'getpid'",
        "create role other superuser",
        "alter role intelli_app superuser",
        "set role postgres",
        "select * from pg_authid",
    ],
)
def test_the_applications_role_reaches_no_file_program_or_other_role(postgres: EmbeddedPostgres, statement: str):
    refused = pytest.raises(psycopg.errors.InsufficientPrivilege)
    with psycopg.connect(postgres.app_url, autocommit=True) as connection, refused:
        for part in statement.split(";"):
            connection.execute(part.encode())


def _trusting(root: Path) -> None:
    (root / "pgdata" / "pg_hba.conf").write_bytes(_TRUSTING)
    (root / "pgpass").unlink()


def _interrupted_before_the_rules(root: Path) -> None:
    _trusting(root)
    (root / "pgpass.new").write_text("*:*:*:postgres:half")


def _interrupted_before_the_name(root: Path) -> None:
    (root / "pgpass").rename(root / "pgpass.new")


def _rules_changed_by_hand(root: Path) -> None:
    (root / "pgdata" / "pg_hba.conf").write_bytes(_TRUSTING)


@pytest.mark.parametrize(
    "before", [_trusting, _interrupted_before_the_rules, _interrupted_before_the_name, _rules_changed_by_hand]
)
def test_what_was_made_before_asks_from_the_next_start_and_keeps_its_rows(root: Path, before: Callable[[Path], None]):
    before(root)
    with EmbeddedPostgres(root) as postgres:
        assert kept(postgres) == "this"
        for role in _ROLES:
            assert "no password supplied" in refusal(root, role)
        with psycopg.connect(postgres.app_url) as connection:
            assert connection.execute("select current_user").fetchone() == ("intelli_app",)
    assert not (root / "pgpass.new").exists()


def test_a_server_that_an_earlier_version_runs_is_joined_as_it_is(root: Path):
    with EmbeddedPostgres(root) as postgres:
        with psycopg.connect(postgres.admin_url, autocommit=True) as connection:
            _trusting(root)
            connection.execute("select pg_reload_conf()")
        with EmbeddedPostgres(root) as other:
            assert kept(other) == "this"
    with EmbeddedPostgres(root) as postgres:
        assert kept(postgres) == "this"
        assert "no password supplied" in refusal(root, "postgres")


_OTHER = """
import sys, psycopg
from pathlib import Path
from intelli.kit.postgres import EmbeddedPostgres
with EmbeddedPostgres(Path(sys.argv[1])) as postgres, psycopg.connect(postgres.app_url) as connection:
    for role in ("postgres", "intelli_app"):
        try:
            psycopg.connect(host=str(Path(sys.argv[1], "socket")), user=role, dbname="postgres", passfile="/dev/null")
            print("open")
        except psycopg.OperationalError as error:
            print("closed" if "no password" in str(error) else error)
    print(*connection.execute("select current_user").fetchone())
"""


def test_two_processes_share_one_server(root: Path, postgres: EmbeddedPostgres):
    command = [sys.executable, "-c", _OTHER, str(root)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["closed", "closed", "intelli_app"]


def test_an_ordinary_users_server_asks_too():
    if not ordinary.can_run():
        pytest.skip("there is no way to be an ordinary user here")
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        ordinary.give(Path(folder))
        done = ordinary.run([sys.executable, "-c", _OTHER, folder])
    assert done.stdout.split() == ["closed", "closed", "intelli_app"], done.stderr
