"""From files to a cited answer: upload, read, index, ask, look it up. Nothing is stubbed."""

from typing import Any

from tests.support.jobs import until, working
from tests.support.runs import log_of, text_of, until_rests
from tests.support.server import Person

from intelli.app import JOBS, App

FILES = {
    "report.md": "# Annual report\n\nRevenue came to 412.7 million euros in 2025, after 389.2 million in 2024.\n\n"
    "The company employed 1204 people at the end of the year.\n",
    "risks.txt": "The largest risk to the business is the price of copper, which rose by 18 percent.\n",
}


async def test_a_question_is_answered_from_uploaded_files_with_citations(app: App, owner: Person):
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        for name, text in FILES.items():
            answer = await owner.client.post("/documents", files={"file": (name, text.encode())})
            answer.raise_for_status()
        await until(lambda: _is_indexed(owner))
        body = {"question": "What did revenue come to in 2025?"}
        run = (await owner.client.post("/runs", json=body)).raise_for_status().json()
        run = await until_rests(owner, run)
    assert run["status"] == "completed"
    assert "412.7 million euros" in run["agent_response"]
    log = await log_of(owner, run)
    assert text_of(log) == run["agent_response"]
    references = [each for line in log for each in line["event"].get("references", ())]
    cited = [each for each in references if f'identifier="{each["identifier"]}"' in run["agent_response"]]
    assert cited
    assert await _passage(owner, cited[0]) in FILES["report.md"]


async def test_a_question_that_the_files_do_not_answer_is_not_answered(app: App, owner: Person):
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        answer = await owner.client.post("/documents", files={"file": ("risks.txt", FILES["risks.txt"].encode())})
        answer.raise_for_status()
        await until(lambda: _is_indexed(owner))
        body = {"question": "Who won the chess championship of 1972?"}
        run = await until_rests(owner, (await owner.client.post("/runs", json=body)).raise_for_status().json())
    assert run["status"] == "completed"
    assert "gml-inlinecitation" not in run["agent_response"]
    assert run["confidence_score"] is None


async def test_the_most_of_something_is_told_from_all_rows_of_a_table_however_long(app: App, owner: Person):
    whole = "Month,Deficiencies\n" + "".join(f"2024-{n:02},{n * 37 % 101}\n" for n in range(1, 13))
    long = "Order,Pieces\n" + "".join(f"SO-{n:04},{n * 7919 % 9973}\n" for n in range(1, 1500))
    asked = ("Which month of 2024 had the most deficiencies?", "Which order has the most pieces?")
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        for name, text in {"deficiencies.csv": whole, "orders.csv": long}.items():
            (await owner.client.post("/documents", files={"file": (name, text.encode())})).raise_for_status()
        await until(lambda: _is_indexed(owner))
        runs = [(await owner.client.post("/runs", json={"question": each})).raise_for_status().json() for each in asked]
        of_month, of_order = [await until_rests(owner, run) for run in runs]
    assert "2024-08" in of_month["agent_response"]
    assert of_month["agent_response"].count("2024-") == 1
    most = max(range(1, 1500), key=lambda n: n * 7919 % 9973)
    assert f"SO-{most:04}" in of_order["agent_response"]
    assert "gml-inlinecitation" in of_order["agent_response"]


async def test_documents_are_listed_and_summed_up_with_citations_and_other_questions_make_no_call_for_it(
    app: App, owner: Person
):
    asked = ("Which documents mention copper?", "What is in this folder?", "What is this report about?")
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        for name, text in FILES.items():
            (await owner.client.post("/documents", files={"file": (name, text.encode())})).raise_for_status()
        await until(lambda: _is_indexed(owner))
        documents = (await owner.client.get("/documents")).raise_for_status().json()["items"]
        report = next(each["id"] for each in documents if each["name"] == "report.md")
        focus = {"context": {"document_ids": [report]}}
        bodies = [{"question": asked[0]}, {"question": asked[1]}, {"question": asked[2], **focus}]
        bodies.append({"question": "What did revenue come to in 2025?"})
        runs = [(await owner.client.post("/runs", json=body)).raise_for_status().json() for body in bodies]
        mention, folder, summary, ordinary = [await until_rests(owner, run) for run in runs]
    assert "risks.txt: The largest risk to the business is the price of copper" in mention["agent_response"]
    assert "report.md" not in mention["agent_response"]
    assert all(f"- {name}: " in folder["agent_response"] for name in FILES)
    assert "- Title: Annual report" in summary["agent_response"]
    assert "Revenue came to 412.7 million euros in 2025" in summary["agent_response"]
    assert "The company employed 1204 people" in summary["agent_response"]
    assert all("gml-inlinecitation" in run["agent_response"] for run in (mention, folder, summary))
    used = [await _tools(owner, run) for run in (mention, folder, summary, ordinary)]
    assert ["answer_about_documents" in each for each in used] == [True, True, True, False]
    assert ["answer_from_tables" in each for each in used] == [False, False, False, True]


async def _tools(owner: Person, run: dict[str, Any]) -> set[str]:
    calls = (await owner.client.get(f"/runs/{run['id']}/interactions")).raise_for_status().json()["items"]
    return {call["tool_name"] for call in calls}


async def _is_indexed(owner: Person) -> bool:
    documents = (await owner.client.get("/documents")).raise_for_status().json()["items"]
    return {each["indexing_status"] for each in documents} == {"completed"}


async def _passage(owner: Person, entity: dict[str, Any]) -> str:
    span = {"start": entity["metadata"]["char_start"], "end": entity["metadata"]["char_end"]}
    answer = await owner.client.get(f"/documents/{entity['metadata']['document_id']}/text", params=span)
    return answer.raise_for_status().text.strip()
