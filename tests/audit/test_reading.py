"""Reading the log: filters, pages, exports and the live stream."""

import csv
import io
import json
from collections.abc import AsyncIterator

import httpx
import pytest
from tests.support.server import Person, Visit

from intelli.app import App
from intelli.audit.export import csv_lines
from intelli.audit.wire import AuditEntry, EventType
from intelli.kit.clock import now
from intelli.kit.ids import uuid7


async def entries(person: Person, **filters: object) -> list[dict[str, object]]:
    return (await person.client.get("/audit", params=filters)).raise_for_status().json()["items"]


async def test_members_see_what_they_did_and_admins_what_happened(owner: Person, member: Person):
    me = (await member.me())["user"]["id"]
    await owner.client.patch("/workspace", json={"name": "Renamed"})
    assert {entry["user_id"] for entry in await entries(member)} == {me}
    assert len({entry["user_id"] for entry in await entries(owner)}) == 2
    other = (await owner.me())["user"]["id"]
    assert {entry["user_id"] for entry in await entries(member, user_id=other)} == {me}


async def test_filters_narrow_what_is_shown(owner: Person, member: Person):
    await owner.client.post("/api-keys", json={"name": "k"})
    assert {entry["event_type"] for entry in await entries(owner, event_type="key_created")} == {"key_created"}
    me = (await member.me())["user"]["id"]
    assert {entry["user_id"] for entry in await entries(owner, user_id=me)} == {me}
    everything = await entries(owner)
    middle = str(everything[1]["created_at"])
    assert [entry["seq"] for entry in await entries(owner, since=middle)] == [
        everything[0]["seq"],
        everything[1]["seq"],
    ]
    assert everything[0]["seq"] not in [entry["seq"] for entry in await entries(owner, until=middle)]
    assert await entries(owner, success=False) == []


@pytest.mark.parametrize(
    "query", [{"event_type": "gossip"}, {"since": "yesterday"}, {"limit": 0}, {"limit": 201}, {"cursor": "%%"}]
)
async def test_a_filter_that_makes_no_sense_is_refused(owner: Person, query: dict[str, object]):
    answer = await owner.client.get("/audit", params=query)
    assert answer.status_code == 422
    assert answer.headers["Content-Type"] == "application/problem+json"


async def test_pages_follow_each_other_while_new_entries_come(owner: Person):
    for number in range(5):
        await owner.client.patch("/auth/me", json={"name": f"N{number}"})
    seen: list[int] = []
    cursor = None
    while True:
        page = (await owner.client.get("/audit", params={"limit": 2, "cursor": cursor})).json()
        seen += [entry["seq"] for entry in page["items"]]
        await owner.client.patch("/auth/me", json={"name": "meanwhile"})
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == sorted(seen, reverse=True)
    assert seen[-1] == 1
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize("format", ["csv", "jsonl"])
async def test_an_export_holds_every_entry_and_is_itself_told(owner: Person, format: str):
    for number in range(3):
        await owner.client.patch("/auth/me", json={"name": f"N{number}"})
    expected = [entry["hash"] for entry in await entries(owner)][::-1]
    answer = await owner.client.get("/audit/export", params={"format": format})
    assert "attachment" in answer.headers["Content-Disposition"]
    rows = (
        list(csv.DictReader(io.StringIO(answer.text)))
        if format == "csv"
        else [json.loads(x) for x in answer.text.splitlines()[:-1]]
    )
    assert [row["hash"] for row in rows] == expected
    assert (await entries(owner))[0]["event_type"] == "export"


async def test_a_cell_that_a_spreadsheet_would_run_is_made_inert():
    async def one() -> AsyncIterator[AuditEntry]:
        yield AuditEntry(
            id=uuid7(),
            seq=1,
            created_at=now(),
            event_type=EventType.ERROR,
            user_id=None,
            conversation_id=None,
            run_id=None,
            entity_type="=cmd()",
            entity_id=None,
            success=False,
            details={},
            previous_hash="",
            hash="",
        )

    text = b"".join([line async for line in csv_lines(one())]).decode()
    assert "'=cmd()" in text


class Tail:
    """Reads a live stream."""

    def __init__(self, person: Person, last_event_id: str | None = None) -> None:
        headers = {"Last-Event-ID": last_event_id} if last_event_id is not None else {}
        self._opening = person.client.stream("GET", "/audit/stream", headers=headers, timeout=60)

    async def __aenter__(self) -> "Tail":
        self._answer = await self._opening.__aenter__()
        assert self._answer.headers["Content-Type"].startswith("text/event-stream")
        self._lines = self._answer.aiter_lines()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._opening.__aexit__(*error)

    async def comment(self) -> None:
        async for line in self._lines:
            if line.startswith(":"):
                return

    async def next(self) -> dict[str, object]:
        async for line in self._lines:
            if line.startswith("data: "):
                return json.loads(line.removeprefix("data: "))
        raise EOFError


async def test_the_stream_tells_new_entries_as_they_are_written(owner: Person):
    async with Tail(owner) as tail:
        await tail.comment()
        await owner.client.patch("/auth/me", json={"name": "Live"})
        entry = await tail.next()
    assert entry["event_type"] == "settings_change"
    assert entry["hash"] == (await entries(owner))[0]["hash"]


async def test_a_stream_that_resumes_misses_nothing_and_repeats_nothing(owner: Person):
    for number in range(4):
        await owner.client.patch("/auth/me", json={"name": f"N{number}"})
    newest = int((await entries(owner))[0]["seq"])  # type: ignore[call-overload]
    async with Tail(owner, last_event_id="1") as tail:
        assert [(await tail.next())["seq"] for _ in range(newest - 1)] == list(range(2, newest + 1))
        await owner.client.patch("/auth/me", json={"name": "after"})
        assert (await tail.next())["seq"] == newest + 1


async def test_a_member_streams_only_what_is_theirs(owner: Person, member: Person):
    async with Tail(member) as tail:
        await tail.comment()
        await owner.client.patch("/workspace", json={"name": "Secret plan"})
        await member.client.patch("/auth/me", json={"name": "Mine"})
        assert (await tail.next())["user_id"] == (await member.me())["user"]["id"]


async def test_a_stream_ends_when_its_reader_is_removed(owner: Person, member: Person):
    async with Tail(member) as tail:
        await tail.comment()
        await owner.client.delete(f"/members/{(await member.me())['user']['id']}")
        with pytest.raises((EOFError, httpx.RemoteProtocolError)):
            await tail.next()


async def test_a_stream_ends_when_its_key_is_revoked(owner: Person, visit: Visit):
    created = (await owner.client.post("/api-keys", json={"name": "tail"})).json()
    program = Person(visit(), owner.email, {})
    program.client.headers["X-API-Key"] = created["key"]
    async with Tail(program) as tail:
        await tail.comment()
        await owner.client.delete(f"/api-keys/{created['id']}")
        with pytest.raises(EOFError):
            await tail.next()


async def test_streams_end_when_the_server_stops(owner: Person, app: App):
    async with Tail(owner) as tail:
        await tail.comment()
        assert app.stream_limit.streams == 1
        app.live.close()
        with pytest.raises(EOFError):
            await tail.next()
