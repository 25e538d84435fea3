"""`kill -9` of the embedded server: whoever watches it starts it again, and every acknowledged row is there."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from intelli.kit.postgres import EmbeddedPostgres


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "postgres"


@asynccontextmanager
async def watched(postgres: EmbeddedPostgres) -> AsyncIterator[None]:
    async with asyncio.timeout(90), asyncio.TaskGroup() as group:
        watch = group.create_task(postgres.watch())
        yield
        watch.cancel()


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():  # noqa: ASYNC110  # what is awaited happens in another process
            await asyncio.sleep(0.01)


def postmaster_pid(root: Path) -> int:
    return int((root / "pgdata" / "postmaster.pid").read_text().split()[0])


def kill_postmaster(root: Path) -> int:
    pid = postmaster_pid(root)
    os.kill(pid, signal.SIGKILL)
    return pid


class Writer:
    """Writes numbers one after the other, each until the server acknowledges it."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.acknowledged: set[int] = set()

    async def reached(self, count: int) -> None:
        await until(lambda: len(self.acknowledged) >= count)

    async def write(self, numbers: range) -> None:
        left = list(numbers)
        while left:
            try:
                async with await psycopg.AsyncConnection.connect(
                    self._url, autocommit=True, connect_timeout=5
                ) as connection:
                    while left:
                        await connection.execute("insert into paper values (%s) on conflict do nothing", [left[0]])
                        self.acknowledged.add(left.pop(0))
            except psycopg.OperationalError:
                await asyncio.sleep(0.02)


async def test_no_acknowledged_row_is_lost_when_the_postmaster_is_killed_three_times_while_writing(root: Path) -> None:
    with EmbeddedPostgres(root) as postgres:
        with psycopg.connect(postgres.admin_url) as connection:
            connection.execute("create table paper (number int primary key)")
        writer = Writer(postgres.admin_url)
        async with watched(postgres), asyncio.TaskGroup() as group:
            group.create_task(writer.write(range(1000)))
            group.create_task(writer.write(range(1000, 2000)))
            for count in (200, 700, 1300):
                await writer.reached(count)
                await until(postgres.is_running)
                kill_postmaster(root)
        with psycopg.connect(postgres.admin_url) as connection:
            found = {number for (number,) in connection.execute("select number from paper")}
    assert writer.acknowledged == set(range(2000))
    assert found == writer.acknowledged


async def test_a_busy_backend_that_outlives_its_postmaster_only_delays_the_next_start(root: Path) -> None:
    with EmbeddedPostgres(root) as postgres:
        async with await psycopg.AsyncConnection.connect(postgres.admin_url, autocommit=True) as connection:
            busy = asyncio.create_task(_burn(connection, seconds=2))
            await until(lambda: _is_burning(postgres.admin_url))
            killed = kill_postmaster(root)
            postgres.start()
            await busy
        assert postmaster_pid(root) != killed
        with psycopg.connect(postgres.app_url) as connection:
            connection.execute("select 1")
    assert "pre-existing shared memory block" in postgres.log_path.read_text()


async def test_a_server_started_by_another_process_is_restarted_too(root: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from intelli.kit.postgres import EmbeddedPostgres\n"
        "EmbeddedPostgres(Path(sys.argv[1])).start(); print('ready', flush=True); sys.stdin.read()"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    starter = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, str(root), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    assert starter.stdout is not None
    assert await asyncio.wait_for(starter.stdout.readline(), 30) == b"ready\n"
    with EmbeddedPostgres(root) as postgres:
        async with watched(postgres):
            killed = kill_postmaster(root)
            await until(lambda: postgres.is_running() and postmaster_pid(root) != killed)
            starter.kill()
            await asyncio.wait_for(starter.communicate(), 30)
        with psycopg.connect(postgres.app_url) as connection:
            connection.execute("select 1")


async def test_a_restart_that_fails_is_tried_again_until_the_cause_is_gone(root: Path) -> None:
    with EmbeddedPostgres(root) as postgres:
        settings = root / "pgdata" / "postgresql.conf"
        good = settings.read_text()
        settings.write_text(good + "\nwork_mem = 'nonsense'\n")
        async with watched(postgres):
            killed = kill_postmaster(root)
            await until(lambda: "configuration file" in postgres.log_path.read_text())
            settings.write_text(good)
            await until(lambda: postgres.is_running() and postmaster_pid(root) != killed)


async def _burn(connection: psycopg.AsyncConnection, *, seconds: int) -> None:
    """Keep a backend in a loop that does not look whether its postmaster lives."""
    with suppress(psycopg.OperationalError):
        await connection.execute(
            f"""do $$ declare ending timestamptz := clock_timestamp() + interval '{seconds} s'; begin
            while clock_timestamp() < ending loop end loop; end $$"""
        )


def _is_burning(url: str) -> bool:
    query = "select count(*) from pg_stat_activity where query like 'do $$%' and state = 'active'"
    with psycopg.connect(url, connect_timeout=5) as connection:
        row = connection.execute(query).fetchone()
        return row == (1,)
