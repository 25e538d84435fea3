"""A deliverable is edited, renamed, taken back, deleted and restored; each change is a version that is checked."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from tests.support.jobs import until_settled, working
from tests.support.runs import ask, until_rests
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.citations import save as citations
from intelli.citations.parse import tag
from intelli.deliverables import store, trash
from intelli.deliverables.bundle.verify import verify
from intelli.kit import clock
from intelli.kit.context import System

FILES = {
    "2025.txt": "Revenue came to 412.7 million euros in 2025. The company employed 1,204 people at the end of 2025.\n",
    "2024.txt": "Revenue came to 389.1 million euros in 2024. The company employed 1,150 people at the end of 2024.\n",
}
QUESTION = "What did revenue come to, and how many people did the company employ?"
Json = dict[str, Any]


async def _report(app: App, owner: Person) -> Json:
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        for name, text in FILES.items():
            given = {"file": (name, text.encode(), "text/plain")}
            (await owner.client.post("/documents", files=given)).raise_for_status()
        await until_settled(app.db)
        run = await until_rests(owner, await ask(owner, QUESTION, deliverable_type="REPORT"))
    made: Json = (await _get(owner, f"/deliverables?run_id={run['id']}"))["items"][0]
    return made


async def _get(person: Person, path: str) -> Any:
    return (await person.client.get(path)).raise_for_status().json()


async def _post(person: Person, path: str, body: Json) -> Any:
    return (await person.client.post(path, json=body)).raise_for_status().json()


async def test_an_edit_is_a_new_version_that_keeps_citations_and_is_checked(app: App, owner: Person):
    made = await _report(app, owner)
    content = await _get(owner, f"/deliverables/{made['id']}/content")
    assert {each["check"] for each in content["citations"]} == {"verified"}
    edited = content["gml"].replace("412.7", "512.7")
    new = await _post(owner, f"/deliverables/{made['id']}/versions", {"gml": edited})
    assert (new["version"], new["based_on"], new["change"], new["status"]) == (2, made["id"], "edited", "completed")
    now = await _get(owner, f"/deliverables/{new['id']}/content")
    assert [each["identifier"] for each in now["citations"]] == [each["identifier"] for each in content["citations"]]
    failed = [each for each in now["citations"] if each["check"] == "failed"]
    assert failed
    assert all("512.7" in each["sentence"] for each in failed)
    untouched = [each for each in now["citations"] if "512.7" not in each["sentence"]]
    assert {each["check"] for each in untouched} == {"verified"}
    compared = await _get(owner, f"/deliverables/{made['id']}/compare?with={new['id']}")
    assert compared["changed"] > 0
    before = await _get(owner, f"/deliverables/{made['id']}/content")
    assert before["gml"] == content["gml"], "the version before stays as it is"


async def test_sentences_are_checked_while_they_are_edited_and_nothing_is_saved(app: App, owner: Person):
    made = await _report(app, owner)
    content = await _get(owner, f"/deliverables/{made['id']}/content")
    mark = next(each["identifier"] for each in content["citations"] if "412.7" in each["quote"])
    for figure, check in (("412.7", "verified"), ("421.7", "failed")):
        text = f"<p>Revenue came to {figure} million euros in 2025. {tag(mark)}</p>"
        (sentence,) = await _post(owner, f"/deliverables/{made['id']}/check", {"gml": text})
        assert (sentence["check"], sentence["identifiers"]) == (check, [mark])
    assert len(await _get(owner, f"/deliverables/{made['id']}/versions")) == 1


async def test_what_the_brief_does_not_cite_cannot_be_cited_by_hand(app: App, owner: Person):
    made = await _report(app, owner)
    content = await _get(owner, f"/deliverables/{made['id']}/content")
    mark = content["citations"][0]["identifier"]
    other = f"{'0' * 16}.0-9"
    new = await _post(owner, f"/deliverables/{made['id']}/versions", {"gml": content["gml"].replace(mark, other)})
    now = await _get(owner, f"/deliverables/{new['id']}/content")
    assert other not in now["gml"]
    assert mark not in [each["identifier"] for each in now["citations"]]


async def test_a_deliverable_is_renamed_and_its_files_with_it(app: App, owner: Person):
    made = await _report(app, owner)
    new = await _post(owner, f"/deliverables/{made['id']}/versions", {"title": "Revenue 2024\u20132025"})
    assert (new["title"], new["change"], new["version"]) == ("Revenue 2024\u20132025", "renamed", 2)
    content = await _get(owner, f"/deliverables/{new['id']}/content")
    assert ">Revenue 2024\u20132025</h1>" in content["gml"]
    assert {each["check"] for each in content["citations"]} == {"verified"}


async def test_changes_are_taken_back_by_making_an_earlier_version_the_newest(app: App, owner: Person):
    made = await _report(app, owner)
    refused = await owner.client.post(f"/deliverables/{made['id']}/versions", json={})
    assert refused.json()["code"] == "nothing_to_revise"
    await _post(owner, f"/deliverables/{made['id']}/versions", {"title": "Another"})
    back = await _post(owner, f"/deliverables/{made['id']}/versions", {})
    assert (back["version"], back["change"], back["title"]) == (3, "taken_back:1", made["title"])
    texts = [(await _get(owner, f"/deliverables/{each}/content"))["gml"] for each in (made["id"], back["id"])]
    assert texts[0] == texts[1]


async def test_the_bundle_of_an_edited_version_is_verified(app: App, owner: Person, tmp_path: Path):
    made = await _report(app, owner)
    new = await _post(owner, f"/deliverables/{made['id']}/versions", {"title": "Another title"})
    path = tmp_path / "evidence.zip"
    path.write_bytes((await owner.client.get(f"/deliverables/{new['id']}/bundle")).raise_for_status().content)
    assert verify(path) == []


async def test_what_is_deleted_is_in_the_trash_and_comes_back_or_goes_after_a_month(app: App, owner: Person):
    made = await _report(app, owner)
    path = f"/deliverables/{made['id']}"
    assert (await owner.client.delete(path)).status_code == 204
    assert (await _get(owner, "/deliverables"))["items"] == []
    (trashed,) = (await _get(owner, "/deliverables?is_deleted=true"))["items"]
    assert trashed["deleted_at"] is not None
    assert (await owner.client.post(f"{path}/versions", json={"title": "No"})).status_code == 409
    assert (await _post(owner, f"{path}/restore", {}))["deleted_at"] is None
    assert len((await _get(owner, "/deliverables"))["items"]) == 1
    await owner.client.delete(path)
    async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
        assert await store.delete_trashed(tx, before=clock.now() - trash.KEPT) == []
        assert await store.delete_trashed(tx, before=clock.now() + timedelta(seconds=1)) == [UUID(made["id"])]
        await citations.remove(tx, UUID(made["id"]))
    assert (await owner.client.get(path)).status_code == 404
