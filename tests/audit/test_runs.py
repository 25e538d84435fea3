"""The log tells which documents a run read, and which run changed one."""

from tests.citations.test_evidence import FILES, QUESTION, _upload
from tests.support.approvals import SAVE, decide, pending
from tests.support.jobs import until_settled, working
from tests.support.runs import ask, researching, until_rests
from tests.support.server import Person

from intelli.app import JOBS, App


async def test_what_a_run_reads_is_told_with_the_run(app: App, owner: Person):
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        documents = {await _upload(owner, name, content) for name, content in FILES.items()}
        await until_settled(app.db)
        run = await until_rests(owner, (await owner.client.post("/runs", json=QUESTION)).raise_for_status().json())
    entries = (await owner.client.get("/audit")).raise_for_status().json()["items"]
    read = [each for each in entries if each["event_type"] == "file_read"]
    assert {each["run_id"] for each in read} == {run["id"]}
    assert {each["entity_id"] for each in read} <= documents
    assert read


async def test_a_change_that_a_run_made_is_told_with_the_run(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner, SAVE))
        (waiting,) = await pending(owner)
        (await decide(owner, waiting, "approve")).raise_for_status()
        await until_rests(owner, run, "completed")
    entries = (await owner.client.get("/audit")).raise_for_status().json()["items"]
    made = [each for each in entries if each["entity_type"] == "document" and each["event_type"] == "file_modification"]
    assert [each["run_id"] for each in made] == [run["id"]]
