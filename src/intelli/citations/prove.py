"""Prove a text: bind every citation to the words it rests on, and check it against the bytes that contain them.

Nothing here waits: the caller loads the sources beforehand and asks a model to judge afterwards. Only `examine` is
slow; its result repeats none of its input, and `proven` joins the two.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from intelli.citations import check, figures, statements
from intelli.citations.bind import bind
from intelli.citations.check import CheckOutcome, CheckSubject
from intelli.citations.figures import FigureEntry, QuotedFigures
from intelli.citations.parse import segments
from intelli.citations.quotes import says_the_same
from intelli.citations.statements import CitedStatement
from intelli.citations.wire import Check
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.library.span_map import SpanMap
from intelli.reasoning.extractive import grids

_UNKNOWN = "This names no source that was found."
_CHANGED = "The stored text of the source is damaged: it no longer has its hash."
_NOT_AT_HAND = "The text of the source is not there, so this could not be checked."


@dataclass(frozen=True, slots=True)
class StoredText:
    """The text that a passage stands in, as it is stored. `is_whole` is false when it no longer has its hash."""

    text_sha256: str
    text: str
    is_whole: bool
    span_map: SpanMap | None = None


@dataclass(frozen=True, slots=True)
class CitationProof:
    """A citation, the span it is bound to, and what its check came to; `passage` is None for one that nobody found."""

    ordinal: int
    identifier: str
    statement: str
    passage: Passage | None
    source: StoredText | None
    span: Span
    quote: str
    outcome: CheckOutcome

    @property
    def around(self) -> tuple[str, ...]:
        """What the quote stands in, the nearest first."""
        return _standing_in(self.passage, self.source)

    @property
    def page(self) -> int | None:
        """The page on which the quote begins."""
        if self.source is not None and self.source.span_map is not None:
            return self.source.span_map.page_of(self.span.start)
        return self.passage.page if self.passage else None

    @property
    def section(self) -> str | None:
        """The headings above the quote."""
        if self.source is not None and self.source.span_map is not None:
            return self.source.span_map.section(self.span.start)
        return self.passage.section if self.passage else None


@dataclass(frozen=True, slots=True)
class ProvenText:
    """All citations of a text in order, and every figure of it with the place in the text where it stands."""

    proofs: tuple[CitationProof, ...]
    ledger: tuple[tuple[CitedStatement, FigureEntry], ...]

    @property
    def without_maps(self) -> tuple[CitationProof, ...]:
        """The proofs without the maps of their sources, which no check looks at."""
        return tuple(
            replace(proof, source=replace(proof.source, span_map=None)) if proof.source else proof
            for proof in self.proofs
        )


@dataclass(frozen=True, slots=True)
class ProofMaterial:
    """What a text is proven from: passages by identifier, their sources by hash, and quotes a reasoner named."""

    passages: Mapping[str, Passage]
    sources: Mapping[str, StoredText]
    hints: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def without_maps(self) -> "ProofMaterial":
        """The same without the maps of its sources, which no check looks at."""
        return replace(self, sources={name: replace(each, span_map=None) for name, each in self.sources.items()})


@dataclass(frozen=True, slots=True)
class ExaminedCitation:
    """A citation by itself: its statement, the words it was bound to, and what its check came to."""

    ordinal: int
    identifier: str
    statement: str
    start: int
    quote: str
    outcome: CheckOutcome


@dataclass(frozen=True, slots=True)
class ExaminedText:
    """What a text came to: its citations in order, and every figure of it."""

    citations: tuple[ExaminedCitation, ...]
    ledger: tuple[tuple[CitedStatement, FigureEntry], ...]


def load(text_sha256: str, stored: bytes, span_map: SpanMap | None) -> StoredText:
    """A stored text, with whether it still has its hash."""
    is_whole = hashlib.sha256(stored).hexdigest() == text_sha256
    return StoredText(text_sha256, stored.decode("utf-8", "replace"), is_whole, span_map)


def prove(text: str, material: ProofMaterial) -> ProvenText:
    """Bind and check every citation of a text, by words and figures alone."""
    return proven(examine(text, material), material)


def proven(examination: ExaminedText, material: ProofMaterial) -> ProvenText:
    """What was examined, beside what it rests on."""
    return ProvenText(tuple(_proof(each, material) for each in examination.citations), examination.ledger)


def examine(text: str, material: ProofMaterial) -> ExaminedText:
    """What each citation of a text is bound to, and what its check comes to."""
    cited = [segment.identifier or "" for segment in segments(text) if segment.ordinal is not None]
    examined: dict[int, ExaminedCitation] = {}
    ledger: list[tuple[CitedStatement, FigureEntry]] = []
    for statement in statements.statements_of(text):
        bound = [_bind(statement.text, ordinal, cited[ordinal], material) for ordinal in statement.ordinals]
        quotes = [_quoted(each, material) for each in bound]
        entries = tuple(figures.entries_of(statement.text, quotes))
        ledger += [(statement, entry) for entry in entries]
        examined |= {each.ordinal: _examined(statement.text, each, entries, material) for each in bound}
    return ExaminedText(tuple(examined[ordinal] for ordinal in sorted(examined)), tuple(ledger))


def examine_again(sentence: str, quoted: QuotedFigures, file_name: str) -> CheckOutcome:
    """The check of a sentence against its quote, by words and figures alone."""
    entries = tuple(figures.entries_of(sentence, [quoted]))
    return check.examine(CheckSubject(sentence, quoted.text, file_name, says_the_same(sentence, quoted.text), entries))


@dataclass(frozen=True, slots=True)
class _Binding:
    """A citation and the words of its passage that it was bound to."""

    ordinal: int
    identifier: str
    start: int
    quote: str
    is_verbatim: bool


def _bind(statement: str, ordinal: int, identifier: str, material: ProofMaterial) -> _Binding:
    passage = material.passages.get(identifier)
    if passage is None:
        return _Binding(ordinal, identifier, 0, "", is_verbatim=False)
    source, span = material.sources.get(passage.sha256), passage.span
    text = span.text_in(source.text) if source else passage.text
    header = grids.header_over(source.text, span.start) if source else ""
    bound = bind(statement, text, material.hints.get(identifier, ()), header=header)
    quote = text[bound.start : bound.end]
    return _Binding(ordinal, identifier, span.start + bound.start, quote, bound.is_verbatim)


def _examined(
    statement: str, bound: _Binding, entries: tuple[FigureEntry, ...], material: ProofMaterial
) -> ExaminedCitation:
    passage = material.passages.get(bound.identifier)
    source = material.sources.get(passage.sha256) if passage else None
    subject = CheckSubject(statement, bound.quote, _around(passage), bound.is_verbatim, entries)
    outcome = _outcome(passage, source, subject)
    return ExaminedCitation(bound.ordinal, bound.identifier, statement, bound.start, bound.quote, outcome)


def _proof(examined: ExaminedCitation, material: ProofMaterial) -> CitationProof:
    passage = material.passages.get(examined.identifier)
    return CitationProof(
        ordinal=examined.ordinal,
        identifier=examined.identifier,
        statement=examined.statement,
        passage=passage,
        source=material.sources.get(passage.sha256) if passage else None,
        span=Span(passage.sha256 if passage else "", examined.start, examined.start + len(examined.quote)),
        quote=examined.quote,
        outcome=examined.outcome,
    )


def _outcome(passage: Passage | None, source: StoredText | None, subject: CheckSubject) -> CheckOutcome:
    if passage is None:
        return CheckOutcome(Check.FAILED, _UNKNOWN, 0.0)
    if source is None:
        return CheckOutcome(Check.UNCHECKED, _NOT_AT_HAND, 0.0)
    if not source.is_whole:
        return CheckOutcome(Check.FAILED, _CHANGED, 0.0)
    return check.examine(subject)


def _quoted(bound: _Binding, material: ProofMaterial) -> QuotedFigures:
    passage = material.passages.get(bound.identifier)
    source = material.sources.get(passage.sha256) if passage else None
    return QuotedFigures(bound.ordinal, bound.quote, bound.start, _standing_in(passage, source))


def _standing_in(passage: Passage | None, source: StoredText | None) -> tuple[str, ...]:
    return tuple(each.text for each in (passage, source) if each is not None)


def _around(passage: Passage | None) -> str:
    """What a reader sees around the quote: the passage, and the names of the document and its part."""
    return f"{passage.title}\n{passage.section or ''}\n{passage.text}" if passage else ""
