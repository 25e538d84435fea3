"""Recheck a Word report after a person has edited it: which sentences are still supported by their citations?

The citations are recovered from the footnotes, and the original text from the embedded record. Nothing but the file is
needed; with the evidence bundle, quotes are taken from there, where nobody can have edited them.
"""

import difflib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from intelli.citations.check import CheckedStatement
from intelli.citations.prove import CitingText, ProofMaterial, StoredText, examine
from intelli.citations.statements import CitedStatement
from intelli.citations.wire import Check
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.deliverables.forms.docx.citation_cover import Covered
from intelli.deliverables.forms.docx.open_report import OpenedReport, open_report
from intelli.deliverables.forms.docx.read_report import ReportStatement
from intelli.deliverables.recheck import headings, table_rows
from intelli.language.quotes import numbers, skeleton
from intelli.reasoning.verbs.judge import Verdict

Fingerprint = tuple[str, tuple[str, ...], tuple[str, ...]]

_ORDER = (Check.VERIFIED, Check.WEAK, Check.UNCHECKED, Check.FAILED)
_UNCITED = "It cites nothing."
_CITATION_GONE = "Its citation was removed."
_UNKNOWN = "What it cites is not known: its footnote was changed."
_QUOTE_CHANGED = "The quote in its footnote was changed."
_HEADING_CHANGED = "It is a heading or caption that was changed, and cites nothing."
_HEADING_NEW = "It is a new heading or caption with a figure, and cites nothing."
_IN_FRONT = "It was added in front of a mark that stands for what was there before."
_NEAR = 0.5


class SentenceStatus(StrEnum):
    """Status of a sentence after the edit, with respect to its citations."""

    UNCHANGED = "unchanged"
    SUPPORTED = "supported"
    UNCONFIRMED = "unconfirmed"
    UNSUPPORTED = "unsupported"
    NEW = "new"


_STATUSES = {
    Verdict.SUPPORTED: SentenceStatus.SUPPORTED,
    Verdict.PARTLY: SentenceStatus.UNCONFIRMED,
    Verdict.UNCHECKED: SentenceStatus.UNCONFIRMED,
    Verdict.NOT_SUPPORTED: SentenceStatus.UNSUPPORTED,
    Verdict.CONTRADICTED: SentenceStatus.UNSUPPORTED,
}


@dataclass(frozen=True, slots=True)
class RecheckedSentence:
    """A sentence as it is now; `before` is the original sentence where it can be identified."""

    text: str
    standing: SentenceStatus
    identifiers: tuple[str, ...]
    check: Check
    reason: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class RecheckReport:
    """Every sentence of a report, the removed text, and the citations that are gone.

    Headings and captions are among the sentences only when they changed. A report that is not `is_recorded` has lost
    its original text: its sentences are compared with their quotes, and no more is known.
    """

    title: str
    is_recorded: bool = True
    sentences: list[RecheckedSentence] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    @property
    def flagged(self) -> list[RecheckedSentence]:
        """The sentences that a person must look at."""
        return [
            each for each in self.sentences if each.standing not in {SentenceStatus.UNCHANGED, SentenceStatus.SUPPORTED}
        ]

    @property
    def is_settled(self) -> bool:
        """True when a person need not check anything. A removal needs a check: it may narrow the rest."""
        return not (self.flagged or self.removed or self.lost)


def recheck(path: Path, quotes: Mapping[str, str] | None = None) -> RecheckReport:
    """Check a Word report. `quotes` by identifier, if given, are those of its evidence bundle."""
    report = open_report(path)
    checker = _Checker(report, {**report.quotes, **(quotes or {})})
    edited = _EditedReport(report)
    sentences = [
        checker.check_unchanged(now.original) if now.original is not None else checker.check_changed(now)
        for now in edited.sentences
    ]
    cited = {identifier for said in report.said for identifier in said.identifiers}
    lost = list(dict.fromkeys(name for each in report.originals for name in each.identifiers if name not in cited))
    if not report.is_recorded:
        return RecheckReport(report.title, is_recorded=False, sentences=[_as_unconfirmed(each) for each in sentences])
    titled = headings.compare(report.original_headings, report.headings)
    sentences += [_heading(each) for each in titled.changed]
    removed = [*titled.removed, *(each.text for each in edited.removed)]
    return RecheckReport(report.title, sentences=sentences, removed=removed, lost=lost)


def _heading(changed: headings.ChangedHeading) -> RecheckedSentence:
    reason = _HEADING_CHANGED if changed.before else _HEADING_NEW
    return RecheckedSentence(changed.text, SentenceStatus.NEW, (), Check.UNCHECKED, reason, changed.before)


