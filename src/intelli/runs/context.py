"""The runtime context of the graph: everything that a node may use."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from intelli.kit.compute import Compute
from intelli.reasoning.entailment import EntailmentModels
from intelli.reasoning.reasoner import Reasoner
from intelli.reasoning.values import Turn
from intelli.reasoning.verbs.verb import ReasonerInput
from intelli.runs import replies
from intelli.runs.call_progress import describe_call
from intelli.runs.delivery import Delivery
from intelli.runs.evidence import RunEvidence
from intelli.runs.ledger import Ledger
from intelli.runs.ports import SearchScope
from intelli.runs.recorded_reasoner import RecordedReasoner
from intelli.runs.recorder import RunRecorder
from intelli.runs.tables import Run
from intelli.runs.tools import Toolbox

# Version of the prompt for revisions that had nothing but the rejected sentences.
_ALONE = "1"
# Version of the prompt for notes before findings were held against their quotes.
_UNCHECKED_NOTES = "1"
# The word in a run's context that says that its deliverables are written from an outline.
OUTLINES = "outlines"
# Versions of the prompt for answers that offered no reading on.
_WITHOUT_READING_ON = frozenset({"", "1", "2", "3"})
# Versions of the prompt for answers whose sources were chosen less strictly.
_WITH_MORE_SOURCES = _WITHOUT_READING_ON | {"4", "5"}


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Immutable input of a run: question, conversation turns, search scope and limits.

    `recalls` allows searches of memory; `writes` means that the reasoner has a prompt for sections, `reads_directly`
    that it writes plain answers from the passages themselves, `checks_findings` that notes are held against their
    quotes, `reads_on` that it may ask for more of a document before it answers, `reads_by_worth` that its sources are
    those worth reading for a task, `revises_in_context` that what is checked and written anew is shown with today's
    date, the whole answer and the rest of the documents it cites; `outlines` that deliverables are written from an
    outline, chapter by chapter.
    """

    run_id: UUID
    tenant_id: UUID
    user_id: UUID
    conversation_id: UUID | None
    message_id: UUID | None
    question: str
    deliverable_type: str
    asked_on: date
    turns: tuple[Turn, ...]
    clarified: int
    scope: SearchScope
    max_tasks: int
    recalls: bool = False
    writes: bool = False
    reads_directly: bool = False
    checks_findings: bool = False
    reads_on: bool = False
    reads_by_worth: bool = False
    revises_in_context: bool = False
    outlines: bool = False

    @property
    def answer_id(self) -> UUID:
        """Return the id of the run's answer message."""
        return replies.answer_id(self.run_id)

    @classmethod
    def of(cls, run: Run, *, max_tasks: int) -> "RunFacts":
        """Build the facts from a run's row; answered clarifications are appended to the turns."""
        asked = [entry for entry in run.clarifications if entry["answer"] is not None]
        focus = [*run.context.get("document_ids", ()), *run.context.get("folders", ())]
        turns = [Turn.model_validate(turn) for turn in run.turns] + [
            turn
            for entry in asked
            for turn in (Turn(role="assistant", text=entry["question"]), Turn(role="user", text=entry["answer"]))
        ]
        return cls(
            run_id=run.id,
            tenant_id=run.tenant_id,
            user_id=run.user_id,
            conversation_id=run.conversation_id,
            message_id=run.message_id,
            question=run.question,
            deliverable_type=run.deliverable_type,
            asked_on=run.created_at.date(),
            turns=tuple(turns),
            clarified=len(asked),
            scope=SearchScope(
                document_ids=tuple(UUID(each) for each in run.context.get("document_ids", ())),
                folders=tuple(run.context.get("folders", ())),
            ),
            max_tasks=max_tasks,
            # Runs from before there was memory have no such word, and their recordings no look into it.
            recalls=bool(run.context.get("memory")) and not focus,
            # A reasoner without such a prompt writes no sections, nor did any before there was one.
            writes="write" in run.prompts,
            # Earlier runs have notes and a brief for every answer; a reasoner without prompts still needs them.
            reads_directly="understand" in run.prompts or "answer.quote" in run.prompts,
            # Without a model nothing is asked for, and earlier prompts offered nothing to ask for.
            reads_on=run.prompts.get("answer", "") not in _WITHOUT_READING_ON,
            reads_by_worth=run.prompts.get("answer", "") not in _WITH_MORE_SOURCES,
            revises_in_context=run.prompts.get("revise", _ALONE) != _ALONE,
            # Earlier runs have no such word; their sections were the tasks of the research.
            outlines=bool(run.context.get(OUTLINES)),
            # The findings of earlier runs were used as they were noted; without a model they are the sources' words.
            checks_findings=run.prompts.get("note", _UNCHECKED_NOTES) != _UNCHECKED_NOTES,
        )


@dataclass(frozen=True, slots=True)
class RunContext:
    """The components of one running run, or of its replay."""

    facts: RunFacts
    recorder: RunRecorder
    evidence: RunEvidence
    tools: Toolbox
    ledger: Ledger
    reasoner: Reasoner
    fallback: Reasoner
    delivery: Delivery
    compute: Compute
    entailment: EntailmentModels | None = None
    on_node: Callable[[str, float], None] = lambda node, seconds: None

    def recorded_reasoner(self) -> RecordedReasoner:
        """Return a new recording reasoner; it collects the problems of one node."""
        return RecordedReasoner(self.reasoner, self.fallback, self.ledger, self._emit_call)

    def _emit_call(self, key: str, given: ReasonerInput, estimate_s: float | None) -> None:
        # A step that asks twice is at work on something else the second time; one that goes on after a crash is not.
        called = describe_call(given, estimate_s)
        self.recorder.emit(called, f"progress:{key}:{called.message}")
