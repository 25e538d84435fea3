"""Foreground: jobs step aside while somebody waits for an answer, and are never starved."""

import asyncio

from intelli.kit.foreground import Foreground


async def test_a_job_goes_on_at_once_while_nobody_waits():
    foreground = Foreground()
    going_on = asyncio.ensure_future(foreground.step_aside())
    await asyncio.sleep(0)
    assert going_on.done()


async def test_a_job_waits_for_every_request_that_is_being_answered():
    foreground = Foreground()
    with foreground.request():
        with foreground.request():
            going_on = asyncio.ensure_future(foreground.step_aside())
            await asyncio.sleep(0)
        assert not going_on.done()
    await going_on


async def test_a_job_is_never_starved():
    foreground = Foreground()
    with foreground.request():
        async with asyncio.timeout(60):
            await foreground.step_aside()