def _as_unconfirmed(sentence: RecheckedSentence) -> RecheckedSentence:
    """Downgrade the status of a sentence with unknown original: a quote without support proves no change."""
    if sentence.standing is SentenceStatus.SUPPORTED:
        return sentence
    return replace(sentence, standing=SentenceStatus.UNCONFIRMED, check=Check.UNCHECKED)


@dataclass(slots=True)
class _EditedSentence:
    """A sentence as it is now, and the marks that cover it; `original` if unchanged, `before` if changed."""

    said: ReportStatement
    covered: Covered
    original: ReportStatement | None = None
    before: ReportStatement | None = None
    was_said: bool = False
    is_in_front: bool = False


class _EditedReport:
    """Matches the sentences of a report with the original ones."""

    def __init__(self, report: OpenedReport) -> None:
        self._originals = report.originals
        self._left = list(report.originals)
        texts = Counter(_comparable(each.text) for each in report.originals)
        self.sentences = [
            _EditedSentence(said, covered, was_said=texts[_comparable(said.text)] > 0)
            for said, covered in zip(report.said, report.covered, strict=True)
        ]
        self._match_untouched()
        self._match_under_moved_marks()
        self._pair_changed()

    @property
    def removed(self) -> list[ReportStatement]:
        """The original sentences that are gone."""
        return self._left

    def _match_untouched(self) -> None:
        """Match untouched sentences. A cell has meaning only at its place, so a moved cell counts as touched."""
        before = [_fingerprint(each) for each in self._originals]
        after = [_fingerprint(now.said) for now in self.sentences]
        matched = difflib.SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
        for block in matched:
            for at in range(block.size):
                self.sentences[block.b + at].original = self._originals[block.a + at]
        kept = {id(now.original) for now in self.sentences if now.original is not None}
        elsewhere: defaultdict[Fingerprint, list[ReportStatement]] = defaultdict(list)
        for each in self._originals:
            if id(each) not in kept:
                elsewhere[_fingerprint(each)].append(each)
        for now in self.sentences:
            if now.original is None and not now.covered.row:
                alike = elsewhere[_fingerprint(now.said)]
                now.original = alike.pop(0) if alike else None
        kept = {id(now.original) for now in self.sentences if now.original is not None}
        self._left = [each for each in self._originals if id(each) not in kept]

    def _match_under_moved_marks(self) -> None:
        """Match sentences whose mark is further behind now because text was inserted in between."""
        taken: set[str] = set()
        for now in self.sentences:
            if now.original is None and not now.said.identifiers:
                marks, words = set(now.covered.identifiers), _comparable(now.said.text)
                same = (each for each in self._left if _comparable(each.text) == words and marks & {*each.identifiers})
                now.original = next(same, None)
            elif now.original is None:
                now.is_in_front = bool(taken & {*now.said.identifiers})
                taken = set()
            if now.original is not None and not now.said.identifiers:
                self._left = [each for each in self._left if each is not now.original]
                taken |= {*now.original.identifiers}

    def _pair_changed(self) -> None:
        """Pair each changed sentence with its original: a cell by its place, others by citations and words."""
        last: ReportStatement | None = None
        for now in self.sentences:
            if now.original is None:
                now.before = self._cell_after(last) if now.covered.row else self._most_similar(now)
                self._left = [each for each in self._left if each is not now.before]
            last = now.original or now.before

    def _cell_after(self, last: ReportStatement | None) -> ReportStatement | None:
        """Return the original statement that followed another one, if it is still unmatched."""
        place = next((at for at, each in enumerate(self._originals, start=1) if each is last), len(self._originals))
        following = self._originals[place : place + 1]
        return next((each for each in self._left if following and each is following[0]), None)

    def _most_similar(self, now: _EditedSentence) -> ReportStatement | None:
        near = max(self._left, key=lambda each: _similarity(now, each), default=None)
        return near if near is not None and _similarity(now, near) >= _NEAR else None


