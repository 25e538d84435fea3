"""A run that is asked without a model answers from the rows of a table, calculates, and cites the rows."""

from typing import Any

from tests.support.jobs import until, working
from tests.support.runs import until_rests
from tests.support.server import Person

from intelli.app import JOBS, App

STORES = """# Cold stores

| Site | Pallet places |
| --- | ---: |
| Aarhus | 12000 |
| Turku | 45000 |
| Pori | 8000 |
"""


async def test_a_run_adds_up_rows_and_cites_them(app: App, owner: Person):
    asked = "How many pallet places do Turku and Pori have together?"
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        answer = await owner.client.post("/documents", files={"file": ("stores.md", STORES.encode())})
        answer.raise_for_status()
        await until(lambda: _is_indexed(owner))
        conversation = (await owner.client.post("/conversations", json={})).raise_for_status().json()
        path = f"/conversations/{conversation['id']}/messages"
        said = (await owner.client.post(path, json={"content": asked})).raise_for_status().json()
        run = await until_rests(owner, said["run"])
    assert run["status"] == "completed"
    assert "45000 + 8000 = 53,000" in run["agent_response"]
    messages = (await owner.client.get(path)).raise_for_status().json()["items"]
    (citation,) = messages[-1]["citations"]
    text = await _passage(owner, citation)
    assert "Turku | 45000" in text
    assert "Pori | 8000" in text


async def _is_indexed(owner: Person) -> bool:
    documents = (await owner.client.get("/documents")).raise_for_status().json()["items"]
    return {each["indexing_status"] for each in documents} == {"completed"}


async def _passage(owner: Person, citation: dict[str, Any]) -> str:
    span = {"start": citation["char_start"], "end": citation["char_end"]}
    answer = await owner.client.get(f"/documents/{citation['document_id']}/text", params=span)
    return answer.raise_for_status().text
