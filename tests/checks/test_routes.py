"""Routes of checks: what is refused, who sees what, lists, cancelling, deleting, and streams."""

import asyncio

from sqlalchemy import text
from tests.checks.makers import MEMO, REPORT, add, show, start, start_with_file, until_ended, until_read
from tests.support.jobs import working
from tests.support.runs import frames
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.kit.context import WorkspaceLister

_TEXT = "Revenue of Nordwind came to 412.7 million euros in 2025."


async def test_a_check_is_of_one_thing(owner: Person):
    report = await add(owner, "report.md", REPORT)
    for asked in ({}, {"title": "Nothing"}):
        answer = await owner.client.post("/checks", json=asked)
        assert (answer.status_code, answer.json()["code"]) == (422, "not_one_text")
    answer = await owner.client.post("/checks", json={"text": _TEXT, "document_id": report["id"]})
    assert answer.status_code in {404, 422}


async def test_a_text_of_more_than_fifty_pages_is_refused(owner: Person):
    answer = await owner.client.post("/checks", json={"text": "A word. " * 26_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "text_too_long")
    assert "200,000" in answer.json()["detail"]


async def test_a_repeated_request_starts_one_check(owner: Person):
    once = {"Idempotency-Key": "one"}
    first, second = [
        (await owner.client.post("/checks", json={"text": _TEXT}, headers=once)).raise_for_status() for _ in range(2)
    ]
    assert first.json() == second.json()
    assert first.status_code == 202
    assert len((await owner.client.get("/checks")).json()["items"]) == 1


async def test_checks_are_listed_newest_first_page_by_page(owner: Person):
    made = [(await start(owner, text=_TEXT, title=f"Check {number}"))["id"] for number in range(3)]
    first = (await owner.client.get("/checks", params={"limit": 2})).raise_for_status().json()
    rest = (await owner.client.get("/checks", params={"limit": 2, "cursor": first["next_cursor"]})).json()
    assert [each["id"] for each in (*first["items"], *rest["items"])] == made[::-1]
    assert rest["next_cursor"] is None
    assert first["items"][0]["counts"] == {
        "supported": 0, "partly": 0, "not_supported": 0, "contradicted": 0, "unchecked": 0
    }  # fmt: skip


async def test_a_text_is_called_by_its_first_sentence_and_not_by_whom_it_greets(owner: Person):
    letter = await start(owner, text=f"Dear colleagues,\n\n{_TEXT} More is to come.\n")
    greeting = await start(owner, text="Dear colleagues,\n")
    assert [letter["title"], greeting["title"]] == [_TEXT, "Dear colleagues"]


async def test_a_check_is_its_persons_alone(owner: Person, member: Person):
    check = await start(member, text=_TEXT)
    path = f"/checks/{check['id']}"
    tried = [
        await owner.client.get(path),
        await owner.client.get(f"{path}/export"),
        await owner.client.get(f"{path}/events"),
        await owner.client.post(f"{path}/cancel"),
        await owner.client.delete(path),
    ]
    assert {answer.status_code for answer in tried} == {404}
    assert (await owner.client.get("/checks")).json()["items"] == []
    assert (await show(member, check))["status"] == "pending"


async def test_a_cancelled_check_stays_cancelled(app: App, owner: Person):
    check = await start(owner, text=_TEXT)
    cancelled = (await owner.client.post(f"/checks/{check['id']}/cancel")).raise_for_status().json()
    assert cancelled["status"] == "cancelled"
    again = await owner.client.post(f"/checks/{check['id']}/cancel")
    assert (again.status_code, again.json()["code"]) == (409, "check_has_ended")
    async with working(app.db, *JOBS, parts=app.parts):
        done = await until_ended(owner, await start(owner, text=_TEXT))
    assert done["status"] == "completed"
    assert (await show(owner, check))["status"] == "cancelled"


async def test_a_deleted_check_leaves_nothing(app: App, owner: Person):
    check = await start_with_file(owner, "memo.md", MEMO.encode())
    sha256 = (await owner.client.get("/artifacts")).json()["items"][0]["sha256"]
    async with working(app.db, *JOBS, parts=app.parts):
        await until_ended(owner, check)
    assert (await owner.client.delete(f"/checks/{check['id']}")).status_code == 204
    assert (await owner.client.get(f"/checks/{check['id']}")).status_code == 404
    artifact = (await owner.client.get(f"/artifacts/{sha256}")).raise_for_status().json()
    assert artifact["reference_count"] == 0
    (entry,) = (await owner.client.get("/audit", params={"event_type": "erase"})).json()["items"]
    assert (entry["entity_type"], entry["entity_id"]) == ("text_check", check["id"])


async def test_a_file_that_is_checked_is_its_persons_alone(owner: Person, member: Person):
    await start_with_file(member, "memo.md", MEMO.encode())
    assert (await owner.client.get("/artifacts")).json()["items"] == []
    assert len((await member.client.get("/artifacts")).json()["items"]) == 1


async def test_what_is_named_must_be_there(owner: Person):
    nothing = "00000000-0000-4000-8000-000000000000"
    for asked in (
        {"document_id": nothing},
        {"deliverable_id": nothing},
        {"text": _TEXT, "context": {"folder_id": nothing}},
        {"text": _TEXT, "context": {"document_ids": [nothing]}},
    ):
        assert (await owner.client.post("/checks", json=asked)).status_code == 404, asked
    file = {"file": ("memo.md", MEMO.encode())}
    assert (await owner.client.post("/checks/file", files=file, data={"folder_id": nothing})).status_code == 404
    assert (await owner.client.post("/checks/file", files=file, data={"folder_id": "x"})).status_code == 422


async def test_passages_of_a_deleted_document_lose_their_link_and_keep_their_words(app: App, owner: Person):
    report = await add(owner, "report.md", REPORT)
    async with working(app.db, *JOBS, parts=app.parts):
        await until_read(owner)
        check = await until_ended(owner, await start(owner, text=_TEXT))
    (await owner.client.delete(f"/documents/{report['id']}")).raise_for_status()
    (citation,) = (await show(owner, check))["statements"][0]["citations"]
    assert (citation["document_id"], citation["file_name"]) == (None, "report.md")
    assert "412.7" in citation["quote"]


async def test_the_stream_tells_statements_progress_and_the_end(app: App, owner: Person):
    await add(owner, "report.md", REPORT)
    check = await start(owner, text=MEMO)

    async def follow() -> list[dict[str, object]]:
        async with owner.client.stream("GET", f"/checks/{check['id']}/events") as answer:
            return [each async for each in frames(answer.raise_for_status().aiter_lines())]

    following = asyncio.create_task(follow())
    async with working(app.db, *JOBS, parts=app.parts):
        events = await following
        done = await until_ended(owner, check)
    told = [each["event"] for each in events]
    assert [each["type"] for each in told] == ["status", "statement", "statement", "statement", "progress", "done"]
    assert [each["statement"] for each in told if each["type"] == "statement"] == done["statements"]
    assert told[4]["done"] == told[4]["total"] == 3
    assert (told[-1]["status"], told[-1]["total"]) == ("completed", 3)
    again = await follow()
    assert again == events
    async with owner.client.stream("GET", f"/checks/{check['id']}/events", params={"after": 3}) as answer:
        rest = [each async for each in frames(answer.raise_for_status().aiter_lines())]
    assert [each["event"]["type"] for each in rest] == ["statement", "progress", "done"]


async def test_the_stream_of_a_check_that_failed_tells_why(app: App, owner: Person):
    async with working(app.db, *JOBS, parts=app.parts):
        check = await until_ended(owner, await start_with_file(owner, "x.docx", b"PK\x03\x04"))
    async with owner.client.stream("GET", f"/checks/{check['id']}/events") as answer:
        (last,) = [each["event"] async for each in frames(answer.raise_for_status().aiter_lines())]
    assert (last["type"], last["status"], last["error"]) == ("done", "failed", check["error"])


async def test_what_a_check_keeps_is_under_the_persons_rows(app: App, owner: Person):
    await start(owner, text=_TEXT)
    async with app.db.begin(WorkspaceLister()) as tx:
        assert await tx.session.scalar(text("select count(*) from text_checks")) == 0
