"""Deleting deletes: once the grace has passed, no word of what a person deleted is in any table or any file."""

from datetime import timedelta
from functools import partial
from pathlib import Path
from urllib.parse import quote
from uuid import UUID

from tests.contracts.catalogue import Catalogue
from tests.contracts.private_work import HAS_A_MARK, MARKS, Work, work_in_private
from tests.support.runs import QUESTION, ask, researching, until_rests
from tests.support.server import Person

from intelli.app import App
from intelli.content import gc
from intelli.kit.context import System
from intelli.kit.room import WorkspaceAccess
from intelli.settings import Settings


async def test_no_word_of_what_was_deleted_is_left(app: App, owner: Person, catalogue: Catalogue, settings: Settings):
    work = await work_in_private(app, owner)
    assert _tables_with_a_mark(catalogue), "else the test would prove nothing"
    assert _files_with_a_mark(settings.data)
    await _delete_everything(owner, work)
    await _collect(app, owner)
    assert _tables_with_a_mark(catalogue) == []
    assert _files_with_a_mark(settings.data) == []


async def test_a_run_at_work_is_stopped_and_deleted(owner: Person):
    run = await ask(owner)
    assert (await owner.client.delete(f"/runs/{run['id']}")).status_code == 204
    assert (await owner.client.get(f"/runs/{run['id']}")).status_code == 404
    assert (await owner.client.delete(f"/runs/{run['id']}")).status_code == 404
    entries = (await owner.client.get("/audit", params={"event_type": "erase"})).raise_for_status().json()["items"]
    assert [(each["entity_type"], each["run_id"], each["details"]) for each in entries] == [("run", run["id"], {})]


async def test_a_run_of_a_conversation_is_deleted_with_it(owner: Person):
    conversation = (await owner.client.post("/conversations", json={})).raise_for_status().json()
    asked = await owner.client.post(f"/conversations/{conversation['id']}/messages", json={"content": QUESTION})
    refused = await owner.client.delete(f"/runs/{asked.raise_for_status().json()['run']['id']}")
    assert (refused.status_code, refused.json()["code"]) == (409, "run_in_conversation")
    assert refused.json()["conversation_id"] == conversation["id"]


async def test_nobody_deletes_the_run_of_somebody_else(owner: Person, member: Person):
    run = await ask(member)
    assert (await owner.client.delete(f"/runs/{run['id']}")).status_code == 404
    assert (await member.client.get(f"/runs/{run['id']}")).status_code == 200


async def test_what_two_people_asked_alike_stays_with_the_one_who_keeps_it(app: App, owner: Person, member: Person):
    async with researching(app):
        mine, theirs = [await until_rests(each, await ask(each)) for each in (owner, member)]
    same = [await _question_of(person, run) for person, run in ((owner, mine), (member, theirs))]
    assert same[0]["content_artifact_id"] == same[1]["content_artifact_id"]
    path = f"/artifacts/{same[0]['content_artifact_id']}"
    seen = [(await person.client.get(path)).raise_for_status().json() for person in (owner, member)]
    assert seen[0]["created_by"] != seen[1]["created_by"]
    assert [each["reference_count"] for each in seen] == [1, 1]
    (await owner.client.delete(f"/runs/{mine['id']}")).raise_for_status()
    await _collect(app, owner)
    assert (await owner.client.get(path)).status_code == 404
    assert (await member.client.get(f"{path}/content")).raise_for_status().text == QUESTION


async def _question_of(person: Person, run: dict[str, str]) -> dict[str, str]:
    page = await person.client.get("/entities", params={"run_id": run["id"], "entity_type": "USER_QUERY_PART"})
    (question,) = page.raise_for_status().json()["items"]
    return dict(question)


async def _delete_everything(person: Person, work: Work) -> None:
    paths = [f"/conversations/{each['id']}" for each in (work.conversation, work.waiting)]
    paths += [f"/runs/{work.run['id']}", f"/entities/{work.entity['id']}", f"/api-keys/{work.key['id']}"]
    paths += [f"/memory/groups/{quote(work.group_id, safe='')}", f"/checks/{work.check['id']}"]
    for path in paths:
        (await person.client.delete(path)).raise_for_status()


async def _collect(app: App, person: Person) -> None:
    who = System(UUID((await person.me())["workspace"]["id"]))
    await gc.collect(WorkspaceAccess(who.tenant_id, app.blobs, partial(app.db.begin, who)), timedelta(0))


def _tables_with_a_mark(catalogue: Catalogue) -> list[str]:
    """Of all schemas: ours, the queue's and the graph library's."""
    return [name for name in catalogue.tables() if catalogue.rows(f"select 1 from {name} t where {HAS_A_MARK} limit 1")]


def _files_with_a_mark(folder: Path) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in files if any(mark.encode() in path.read_bytes().lower() for mark in MARKS)]
