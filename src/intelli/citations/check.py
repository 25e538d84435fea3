"""Outcome of a check: of a statement, and of each citation that it rests on."""

from dataclasses import dataclass, field

from intelli.citations.figures import FigureEntry
from intelli.citations.statements import CitedStatement
from intelli.citations.wire import Check, JudgedBy
from intelli.reasoning.verbs.judge import Verdict

OTHER_WORDS = "The source may say this in other words. Read it before you rely on it."
UNCITED = "It cites nothing."
SILENT = "It says that the sources are silent."
OWN = "It is the writer's own reckoning."

_CHECKS = {
    Verdict.SUPPORTED: Check.VERIFIED,
    Verdict.PARTLY: Check.WEAK,
    Verdict.NOT_SUPPORTED: Check.FAILED,
    Verdict.CONTRADICTED: Check.FAILED,
}


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What the check of a citation came to."""

    check: Check
    reason: str
    score: float


@dataclass(frozen=True, slots=True)
class QuoteSpan:
    """The words of a cited passage that a statement rests on, from `start` to `end` of the document's text."""

    ordinal: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """A statement with its verdict. `carried_by` are the ordinals that carry a part of it.

    One that `is_open` may still be judged: rules could neither confirm it by the source's own words, nor reject it
    beyond doubt. `bound` names for an ordinal another source that says the statement, where the cited one does not;
    `elsewhere` are sources that say a part of it and are not cited.
    """

    statement: CitedStatement
    verdict: Verdict
    reason: str
    judged_by: JudgedBy
    carried_by: tuple[int, ...] = ()
    quotes: tuple[QuoteSpan, ...] = ()
    entries: tuple[FigureEntry, ...] = ()
    share: float = 0.0
    is_open: bool = False
    is_known: bool = True
    bound: dict[int, str] = field(default_factory=dict)
    elsewhere: tuple[str, ...] = ()

    @property
    def check(self) -> Check:
        """The verdict as the mark of a citation. What a source says in other words is weak until someone judged it."""
        if self.verdict is Verdict.UNCHECKED and self.is_known and self.statement.ordinals:
            return Check.WEAK
        return _CHECKS.get(self.verdict, Check.UNCHECKED)

    def outcome_of(self, ordinal: int) -> CheckOutcome:
        """Return what the check of one of its citations comes to."""
        check, reason = self.check, self.reason
        if self.verdict is Verdict.SUPPORTED and ordinal not in self.carried_by:
            check, reason = Check.WEAK, "The other sources of the statement say it; this one adds nothing to it."
        return CheckOutcome(check, reason, _SCORES[check])


_SCORES = {Check.VERIFIED: 1.0, Check.WEAK: 0.5, Check.UNCHECKED: 0.5, Check.FAILED: 0.0}
