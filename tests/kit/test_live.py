"""Live: many subscribers on one connection, and no wake-up is ever missed."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import psycopg
import pytest

from intelli.kit.context import WorkspaceLister
from intelli.kit.db import Database
from intelli.kit.live import Live

CHANNEL = "test_events"
PATIENCE_S = 60


class Subscriber:
    """Waits to be called: a call between looking and waiting is kept."""

    def __init__(self) -> None:
        self._called = asyncio.Event()

    async def wait(self, timeout_s: float) -> bool:
        try:
            async with asyncio.timeout(timeout_s):
                await self._called.wait()
        except TimeoutError:
            return False
        self._called.clear()
        return True

    def call(self) -> None:
        self._called.set()


@contextmanager
def subscribed(live: Live, channel: str, key: str) -> Iterator[Subscriber]:
    subscriber = Subscriber()
    with live.subscribe(channel, key, subscriber.call):
        yield subscriber


@pytest.fixture
async def live(database_url: str) -> AsyncIterator[Live]:
    live = Live(database_url, (CHANNEL, "other"))
    async with asyncio.TaskGroup() as group:
        group.create_task(live.run())
        with subscribed(live, CHANNEL, "ready") as ready:
            assert await ready.wait(PATIENCE_S)
        yield live
        live.close()


async def notify(database: Database, payload: str) -> None:
    async with database.begin(WorkspaceLister()) as tx:
        await tx.notify(CHANNEL, payload)


async def listeners(admin_url: str) -> list[int]:
    async with await psycopg.AsyncConnection.connect(admin_url, autocommit=True) as connection:
        rows = await connection.execute(
            "select pid from pg_stat_activity where datname = current_database() and application_name = 'live'"
        )
        return [pid for (pid,) in await rows.fetchall()]


async def test_two_hundred_subscribers_share_one_connection(live: Live, database: Database, admin_url: str) -> None:
    keys = [f"run-{n}" for n in range(200)]

    async def follow(key: str, ready: asyncio.Barrier) -> bool:
        with subscribed(live, CHANNEL, key) as subscription:
            await ready.wait()
            return await subscription.wait(PATIENCE_S)

    ready = asyncio.Barrier(len(keys) + 1)
    async with asyncio.TaskGroup() as group:
        waits = [group.create_task(follow(key, ready)) for key in keys]
        await ready.wait()
        assert live.subscribers == 200
        assert len(await listeners(admin_url)) == 1
        for start in range(0, len(keys), 100):
            await notify(database, ",".join(f"{key}:7" for key in keys[start : start + 100]))
    assert all(wait.result() for wait in waits)
    assert live.subscribers == 0


async def test_only_those_who_are_named_are_woken(live: Live, database: Database) -> None:
    with (
        subscribed(live, CHANNEL, "a") as a,
        subscribed(live, CHANNEL, "b") as b,
        subscribed(live, "other", "a") as other,
    ):
        await notify(database, "a:3")
        assert await a.wait(PATIENCE_S)
        assert not await b.wait(0.01)
        assert not await other.wait(0.01)


async def test_a_wake_between_looking_and_waiting_is_kept(live: Live, database: Database) -> None:
    with subscribed(live, CHANNEL, "mine") as mine, subscribed(live, CHANNEL, "marker") as marker:
        await notify(database, "mine")
        await notify(database, "marker")
        assert await marker.wait(PATIENCE_S)
        assert await mine.wait(0)


async def test_after_a_lost_connection_everybody_looks_again(live: Live, database: Database, admin_url: str) -> None:
    [before] = await listeners(admin_url)
    with subscribed(live, CHANNEL, "mine") as mine:
        async with await psycopg.AsyncConnection.connect(admin_url, autocommit=True) as admin:
            await admin.execute("select pg_terminate_backend(%s, 5000)", [before])
        await notify(database, "mine")  # nobody listens now
        assert await mine.wait(PATIENCE_S)
        [after] = await listeners(admin_url)
        assert after != before


async def test_no_subscriber_misses_an_entry_while_the_connection_is_cut_again_and_again(
    live: Live, database: Database, admin_url: str
) -> None:
    log: list[int] = []

    async def follow() -> int:
        seen = 0
        with subscribed(live, CHANNEL, "log") as subscription:
            while seen < 60:
                seen = len(log)
                if seen < 60:
                    assert await subscription.wait(PATIENCE_S)
        return seen

    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        readers = [group.create_task(follow()) for _ in range(30)]
        async with await psycopg.AsyncConnection.connect(admin_url, autocommit=True) as admin:
            for n in range(60):
                log.append(n)
                await notify(database, f"log:{n}")
                if n % 15 == 14:
                    await admin.execute(
                        "select pg_terminate_backend(pid) from pg_stat_activity"
                        " where datname = current_database() and application_name = 'live'"
                    )
    assert {reader.result() for reader in readers} == {60}


async def test_closing_ends_every_wait(database_url: str) -> None:
    live = Live(database_url, (CHANNEL,))
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as group:
        group.create_task(live.run())
        with subscribed(live, CHANNEL, "mine") as mine:
            await mine.wait(PATIENCE_S)
            waiting = group.create_task(mine.wait(PATIENCE_S))
            await asyncio.sleep(0)
            live.close()
            assert await waiting
            assert live.closed


async def test_a_channel_nobody_listens_to_is_refused(database_url: str) -> None:
    live = Live(database_url, (CHANNEL,))
    with pytest.raises(ValueError, match="nobody listens"), subscribed(live, "elsewhere", "key"):
        pass
