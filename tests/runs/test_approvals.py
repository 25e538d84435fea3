"""Approvals: a run that changes a document shows it, waits for a person without being held, and does it once."""

import asyncio
import time
from dataclasses import dataclass, field
from uuid import UUID

from tests.support.approvals import SAVE, decide, find, pending, put, text_of
from tests.support.jobs import until
from tests.support.reasoner import PlainReasoner
from tests.support.runs import ask, log_of, researching, show, until_rests
from tests.support.server import Person, Visit, join

from intelli.app import App
from intelli.kit.context import System
from intelli.library.text_documents import CurrentDocument
from intelli.runs import replay
from intelli.runs.document_editor import DocumentEditor


async def test_what_is_to_be_saved_is_shown_agreed_to_and_then_in_the_library(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner, SAVE))
        assert run["status"] == "waiting"
        assert await find(owner, "revenue.md") is None
        (waiting,) = await pending(owner)
        assert (waiting["status"], waiting["requires_confirmation"]) == ("pending", True)
        assert waiting["proposal"]["path"] == "/notes/revenue.md"
        assert "+Revenue came to 412.7 million euros in 2025." in waiting["proposal"]["diff"]
        told = [line["event"] for line in await log_of(owner, run)]
        (needed,) = [event for event in told if event["type"] == "approval_needed"]
        assert needed["interaction_id"] == waiting["id"]
        assert needed["diff"] == waiting["proposal"]["diff"]

    # Nobody is there to do it: it waits until a worker comes.
    approved = (await decide(owner, waiting, "approve")).raise_for_status().json()
    assert approved["confirmation_status"] == "approved"
    again = (await decide(owner, waiting, "approve")).raise_for_status().json()
    assert (again["id"], again["confirmed_at"]) == (approved["id"], approved["confirmed_at"])
    contrary = await decide(owner, waiting, "reject", reason="no")
    assert (contrary.status_code, contrary.json()["code"]) == (409, "already_decided")
    assert await find(owner, "revenue.md") is None
    async with researching(app):
        run = await until_rests(owner, run, "completed")
    document = await find(owner, "revenue.md")
    assert (document["path"], document["version"], document["last_edit_by"]) == ("/notes/revenue.md", 1, "agent")
    text = await text_of(owner, document)
    assert "412.7 million" in text
    assert "**Sources**" in text
    assert run["agent_response"].endswith("Created /notes/revenue.md.")
    assert "412.7" in run["agent_response"]
    (done,) = [each for each in await _uses(owner, run) if each["requires_confirmation"]]
    assert done["status"] == "completed"
    assert done["applied_at"] is not None
    kinds = [line["event"]["type"] for line in await log_of(owner, run)]
    assert kinds.index("approval_needed") < kinds.index("approval_resolved") < kinds.index("done")
    assert kinds.count("approval_needed") == kinds.count("approval_resolved") == 1
    assert await pending(owner) == []
    assert (await decide(owner, waiting, "approve")).json()["status"] == "completed"
    await _insist_on_replay(app, owner, run)
    after = await find(owner, "revenue.md")
    assert (after["version"], after["updated_at"]) == (document["version"], document["updated_at"])


async def test_what_is_rejected_is_not_done_and_the_answer_says_why(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner, SAVE))
        (waiting,) = await pending(owner)
        rejected = (await decide(owner, waiting, "reject", reason="Not before the audit.")).raise_for_status().json()
        assert (rejected["status"], rejected["confirmation_status"]) == ("rejected", "rejected")
        run = await until_rests(owner, run, "completed")
    assert run["agent_response"].endswith("was not created. It was rejected: Not before the audit.")
    assert await find(owner, "revenue.md") is None
    assert (await decide(owner, waiting, "reject")).status_code == 200
    assert (await decide(owner, waiting, "approve")).status_code == 409


async def test_a_stale_change_overwrites_nothing_and_is_told(app: App, owner: Person):
    document = await put(owner, "plan.md", "We sell in 2024.\nIn 2024 we grow.\n")
    async with researching(app):
        run = await until_rests(owner, await ask(owner, "Replace 2024 by 2025 in notes/plan.md"))
        (waiting,) = await pending(owner)
        assert waiting["proposal"]["base_version"] == 1
        assert waiting["proposal"]["diff"].splitlines()[3:] == [
            "-We sell in 2024.", "-In 2024 we grow.", "+We sell in 2025.", "+In 2025 we grow.",
        ]  # fmt: skip
        await put(owner, "plan.md", "Somebody else was here.\n")
        (await decide(owner, waiting, "approve")).raise_for_status()
        run = await until_rests(owner, run, "completed")
    assert await text_of(owner, document) == "Somebody else was here.\n"
    (failed,) = [each for each in await _uses(owner, run) if each["requires_confirmation"]]
    assert (failed["status"], failed["error_code"]) == ("failed", "stale_version")
    assert run["agent_response"].startswith("notes/plan.md was not changed. This document is at version 2 now.")


