"""One message, one check: what is delivered says the same of the same words, whenever and as whatever it is made."""

from typing import Any

from tests.reasoning.model import reasoner_on
from tests.support.jobs import until_settled, working
from tests.support.model_server import ModelServer, Reply
from tests.support.runs import until_rests
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.kinds import KINDS
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.reasoners import FixedReasoners
from intelli.runs.ports import RunReasoners

Json = dict[str, Any]
DELIVERY = "The median delivery time was 26 days in 2024 and 21 days in 2023."
FILES = {
    "service.md": (
        f"# Service report 2024\n\n{DELIVERY} The share of late orders was 4.2% in 2024. The service desk has 14 "
        "people since the office in Bern was closed.\n"
    ),
    "emissions.md": (
        "# Emissions\n\nScope 1 emissions were 8,420 tonnes in 2024, compared with 9,115 tonnes in 2023. Delivery "
        "vans caused most of the emissions. Late orders were sent by air.\n"
    ),
}
QUESTION = "How did delivery time, late orders and emissions develop?"


async def test_what_a_model_judged_in_a_run_holds_for_all_that_is_made_of_its_answer(app: App, owner: Person):
    with ModelServer() as server:
        async with reasoner_on(server) as model:
            parts = {**app.parts, RunReasoners: RunReasoners(FixedReasoners(model, ExtractiveReasoner()))}
            async with working(app.db, *JOBS, parts=parts, heartbeat_s=2, stall_s=20):
                run = await _delivered(app, owner)
                asked = len(server.requests)
                for kind in KINDS:
                    body = {"kind": kind.name}
                    (
                        await owner.client.post(f"/messages/{run['answer_id']}/deliverables", json=body)
                    ).raise_for_status()
                await until_settled(app.db)
                assert len(server.requests) == asked
    made = (await _get(owner, f"/deliverables?run_id={run['id']}"))["items"]
    first, second = [each for each in made if each["kind"] == "DOCUMENT"]
    assert await _marks(owner, first) == await _marks(owner, second)
    outcomes: dict[tuple[str, str], set[str]] = {}
    for each in made:
        for cited in (await _get(owner, f"/deliverables/{each['id']}/content"))["citations"]:
            outcomes.setdefault((cited["sentence"], cited["quote"]), set()).add(cited["check"])
    assert {key: checks for key, checks in outcomes.items() if len(checks) > 1} == {}
    by_sentence = {sentence: checks for (sentence, _), checks in outcomes.items()}
    assert by_sentence[DELIVERY] == {"verified"}


async def test_a_sentence_that_its_source_does_not_say_is_left_out_of_chapter_and_answer(app: App, owner: Person):
    wrong = DELIVERY.replace("26 days", "96 days")
    block: Json = {"kind": "paragraph", "title": "", "columns": [], "rows": [], "unit": ""}
    sentences = [{"text": each, "sources": ["s1", "s2"]} for each in (DELIVERY, wrong)]
    draft = {"message": wrong, "blocks": [{**block, "sentences": sentences}], "figures": [], "missing": []}
    with ModelServer() as server:
        server.script(Reply(data=draft, when="You write one chapter of"))
        async with reasoner_on(server) as model:
            parts = {**app.parts, RunReasoners: RunReasoners(FixedReasoners(model, ExtractiveReasoner()))}
            async with working(app.db, *JOBS, parts=parts, heartbeat_s=2, stall_s=20):
                run = await _delivered(app, owner)
    (made,) = (await _get(owner, f"/deliverables?run_id={run['id']}"))["items"]
    content = await _get(owner, f"/deliverables/{made['id']}/content")
    assert "26 days" in content["gml"]
    assert "96 days" not in content["gml"] + run["agent_response"]


async def _delivered(app: App, owner: Person) -> Json:
    for name, content in FILES.items():
        files = {"file": (name, content.encode())}
        (await owner.client.post("/documents", files=files)).raise_for_status()
    await until_settled(app.db)
    conversation = (await owner.client.post("/conversations", json={})).raise_for_status().json()
    path = f"/conversations/{conversation['id']}/messages"
    said = await owner.client.post(path, json={"content": QUESTION, "deliverable_type": "DOCUMENT"})
    run = await until_rests(owner, said.raise_for_status().json()["run"])
    await until_settled(app.db)
    answer = (await _get(owner, path))["items"][-1]
    return {**run, "answer_id": answer["id"]}


async def _marks(owner: Person, made: Json) -> list[tuple[str, str, str]]:
    brief = DataBrief.model_validate(await _get(owner, f"/deliverables/{made['id']}/brief"))
    return [(mark.identifier, mark.check, mark.reason) for mark in brief.marks]


async def _get(owner: Person, path: str) -> Json:
    answer: Json = (await owner.client.get(path)).raise_for_status().json()
    return answer
