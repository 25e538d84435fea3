"""The outcome of a run: its answer, title and confidence, and the input for follow-up questions."""

from dataclasses import dataclass
from uuid import UUID

from intelli.citations import evidence
from intelli.citations import show as citations
from intelli.citations.wire import Citation, Confidence
from intelli.conversations.follow_ups import AnsweredQuestion, SeenPassage
from intelli.entities import entities, entity_types
from intelli.entities.wire import TypedEntity
from intelli.kit.db import Tx
from intelli.reasoning.usage import EXTRACTIVE
from intelli.reasoning.verbs.answer import Answer
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.understand import Understanding
from intelli.runs import replies
from intelli.runs.answers.delta_writer import with_closing
from intelli.runs.steps import ANSWER, BRIEF, CHECKED, REVISED, understand_key
from intelli.runs.store import calls
from intelli.runs.tables import Run
from intelli.runs.understood_message import read_understanding


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """Answer text, title and confidence of a completed run. `is_extract` says that no model wrote the text."""

    text: str
    title: str
    confidence: Confidence | None
    is_extract: bool = False


async def find_answered_question(tx: Tx, run: Run) -> AnsweredQuestion | None:
    """Return the input for follow-up questions; None for a run that only changed documents."""
    recorded = await calls.find(tx, run.id, BRIEF)
    if recorded is None:
        return None
    brief = Brief.model_validate(recorded.answer)
    return AnsweredQuestion(
        run.question, brief.open_questions, await _load_citations(tx, run), await _load_passages(tx, run)
    )


async def load_outcome(tx: Tx, run: Run, *, closing: str) -> RunOutcome:
    """Load the outcome of a run whose graph has ended, from its recorded steps and its saved citations.

    The outcome of a run that only changed documents is the closing text alone, that of one without research its reply.
    """
    understood = await _load_understanding(tx, run)
    if understood.reply is not None or (closing and await calls.find(tx, run.id, ANSWER) is None):
        is_extract = await _is_extract(tx, run, (understand_key(_count_clarified(run)),))
        return RunOutcome(understood.reply or closing, understood.title, None, is_extract)
    checked = await calls.find(tx, run.id, CHECKED)
    answer = Answer.model_validate(checked.answer if checked else await _load_step(tx, run.id, ANSWER))
    # Quotations of the closest passages are true, but answer nothing.
    answer_id = replies.answer_id(run.id)
    sure = await evidence.assess(tx, answer_id, relevance=answer.confidence) if answer.is_answered else None
    is_extract = await _is_extract(tx, run, (ANSWER, REVISED))
    return RunOutcome(with_closing(answer.text, closing), understood.title, sure, is_extract)


async def _load_understanding(tx: Tx, run: Run) -> Understanding:
    answers = {call.key: call.answer for call in await calls.list_of_run(tx, run.id) if call.answer is not None}
    understood = read_understanding(answers, _count_clarified(run))
    assert understood is not None, "a graph that ended has understood its message"
    return understood


def _count_clarified(run: Run) -> int:
    return sum(entry["answer"] is not None for entry in run.clarifications)


async def _is_extract(tx: Tx, run: Run, keys: tuple[str, ...]) -> bool:
    """Return whether all of these steps that were done were done without a model, whatever was asked first."""
    done = [call.model for key in keys if (call := await calls.find(tx, run.id, key)) is not None]
    return bool(done) and set(done) == {EXTRACTIVE}


async def _load_citations(tx: Tx, run: Run) -> list[Citation]:
    message_id = replies.answer_id(run.id)
    cited = await citations.load_of_messages(tx, [message_id])
    return cited.get(message_id, citations.NOTHING).citations


async def _load_passages(tx: Tx, run: Run) -> list[SeenPassage]:
    """Load the passages that the run found, in the order it found them."""
    message_id = replies.answer_id(run.id)
    found = await entities.list_for_messages(tx, [message_id], entity_types.PASSAGES)
    passages = [(each.root, each.root.metadata) for each in found.get(message_id, ())]
    return [
        _seen_passage(each, told)
        for each, told in passages
        if isinstance(told, entity_types.PassageMetadata) and told.document_id
    ]


def _seen_passage(passage: TypedEntity, told: entity_types.PassageMetadata) -> SeenPassage:
    preview = told.content_preview or ""
    return SeenPassage(
        passage.identifier, told.document_id, passage.file_name, told.section, preview, told.score or 0.0
    )


async def _load_step(tx: Tx, run_id: UUID, key: str) -> object:
    call = await calls.find(tx, run_id, key)
    assert call is not None, "a graph that ended has recorded its last steps"
    return call.answer