async def test_a_document_is_edited_and_another_deleted_without_any_research(app: App, owner: Person):
    document = await put(owner, "plan.md", "We sell in 2024.\n")
    await put(owner, "old.md", "Gone soon.\n")
    reasoner = PlainReasoner()
    async with researching(app, reasoner=reasoner):
        question = "Replace 2024 by 2025 in notes/plan.md and delete notes/old.md"
        # That a report was chosen makes none of a command.
        run = await until_rests(owner, await ask(owner, question, deliverable_type="REPORT"))
        first, second = await pending(owner)
        (await decide(owner, first, "approve")).raise_for_status()
        assert (await show(owner, run))["status"] == "waiting"
        (await decide(owner, second, "approve")).raise_for_status()
        run = await until_rests(owner, run, "completed")
    assert await text_of(owner, document) == "We sell in 2025.\n"
    assert await find(owner, "old.md") is None
    assert run["agent_response"] == "Changed /notes/plan.md, which is at version 2 now. Deleted /notes/old.md."
    assert reasoner.calls == ["understand", "change"]
    assert (run["deliverable_type"], run["problems"]) == ("STANDARD", [])


async def test_what_cannot_be_done_is_said_and_nobody_is_asked(app: App, owner: Person):
    await put(owner, "revenue.md", "Something else.\n")
    async with researching(app):
        taken = await until_rests(owner, await ask(owner, SAVE))
        missing = await until_rests(owner, await ask(owner, "Delete notes/nowhere.md"))
        wrong = await until_rests(owner, await ask(owner, "Replace apples by pears in notes/revenue.md"))
        kind = await until_rests(owner, await ask(owner, "What is the risk? Save it as risk.pdf"))
    assert "There is already something at /notes/revenue.md." in taken["agent_response"]
    assert missing["agent_response"] == "notes/nowhere.md was not deleted. There is no document /notes/nowhere.md."
    assert "does not say “apples”" in wrong["agent_response"]
    assert "risk.pdf was not created. Only text can be written" in kind["agent_response"]
    assert await pending(owner) == []


async def test_other_changes_of_the_same_path_are_found_and_shown(app: App, owner: Person, member: Person):
    document = await put(owner, "plan.md", "a b c\n")
    async with researching(app):
        first = await until_rests(owner, await ask(owner, "Replace a by x in notes/plan.md"))
        second = await until_rests(member, await ask(member, "Replace b by y in notes/plan.md"))
        needed = (await log_of(member, second))[-1]["event"]
        assert needed["conflicts"] == ["Another run waits for approval to change this document."]
        (mine,), (theirs,) = await pending(owner), await pending(member)
        assert mine["conflicts"] == theirs["conflicts"] == needed["conflicts"]
        (await decide(member, theirs, "approve")).raise_for_status()
        await until_rests(member, second, "completed")
        assert (await pending(owner))[0]["conflicts"] == []
        (await decide(owner, mine, "approve")).raise_for_status()
        first = await until_rests(owner, first, "completed")
    assert await text_of(owner, document) == "a y c\n"
    assert "at version 2 now" in first["agent_response"]


async def test_a_run_that_waits_is_cancelled_at_once_and_its_approval_closed(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner, SAVE))
        (waiting,) = await pending(owner)
        begun = time.monotonic()
        cancelled = (await owner.client.post(f"/runs/{run['id']}/cancel")).raise_for_status().json()
        assert time.monotonic() - begun < 2
        assert cancelled["status"] == "cancelled"
        assert await pending(owner) == []
        assert (await decide(owner, waiting, "approve")).status_code == 409
        assert [line["event"].get("decision") for line in await log_of(owner, run)][-2] == "cancelled"

        (await owner.client.post(f"/runs/{run['id']}/retry")).raise_for_status()
        run = await until_rests(owner, run, "waiting")
        (anew,) = await pending(owner)
        assert anew["id"] != waiting["id"]
        (await decide(owner, anew, "approve")).raise_for_status()
        run = await until_rests(owner, run, "completed")
    assert (await find(owner, "revenue.md"))["version"] == 1
    assert run["agent_response"].endswith("Created /notes/revenue.md.")


@dataclass(frozen=True)
class Slow(DocumentEditor):
    """Looks for what is nowhere a second time only when it is told to."""

    looks: list[str] = field(default_factory=list)
    may_go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def find(self, who: System, path: str) -> CurrentDocument | None:
        self.looks.append(path)
        if self.looks.count("/nowhere.md") > 1:
            await self.may_go_on.wait()
        return await super().find(who, path)


