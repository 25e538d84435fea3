"""Pools: no kind of work takes the connections of another, and who finds none is told to come again."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from intelli.kit.context import WorkspaceLister
from intelli.kit.db import Database, DatabaseUnavailable, run_to_completion
from intelli.kit.jobs import Queue
from intelli.kit.pools import open_pools


async def test_jobs_that_hold_all_their_connections_leave_requests_theirs(database_url: str):
    pools = open_pools(database_url, requests=2, jobs=2)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(pools.close)
        for pool, size in ((pools.reading, 2), (pools.maintenance, 2), (pools.streams, 2), (pools.runs, 6)):
            for _ in range(size):
                await stack.enter_async_context(pool.begin(WorkspaceLister()))
        async with pools.requests.begin(WorkspaceLister()), pools.requests.begin(WorkspaceLister()):
            pass


async def test_every_queue_has_a_pool(database_url: str):
    pools = open_pools(database_url, requests=2, jobs=2)
    assert {pools.for_queue(queue) for queue in Queue} == {pools.runs, pools.reading, pools.maintenance}
    await pools.close()


async def test_a_request_waits_briefly_and_is_then_asked_to_come_again(database_url: str):
    database = Database(database_url, pool_size=1, wait_s=0.05)
    try:
        async with database.begin(WorkspaceLister()):
            with pytest.raises(DatabaseUnavailable, match="in use") as refused:
                async with database.begin(WorkspaceLister()):
                    pass
        assert refused.value.retry_after_s > 0
    finally:
        await database.close()


async def test_the_failure_of_abandoned_work_is_retrieved():
    go = asyncio.Event()

    async def fail() -> None:
        await go.wait()
        raise DatabaseUnavailable("gone")

    lost: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: lost.append(context))
    abandoned = asyncio.ensure_future(run_to_completion(fail()))
    await asyncio.sleep(0)
    abandoned.cancel()
    await asyncio.gather(abandoned, return_exceptions=True)
    go.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert lost == []
