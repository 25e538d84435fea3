"""What is told of a deliverable's files while and after a run, what its entity says, and when it may leave."""

from typing import Any

from tests.deliverables.test_build import _ended
from tests.deliverables.test_report_run import TEXTS, deliverables
from tests.support.runs import FakeLibrary, ask, read_stream, researching, until_rests
from tests.support.server import Person

from intelli.app import App

Json = dict[str, Any]


async def test_each_file_is_told_with_its_type_and_each_tree_with_its_pointer(app: App, owner: Person):
    async with researching(app, library=FakeLibrary(TEXTS)):
        run = await ask(owner, deliverable_type="REPORT_WITH_WEBSITE")
        events = [each["event"] for each in await read_stream(owner.client, run["id"])]
        site = await _ended(owner, run_id=run["id"], kind="WEBSITE")
    types = {(each["file_name"], each["entity_type"]) for each in events if each["type"] == "artifact_created"}
    assert types >= {("brief.json", "GENERATED_CONTENT"), ("report.gml", "GENERATED_REPORT"), ("site.zip", "WEBSITE")}
    names = {"latest-report", "latest-website"}
    pointers = {each["pointer"] for each in events if each["type"] == "manifest_created"}
    assert pointers == {f"run-{run['id']}/{name}" for name in names}
    entity = (await owner.client.get(f"/entities/{site['entity_id']}")).raise_for_status().json()
    told = events[-1]["references"][0]
    for name in ("content_artifact_id", "all_seen_entities", "cited_entities", "user_query"):
        assert told[name] == entity[name]
        assert told[name]
    found = (await owner.client.get("/pointers", params={"namespace": f"run-{run['id']}"})).raise_for_status().json()
    by_name = {each["name"]: each for each in found["items"]}
    assert by_name.keys() == names
    pointer = by_name["latest-website"]
    assert pointer["meta"] == {"deliverable_type": "WEBSITE", "user_query": run["question"], "run_id": run["id"]}
    me = await owner.me()
    assert (pointer["created_by"], pointer["pointer_type"]) == (me["user"]["id"], "snapshot")


async def test_the_entity_of_a_deliverable_says_what_is_in_it(app: App, owner: Person):
    async with researching(app, library=FakeLibrary(TEXTS)):
        for kind, wanted in {
            "REPORT": {"word_count", "section_count", "chart_count"},
            "WEBSITE": {"bundle_size", "file_count", "assets", "generation_status"},
            "SLIDES": {"slide_count", "presentation_format"},
            "DOCUMENT": {"page_count", "word_count", "doc_format"},
        }.items():
            run = await until_rests(owner, await ask(owner, deliverable_type=kind))
            made = await _ended(owner, run_id=run["id"], kind=kind)
            told = (await owner.client.get(f"/entities/{made['entity_id']}")).raise_for_status().json()["metadata"]
            assert told["user_query"] == run["question"]
            assert [name for name in wanted if not told[name] and name != "chart_count"] == []


async def test_nothing_leaves_before_its_citations_are_accepted_where_the_workspace_requires_that(
    app: App, owner: Person
):
    async with researching(app, library=FakeLibrary(TEXTS)):
        run = await until_rests(owner, await ask(owner, deliverable_type="REPORT"))
        (report,) = await deliverables(owner, run_id=run["id"], kind="REPORT")
        path = f"/deliverables/{report['id']}"
        (await owner.client.patch("/workspace", json={"requires_review": True})).raise_for_status()
        for refused in (
            await owner.client.post(f"{path}/exports", json={"format": "md"}),
            await owner.client.get(f"{path}/bundle"),
            await owner.client.get(f"{path}/files/report.gml"),
        ):
            assert (refused.status_code, refused.json()["code"]) == (409, "citations_not_accepted")
        content = (await owner.client.get(f"{path}/content")).raise_for_status().json()
        for citation in content["citations"]:
            body = {"decision": "accepted"}
            (await owner.client.put(f"/citations/{citation['id']}/review", json=body)).raise_for_status()
        (await owner.client.post(f"{path}/exports", json={"format": "md"})).raise_for_status()
        (await owner.client.get(f"{path}/files/report.gml")).raise_for_status()
