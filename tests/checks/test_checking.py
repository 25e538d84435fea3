"""Checking texts against a library: what is a statement, what speaks for it and against it, in both languages."""

from decimal import Decimal

from tests.checks.makers import (
    BERICHT,
    MEMO,
    REPORT,
    add,
    start,
    start_with_file,
    until_ended,
    until_read,
    verdicts,
    word_file,
)
from tests.support.jobs import until_settled, working
from tests.support.reasoner import PlainReasoner
from tests.support.runs import ask, until_rests
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.checks.ports import CheckReasoners
from intelli.reasoning.reasoners import FixedReasoners

_RIGHT = "Revenue of Nordwind came to 412.7 million euros in 2025."
_WRONG = "Revenue of Nordwind came to 512.7 million euros in 2025."
_FOREIGN = "Giraffes sleep for two hours a night."


async def test_statements_of_a_text_get_their_verdicts_and_passages(app: App, owner: Person):
    document = await add(owner, "report.md", REPORT)
    async with working(app.db, *JOBS, parts=app.parts):
        await until_read(owner)
        done = await until_ended(owner, await start(owner, text=MEMO, title="Memo"))
    assert (done["status"], done["progress"], done["title"], done["source"]) == ("completed", 1, "Memo", "text")
    assert list(verdicts(done)) == [_RIGHT, _WRONG, _FOREIGN]
    right, wrong, foreign = done["statements"]
    assert right["verdict"] == "supported"
    (passage,) = [each for each in right["citations"] if each["stance"] == "for"]
    assert (passage["document_id"], passage["file_name"]) == (document["id"], "report.md")
    assert REPORT[passage["char_start"] : passage["char_end"]] == passage["quote"]
    assert "412.7 million euros" in passage["quote"]
    assert wrong["verdict"] in {"contradicted", "not_supported"}
    assert wrong["reason"]
    assert (foreign["verdict"], foreign["check"]) == ("not_supported", "failed")
    assert sum(done["counts"].values()) == 3
    for each in done["statements"]:
        assert MEMO[each["char_start"] : each["char_end"]] == each["text"]


async def test_with_an_empty_library_nothing_says_it(app: App, owner: Person):
    async with working(app.db, *JOBS, parts=app.parts):
        done = await until_ended(owner, await start(owner, text=_RIGHT))
    (statement,) = done["statements"]
    assert (statement["verdict"], statement["reason"]) == ("not_supported", "Nothing in the library says this.")
    assert statement["citations"] == []
    assert statement["judged_by"] == "nothing"


async def test_a_german_text_is_checked_against_a_german_report(app: App, owner: Person):
    await add(owner, "bericht.md", BERICHT)
    text = (
        "Sehr geehrte Damen und Herren,\n\nDer Umsatz der Nordwind AG betrug 2025 rund 412,7 Millionen Euro. "
        "Zum Jahresende besch\u00e4ftigte das Unternehmen 2.204 Mitarbeiter. Was folgt daraus?\n\n"
        "Mit freundlichen Gr\u00fc\u00dfen\n"
    )
    async with working(app.db, *JOBS, parts=app.parts):
        await until_read(owner)
        done = await until_ended(owner, await start(owner, text=text))
    right, wrong = done["statements"]
    assert right["verdict"] == "supported"
    assert wrong["verdict"] in {"contradicted", "not_supported"}
    assert wrong["text"].startswith("Zum Jahresende")


async def test_a_document_is_no_evidence_for_itself(app: App, owner: Person):
    report = await add(owner, "report.md", REPORT)
    await add(owner, "copy.md", REPORT, folder="/elsewhere")
    async with working(app.db, *JOBS, parts=app.parts):
        await until_read(owner)
        alone = await until_ended(owner, await start(owner, document_id=report["id"]))
        await add(owner, "other.md", "Revenue of Nordwind came to 412.7 million euros in 2025.\n")
        await until_read(owner)
        again = await until_ended(owner, await start(owner, document_id=report["id"]))
    assert alone["title"] == "report.md"
    assert "Annual report 2025" not in verdicts(alone)
    assert set(verdicts(alone).values()) == {"not_supported"}
    assert verdicts(again)[_RIGHT] == "supported"


async def test_the_context_narrows_where_passages_are_looked_for(app: App, owner: Person):
    report = await add(owner, "report.md", REPORT, folder="/reports")
    other = await add(owner, "other.md", "Copper is a metal.\n", folder="/others")
    async with working(app.db, *JOBS, parts=app.parts):
        await until_read(owner)
        inside = await until_ended(owner, await start(owner, text=_RIGHT, context={"folder_id": report["folder_id"]}))
        outside = await until_ended(owner, await start(owner, text=_RIGHT, context={"folder_id": other["folder_id"]}))
        named = await until_ended(owner, await start(owner, text=_RIGHT, context={"document_ids": [report["id"]]}))
    assert [verdicts(each)[_RIGHT] for each in (inside, outside, named)] == ["supported", "not_supported", "supported"]


