"""What the check rejects goes back to the model once, and what it left is the answer: stored, streamed and replayed."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

from sqlalchemy import text
from tests.support.jobs import until_settled, working
from tests.support.reasoner import PlainReasoner
from tests.support.runs import log_of, text_of, until_rests
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.citations.judge import TOO_WEAK
from intelli.citations.parse import tag
from intelli.kit.context import System
from intelli.reasoning.reasoners import FixedReasoners
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.answer import Answer, AnswerEnd, AnswerInput, Delta
from intelli.reasoning.verbs.judge import JudgeInput, Judgement, Judgements, Verdict
from intelli.reasoning.verbs.revise import ReviseInput, Revision
from intelli.runs import replay
from intelli.runs.ports import RunReasoners
from intelli.runs.replies import answer_id

STAFF = "The company employed 1204 people at the end of the year. The works council was heard about it in Kiel."
WRONG = "The company employed 1300 people at the end of the year."
RIGHT = "The company employed 1204 people at the end of the year."


class WrongWriter(PlainReasoner):
    """Writes sentences that it was told to write, judges as it was told to, and revises to what it was told."""

    def __init__(
        self, *said: str, revised: str | None = None, verdict: Verdict = Verdict.SUPPORTED, is_fooled: bool = False
    ) -> None:
        super().__init__()
        self.said = said
        self.revised = revised
        self.verdict = verdict
        self.is_fooled = is_fooled
        self.judged: list[JudgeInput] = []
        self.rejected: list[ReviseInput] = []

    async def answer(self, asked: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        usage = self._took("answer")
        mark = tag(asked.brief.findings[0].identifier)
        whole = " ".join(f"{each} {mark}" for each in self.said)
        yield Delta(text=whole)
        yield AnswerEnd(answer=Answer(text=whole, is_answered=True, confidence=0.5), usage=usage)

    async def judge(self, asked: JudgeInput) -> tuple[Judgements, Usage]:
        self.judged.append(asked)
        judgements = []
        for each in asked.statements:
            known = Verdict.SUPPORTED if each.is_true or self.is_fooled else Verdict.CONTRADICTED
            verdict = self.verdict if each.is_true is None else known
            judgements.append(
                Judgement(
                    text=each.text, cited=each.sources, is_true=each.is_true, verdict=verdict, sources=each.sources
                )
            )
        return Judgements(judgements=tuple(judgements)), self._took("judge")

    async def revise(self, asked: ReviseInput) -> tuple[Revision, Usage]:
        self.rejected.append(asked)
        mark = tag(asked.passages[0].identifier)
        anew = None if self.revised is None else (f"{self.revised} {mark}" if self.revised else "")
        return Revision(sentences=(anew,) * len(asked.sentences)), self._took("revise")


async def _run(app: App, owner: Person, reasoner: PlainReasoner, **more: Any) -> dict[str, Any]:
    parts = {**app.parts, RunReasoners: RunReasoners(FixedReasoners(reasoner, PlainReasoner(name="fallback")))}
    async with working(app.db, *JOBS, parts=parts, heartbeat_s=2, stall_s=20):
        files = {"file": ("staff.txt", STAFF.encode())}
        (await owner.client.post("/documents", files=files)).raise_for_status()
        await until_settled(app.db)
        body = {"question": "How many people were employed at the end of the year?", **more}
        run = await until_rests(owner, (await owner.client.post("/runs", json=body)).raise_for_status().json())
        await until_settled(app.db)
    assert run["status"] == "completed", run
    return run


async def _cited(owner: Person, run: dict[str, Any]) -> list[dict[str, Any]]:
    answer = await owner.client.get(f"/messages/{answer_id(UUID(run['id']))}/citations")
    return list(answer.raise_for_status().json()["items"])


class PartlyCiting(WrongWriter):
    """Judges that what is cited says a part, and that the other source it found says the rest."""

    async def answer(self, asked: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        names = dict.fromkeys(name for each in asked.brief.findings for name in each.identifiers)
        self.elsewhere = tuple(names)[1:2]
        async for part in super().answer(asked):
            yield part

    async def judge(self, asked: JudgeInput) -> tuple[Judgements, Usage]:
        given, usage = await super().judge(asked)
        said = {"verdict": Verdict.PARTLY, "elsewhere": self.elsewhere}
        judged = [each if each.is_true is not None else each.model_copy(update=said) for each in given.judgements]
        return Judgements(judgements=tuple(judged)), usage


async def test_what_the_judge_found_elsewhere_is_cited_without_another_call(app: App, owner: Person):
    writer = PartlyCiting("1204 were on the payroll then, and 88 learnt a trade there.")
    files = {
        "file": ("apprentices.txt", b"The company employed 88 apprentices at the end of the year. They work in Ulm.")
    }
    (await owner.client.post("/documents", files=files)).raise_for_status()
    run = await _run(app, owner, writer)
    assert [each["check"] for each in await _cited(owner, run)] == ["verified", "verified"]
    assert (len(writer.judged), writer.rejected) == (1, [])


async def test_a_rejected_sentence_goes_back_once_with_the_reason(app: App, owner: Person):
    writer = WrongWriter(WRONG, revised="It employed 1400 people.", verdict=Verdict.NOT_SUPPORTED)
    await _run(app, owner, writer)
    (asked,) = writer.rejected
    assert [each.text for each in asked.sentences] == [WRONG]
    assert "1300" in asked.sentences[0].reason


async def test_the_revised_text_is_the_answer_and_its_citations_are_checked(app: App, owner: Person):
    run = await _run(app, owner, WrongWriter(WRONG, revised=RIGHT, verdict=Verdict.NOT_SUPPORTED))
    assert run["agent_response"].startswith(RIGHT)
    assert [each["check"] for each in await _cited(owner, run)] == ["verified"]


async def test_a_reader_of_the_stream_ends_with_the_revised_text(app: App, owner: Person):
    run = await _run(app, owner, WrongWriter(WRONG, revised=RIGHT, verdict=Verdict.NOT_SUPPORTED))
    log = await log_of(owner, run)
    offsets = [line["event"]["offset"] for line in log if line["event"]["type"] == "message_delta"]
    assert offsets[-1] < len(WRONG)
    assert text_of(log) == run["agent_response"]


async def test_a_reader_sees_a_revision_that_begins_where_a_piece_of_the_answer_began(app: App, owner: Person):
    revised = "At the end of the year the company employed 1204 people."
    run = await _run(app, owner, WrongWriter(WRONG, revised=revised, verdict=Verdict.NOT_SUPPORTED))
    assert run["agent_response"].startswith(revised)
    assert text_of(await log_of(owner, run)) == run["agent_response"]


async def test_a_replay_of_a_revised_answer_has_the_same_hash(app: App, owner: Person):
    run = await _run(app, owner, WrongWriter(WRONG, revised=RIGHT, verdict=Verdict.NOT_SUPPORTED))
    async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
        recording = await replay.load(tx, UUID(run["id"]), max_tasks=5)
    result = await replay.replay(recording, PlainReasoner())
    assert result.answer == run["agent_response"]
    assert result.is_same


async def test_a_revision_that_is_no_better_leaves_the_first_text_with_its_mark(app: App, owner: Person):
    worse = "The company employed 1400 people at the end of the year."
    run = await _run(app, owner, WrongWriter(WRONG, revised=worse, verdict=Verdict.NOT_SUPPORTED))
    assert [each["check"] for each in await _cited(owner, run)] == ["failed"]


async def test_a_revision_cannot_pass_by_dropping_its_citations(app: App, owner: Person):
    class Evader(WrongWriter):
        async def revise(self, asked: ReviseInput) -> tuple[Revision, Usage]:
            return Revision(sentences=("The company employed 1300 people.",)), self._took("revise")

    run = await _run(app, owner, Evader(WRONG, verdict=Verdict.NOT_SUPPORTED))
    assert run["agent_response"].startswith(WRONG)
    assert [each["check"] for each in await _cited(owner, run)] == ["failed"]


async def test_a_sentence_that_the_sources_do_not_say_may_be_left_out(app: App, owner: Person):
    run = await _run(app, owner, WrongWriter(RIGHT, WRONG, revised="", verdict=Verdict.NOT_SUPPORTED))
    assert WRONG not in run["agent_response"]
    assert run["agent_response"].startswith(RIGHT)


async def test_a_model_that_fails_the_controls_judges_nothing_and_that_is_told(app: App, owner: Person):
    writer = WrongWriter("Its headcount stood at 1204.", verdict=Verdict.NOT_SUPPORTED, is_fooled=True)
    run = await _run(app, owner, writer)
    assert [each["check"] for each in await _cited(owner, run)] == ["weak"]
    assert writer.rejected == []
    told = str([line["event"] for line in await log_of(owner, run)])
    assert TOO_WEAK in told


async def test_the_statements_of_an_answer_are_saved_with_their_verdicts(app: App, owner: Person):
    run = await _run(app, owner, WrongWriter(RIGHT, "Its headcount stood at 1204.", verdict=Verdict.PARTLY))
    async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
        query = text("select statements from message_evidence where message_id = :message")
        saved = await tx.session.scalar(query, {"message": answer_id(UUID(run["id"]))})
    assert saved is not None
    assert [(each["verdict"], each["judged_by"]) for each in saved] == [("supported", "words"), ("partly", "model")]
    assert [each["check"] for each in await _cited(owner, run)] == ["verified", "weak"]


async def test_a_statement_that_was_judged_for_the_answer_is_not_paid_again_for_a_deliverable(app: App, owner: Person):
    writer = WrongWriter("Its headcount stood at 1204.")
    await _run(app, owner, writer, deliverable_type="DOCUMENT")
    judged = [each.text for asked in writer.judged for each in asked.statements if each.is_true is None]
    assert len(judged) == len(set(judged))


async def test_to_check_again_does_not_overwrite_a_judgement_by_not_knowing(app: App, owner: Person):
    run = await _run(app, owner, WrongWriter("Its headcount stood at 1204."))
    (before,) = await _cited(owner, run)
    assert before["check"] == "verified"
    after = await owner.client.post(f"/citations/{before['id']}/recheck")
    assert after.raise_for_status().json()["check"] == "verified"
