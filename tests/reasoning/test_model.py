"""With a model, over real HTTP: each verb, what is checked of its answers, and what it costs."""

from decimal import Decimal
from typing import Any

import pytest
from tests.reasoning.model import reasoner_on
from tests.reasoning.passages import ACME, NEWS, answer, answered, note, passage, task
from tests.support.model_server import ModelServer, Reply

from intelli.reasoning.adapters.model import ModelReasoner
from intelli.reasoning.citation_stream import citation_tag
from intelli.reasoning.errors import AnswerUnusable
from intelli.reasoning.values import QuotedFinding, SourceQuote, Turn
from intelli.reasoning.verbs.answer import AnswerInput
from intelli.reasoning.verbs.brief import Brief, BriefInput
from intelli.reasoning.verbs.extract import ExtractInput
from intelli.reasoning.verbs.judge import JudgeInput, StatementToJudge, Verdict
from intelli.reasoning.verbs.note import NoteInput, Notes
from intelli.reasoning.verbs.title import TitleInput
from intelli.reasoning.verbs.understand import IntentKind, UnderstandInput

UNDERSTOOD = {
    "kind": "question",
    "deliverable": "STANDARD",
    "changing": "nothing",
    "clarification": None,
    "reply": None,
    "title": "t",
    "summary": "s",
    "tasks": [],
}
FOUNDED = QuotedFinding(
    text="Jane Doe founded Acme.", identifier="acme-report", quote="founded in 1990 by Jane Doe", relevance=0.8
)


async def test_from_question_to_cited_answer(reasoner: ModelReasoner) -> None:
    found = await answer(reasoner, "Who founded Acme?", ACME, NEWS)

    assert found.is_answered
    assert found.is_complete
    assert 'by Jane Doe. <gml-inlinecitation identifier="acme-report"/>' in found.text


