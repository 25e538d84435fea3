"""What is downloaded as evidence of a run is whole when nobody touched it, and not when a byte is another."""

import re
from pathlib import Path
from typing import Any
from uuid import UUID

from tests.memory.makers import remember, said
from tests.support.jobs import until_settled, working
from tests.support.runs import FakeLibrary, researching, until_rests
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.deliverables.bundle import unproven
from intelli.deliverables.bundle.verify import verify
from intelli.runs.replies import answer_id

QUARTERS = "Quarter,Revenue (EUR million)\n" + "".join(
    f"{2021 + number // 4}-Q{number % 4 + 1},{38 + number}.2\n" for number in range(16)
)
# Dated sentences that are too few for a timeline, titles, and more findings than a report has room for.
FILES = {
    "annual.md": (
        "# Globex AG: Annual report 2024\n\nGlobex AG reported revenue of EUR 252.9 million in 2024, up 16.0% from "
        "EUR 218.1 million in 2023.\n\nIn October 2024 an intrusion lowered revenue by EUR 2.3 million.\n"
    ),
    "press.txt": "Globex AG grows\n\nGlobex AG reported revenue of EUR 261.3 million in 2024.\n",
    "quarters.csv": QUARTERS,
}
QUESTION = "What revenue did Globex report in 2024, and how did revenue develop?"


async def test_the_evidence_of_answers_and_deliverables_is_whole_also_when_a_document_is_deleted(
    app: App, owner: Person, tmp_path: Path
):
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        documents = [await _upload(owner, name, content) for name, content in FILES.items()]
        await until_settled(app.db)
        run = await _ask(owner, QUESTION, "REPORT_WITH_WEBSITE")
        await until_settled(app.db)
    made = (await _get(owner, f"/deliverables?run_id={run['id']}"))["items"]
    assert {(each["kind"], each["status"]) for each in made} == {("REPORT", "completed"), ("WEBSITE", "completed")}
    paths = [f"deliverables/{each['id']}" for each in made] + [f"messages/{answer_id(UUID(run['id']))}"]
    for path in paths:
        assert await _unproven(owner, path, tmp_path) == 0
    (await owner.client.delete(f"/documents/{documents[0]}")).raise_for_status()
    for path in paths:
        assert await _unproven(owner, path, tmp_path) > 0


async def test_the_evidence_of_what_was_remembered_is_whole(app: App, owner: Person, tmp_path: Path):
    group = f"user:{(await owner.me())['user']['id']}"
    await remember(app, owner, said("Ada Lovelace works for Globex Corp.", "2025-01-01T00:00:00Z"), group=group)
    async with researching(app, library=FakeLibrary({})):
        run = await _ask(owner, "Where does Ada Lovelace work?", "REPORT")
    (made,) = (await _get(owner, f"/deliverables?run_id={run['id']}"))["items"]
    for path in (f"deliverables/{made['id']}", f"messages/{answer_id(UUID(run['id']))}"):
        assert await _unproven(owner, path, tmp_path) > 0


async def _unproven(owner: Person, path: str, folder: Path) -> int:
    """How many citations a bundle cannot prove; it is whole, and a changed byte is found."""
    bundle = folder / "bundle.zip"
    sent = (await owner.client.get(f"/{path}/bundle")).raise_for_status()
    assert re.search(r'filename="[a-z0-9-]+\.evidence\.zip"', sent.headers["Content-Disposition"])
    whole = sent.content
    bundle.write_bytes(whole)
    assert verify(bundle) == []
    aside, count = unproven.list_unproven(bundle)
    assert count
    at = len(whole) // 2
    bundle.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    assert verify(bundle)
    return len(aside)


async def _ask(owner: Person, question: str, kind: str) -> dict[str, Any]:
    conversation = (await owner.client.post("/conversations", json={})).raise_for_status().json()
    asked = {"content": question, "deliverable_type": kind}
    said = await owner.client.post(f"/conversations/{conversation['id']}/messages", json=asked)
    return await until_rests(owner, said.raise_for_status().json()["run"])


async def _upload(owner: Person, name: str, content: str) -> str:
    answer = await owner.client.post("/documents", files={"file": (name, content.encode())})
    return str(answer.raise_for_status().json()["id"])


async def _get(owner: Person, path: str) -> dict[str, Any]:
    answer: dict[str, Any] = (await owner.client.get(path)).raise_for_status().json()
    return answer
