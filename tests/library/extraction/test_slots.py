"""Turns at the processes that read files."""

import asyncio

from intelli.library.extraction.sandbox.slots import Slots


async def test_of_those_who_wait_the_lowest_rank_is_next():
    slots, order = Slots(1), list[float]()

    async def work(rank: float) -> None:
        async with slots.acquire(rank):
            order.append(rank)

    async with asyncio.TaskGroup() as group, slots.acquire(0):
        for rank in (3, 1, 2):
            group.create_task(work(rank))
        await asyncio.sleep(0)
        assert order == []
    assert order == [1, 2, 3]


async def test_who_leaves_while_waiting_takes_no_slot_along():
    slots = Slots(1)
    async with slots.acquire(0):
        waiting = [asyncio.create_task(_pass(slots)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
    waiting[1].cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    async with asyncio.timeout(5), slots.acquire(0):
        assert waiting[2].done()


async def _pass(slots: Slots) -> None:
    async with slots.acquire(1):
        await asyncio.sleep(0)
