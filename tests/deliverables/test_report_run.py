"""A run that wants a report: told while it is written, checked, stored whole, versioned, and the same when replayed."""

from decimal import Decimal
from typing import Any
from uuid import UUID

from tests.support.reasoner import PlainReasoner
from tests.support.runs import FakeLibrary, ask, log_of, researching, until_rests
from tests.support.server import Person

from intelli.app import App
from intelli.deliverables import gml
from intelli.deliverables.brief import DataBrief
from intelli.kit.context import System
from intelli.runs import replay

TEXTS = {
    "2025.txt": "Revenue came to 412.7 million euros in 2025. The company employed 1,204 people at the end of 2025.",
    "2024.txt": "Revenue came to 389.1 million euros in 2024.",
    "2023.txt": "Revenue came to 350.2 million euros in 2023.",
}
Json = dict[str, Any]


async def test_a_report_is_told_stored_cited_and_replayed(app: App, owner: Person):
    async with researching(app, library=FakeLibrary(TEXTS)):
        run = await until_rests(owner, await ask(owner, deliverable_type="REPORT"))
    (made,) = await deliverables(owner, run_id=run["id"])
    assert (made["kind"], made["status"], made["version"], made["progress"]) == ("REPORT", "completed", 1, 1)
    content = await _get(owner, f"/deliverables/{made['id']}/content")
    log = [line["event"] for line in await log_of(owner, run)]
    told = [event["delta"] for event in log if event["type"] == "node_report_preview_delta"]
    assert "".join(told) == content["gml"]
    cited = [each["identifier"] for each in content["citations"]]
    assert cited == [mark for run_ in _runs(content["gml"]) for mark in run_]
    brief = DataBrief.model_validate(await _get(owner, f"/deliverables/{made['id']}/brief"))
    headings = ["What did revenue come to", "how many people were employed"]
    assert [chapter.heading for chapter in brief.chapters] == headings
    assert all(f">{heading}</h2>" in content["gml"] for heading in headings)
    (outlined,) = [event for event in log if event["type"] == "outline_created"]
    assert [chapter["heading"] for chapter in outlined["chapters"]] == headings
    answer = run["agent_response"]
    assert f"The whole is in \u201c{made['title']}\u201d" in answer
    await _insist_on_storage(owner, made, log)
    async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
        recording = await replay.load(tx, UUID(run["id"]), max_tasks=5)
    assert (await replay.replay(recording, PlainReasoner())).is_same
    tampered = {**recording.delivered, "REPORT": "0" * 64}
    again = replay.RunRecording(recording.facts, recording.steps, recording.uses, recording.answer_sha256, tampered)
    assert (await replay.replay(again, PlainReasoner())).changed == ("REPORT",)


async def test_a_second_report_of_a_conversation_is_its_second_version(app: App, owner: Person):
    conversation = (await owner.client.post("/conversations", json={})).raise_for_status().json()
    path = f"/conversations/{conversation['id']}/messages"
    async with researching(app, library=FakeLibrary(TEXTS)):
        for question in ("What did revenue come to?", "How many people were employed?"):
            said = {"content": question, "deliverable_type": "REPORT"}
            asked = (await owner.client.post(path, json=said)).raise_for_status().json()
            await until_rests(owner, asked["run"])
    newest, first = await _get(owner, f"/deliverables/{(await deliverables(owner))[0]['id']}/versions")
    assert [newest["version"], first["version"]] == [2, 1]
    manifest = await _get(owner, f"/manifests/{newest['manifest_hash']}")
    assert manifest["parent_sha256"] == first["manifest_hash"]
    pointer = f"/pointers/conversation-{conversation['id']}/latest-report"
    assert (await _get(owner, pointer))["manifest_sha256"] == newest["manifest_hash"]
    moves = (await _get(owner, f"{pointer}/history"))["items"]
    assert [move["reason"] for move in moves] == ["deliverable_generated"] * 2
    compared = await _get(owner, f"/deliverables/{first['id']}/compare?with={newest['id']}")
    assert compared["added"] + compared["changed"] > 0


async def test_a_report_whose_chapters_the_model_does_not_write_has_what_it_would_have_said(app: App, owner: Person):
    async with researching(app, library=FakeLibrary(TEXTS), reasoner=PlainReasoner(fails=frozenset({"chapter"}))):
        run = await until_rests(owner, await ask(owner, deliverable_type="REPORT"))
    (made,) = await deliverables(owner, run_id=run["id"])
    content = await _get(owner, f"/deliverables/{made['id']}/content")
    assert (made["status"], made["kind"]) == ("completed", "REPORT")
    assert "389.1 million euros" in content["gml"]
    assert any("without the model" in problem for problem in run["problems"])


async def test_a_report_is_written_within_the_budget_and_is_there_when_that_is_spent(app: App, owner: Person):
    # Two calls up to the chapters: what is left is not enough for another.
    reasoner = PlainReasoner(cents=Decimal(90))
    async with researching(app, library=FakeLibrary(TEXTS), reasoner=reasoner):
        run = await until_rests(owner, await ask(owner, deliverable_type="REPORT"))
    (made,) = await deliverables(owner, run_id=run["id"])
    assert made["status"] == "completed"
    assert reasoner.calls == ["understand", "outline"]
    assert run["cost"]["total"] <= 200
    assert any("The budget of 200 cents" in problem for problem in run["problems"])


async def test_a_report_of_nothing_is_not_written_and_the_run_says_so(app: App, owner: Person):
    async with researching(app, library=FakeLibrary({})):
        run = await until_rests(owner, await ask(owner, deliverable_type="REPORT"))
    assert run["status"] == "completed"
    assert await deliverables(owner, run_id=run["id"]) == []
    assert any("Nothing could be delivered" in problem for problem in run["problems"])


async def deliverables(person: Person, **which: str) -> list[Json]:
    """The deliverables that a person sees."""
    answer = (await person.client.get("/deliverables", params=which)).raise_for_status()
    items: list[Json] = answer.json()["items"]
    return items


async def _get(person: Person, path: str) -> Any:
    return (await person.client.get(path)).raise_for_status().json()


def _runs(text: str) -> list[list[str]]:
    from intelli.deliverables import prose

    return [prose.citations(gml.parse(text))]


async def _insist_on_storage(owner: Person, made: Json, log: list[Json]) -> None:
    """Files, manifest, entity and events say the same."""
    manifest = await _get(owner, f"/manifests/{made['manifest_hash']}")
    assert {path: entry["sha256"] for path, entry in manifest["tree"].items()} == {
        file["name"]: file["sha256"] for file in made["files"]
    }
    entity = await _get(owner, f"/entities/{made['entity_id']}")
    assert (entity["entity_type"], entity["status"]) == ("GENERATED_REPORT", "ready")
    assert set(entity["cited_entities"]) <= set(entity["all_seen_entities"])
    assert entity["cited_entities"]
    stored = [event["sha256"] for event in log if event["type"] == "artifact_created"]
    assert stored == [file["sha256"] for file in made["files"]]
    assert [event["sha256"] for event in log if event["type"] == "manifest_created"] == [made["manifest_hash"]]
    file = await owner.client.get(f"/deliverables/{made['id']}/files/report.gml", headers={"Range": "bytes=0-3"})
    assert (file.status_code, file.content) == (206, b"<h1>")
