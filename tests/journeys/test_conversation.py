"""The spine of the product: files, a question, a checked answer, a follow-up, a colleague, a deleted source."""

from typing import Any

from tests.conversations.makers import begin, exchange, history, show
from tests.journeys.test_question import FILES
from tests.support.jobs import until, working
from tests.support.runs import log_of
from tests.support.server import Person

from intelli.app import JOBS, App


async def test_from_files_to_a_checked_answer_that_outlives_its_source(app: App, owner: Person, member: Person):
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        documents = {name: await _upload(owner, name, text) for name, text in FILES.items()}
        await until(lambda: _is_indexed(owner))
        conversation = await begin(owner)
        first = await exchange(owner, conversation, "What did revenue come to in 2025?")
        second = await exchange(owner, conversation, "And in 2024?")
    _is_checked(first, documents["report.md"])
    assert "389.2 million" in second["content"]
    log = await log_of(owner, {"id": first["run_id"]})
    assert log[-1]["event"]["message"] == first
    assert "citations_created" in {line["event"]["type"] for line in log}
    assert (await show(owner, conversation))["title"] == "What did revenue come to in 2025"
    await _reads_what_is_shared(owner, member, conversation)
    await _outlives(owner, conversation, documents["report.md"])


def _is_checked(answer: dict[str, Any], report: dict[str, Any]) -> None:
    assert "412.7 million euros" in answer["content"]
    assert answer["confidence_score"] > 0.5
    assert {each["check"] for each in answer["citations"]} == {"verified"}
    cited = answer["citations"][0]
    assert (cited["document_id"], cited["sha256"]) == (report["id"], report["sha256"])
    assert "412.7 million euros in 2025" in cited["quote"]
    (file,) = [each for each in answer["cited_files"] if each["file_id"] == report["id"]]
    assert (file["file_name"], file["status"]) == ("report.md", "active")


async def _reads_what_is_shared(owner: Person, member: Person, conversation: dict[str, Any]) -> None:
    change = {"is_shared": True}
    (await owner.client.patch(f"/conversations/{conversation['id']}", json=change)).raise_for_status()
    theirs, ours = await history(member, conversation), await history(owner, conversation)
    assert [each["citations"] for each in theirs] == [each["citations"] for each in ours]


async def _outlives(owner: Person, conversation: dict[str, Any], report: dict[str, Any]) -> None:
    (await owner.client.delete(f"/documents/{report['id']}")).raise_for_status()
    answer = (await history(owner, conversation))[1]
    (file,) = [each for each in answer["cited_files"] if each["file_name"] == "report.md"]
    assert (file["file_id"], file["status"], file["mime_type"]) == (None, "deleted", report["mime_type"])
    assert "412.7 million euros" in file["excerpts"][0]["quote"]
    exported = await owner.client.get(f"/conversations/{conversation['id']}/export")
    assert "report.md, deleted since\n   - ✓ (verified)" in exported.text


async def _upload(owner: Person, name: str, text: str) -> dict[str, Any]:
    answer = await owner.client.post("/documents", files={"file": (name, text.encode())})
    document: dict[str, Any] = answer.raise_for_status().json()
    return document


async def _is_indexed(owner: Person) -> bool:
    documents = (await owner.client.get("/documents")).raise_for_status().json()["items"]
    return {each["indexing_status"] for each in documents} == {"completed"}