async def test_the_endpoint_gets_a_strict_schema_a_limit_and_the_key(
    server: ModelServer, reasoner: ModelReasoner
) -> None:
    await reasoner.do(UnderstandInput(question="Who founded Acme?"))

    (body,) = server.requests
    schema = body["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["additionalProperties"] is False
    assert schema["schema"]["required"] == list(schema["schema"]["properties"])
    assert body["max_tokens"] == 4_000
    assert body["temperature"] == 0
    assert server.headers[0]["authorization"] == "Bearer sk-test"


async def test_usage_is_what_the_endpoint_told_at_the_exact_price(server: ModelServer, reasoner: ModelReasoner) -> None:
    server.script(Reply(usage=(1_003, 7)))
    _, usage = await reasoner.do(TitleInput(question="Who founded Acme?"))

    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (1, 1_003, 7)
    assert usage.input_cost == Decimal("0.25075")
    assert usage.output_cost == Decimal("0.007")
    assert usage.cost == Decimal("0.25775")
    assert not usage.is_estimated


async def test_without_usage_tokens_are_estimated_and_marked_so(server: ModelServer, reasoner: ModelReasoner) -> None:
    server.script(Reply(has_usage=False))
    _, usage = await reasoner.do(TitleInput(question="Who founded Acme?"))

    assert usage.is_estimated
    assert usage.cost > 0


async def test_no_call_costs_more_than_its_ceiling(server: ModelServer, reasoner: ModelReasoner) -> None:
    asked = NoteInput(question="q", task=task("q"), passages=(ACME, NEWS))
    server.script(Reply(delay_s=0, cut_after=10), Reply(text="no"), Reply(cut_after=10), Reply())
    _, usage = await reasoner.do(asked)

    assert usage.calls == 4
    assert usage.cost <= reasoner.ceiling(asked)


def finding_draft(text: str, *quotes: tuple[str, str]) -> dict[str, Any]:
    quoted = [{"source": source, "quote": quote} for source, quote in quotes]
    return {"text": text, "quotes": quoted, "relevance": 0.9}


async def test_a_finding_rests_on_several_sources_and_there_are_as_many_as_the_model_finds(
    server: ModelServer, reasoner: ModelReasoner
) -> None:
    joined = finding_draft("Both.", ("s1", "founded in 1990"), ("s2", "$3.9 billion"), ("s2", "never said"))
    more = [finding_draft(f"{number}.", ("s1", "founded in 1990")) for number in range(30)]
    server.script(Reply(data={"findings": [joined, *more], "open_questions": []}))
    notes = await note(reasoner, "who founded Acme", ACME, NEWS)
    first, *others = notes.findings

    assert [(each.identifier, each.text) for each in first.quotes] == [
        ("acme-report", "founded in 1990"),
        ("news", "$3.9 billion"),
    ]
    assert len(others) == 30
    assert "further" not in others[0].model_dump()


async def test_a_finding_of_several_sources_is_cited_with_all_of_them(
    server: ModelServer, reasoner: ModelReasoner
) -> None:
    further = (SourceQuote(text="$3.9 billion", identifier="news"),)
    joined = QuotedFinding(text="Both.", identifier="acme-report", quote="1990", relevance=1, further=further)
    server.script(Reply(text="Both say so [s1]."))
    _, end = await answered(
        reasoner, AnswerInput(question="q", brief=Brief(title="t", question="q", findings=(joined,)))
    )

    assert end.answer.text == f"Both say so {citation_tag('acme-report')}{citation_tag('news')}."
    assert "Quote: $3.9 billion" in server.prompts()[0]


async def test_a_finding_is_kept_only_when_its_quote_stands_in_its_source(
    server: ModelServer, reasoner: ModelReasoner
) -> None:
    server.script(
        Reply(
            data={
                "findings": [
                    finding_draft("True.", ("s1", "founded in  1990 by\nJane Doe")),
                    finding_draft("Made up.", ("s1", "founded in 1991")),
                    finding_draft("Wrong source.", ("s2", "founded in 1990")),
                    finding_draft("No source.", ("s9", "founded in 1990")),
                ],
                "open_questions": ["Who sold it?"],
            }
        )
    )
    notes = await note(reasoner, "who founded Acme", ACME, NEWS)

    assert [(each.text, each.quote) for each in notes.findings] == [("True.", "founded in 1990 by Jane Doe")]
    assert notes.findings[0].identifier == "acme-report"
    assert notes.open_questions == ("Who sold it?",)


async def test_notes_with_nothing_but_made_up_quotes_are_sent_back_once(
    server: ModelServer, reasoner: ModelReasoner
) -> None:
    made_up = {"text": "x", "source": "s1", "quote": "never said", "relevance": 1}
    bad = Reply(data={"findings": [made_up], "open_questions": []})
    server.script(bad, bad)

    with pytest.raises(AnswerUnusable) as failed:
        await note(reasoner, "who founded Acme", ACME)
    assert len(server.requests) == 2
    assert "word for word" in server.prompts()[1]
    assert failed.value.usage.calls == 2


async def test_a_plan_keeps_to_the_limits(server: ModelServer, reasoner: ModelReasoner) -> None:
    tasks = [{"title": f"t{n}", "message": "margins", "queries": ["a", "", "b", "c", "d"]} for n in range(9)]
    server.script(Reply(data={**UNDERSTOOD, "tasks": [{**tasks[0], "queries": [" "]}, *tasks]}))
    understood, _ = await reasoner.do(UnderstandInput(question="margins", max_tasks=3))

    assert understood.plan is not None
    assert [each.title for each in understood.plan.tasks] == ["t0", "t1", "t2"]
    assert understood.plan.tasks[0].queries == ("a", "b", "c")


async def test_the_persons_own_words_are_searched_for_as_well(server: ModelServer, reasoner: ModelReasoner) -> None:
    task_of_it = {"title": "Founder", "message": "Who founded Acme", "queries": ["founder"]}
    server.script(Reply(data={**UNDERSTOOD, "tasks": [task_of_it]}))
    understood, _ = await reasoner.do(UnderstandInput(question="Who founded Acme in 1990?"))

    assert understood.plan is not None
    assert understood.plan.tasks[0].queries == ("founder", "Who founded Acme in 1990?")


async def test_a_plan_for_something_else_is_sent_back(server: ModelServer, reasoner: ModelReasoner) -> None:
    other = {"title": "Weather", "message": "Find the weather", "queries": ["rain tomorrow"]}
    server.script(Reply(data={**UNDERSTOOD, "tasks": [other]}), Reply())
    understood, usage = await reasoner.do(UnderstandInput(question="Who founded Acme?"))

    assert usage.calls == 2
    assert understood.plan is not None
    assert understood.plan.tasks[0].queries[0].startswith("Who founded Acme")


@pytest.mark.parametrize("said", ["I will help you.", "Who founded Acme?", "  "])
async def test_what_asks_nothing_back_is_no_clarification(
    server: ModelServer, reasoner: ModelReasoner, said: str
) -> None:
    planned = {"title": "Founder", "message": "Who founded Acme", "queries": ["founder of Acme"]}
    server.script(Reply(data={**UNDERSTOOD, "clarification": said, "tasks": [planned]}))
    understood, _ = await reasoner.do(UnderstandInput(question="Who founded Acme?"))

    assert understood.intent.clarification is None
    assert understood.plan is not None


async def test_a_message_that_needs_no_research_is_replied_to(server: ModelServer, reasoner: ModelReasoner) -> None:
    server.script(Reply(data={**UNDERSTOOD, "reply": "You are welcome.", "title": ""}))
    understood, _ = await reasoner.do(UnderstandInput(question="Thanks!"))

    assert (understood.reply, understood.plan) == ("You are welcome.", None)


@pytest.mark.parametrize(
    "reply",
    ["Jane Doe founded Acme.", "Acme was founded in 1990.", "It was founded by a well known family of bankers."],
)
async def test_an_answer_from_nowhere_is_no_reply(server: ModelServer, reasoner: ModelReasoner, reply: str) -> None:
    server.script(Reply(data={**UNDERSTOOD, "reply": reply}), Reply())
    understood, usage = await reasoner.do(UnderstandInput(question="Who started the business?"))

    assert usage.calls == 2
    assert understood.reply is None
    assert understood.plan is not None


async def test_a_reply_may_repeat_what_was_said_and_say_what_we_are(
    server: ModelServer, reasoner: ModelReasoner
) -> None:
    said = (Turn(role="user", text="Who founded Acme?"), Turn(role="assistant", text="Jane Doe founded it in 1990."))
    server.script(Reply(data={**UNDERSTOOD, "reply": "You asked who founded Acme; Jane Doe founded it in 1990."}))
    repeated, _ = await reasoner.do(UnderstandInput(question="What did I ask?", conversation=said))
    server.script(Reply(data={**UNDERSTOOD, "reply": "Yes, I write slides, reports and websites from your documents."}))
    about, _ = await reasoner.do(UnderstandInput(question="Can you write slides?"))

    assert repeated.reply is not None
    assert about.reply is not None


async def test_a_brief_orders_given_findings_and_takes_only_figures_that_stand_in_them(
    server: ModelServer, reasoner: ModelReasoner
) -> None:
    other = QuotedFinding(text="Revenue was $3.4 billion.", identifier="news", quote="$3.4 billion", relevance=0.7)
    metric = {"name": "revenue", "unit": "", "period": "2020", "entity": "Acme", "source": "s2"}
    server.script(
        Reply(
            data={
                "title": "Acme",
                "findings": ["s2", "s1", "s2", "s7"],
                "metrics": [{**metric, "value": "$3.4 billion"}, {**metric, "value": "$9 billion"}],
                "timeline": [],
                "disagreements": [],
                "open_questions": [],
            }
        )
    )
    asked = BriefInput(question="q", notes=(Notes(task_title="t", findings=(FOUNDED, other)),))
    brief, _ = await reasoner.do(asked)

    assert brief.findings == (other, FOUNDED)
    assert [each.value for each in brief.metrics] == ["$3.4 billion"]
    assert brief.sources == ("news", "acme-report")


async def test_the_other_verbs_answer_in_their_forms(server: ModelServer, reasoner: ModelReasoner) -> None:
    planned = {"title": "Margins", "message": "Find margins", "queries": ["margins"]}
    server.script(Reply(data={**UNDERSTOOD, "kind": "create", "deliverable": "REPORT", "tasks": [planned]}))
    understood, _ = await reasoner.do(UnderstandInput(question="Write a report on margins"))
    said = {"statement": 1, "verdict": "contradicted", "reason": "It says otherwise.", "sources": ["s1", "s7"]}
    server.script(Reply(data={"judgements": [{**said, "elsewhere": [], "calculation": ""}]}))
    judged, _ = await reasoner.do(JudgeInput(statements=(StatementToJudge(text="x"),), passages=(ACME,)))
    fact = {"subject": "Jane Doe", "relation": "founded", "object": "Acme", "valid_from": "1990", "valid_until": None}
    facts = [{**fact, "quote": "Acme was founded in 1990"}, {**fact, "quote": "not there"}]
    server.script(Reply(data={"things": [{"name": "Acme", "kind": "organisation", "confidence": 1}], "facts": facts}))
    extracted, _ = await reasoner.do(ExtractInput(passage=ACME))
    server.script(Reply(data={"title": ' "Acme and its founder." '}))
    title, _ = await reasoner.do(TitleInput(question="Who founded Acme?"))

    assert understood.intent.kind is IntentKind.CREATE
    (judgement,) = judged.judgements
    assert (judgement.verdict, judgement.sources) == (Verdict.CONTRADICTED, (ACME.identifier,))
    assert [each.quote for each in extracted.facts] == ["Acme was founded in 1990"]
    assert title.title == "Acme and its founder"


async def test_sources_beyond_the_context_are_left_out_and_cannot_be_cited(server: ModelServer) -> None:
    long = passage("filler " * 5_000, "long")
    async with reasoner_on(server, context_tokens=2_000, output_tokens=1_000) as reasoner:
        notes = await note(reasoner, "who founded Acme", long, ACME)

    assert len(server.prompts()[0]) < 8_000
    assert {finding.identifier for finding in notes.findings} <= {"long"}


async def test_no_more_calls_at_once_than_allowed(server: ModelServer) -> None:
    import asyncio

    async with reasoner_on(server, concurrency=2) as reasoner:
        server.script(*[Reply(delay_s=0.05) for _ in range(6)])
        await asyncio.gather(*(reasoner.do(TitleInput(question=f"q{n}")) for n in range(6)))

    assert server.most_at_once == 2
    assert len(server.requests) == 6


async def test_brief_of_nothing_needs_no_finding(reasoner: ModelReasoner) -> None:
    brief, _ = await reasoner.do(BriefInput(question="q", notes=()))

    assert isinstance(brief, Brief)
    assert brief.findings == ()
