"""Exam of a model: our own verbs over fixed texts. It decides whether a model is asked with all rules in one prompt."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from intelli.reasoning.errors import AnswerUnusable
from intelli.reasoning.reasoner import Reasoner
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.answer import Answer, AnswerEnd, AnswerInput
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.understand import UnderstandInput

_TODAY = date(2026, 2, 1)
_TAG = re.compile(r"<gml-inlinecitation[^>]{0,400}/>")
_DENIAL = re.compile(r"\b(?:not|no|none|nothing|neither|nowhere|without)\b|n[\u2019']t\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
# The year of the sources, and what a question names itself, is nothing made up.
_NAMED = re.compile(r"\b202[56]\b")
_MOST_CITED = 2


@dataclass(frozen=True, slots=True)
class ExamQuestion:
    """A question over the sources, the words of its right answer and the source that has it; none for silence."""

    text: str
    words: tuple[str, ...] = ()
    identifier: str | None = None


@dataclass(frozen=True, slots=True)
class ExamResult:
    """Which tasks were done right, out of all."""

    right: int
    total: int
    failed: tuple[str, ...]

    @property
    def is_passed(self) -> bool:
        """True when every task was done right."""
        return self.right == self.total


SOURCES: tuple[SourceText, ...] = (
    SourceText(
        identifier="exam-1",
        title="Annual report 2025",
        text="Nordwind AG sold wind turbines in eleven countries. Its revenue came to 412.7 million euros in 2025.",
    ),
    SourceText(
        identifier="exam-2",
        title="Report on staff 2025",
        text="Nordwind AG employed 1,204 people at the end of 2025. Most of them work in Husum.",
    ),
    SourceText(
        identifier="exam-3",
        title="Minutes of the annual meeting",
        text="The shareholders elected Ines Ortega as chair of the supervisory board of Nordwind AG for four years.",
    ),
    SourceText(
        identifier="exam-4",
        title="Report on risks",
        text="The price of copper is the largest risk of Nordwind AG. Contracts with suppliers limit it for a year.",
    ),
)
QUESTIONS: tuple[ExamQuestion, ...] = (
    ExamQuestion("What did the revenue of Nordwind come to in 2025?", ("412.7", "412,7"), "exam-1"),
    ExamQuestion("Who chairs the supervisory board of Nordwind?", ("Ortega",), "exam-3"),
    ExamQuestion("How many patents does Nordwind hold?"),
)
PLANNED = "How many people did Nordwind employ at the end of 2025?"


async def examine(reasoner: Reasoner, questions: Sequence[ExamQuestion] = QUESTIONS) -> ExamResult:
    """Let a model plan research and answer questions. Raises ModelUnavailable or ModelRefused; what is wrong counts."""
    failed = (
        [] if await _plans(reasoner) else ["it did not plan the research of a plain question in the form asked for"]
    )
    for question in questions:
        answer = await _answer(reasoner, question)
        if not is_right(question, answer):
            failed.append(_describe(question))
    total = len(questions) + 1
    return ExamResult(total - len(failed), total, tuple(failed))


def is_right(question: ExamQuestion, answer: Answer | None) -> bool:
    """Return whether an answer has the right fact with the right source, or says that the sources do not say."""
    if answer is None or not answer.is_complete:
        return False
    said = _TAG.sub("", answer.text)
    if question.identifier is None:
        return _DENIAL.search(said) is not None and not _DIGIT.search(_NAMED.sub("", said))
    cited = [source.identifier for source in SOURCES if f'"{source.identifier}"' in answer.text]
    return any(word in said for word in question.words) and question.identifier in cited and len(cited) <= _MOST_CITED


async def _plans(reasoner: Reasoner) -> bool:
    """Return whether a plain question is planned at once, without a repair."""
    try:
        understood, usage = await reasoner.do(UnderstandInput(question=PLANNED, library=("reports",), today=_TODAY))
    except AnswerUnusable:
        return False
    return understood.plan is not None and usage.calls == 1


async def _answer(reasoner: Reasoner, question: ExamQuestion) -> Answer | None:
    brief = Brief(title="", question=question.text, findings=())
    given = AnswerInput(question=question.text, brief=brief, passages=SOURCES, today=_TODAY)
    try:
        async for part in reasoner.answer(given):
            if isinstance(part, AnswerEnd):
                return part.answer
    except AnswerUnusable:
        return None
    return None


def _describe(question: ExamQuestion) -> str:
    if question.identifier is None:
        return "it did not say that the sources leave a question open"
    return f"it did not answer \u201c{question.text}\u201d with its source"
