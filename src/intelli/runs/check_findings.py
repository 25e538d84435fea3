"""Check of findings against the words they quote: figures, dates, denials and names must be borne by these.

That a quote stands in its source is checked when notes are taken. A finding may still say more than its quotes; it is
then reduced to them, so that what is written from it rests on what a source says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from intelli.citations import rules, source_views
from intelli.citations.figures import CitedView
from intelli.citations.statements import CitedStatement
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.language import grids, negation
from intelli.reasoning.values import QuotedFinding
from intelli.reasoning.verbs.judge import Verdict
from intelli.reasoning.verbs.note import Notes

_REJECTED = frozenset({Verdict.NOT_SUPPORTED, Verdict.CONTRADICTED})
REPLACED = "replaced by these words."


@dataclass(frozen=True, slots=True)
class CheckedNotes:
    """Notes whose findings say no more than their quotes, and the number of those that did."""

    notes: tuple[Notes, ...]
    reduced: int

    @property
    def problem(self) -> str | None:
        """A sentence about the findings that were reduced; None when there are none."""
        if not self.reduced:
            return None
        said = "1 finding" if self.reduced == 1 else f"{self.reduced} findings"
        return f"{said} of the model said more than the words of the sources they quote, and had to be {REPLACED}"


def check_notes(notes: Sequence[Notes], passages: Mapping[str, Passage]) -> CheckedNotes:
    """Return the notes with every finding that says more than its quotes reduced to them."""
    checked = [tuple(_checked(finding, passages) for finding in each.findings) for each in notes]
    pairs = zip(notes, checked, strict=True)
    reduced = sum(
        one.text != other.text for each, kept in pairs for one, other in zip(each.findings, kept, strict=True)
    )
    kept_notes = zip(notes, checked, strict=True)
    return CheckedNotes(tuple(each.model_copy(update={"findings": kept}) for each, kept in kept_notes), reduced)


def _checked(finding: QuotedFinding, passages: Mapping[str, Passage]) -> QuotedFinding:
    if is_borne(finding, passages):
        return finding
    return finding.model_copy(update={"text": " ".join(finding.quoted.split())})


def is_borne(finding: QuotedFinding, passages: Mapping[str, Passage]) -> bool:
    """Return whether the quotes of a finding, read together, bear what it says.

    Figures, dates and denials are held against the quotes and the heads above them. A name may stand elsewhere in the
    passage: a quote says "it" of what was named before.
    """
    known = [passages.get(quote.identifier) for quote in finding.quotes]
    if any(each is None for each in known):
        return False
    found = [each for each in known if each is not None]
    quoted = [
        _view(number, passage, quote.text)
        for number, (passage, quote) in enumerate(zip(found, finding.quotes, strict=True))
    ]
    if negation.is_negated(finding.text) and not negation.is_negated(finding.quoted):
        return False
    statement = CitedStatement(finding.text, tuple(range(len(quoted))), 0, len(finding.text))
    if rules.check_by_rules(statement, quoted).verdict in _REJECTED:
        return False
    return not rules.unknown_names(finding.text, [_view(at, each, each.text) for at, each in enumerate(found)])


def _view(ordinal: int, passage: Passage, text: str) -> CitedView:
    """Return a text as a check reads it, below the title, section and table head of its passage."""
    at = max(passage.text.find(text), 0)
    header = (grids.header_over(passage.text, at) if at else "") or passage.header
    alone = replace(passage, text=text, header=header, span=Span(passage.sha256, 0, len(text)))
    return CitedView(ordinal, source_views.view_of(passage.identifier, alone, None))