class _Checker:
    """Checks sentences against quotes."""

    def __init__(self, report: OpenedReport, quotes: Mapping[str, str]) -> None:
        self._report = report
        self._quotes = quotes
        self._checks = {_fingerprint(each): checks for each, checks in report.checks.items()}

    def check_unchanged(self, said: ReportStatement) -> RecheckedSentence:
        """Return the status of an untouched sentence: its former check, unless its footnote was edited."""
        touched = next((each for each in said.identifiers if self._is_touched(each)), None)
        if touched is not None:
            return RecheckedSentence(
                said.text, SentenceStatus.UNSUPPORTED, said.identifiers, Check.FAILED, _QUOTE_CHANGED, said.text
            )
        best = min(self._checks.get(_fingerprint(said), ()), key=_ORDER.index, default=Check.UNCHECKED)
        return RecheckedSentence(said.text, SentenceStatus.UNCHANGED, said.identifiers, best, before=said.text)

    def check_changed(self, now: _EditedSentence) -> RecheckedSentence:
        """Return the status of a changed or new sentence."""
        said, before = now.said, now.before.text if now.before else ""
        marks = said.identifiers or now.covered.identifiers
        if not marks:
            reason = _CITATION_GONE if now.was_said else _UNCITED
            return RecheckedSentence(said.text, SentenceStatus.NEW, (), Check.UNCHECKED, reason, before)
        if not any(each in self._quotes for each in marks):
            return RecheckedSentence(
                said.text, SentenceStatus.UNSUPPORTED, said.identifiers, Check.FAILED, _UNKNOWN, before
            )
        standing, check, reason = self._compare_with_quotes(now, ReportStatement(said.text, marks))
        is_new = not before and not now.covered.row and (now.is_in_front or not said.identifiers)
        if is_new and standing is not SentenceStatus.SUPPORTED:
            added = f"{_IN_FRONT} {reason}" if now.is_in_front else _UNCITED
            return RecheckedSentence(said.text, SentenceStatus.NEW, said.identifiers, Check.UNCHECKED, added)
        return RecheckedSentence(said.text, standing, said.identifiers, check, reason, before)

    def _compare_with_quotes(self, now: _EditedSentence, said: ReportStatement) -> tuple[SentenceStatus, Check, str]:
        """Check a sentence against the quotes of its marks, or against what it said before and was checked then."""
        known = {each: self._quotes[each] for each in said.identifiers if each in self._quotes}
        if now.covered.row:
            return _check_cell(now.covered.row, said.text, list(known.values()))
        checked = _check(said.text, known)
        was = now.before if now.before and {*said.identifiers} & {*now.before.identifiers} else None
        if checked.verdict is Verdict.UNCHECKED and was is not None:
            before = _check(said.text, {"before": was.text})
            if before.verdict is Verdict.SUPPORTED and self._was_borne_out(was):
                checked = before
        return _STATUSES[checked.verdict], checked.check, checked.reason

    def _was_borne_out(self, was: ReportStatement) -> bool:
        return self.check_unchanged(was).check in {Check.VERIFIED, Check.WEAK}

    def _is_touched(self, identifier: str) -> bool:
        """Return whether the footnote no longer contains the words of the source."""
        known = self._quotes.get(identifier)
        shown = self._report.footnotes.get(identifier, ())
        return known is not None and any(skeleton(known) not in skeleton(words) for words in shown)


def _check(text: str, quotes: Mapping[str, str]) -> CheckedStatement:
    """Check a sentence against quotes by their names, all of them together, by rules alone."""
    passages = {name: _passage(name, quote) for name, quote in quotes.items()}
    sources = {name: StoredText(name, quote, is_whole=True) for name, quote in quotes.items()}
    statement = CitedStatement(text, tuple(range(len(quotes))), 0, len(text))
    [checked] = examine(CitingText(text, (statement,), tuple(quotes)), ProofMaterial(passages, sources))
    return checked


def _check_cell(row: Sequence[str], cell: str, quotes: Sequence[str]) -> tuple[SentenceStatus, Check, str]:
    """Check a cell of a table against the lines that are quoted for it; any of them may have it."""
    doubts = [table_rows.find_doubt(row, cell, quote) for quote in quotes]
    if not all(doubts):
        return SentenceStatus.SUPPORTED, Check.VERIFIED, ""
    return SentenceStatus.UNSUPPORTED, Check.FAILED, doubts[0]


def _passage(identifier: str, quote: str) -> Passage:
    """Return a quote as a passage of its own; its identifier stands in for the hash of its source."""
    return Passage(Span(identifier, 0, len(quote)), quote, title="", path="", mime_type="", score=1.0)


def _similarity(now: _EditedSentence, other: ReportStatement) -> float:
    ratio = difflib.SequenceMatcher(None, now.said.text, other.text, autojunk=False).ratio()
    shares = bool({*now.said.identifiers, *now.covered.identifiers} & {*other.identifiers})
    return ratio + (0.25 if shares else 0.0)


def _fingerprint(said: ReportStatement) -> Fingerprint:
    return (*_comparable(said.text), tuple(sorted(said.identifiers)))


def _comparable(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the comparable content of a sentence: no punctuation, spaces or quotation marks, but its figures."""
    return skeleton(text), tuple(numbers(text))