async def test_a_decision_that_comes_before_the_run_waits_is_not_lost(app: App, owner: Person):
    await put(owner, "old.md", "Gone soon.\n")
    slow = Slow(app.db, app.blobs, app.storing, app.evidence)
    async with researching(app, parts={DocumentEditor: slow}):
        run = await ask(owner, "Delete notes/old.md and nowhere.md")

        async def is_asked() -> bool:
            return bool(await pending(owner))

        await until(is_asked)
        assert (await show(owner, run))["status"] == "processing"
        (waiting,) = await pending(owner)
        (await decide(owner, waiting, "approve")).raise_for_status()
        slow.may_go_on.set()
        run = await until_rests(owner, run, "completed")
    assert run["agent_response"].startswith("Deleted /notes/old.md. nowhere.md was not deleted.")
    assert await find(owner, "old.md") is None


async def test_who_may_not_write_may_not_decide_and_strangers_see_nothing(app: App, owner: Person, visit: Visit):
    viewer = await join(owner, visit(), "viewer@example.org", role="viewer")
    member = await join(owner, visit(), "member@example.org")
    conversation = (await owner.client.post("/conversations", json={})).raise_for_status().json()
    path = f"/conversations/{conversation['id']}"
    async with researching(app):
        said = await owner.client.post(f"{path}/messages", json={"content": SAVE})
        run = await until_rests(owner, said.raise_for_status().json()["run"])
        (waiting,) = await pending(owner)
        assert (await decide(viewer, waiting, "approve")).status_code == 403
        assert (await decide(member, waiting, "approve")).status_code == 404
        assert await pending(member) == []

        (await owner.client.patch(path, json={"is_shared": True})).raise_for_status()
        assert [each["id"] for each in await pending(member)] == [waiting["id"]]
        assert (await decide(viewer, waiting, "reject")).status_code == 403
        approved = (await decide(member, waiting, "approve")).raise_for_status().json()
        assert approved["confirmed_by"] == (await member.me())["user"]["id"]
        run = await until_rests(owner, run, "completed")
    document = await find(owner, "revenue.md")
    assert document["created_by"] == approved["confirmed_by"]


async def test_who_lost_the_right_to_write_before_it_was_done_changes_nothing(app: App, owner: Person, member: Person):
    async with researching(app):
        run = await until_rests(member, await ask(member, SAVE))
    (waiting,) = await pending(member)
    (await decide(member, waiting, "approve")).raise_for_status()
    member_id = (await member.me())["user"]["id"]
    (await owner.client.patch(f"/members/{member_id}", json={"role": "viewer"})).raise_for_status()
    async with researching(app):
        (await member.sign_in()).raise_for_status()
        run = await until_rests(member, run, "completed")
    assert "may not change documents any more" in run["agent_response"]
    assert await find(owner, "revenue.md") is None


async def test_save_this_saves_the_answer_before(app: App, owner: Person):
    conversation = (await owner.client.post("/conversations", json={})).raise_for_status().json()
    path = f"/conversations/{conversation['id']}/messages"
    async with researching(app):
        first = (await owner.client.post(path, json={"content": "What did revenue come to?"})).json()["run"]
        await until_rests(owner, first, "completed")
        second = (await owner.client.post(path, json={"content": "Save this as notes/summary.md"})).json()["run"]
        run = await until_rests(owner, second)
        (waiting,) = await pending(owner)
        (await decide(owner, waiting, "approve")).raise_for_status()
        await until_rests(owner, run, "completed")
    text = await text_of(owner, await find(owner, "summary.md"))
    assert "412.7 million" in text
    assert "**Sources**" in text
    messages = (await owner.client.get(path)).raise_for_status().json()["items"]
    assert messages[-1]["content"] == "Created /notes/summary.md."


async def test_a_question_that_asks_for_no_change_runs_as_ever(app: App, owner: Person):
    reasoner = PlainReasoner()
    async with researching(app, reasoner=reasoner):
        run = await until_rests(owner, await ask(owner, "What happens if I delete notes/revenue.md?"))
    assert run["status"] == "completed"
    assert "change" not in reasoner.calls
    reads = {"list_directory", "search_documents", "search_memory", "answer_from_tables"}
    assert {each["tool_name"] for each in await _uses(owner, run)} <= reads


async def _insist_on_replay(app: App, owner: Person, run: dict[str, object]) -> None:
    """The run once more from its record has its hash, and asks nobody."""
    async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
        recording = await replay.load(tx, UUID(str(run["id"])), max_tasks=5)
    mute = PlainReasoner()
    result = await replay.replay(recording, mute)
    assert result.is_same
    assert result.different == ()
    assert mute.calls == []


async def _uses(person: Person, run: dict[str, object]) -> list[dict[str, object]]:
    return (await person.client.get(f"/runs/{run['id']}/interactions")).raise_for_status().json()["items"]
