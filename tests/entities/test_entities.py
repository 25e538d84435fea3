"""Entities: twelve types, made by hand and by runs, and flags that cannot stick."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from tests.support.runs import FakeLibrary, ask, researching, until_rests
from tests.support.server import Person

from intelli.app import App
from intelli.entities import entities, visibility, wire
from intelli.entities.entities import EntityOwner, NewEntity
from intelli.entities.entity_types import EntityType
from intelli.entities.wire import EntityStatus
from intelli.kit.context import System

NOTES = {"entity_type": "GENERATED_CONTENT", "file_name": "notes.md", "mimetype": "text/markdown", "title": "Notes"}


def test_every_type_has_its_metadata_and_its_place_in_the_union():
    assert [model.model_fields["metadata"].annotation for model in wire.MODELS] == [
        each.declared.metadata for each in EntityType
    ]


async def test_an_entity_of_every_type_can_be_made_by_hand(owner: Person):
    for entity_type in EntityType:
        made = await _create(owner, {**NOTES, "entity_type": entity_type, "metadata": {"title": "T"}})
        assert (made["entity_type"], made["metadata"]["title"], made["status"]) == (entity_type, "T", "ready")


async def test_an_entity_is_made_read_changed_and_removed(owner: Person):
    file = {"file": ("notes.md", b"# Notes")}
    artifact = (await owner.client.post("/artifacts", files=file)).raise_for_status().json()
    made = await _create(owner, {**NOTES, "content_artifact_id": artifact["sha256"]})
    same = (await owner.client.get("/artifacts")).json()["items"]
    assert {each["sha256"] for each in same} == {artifact["sha256"]}
    assert sorted(each["reference_count"] for each in same) == [0, 1], "the workspace's, and the person's own"
    path = f"/entities/{made['id']}"
    assert (await owner.client.get(path)).json() == made
    changed = await owner.client.patch(path, json={"title": "Other", "metadata": {"content_type": "text/markdown"}})
    assert changed.json()["title"] == "Other"
    assert [each["id"] for each in (await owner.client.get("/entities")).json()["items"]] == [made["id"]]
    assert (await owner.client.delete(path)).status_code == 204
    assert (await owner.client.get(path)).status_code == 404


async def test_metadata_of_another_type_is_refused(owner: Person):
    refused = await owner.client.post("/entities", json={**NOTES, "metadata": {"slide_count": 3}})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_metadata")


async def test_a_run_that_is_tried_again_keeps_each_entity_once(app: App, owner: Person):
    async with researching(app, library=FakeLibrary()):
        run = await until_rests(owner, await ask(owner))
    items = (await owner.client.get(f"/runs/{run['id']}/entities")).raise_for_status().json()["items"]
    by_type: dict[str, int] = {}
    for item in items:
        by_type[item["entity_type"]] = by_type.get(item["entity_type"], 0) + 1
    assert by_type == {"USER_QUERY_PART": 1, "SEARCH_PLAN": 1, "INTRA_ENTITY_SEARCH_RESULT": 2, "KNOWLEDGE_BASE": 2}


async def test_what_is_being_made_shows_until_it_is_there_or_overdue(app: App, owner: Person):
    async with researching(app, library=FakeLibrary()):
        run = await until_rests(owner, await ask(owner))
    me = await owner.me()
    who = System(UUID(me["workspace"]["id"]), UUID(me["user"]["id"]))
    belonging = EntityOwner(UUID(run["id"]), UUID(run["id"]))
    new = NewEntity(EntityType.GENERATED_CONTENT, "notes", "notes.md", "text/markdown")
    async with app.db.begin(who) as tx:
        entity_id = await entities.insert_in_progress(tx, belonging, new, within=timedelta(hours=1))
        assert _status(await entities.get(tx, entity_id)) is EntityStatus.IN_PROGRESS
        await entities.insert_in_progress(tx, belonging, new, within=timedelta(seconds=-1))
        assert _status(await entities.get(tx, entity_id)) is EntityStatus.FAILED
        await entities.mark_failed(tx, entity_id)
        assert _status(await entities.get(tx, entity_id)) is EntityStatus.FAILED


def _status(row: Any) -> EntityStatus:
    return visibility.to_wire(row).root.status


async def _create(owner: Person, body: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = (await owner.client.post("/entities", json=body)).raise_for_status().json()
    return made
