"""What a reasoner is asked and what it gives back. All of it is plain JSON, so that a run can keep and replay it.

Text from outside (documents, pages, tool output) enters as a `Passage` and in no other way: adapters treat it as data.
"""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from intelli.deliverable_kinds import DeliverableType

Relevance = Annotated[float, Field(ge=0, le=1)]


class Thought(BaseModel):
    """Frozen, and a field nobody knows is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Usage(Thought):
    """What calls to a model took, and what they cost in US cents; the extractive reasoner costs nothing."""

    model: str
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    input_cost: Decimal = Decimal(0)
    output_cost: Decimal = Decimal(0)
    is_estimated: bool = Field(False, description="True when the endpoint told no token counts and we counted.")

    @property
    def cost(self) -> Decimal:
        """Cents, exact."""
        return self.input_cost + self.output_cost

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            model=self.model,
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            input_cost=self.input_cost + other.input_cost,
            output_cost=self.output_cost + other.output_cost,
            is_estimated=self.is_estimated or other.is_estimated,
        )


class Passage(Thought):
    """Text from outside, which no instruction can come from. `identifier` is what a citation of it names.

    `header` is the line that names the columns of a table which the text begins in the middle of; one that `is_cut`
    ends in the middle of a table.
    """

    identifier: str
    title: str
    text: str
    page: int | None = None
    section: str | None = None
    header: str = ""
    is_cut: bool = False


class Turn(Thought):
    """What was said before in the conversation."""

    role: Literal["user", "assistant"]
    text: str


class IntentKind(StrEnum):
    """What a message wants done."""

    QUESTION = "question"
    EDIT = "edit"
    CREATE = "create"
    REFACTOR = "refactor"
    SEARCH = "search"
    DELETE = "delete"


class Changing(StrEnum):
    """Whether a message asks for documents to be changed: not at all, beside a question, or for nothing else."""

    NOTHING = "nothing"
    ALSO = "also"
    ONLY = "only"


class IntentAsked(Thought):
    """What does this message want?"""

    verb: Literal["intent"] = "intent"
    question: str
    conversation: tuple[Turn, ...] = ()


class Intent(Thought):
    """What is wanted. `clarification` is the question to ask back when it cannot be researched as asked."""

    kind: IntentKind
    deliverable: DeliverableType = DeliverableType.STANDARD
    clarification: str | None = None
    changing: Changing = Changing.NOTHING


class PlanAsked(Thought):
    """Into which tasks does the question fall? Made before any source is read, so that no source can change it."""

    verb: Literal["plan"] = "plan"
    question: str
    conversation: tuple[Turn, ...] = ()
    titles: tuple[str, ...] = Field((), description="Names of documents that the person put beside the question.")
    today: date | None = None
    max_tasks: int = Field(5, ge=1, le=20)


class PlannedTask(Thought):
    """One thing to find out, and the searches for it."""

    title: str
    message: str
    queries: tuple[str, ...]


class Plan(Thought):
    """The tasks, independent of each other."""

    title: str
    summary: str
    tasks: tuple[PlannedTask, ...]


class NoteAsked(Thought):
    """What do these passages say about the task?"""

    verb: Literal["note"] = "note"
    question: str
    task: PlannedTask
    passages: tuple[Passage, ...]
    max_findings: int = Field(8, ge=1, le=50)


class Finding(Thought):
    """One statement, the passage it was read from, and the passage's own words for it."""

    text: str
    identifier: str
    quote: str
    relevance: Relevance
    about: str = Field("", description="Title of the task that it was found for.")


class Notes(Thought):
    """What was found, best first, and what the passages leave open."""

    task_title: str
    findings: tuple[Finding, ...]
    open_questions: tuple[str, ...] = ()


class BriefAsked(Thought):
    """What do the notes of all tasks come to?"""

    verb: Literal["brief"] = "brief"
    question: str
    notes: tuple[Notes, ...]
    passages: tuple[Passage, ...] = ()


class Metric(Thought):
    """A figure, stated here once and used everywhere as it stands."""

    name: str
    value: str
    unit: str = ""
    period: str = ""
    entity: str = ""
    identifier: str


class Moment(Thought):
    """Something with a date."""

    when: str
    what: str
    identifier: str


class Quote(Thought):
    """A source's own words."""

    text: str
    identifier: str


class Reading(Thought):
    """What one source gives for a figure."""

    value: str
    identifier: str


class Disagreement(Thought):
    """A figure for which sources give different values."""

    about: str
    readings: tuple[Reading, ...]


class Brief(Thought):
    """All that answers and deliverables are written from."""

    title: str
    question: str
    findings: tuple[Finding, ...]
    metrics: tuple[Metric, ...] = ()
    timeline: tuple[Moment, ...] = ()
    quotes: tuple[Quote, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    open_questions: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


class TabulateAsked(Thought):
    """Which figures, series and tables do the findings and the passages beside them hold?"""

    verb: Literal["tabulate"] = "tabulate"
    question: str
    findings: tuple[Finding, ...]
    passages: tuple[Passage, ...] = ()


class Measure(Metric):
    """A figure with the words of the passage that it stands in."""

    quote: str


class Point(Thought):
    """One value of a series, as written, with the words it stands in."""

    label: str
    value: str
    identifier: str
    quote: str


class Series(Thought):
    """One figure over several periods, or for several things."""

    title: str
    unit: str = ""
    points: tuple[Point, ...]


class TableRow(Thought):
    """A row of a table, and the words of the passage that it was read from."""

    cells: tuple[str, ...]
    quote: str


class Table(Thought):
    """A table of one passage."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    identifier: str


class Tabulated(Thought):
    """The data of a brief: every figure stands in its quote, and every quote in its passage."""

    metrics: tuple[Measure, ...] = ()
    series: tuple[Series, ...] = ()
    tables: tuple[Table, ...] = ()


class AnswerAsked(Thought):
    """Write the answer. `problems` are sentences the answer must own up to: failed tasks, a spent budget."""

    verb: Literal["answer"] = "answer"
    question: str
    brief: Brief
    passages: tuple[Passage, ...] = ()
    conversation: tuple[Turn, ...] = ()
    problems: tuple[str, ...] = ()


class Answer(Thought):
    """The whole text, with citations as `<gml-inlinecitation identifier="…"/>`.

    `is_answered` is false when the sources do not answer, `is_complete` when the text breaks off for a `reason`.
    """

    text: str
    is_answered: bool
    is_complete: bool = True
    reason: str | None = None
    confidence: Relevance = 0


class Delta(Thought):
    """The next piece of the answer's text; never half a citation."""

    type: Literal["delta"] = "delta"
    text: str


class Answered(Thought):
    """The last part of the stream: the deltas joined, and what they cost."""

    type: Literal["answered"] = "answered"
    answer: Answer
    usage: Usage


class TitleAsked(Thought):
    """Name the conversation."""

    verb: Literal["title"] = "title"
    question: str
    answer: str = ""


class Title(Thought):
    """A few words, without a full stop."""

    title: str


class Verdict(StrEnum):
    """How a passage bears on a statement."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNRELATED = "unrelated"


class JudgeAsked(Thought):
    """Does the passage support the statement?"""

    verb: Literal["judge"] = "judge"
    statement: str
    passage: Passage


class Judgement(Thought):
    """The verdict, how sure, and why in one sentence."""

    verdict: Verdict
    score: Relevance
    reason: str
