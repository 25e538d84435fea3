"""Checking a Word report again after a person has edited it: which sentences still stand on what they cite?

The citations are recovered from the footnotes, and what the report said from its passport. Nothing but the file is
needed; with the evidence bundle, quotes are taken from there, where nobody can have edited them.
"""

import difflib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from uuid import UUID

from intelli.citations import parse
from intelli.citations.check import Outcome
from intelli.citations.prove import Material, Reference, Source, prove
from intelli.citations.quotes import numbers, skeleton
from intelli.citations.wire import Check
from intelli.deliverables.forms.docx.opening import Opened, open_report
from intelli.deliverables.forms.docx.reading import Said

Fingerprint = tuple[str, tuple[str, ...], tuple[str, ...]]

_ORDER = (Check.VERIFIED, Check.WEAK, Check.UNCHECKED, Check.FAILED)
_UNCITED = "It cites nothing."
_CITATION_GONE = "Its citation was removed."
_UNKNOWN = "What it cites is not known: its footnote was changed."
_QUOTE_CHANGED = "The quote in its footnote was changed."
_NEAR = 0.5


class Standing(StrEnum):
    """How a sentence stands to what it cites, after the edit."""

    UNCHANGED = "unchanged"
    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it stands now; `before` is what it was made of, where that can be told."""

    text: str
    standing: Standing
    identifiers: tuple[str, ...]
    check: Check
    reason: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Rechecked:
    """Every sentence of a report, what was taken out of it, and the citations that it has no more."""

    title: str
    sentences: list[Sentence] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    @property
    def flagged(self) -> list[Sentence]:
        """The sentences that a person must look at."""
        return [each for each in self.sentences if each.standing in {Standing.UNSUPPORTED, Standing.NEW}]


def recheck(path: Path, quotes: Mapping[str, str] | None = None) -> Rechecked:
    """Check a Word report. `quotes` by identifier, if given, are those of its evidence bundle."""
    report = open_report(path)
    originals = Counter(_fingerprint(each) for each in report.originals)
    texts = Counter(_words(each.text) for each in report.originals)
    trusted = {**report.quotes, **(quotes or {})}
    checker = _Checker(report, trusted)
    sentences: list[Sentence] = []
    changed: list[int] = []
    for said in report.said:
        mark = _fingerprint(said)
        if originals[mark] > 0:
            originals[mark] -= 1
            sentences.append(checker.unchanged(said))
            continue
        changed.append(len(sentences))
        sentences.append(checker.changed(said, was_said=texts[_words(said.text)] > 0))
    gone = [each for each in report.originals if _take(originals, _fingerprint(each))]
    gone = _pair(sentences, changed, gone)
    cited = {identifier for said in report.said for identifier in said.identifiers}
    lost = list(dict.fromkeys(name for each in report.originals for name in each.identifiers if name not in cited))
    return Rechecked(report.title, sentences, [each.text for each in gone], lost)


class _Checker:
    """Checks sentences against quotes."""

    def __init__(self, report: Opened, quotes: Mapping[str, str]) -> None:
        self._report = report
        self._quotes = quotes

    def unchanged(self, said: Said) -> Sentence:
        """A sentence that nobody touched keeps the check that it had, unless its footnote was touched."""
        touched = next((each for each in said.identifiers if self._is_touched(each)), None)
        if touched is not None:
            return Sentence(said.text, Standing.UNSUPPORTED, said.identifiers, Check.FAILED, _QUOTE_CHANGED, said.text)
        checks = [self._report.checks.get(each, Check.UNCHECKED) for each in said.identifiers]
        best = min(checks, key=_ORDER.index, default=Check.UNCHECKED)
        return Sentence(said.text, Standing.UNCHANGED, said.identifiers, best, before=said.text)

    def changed(self, said: Said, *, was_said: bool) -> Sentence:
        """A sentence that is not as it was."""
        if not said.identifiers:
            reason = _CITATION_GONE if was_said else _UNCITED
            return Sentence(said.text, Standing.NEW, (), Check.UNCHECKED, reason)
        if not any(each in self._quotes for each in said.identifiers):
            return Sentence(said.text, Standing.UNSUPPORTED, said.identifiers, Check.FAILED, _UNKNOWN)
        outcome = self._outcome(said)
        is_standing = outcome.check in {Check.VERIFIED, Check.WEAK}
        standing = Standing.SUPPORTED if is_standing else Standing.UNSUPPORTED
        return Sentence(said.text, standing, said.identifiers, outcome.check, outcome.reason)

    def _is_touched(self, identifier: str) -> bool:
        """Whether the footnote no longer has the words that the source has."""
        shown, known = self._report.footnotes.get(identifier), self._quotes.get(identifier)
        return shown is not None and known is not None and skeleton(known) not in skeleton(shown)

    def _outcome(self, said: Said) -> Outcome:
        """The best that any of its citations comes to; figures may come from all of them."""
        known = [each for each in said.identifiers if each in self._quotes]
        text = _escaped(said.text) + "".join(parse.tag(each) for each in known)
        references = {each: _reference(each, self._quotes[each]) for each in known}
        sources = {each: Source(each, self._quotes[each], is_whole=True) for each in known}
        proofs = prove(text, Material(references, sources)).proofs
        return min((proof.outcome for proof in proofs), key=lambda outcome: _ORDER.index(outcome.check))


def _reference(identifier: str, quote: str) -> Reference:
    return Reference(
        identifier=identifier,
        document_id=UUID(int=0),
        title="",
        path="",
        mime_type="",
        sha256=identifier,
        start=0,
        end=len(quote),
        text=quote,
        score=1.0,
    )


def _pair(sentences: list[Sentence], changed: list[int], gone: list[Said]) -> list[Said]:
    """Give each changed sentence the one that it was made of: of the same citations, or nearly of the same words."""
    left = list(gone)
    for at in changed:
        sentence = sentences[at]
        near = [(_likeness(sentence, each), number) for number, each in enumerate(left)]
        likeness, number = max(near, default=(0.0, -1))
        if likeness < _NEAR:
            continue
        before = left.pop(number).text
        sentences[at] = Sentence(
            sentence.text, sentence.standing, sentence.identifiers, sentence.check, sentence.reason, before
        )
    return left


def _likeness(sentence: Sentence, other: Said) -> float:
    ratio = difflib.SequenceMatcher(None, sentence.text, other.text, autojunk=False).ratio()
    shares = bool(set(sentence.identifiers) & set(other.identifiers))
    return ratio + (0.25 if shares else 0.0)


def _take(counted: Counter[Fingerprint], mark: Fingerprint) -> bool:
    if counted[mark] <= 0:
        return False
    counted[mark] -= 1
    return True


def _fingerprint(said: Said) -> Fingerprint:
    return (*_words(said.text), tuple(sorted(said.identifiers)))


def _words(text: str) -> tuple[str, tuple[str, ...]]:
    """What a sentence says: punctuation, spaces and quotation marks do not count, figures do."""
    return skeleton(text), tuple(numbers(text))


def _escaped(text: str) -> str:
    """Text that holds no mark of ours."""
    return re.sub(r"([\\`*_<\[\]{}])", r"\\\1", text)
