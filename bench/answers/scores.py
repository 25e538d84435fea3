"""Reads answers to labelled questions by rules: right, partly, wrong, abstained or nonsense.

* *nonsense*: the first statement is no sentence, labelled value or table, or is the question or someone's guess.
* *right*: all facts are said, no trap is, a document of each group is cited, and the cited characters have the facts.
* *wrong*: a trap is said, or none of the facts.
* *partly*: all else: facts without the evidence for them, a bare value, a row of a table told as labels and values in a
  line, one fact behind others that were not asked for, or what a sum is made of without the sum.
* What cannot be answered is right when *abstained*; an answer that says what is labelled as true instead is as good.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bench.answer_scores import without_citations
from bench.answers.gold import Group, Text, missing, read_text
from bench.answers.questions import LabelledQuestion
from bench.answers.statements import FRAGMENT, fault_of_first, is_abstention, is_row_of_labels, units

# Their answer has to be among the first statements; what stands before it is beside the point.
_ONE_FACT = frozenset(
    {"fact", "table lookup", "extreme", "sum", "difference/share", "who/when/where", "yes/no", "follow-up"}
)
_EARLY = 2


class Grade(StrEnum):
    """What an answer comes to."""

    RIGHT = "right"
    PARTLY = "partly"
    WRONG = "wrong"
    ABSTAINED = "abstained"
    NONSENSE = "nonsense"


@dataclass(frozen=True)
class CitedWords:
    """A document by its name and the characters at the cited place, read anew; none where it did not resolve."""

    name: str
    words: str | None


@dataclass(frozen=True)
class GivenAnswer:
    """An answer as a person gets it. `confidence` and `level` are null where none is shown."""

    text: str
    cited: tuple[CitedWords, ...] = ()
    confidence: float | None = None
    level: str | None = None


@dataclass(frozen=True)
class AnswerReading:
    """What an answer comes to, and why."""

    grade: Grade
    why: str = ""

    @property
    def is_good(self) -> bool:
        """Right, or rightly abstained: the reading of a question without an answer is never ABSTAINED otherwise."""
        return self.grade is Grade.RIGHT


def read_answer(question: LabelledQuestion, given: GivenAnswer) -> AnswerReading:
    """Read an answer."""
    if not given.text.strip() or is_abstention(given.text):
        return AnswerReading(Grade.ABSTAINED)
    fault = fault_of_first(given.text, question.text)
    if not question.is_answerable:
        return _read_unanswerable(question, given, fault)
    absent, groups = _absent(question, given)
    trapped = _trapped(question, given.text)
    if fault and (absent or trapped or fault != FRAGMENT):
        return AnswerReading(Grade.NONSENSE, fault)
    if trapped:
        return AnswerReading(Grade.WRONG, f"says {trapped}")
    if len(absent) == groups:
        return _read_without_result(question, given)
    lacks = fault or _lack(question, given, absent) or _flaw(question, given)
    return AnswerReading(Grade.PARTLY, lacks) if lacks else AnswerReading(Grade.RIGHT)


def _read_without_result(question: LabelledQuestion, given: GivenAnswer) -> AnswerReading:
    """Read an answer that has none of the facts: what a sum is made of is a part of it."""
    if question.is_calculated and question.evidence and not missing(_whole(given.text), question.evidence):
        return AnswerReading(Grade.PARTLY, "says what it is calculated from, and not the result")
    return AnswerReading(Grade.WRONG, "says none of the facts")


def _flaw(question: LabelledQuestion, given: GivenAnswer) -> str:
    """Return what makes an answer hard to use though all is there."""
    if is_row_of_labels(given.text):
        return "tells a row as labels and values in a line"
    if question.must and question.kind in _ONE_FACT and "|" not in given.text:
        first = read_text(" ".join(units(given.text)[:_EARLY]))
        if len(missing(first, question.must)) == len(question.must):
            return "says it late"
    return ""


def _read_unanswerable(question: LabelledQuestion, given: GivenAnswer, fault: str | None) -> AnswerReading:
    if fault:
        return AnswerReading(Grade.NONSENSE, fault)
    if question.must and not missing(_whole(given.text), question.must) and not _trapped(question, given.text):
        return AnswerReading(Grade.RIGHT, "says what is true instead")
    return AnswerReading(Grade.WRONG, "answers what the documents do not")


def _absent(question: LabelledQuestion, given: GivenAnswer) -> tuple[list[str], int]:
    """Return what an answer does not say, and the number of what it has to."""
    told = [_told(group) for group in missing(_whole(given.text), question.must)]
    known = {each.name.casefold() for each in given.cited}
    text = given.text.casefold()
    told += [" | ".join(names) for names in question.names if not any(_is_named(name, text, known) for name in names)]
    return told, len(question.must) + len(question.names)


def _is_named(name: str, text: str, cited: set[str]) -> bool:
    return name in cited or name in text or name.rsplit(".", 1)[0] in text


def _lack(question: LabelledQuestion, given: GivenAnswer, absent: Sequence[str]) -> str:
    """Return what keeps an answer without wrong statements from being right."""
    if absent:
        return f"does not say {'; '.join(absent)}"
    names = {each.name for each in given.cited}
    if uncited := [group for group in question.docs if names.isdisjoint(group)]:
        return f"does not cite {' or '.join(uncited[0])}"
    if any(each.words is None for each in given.cited):
        return "cites what does not resolve"
    words = read_text("\n".join(each.words or "" for each in given.cited))
    if unfounded := missing(words, question.evidence):
        return f"the cited words do not have {_told(unfounded[0])}"
    return ""


def _trapped(question: LabelledQuestion, answer: str) -> str:
    """Return a trap that one of the statements says, or nothing."""
    said = [read_text(unit) for unit in units(answer)]
    for trap in question.traps:
        if any(trap.is_in(unit) for unit in said):
            return _told(trap.what)
    return ""


def _whole(answer: str) -> Text:
    return read_text(without_citations(answer))


def _told(group: Group) -> str:
    return " | ".join(" & ".join(f"{fact.kind}{fact.value}" for fact in each) for each in group)
