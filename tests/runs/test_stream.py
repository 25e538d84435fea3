"""Streams: from any point, through any number of reconnects, nothing is lost and nothing comes twice."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import httpx
import pytest
from tests.support.runs import ask, frames, log_of, read_stream, researching, text_of, until_rests
from tests.support.server import Person, Visit
from tests.support.soak import often

from intelli.app import App
from intelli.kit.context import SCOPES_OF_ROLE, AuthMethod, Role, System, UserContext
from intelli.memory.settings import MemorySettings
from intelli.runs import conclude, events, stream
from intelli.runs.errors import RunLost
from intelli.runs.lease import Lease
from intelli.runs.store import runs as store

_READERS = often(6, soaking=25)
_RECONNECTS = 50
_EVENTS = 400


@asynccontextmanager
async def at_work(app: App, person: Person, run: dict[str, Any]) -> AsyncIterator[Lease]:
    """The lease of a run, as a worker holds it, with the journal being written."""
    me = await person.me()
    who = System(UUID(me["workspace"]["id"]), UUID(me["user"]["id"]))
    async with app.db.begin(who) as tx:
        epoch = await store.claim(tx, UUID(run["id"]), job_id=1, lease_s=60)
    assert epoch is not None
    assert who.user_id is not None
    async with asyncio.TaskGroup() as group:
        pump = group.create_task(app.journal.pump())
        yield Lease(app.db, who.tenant_id, who.user_id, UUID(run["id"]), epoch)
        pump.cancel()


def titled(number: int | str) -> events.ChatTitleGenerated:
    return events.ChatTitleGenerated(title=str(number))


async def test_a_reader_sees_the_whole_run_while_it_happens_and_after_its_end(app: App, owner: Person):
    async with researching(app):
        run = await ask(owner)
        during = await read_stream(owner.client, run["id"])
    after = await read_stream(owner.client, run["id"])
    assert during == after
    assert [event["seq"] for event in during] == list(range(1, len(during) + 1))
    assert during[-1]["event"]["type"] == "done"
    run = await until_rests(owner, run)
    assert text_of(during) == run["agent_response"]


async def test_the_json_form_tells_the_same_as_the_stream(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner))
    told = await read_stream(owner.client, run["id"])
    logged = await log_of(owner, run)
    assert [(line["seq"], line["event"]) for line in logged] == [(line["seq"], line["event"]) for line in told]


@pytest.mark.slow
async def test_however_often_readers_reconnect_nothing_is_lost_and_nothing_repeated(
    app: App, owner: Person, visit: Visit
):
    run = await ask(owner)
    chance = random.Random(7)
    client = visit()
    client.headers["Authorization"] = owner.client.headers["Authorization"]
    reconnects = 0

    async def read(seed: int) -> list[int]:
        nonlocal reconnects
        mine, seen = random.Random(seed), list[int]()
        while not seen or seen[-1] < _EVENTS + 2:
            await asyncio.sleep(mine.random() * 0.05)
            most = mine.randint(1, 2 * _EVENTS // _RECONNECTS)
            got = await read_stream(client, run["id"], after=seen[-1] if seen else None, most=most)
            seen += [event["seq"] for event in got if event["seq"] is not None]
            reconnects += 1
        return seen

    async with at_work(app, owner, run) as lease, asyncio.TaskGroup() as group:
        readers = [group.create_task(read(seed)) for seed in range(_READERS)]
        for number in range(_EVENTS):
            app.journal.say(lease, titled(number), f"number:{number}")
            if chance.random() < 0.2:
                await asyncio.sleep(chance.random() * 0.05)
        await app.journal.settle(lease)
        await conclude.fail(lease, RuntimeError("enough"))
        whole = list(range(1, _EVENTS + 3))
        for reader in readers:
            assert await reader == whole
    assert reconnects >= 40 * _READERS


async def test_what_is_said_again_under_the_same_key_is_told_once(app: App, owner: Person):
    run = await ask(owner)
    async with at_work(app, owner, run) as lease:
        for _ in range(3):
            app.journal.say(lease, titled("a"), "a")
            app.journal.say(lease, titled("b"), "b")
            await app.journal.settle(lease)
    titles = [line["event"]["title"] for line in await log_of(owner, run) if "title" in line["event"]]
    assert titles == ["a", "b"]


async def test_deltas_are_joined_before_they_are_stored(app: App, owner: Person):
    run = await ask(owner)
    words = [f"word{number} " for number in range(500)]
    async with at_work(app, owner, run) as lease:
        offset = 0
        for word in words:
            delta = events.MessageDelta(delta=word, message_id=lease.run_id, offset=offset)
            app.journal.say(lease, delta, f"delta:{offset}")
            offset += len(word)
        await app.journal.settle(lease)
    log = await log_of(owner, run)
    assert text_of(log) == "".join(words)
    assert len(log) < 20


async def test_an_event_of_a_megabyte_passes(app: App, owner: Person):
    run = await ask(owner)
    large = "é" * 500_000 + "\u2028\r\n\ndata: not a frame\n"
    async with at_work(app, owner, run) as lease:
        for number in range(3):
            app.journal.say(lease, titled(f"{number}{large}"), f"large:{number}")
        await app.journal.settle(lease)
        told = await read_stream(owner.client, run["id"], most=4)
    assert [event["event"]["title"] for event in told[1:]] == [f"{number}{large}" for number in range(3)]


async def test_what_postgresql_cannot_hold_is_left_out_and_the_rest_told(app: App, owner: Person):
    run = await ask(owner)
    async with at_work(app, owner, run) as lease:
        app.journal.say(lease, titled("nul\0 and \ud800 half and \\u0000 text"), "odd")
        await app.journal.settle(lease)
    assert (await log_of(owner, run))[-1]["event"]["title"] == "nul and ? half and \\u0000 text"


async def test_a_worker_that_lost_the_run_can_say_nothing_more(app: App, owner: Person):
    run = await ask(owner)
    async with at_work(app, owner, run) as lease:
        (await owner.client.post(f"/runs/{run['id']}/cancel")).raise_for_status()
        app.journal.say(lease, titled("too late"), "late")
        with pytest.raises(RunLost):
            await app.journal.settle(lease)
        with pytest.raises(RunLost):
            await conclude.complete(
                lease, conclude.End(problems=[], closing="", keep_excerpts=True), memory=MemorySettings()
            )
    assert (await log_of(owner, run))[-1]["event"]["type"] == "done"


async def test_silence_is_filled_with_heartbeats_that_are_not_part_of_the_log(app: App, owner: Person):
    app.streams._heartbeat_s = 0.1
    run = await ask(owner)
    async with asyncio.timeout(60):
        told = await read_stream(owner.client, run["id"], most=4)
    assert told[0]["seq"] == 1
    assert told[1:] == [{"seq": None, "event": {"type": "heartbeat"}}] * 3


async def test_a_reader_who_is_slow_holds_back_nobody_and_can_resume(app: App, owner: Person, visit: Visit):
    """Its connection is not read at all while megabytes are told; others get them, and later so does it."""
    run = await ask(owner)
    slow = visit()
    slow.headers["Authorization"] = owner.client.headers["Authorization"]
    async with at_work(app, owner, run) as lease, slow.stream("GET", f"/runs/{run['id']}/stream") as stalled:
        for number in range(60):
            app.journal.say(lease, titled(f"{number}:" + "x" * 200_000), f"large:{number}")
            await app.journal.settle(lease)
        quick = await read_stream(owner.client, run["id"], most=61)
        assert len(quick) == 61
        late = [event async for event in _first(stalled, 61)]
    assert [event["seq"] for event in late] == list(range(1, 62))


async def test_a_stream_ends_when_its_reader_loses_their_standing(app: App, owner: Person, member: Person):
    app.streams._heartbeat_s = 0.05
    run = await ask(member)
    who_runs = stream.Streams(app.db, app.live, heartbeat_s=0.05)
    me = await member.me()
    ticking = iter(range(0, 10_000, 40))
    who = UserContext(
        user_id=UUID(me["user"]["id"]),
        tenant_id=UUID(me["workspace"]["id"]),
        role=Role.MEMBER,
        scopes=SCOPES_OF_ROLE[Role.MEMBER],
        auth_method=AuthMethod.JWT,
        session_id=UUID(me["session_id"]),
    )
    (await owner.client.delete(f"/members/{me['user']['id']}")).raise_for_status()
    with pytest.raises(Exception, match=r"session|role"):
        async for _ in who_runs.follow(who, UUID(run["id"]), now=lambda: float(next(ticking))):
            pass


async def _first(answer: httpx.Response, count: int) -> AsyncIterator[dict[str, Any]]:
    seen = 0
    async for event in frames(answer.aiter_lines()):
        yield event
        seen += 1
        if seen == count:
            return