async def test_citations_of_a_text_are_what_it_is_held_against(app: App, owner: Person):
    report = await add(owner, "report.md", REPORT)
    await add(owner, "other.md", "Copper is a metal.\n")
    start_at = REPORT.index("Revenue of")
    stop = start_at + len(_RIGHT)
    tag = f'<gml-inlinecitation identifier="{report["sha256"][:16]}.{start_at}-{stop}"/>'
    text = f"{_RIGHT} {tag} Copper is a metal [1]."
    async with working(app.db, *JOBS, parts=app.parts):
        await until_read(owner)
        done = await until_ended(owner, await start(owner, text=text))
    assert done["text"] == f"{_RIGHT} Copper is a metal [1]."
    first, second = done["statements"]
    assert second["text"] == "Copper is a metal."
    assert (first["verdict"], [each["quote"] for each in first["citations"]]) == ("supported", [_RIGHT])
    assert second["verdict"] == "supported"
    assert [each["file_name"] for each in second["citations"]] == ["other.md"]
    assert done["text"][second["char_start"] : second["char_end"]].startswith("Copper")


async def test_a_word_file_is_checked_without_entering_the_library(app: App, owner: Person):
    await add(owner, "report.md", REPORT)
    async with working(app.db, *JOBS, parts=app.parts):
        await until_read(owner)
        done = await until_ended(owner, await start_with_file(owner, "memo.docx", word_file(_RIGHT, _WRONG)))
    assert (done["source"], done["title"]) == ("file", "memo.docx")
    assert list(verdicts(done)) == [_RIGHT, _WRONG]
    assert [each["name"] for each in (await owner.client.get("/documents")).json()["items"]] == ["report.md"]


async def test_a_file_in_the_library_is_no_evidence_for_the_same_bytes(app: App, owner: Person):
    await add(owner, "report.md", REPORT)
    async with working(app.db, *JOBS, parts=app.parts):
        await until_read(owner)
        done = await until_ended(owner, await start_with_file(owner, "draft.md", REPORT.encode()))
    assert set(verdicts(done).values()) == {"not_supported"}


async def test_a_file_that_cannot_be_read_fails_with_the_reason(app: App, owner: Person):
    async with working(app.db, *JOBS, parts=app.parts):
        done = await until_ended(owner, await start_with_file(owner, "broken.docx", b"PK\x03\x04 no zip at all"))
    assert done["status"] == "failed"
    assert done["error"]["code"] == "text_not_readable"
    assert done["error"]["message"]


async def test_with_a_model_it_judges_what_rules_leave_open_in_one_call(app: App, owner: Person):
    await add(owner, "report.md", REPORT)
    said = "Copper prices are what the firm has to fear most. At the close of the year 1,204 people worked there."
    model = PlainReasoner(name="model", cents=Decimal("0.5"))
    reasoners = CheckReasoners(FixedReasoners(model, PlainReasoner(name="fallback")))
    async with working(app.db, *JOBS, parts={**app.parts, CheckReasoners: reasoners}):
        await until_read(owner)
        done = await until_ended(owner, await start(owner, text=said))
    assert [each["judged_by"] for each in done["statements"]] == ["model", "model"]
    assert model.calls == ["judge"]
    assert (done["model"], done["input_tokens"], done["output_tokens"]) == ("model", 100, 10)
    assert float(done["cost_cents"]) == 0.5


async def test_a_model_that_does_not_answer_leaves_the_verdict_to_rules(app: App, owner: Person):
    await add(owner, "report.md", REPORT)
    model = PlainReasoner(name="model", fails=frozenset({"judge"}))
    reasoners = CheckReasoners(FixedReasoners(model, PlainReasoner(name="fallback")))
    async with working(app.db, *JOBS, parts={**app.parts, CheckReasoners: reasoners}):
        await until_read(owner)
        done = await until_ended(
            owner, await start(owner, text=f"{_RIGHT} At the close of 2025 it employed 1,204 people.")
        )
    assert done["status"] == "completed"
    assert done["statements"][0]["judged_by"] == "words"
    assert "model" not in {each["judged_by"] for each in done["statements"]}
    assert done["message"] == "The model does not answer."


async def test_a_deliverable_is_held_against_its_own_citations(app: App, owner: Person):
    report = await add(owner, "report.md", REPORT)
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        await until_read(owner)
        asked = "What did revenue of Nordwind come to in 2025?"
        run = await until_rests(owner, await ask(owner, asked, deliverable_type="REPORT"))
        await until_settled(app.db)
        (made,) = (await owner.client.get("/deliverables", params={"run_id": run["id"]})).json()["items"]
        done = await until_ended(owner, await start(owner, deliverable_id=made["id"]))
    assert (done["status"], done["source"], done["deliverable_id"]) == ("completed", "deliverable", made["id"])
    assert "<gml-" not in done["text"]
    supported = [each for each in done["statements"] if each["verdict"] == "supported"]
    assert supported
    assert {one["document_id"] for each in supported for one in each["citations"]} == {report["id"]}
