"""Streams: from any point, through any number of reconnects, nothing is lost and nothing comes twice."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from tests.support.jobs import until
from tests.support.runs import ask, frames, log_of, read_stream, researching, text_of, until_rests
from tests.support.server import Person, Visit
from tests.support.soak import often

from intelli.app import App
from intelli.kit import clock
from intelli.kit.context import System
from intelli.memory.settings import MemorySettings
from intelli.runs import events, finish
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
            app.journal.emit(lease, titled(number), f"number:{number}")
            if chance.random() < 0.2:
                await asyncio.sleep(chance.random() * 0.05)
        await app.journal.settle(lease)
        await finish.fail(lease, RuntimeError("enough"))
        whole = list(range(1, _EVENTS + 3))
        for reader in readers:
            assert await reader == whole
    assert reconnects >= 40 * _READERS


async def test_what_is_said_again_under_the_same_key_is_told_once(app: App, owner: Person):
    run = await ask(owner)
    async with at_work(app, owner, run) as lease:
        for _ in range(3):
            app.journal.emit(lease, titled("a"), "a")
            app.journal.emit(lease, titled("b"), "b")
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
            app.journal.emit(lease, delta, f"delta:{offset}")
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
            app.journal.emit(lease, titled(f"{number}{large}"), f"large:{number}")
        await app.journal.settle(lease)
        told = await read_stream(owner.client, run["id"], most=4)
    assert [event["event"]["title"] for event in told[1:]] == [f"{number}{large}" for number in range(3)]


async def test_what_postgresql_cannot_hold_is_left_out_and_the_rest_told(app: App, owner: Person):
    run = await ask(owner)
    async with at_work(app, owner, run) as lease:
        app.journal.emit(lease, titled("nul\0 and \ud800 half and \\u0000 text"), "odd")
        await app.journal.settle(lease)
    assert (await log_of(owner, run))[-1]["event"]["title"] == "nul and ? half and \\u0000 text"


async def test_a_worker_that_lost_the_run_can_say_nothing_more(app: App, owner: Person):
    run = await ask(owner)
    async with at_work(app, owner, run) as lease:
        (await owner.client.post(f"/runs/{run['id']}/cancel")).raise_for_status()
        app.journal.emit(lease, titled("too late"), "late")
        with pytest.raises(RunLost):
            await app.journal.settle(lease)
        with pytest.raises(RunLost):
            end = finish.RunEnd(problems=[], closing="", keep_excerpts=True, follow_ups=[])
            await finish.complete(lease, end, memory=MemorySettings())
    assert (await log_of(owner, run))[-1]["event"]["type"] == "done"


async def test_silence_is_filled_with_heartbeats_that_are_not_part_of_the_log(app: App, owner: Person):
    app.run_feeds.heartbeat_s = 0.1
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
            app.journal.emit(lease, titled(f"{number}:" + "x" * 200_000), f"large:{number}")
            await app.journal.settle(lease)
        quick = await read_stream(owner.client, run["id"], most=61)
        assert len(quick) == 61
        late = [event async for event in _first(stalled, 61)]
    assert [event["seq"] for event in late] == list(range(1, 62))


async def test_a_stream_ends_when_its_reader_is_removed(owner: Person, member: Person):
    run = await ask(member)
    me = await member.me()
    async with member.client.stream("GET", f"/runs/{run['id']}/stream") as answer, asyncio.timeout(60):
        told = frames(answer.aiter_lines())
        await anext(told)
        (await owner.client.delete(f"/members/{me['user']['id']}")).raise_for_status()
        assert [event async for event in told if event["seq"]] == []


async def test_a_stream_ends_when_its_run_is_deleted_with_the_conversation(owner: Person):
    conversation = (await owner.client.post("/conversations", json={})).raise_for_status().json()
    address = f"/conversations/{conversation['id']}"
    asked = (await owner.client.post(f"{address}/messages", json={"content": "What is new?"})).raise_for_status().json()
    async with owner.client.stream("GET", f"/runs/{asked['run']['id']}/stream") as answer, asyncio.timeout(60):
        told = frames(answer.aiter_lines())
        await anext(told)
        (await owner.client.delete(address)).raise_for_status()
        async for _ in told:
            pass


async def test_a_stream_ends_when_its_credential_runs_out(app: App, owner: Person, visit: Visit, admin_url: str):
    run = await ask(owner)
    app.run_feeds.heartbeat_s = 0.1
    soon = (clock.now() + timedelta(seconds=1)).isoformat()
    key = (await owner.client.post("/api-keys", json={"name": "short", "expires_at": soon})).raise_for_status().json()
    program = visit()
    program.headers["X-API-Key"] = key["key"]
    async with program.stream("GET", f"/runs/{run['id']}/stream") as answer, asyncio.timeout(60):
        async for _ in frames(answer.aiter_lines()):
            pass


async def test_an_idle_stream_asks_the_database_nothing(app: App, owner: Person):
    run = await ask(owner)
    app.run_feeds.heartbeat_s = app.library_feeds.heartbeat_s = app.audit_feeds.heartbeat_s = 0.05
    async with asyncio.timeout(60), AsyncExitStack() as stack:
        lines = []
        for path in (f"/runs/{run['id']}/stream", "/library/stream", "/audit/stream"):
            answer = await stack.enter_async_context(owner.client.stream("GET", path))
            lines.append(answer.aiter_lines())
            await _until_silent(lines[-1])
        before = app.pools.streams.transactions, app.pools.requests.transactions
        for each in lines:
            for _ in range(20):
                await anext(each)
        assert (app.pools.streams.transactions, app.pools.requests.transactions) == before


async def test_a_wake_up_costs_one_query_for_all_readers(app: App, owner: Person, visit: Visit):
    run = await ask(owner)
    client = visit()
    client.headers["Authorization"] = owner.client.headers["Authorization"]
    async with at_work(app, owner, run) as lease, asyncio.timeout(60), AsyncExitStack() as stack:
        told = []
        for _ in range(40):
            answer = await stack.enter_async_context(client.stream("GET", f"/runs/{run['id']}/stream"))
            told.append(frames(answer.aiter_lines()))
            await anext(told[-1])
        before = app.pools.streams.transactions
        app.journal.emit(lease, titled("once"), "once")
        await app.journal.settle(lease)
        assert {(await anext(each))["event"]["title"] for each in told} == {"once"}
        assert app.pools.streams.transactions - before <= 2


async def test_a_person_has_a_bounded_number_of_streams(app: App, owner: Person, member: Person):
    app.stream_limit._most = 3
    async with AsyncExitStack() as stack:
        for _ in range(3):
            answer = await stack.enter_async_context(owner.client.stream("GET", "/library/stream"))
            assert answer.status_code == 200
        refused = await owner.client.get("/library/stream")
        assert refused.status_code == 429
        assert refused.json()["code"] == "too_many_streams"
        assert int(refused.headers["Retry-After"]) > 0
        other = await stack.enter_async_context(member.client.stream("GET", "/library/stream"))
        assert other.status_code == 200
    await until(lambda: _is_open_again(owner))


async def _is_open_again(person: Person) -> bool:
    async with person.client.stream("GET", "/library/stream") as answer:
        return answer.status_code == 200


async def _until_silent(lines: AsyncIterator[str]) -> None:
    """Read until three signs of life in a row."""
    alive = 0
    async for line in lines:
        if line.startswith((": alive", "event: heartbeat")):
            alive += 1
        elif line.startswith("id:"):
            alive = 0
        if alive == 3:
            return


async def _first(answer: httpx.Response, count: int) -> AsyncIterator[dict[str, Any]]:
    seen = 0
    async for event in frames(answer.aiter_lines()):
        yield event
        seen += 1
        if seen == count:
            return
