"""Prove a text: check every statement against all it cites together, and bind each citation to the words it rests on.

text → statements (`statements`) → sources read whole (`source_views`) → figures and calculations (`figures`,
`calculations`) → verdict by rules (`rules`) → verdict by a judge for what rules leave open (`judge`) → a proof for each
citation. Nothing here waits: the caller loads the sources beforehand. Only `examine` is slow; its result repeats none
of its input, and `proven` joins the two.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from intelli.citations import misattribution, rules, statements
from intelli.citations.check import CheckedStatement, CheckOutcome, QuoteSpan
from intelli.citations.figures import CitedView, FigureEntry
from intelli.citations.parse import segments, tag
from intelli.citations.source_views import SourceView, view_of
from intelli.citations.statements import CitedStatement
from intelli.citations.wire import Check
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.language.quotes import QuoteIndex
from intelli.library.span_map import SpanMap
from intelli.reasoning import evidence_rules
from intelli.reasoning.verbs.judge import Verdict

_UNKNOWN = "This names no source that was found."
_CHANGED = "The stored text of the source is damaged: it no longer has its hash."
_NOT_AT_HAND = "The text of the source is not there, so this could not be checked."
_ORDER = (Check.FAILED, Check.WEAK, Check.UNCHECKED, Check.VERIFIED)


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
    """A text whose statements were checked: these in order, and a proof for each citation.

    `text` is the text with citations bound anew where another source says what the cited one does not.
    """

    text: str
    proofs: tuple[CitationProof, ...]
    statements: tuple[CheckedStatement, ...]

    @property
    def ledger(self) -> tuple[tuple[CitedStatement, FigureEntry], ...]:
        """Every figure with its statement, in order."""
        return tuple((each.statement, entry) for each in self.statements for entry in each.entries)


@dataclass(frozen=True, slots=True)
class ProofMaterial:
    """What a text is proven from: passages by identifier, their sources by hash, and quotes a reasoner named.

    Figures of the `question` that a text answers are the asker's own, and need no source.
    """

    passages: Mapping[str, Passage]
    sources: Mapping[str, StoredText]
    hints: Mapping[str, Sequence[str]] = field(default_factory=dict)
    question: str = ""

    @property
    def without_maps(self) -> "ProofMaterial":
        """Return the material without the span maps of its sources, which no check reads."""
        return replace(self, sources={name: replace(each, span_map=None) for name, each in self.sources.items()})

    def view(self, identifier: str) -> SourceView | None:
        """Return a passage as a check reads it; None when it is unknown or its text is not there."""
        passage = self.passages.get(identifier)
        source = self.sources.get(passage.sha256) if passage else None
        if passage is None or source is None or not source.is_whole:
            return None
        return view_of(identifier, passage, source.text)


@dataclass(frozen=True, slots=True)
class CitingText:
    """Statements to check, and the identifier that each of their ordinals names.

    `is_fixed` says that its citations stay as they are, also where another source says the statement.
    """

    text: str
    statements: tuple[CitedStatement, ...]
    cited: tuple[str, ...]
    is_fixed: bool = False


def read(text: str) -> CitingText:
    """Split a text into statements, with what each of its citations names."""
    cited = tuple(segment.identifier or "" for segment in segments(text) if segment.ordinal is not None)
    return CitingText(text, tuple(statements.statements_of(text)), cited)


def load(text_sha256: str, stored: bytes, span_map: SpanMap | None) -> StoredText:
    """A stored text, with whether it still has its hash."""
    is_whole = hashlib.sha256(stored).hexdigest() == text_sha256
    return StoredText(text_sha256, stored.decode("utf-8", "replace"), is_whole, span_map)


def prove(text: str, material: ProofMaterial) -> ProvenText:
    """Check the statements of a text by rules alone."""
    citing = read(text)
    return proven(citing, examine(citing, material), material)


def examine(citing: CitingText, material: ProofMaterial) -> tuple[CheckedStatement, ...]:
    """Return the verdict of rules on each statement."""
    views = {name: view for name in dict.fromkeys(citing.cited) if (view := material.view(name)) is not None}
    others = misattribution.OtherSources(material.passages, lambda name: views.get(name) or material.view(name))
    checked = []
    for statement in citing.statements:
        mine = _views(statement.ordinals, citing.cited, views)
        context = _context(statement, citing, views)
        beside = tuple(rules.columns_above(statement, citing.statements))
        made = rules.check_by_rules(statement, mine, rules.Surroundings(beside, context, material.question))
        if statement.ordinals and not mine:
            made = _unread(made, citing.cited, material)
        made = _with_caveat(made, citing.cited, material)
        checked.append(
            misattribution.bind_elsewhere(made, citing.cited, others) if mine and not citing.is_fixed else made
        )
    return tuple(checked)


def _with_caveat(made: CheckedStatement, cited: Sequence[str], material: ProofMaterial) -> CheckedStatement:
    """Return a statement as unproven when the words that it rests on are those of no source."""
    passages = [material.passages.get(cited[ordinal]) for ordinal in made.statement.ordinals]
    caveat = evidence_rules.find_caveat([each.origin for each in passages if each is not None])
    if caveat is None or made.verdict not in {Verdict.SUPPORTED, Verdict.PARTLY, Verdict.UNCHECKED}:
        return made
    return replace(made, verdict=Verdict.UNCHECKED, reason=caveat, is_open=False)


def proven(citing: CitingText, checked: Sequence[CheckedStatement], material: ProofMaterial) -> ProvenText:
    """Return the text with its verdicts, and a proof for each citation: the worst of its statements decides."""
    bound = {ordinal: name for each in checked for ordinal, name in each.bound.items()}
    cited = [bound.get(ordinal, name) for ordinal, name in enumerate(citing.cited)]
    by_ordinal: dict[int, list[CheckedStatement]] = {}
    for each in checked:
        for ordinal in each.statement.ordinals:
            by_ordinal.setdefault(ordinal, []).append(each)
    proofs = tuple(_proof(ordinal, name, by_ordinal.get(ordinal, []), material) for ordinal, name in enumerate(cited))
    return ProvenText(rebind(citing.text, bound), proofs, tuple(checked))


def rebind(text: str, bound: Mapping[int, str]) -> str:
    """Return the text in which some citations name another source, by ordinal."""
    if not bound:
        return text
    return "".join(
        tag(bound[segment.ordinal]) if segment.ordinal is not None and segment.ordinal in bound else segment.text
        for segment in segments(text)
    )


def _views(ordinals: Sequence[int], cited: Sequence[str], views: Mapping[str, SourceView]) -> list[CitedView]:
    first: dict[str, int] = {}
    for ordinal in ordinals:
        first.setdefault(cited[ordinal], ordinal)
    return [CitedView(ordinal, views[name]) for name, ordinal in first.items() if name in views]


def _context(statement: CitedStatement, citing: CitingText, views: Mapping[str, SourceView]) -> list[CitedView]:
    """The sources that the other clauses of a sentence cite."""
    if not statement.context:
        return []
    ordinals = [
        ordinal
        for each in citing.statements
        if each.context == statement.context and each is not statement
        for ordinal in each.ordinals
        if citing.cited[ordinal] not in {citing.cited[mine] for mine in statement.ordinals}
    ]
    return _views(ordinals, citing.cited, views)


def _unread(made: CheckedStatement, cited: Sequence[str], material: ProofMaterial) -> CheckedStatement:
    """A statement none of whose sources could be read, with the reason."""
    reasons = [_problem(cited[ordinal], material) for ordinal in made.statement.ordinals]
    return replace(made, reason=next(filter(None, reasons), _NOT_AT_HAND), is_open=False, is_known=False)


def _problem(identifier: str, material: ProofMaterial) -> str:
    passage = material.passages.get(identifier)
    source = material.sources.get(passage.sha256) if passage else None
    if passage is None:
        return _UNKNOWN
    if source is None:
        return _NOT_AT_HAND
    return "" if source.is_whole else _CHANGED


def _proof(
    ordinal: int, identifier: str, checked: Sequence[CheckedStatement], material: ProofMaterial
) -> CitationProof:
    passage = material.passages.get(identifier)
    source = material.sources.get(passage.sha256) if passage else None
    start, quote = _quote(ordinal, identifier, checked, material)
    return CitationProof(
        ordinal=ordinal,
        identifier=identifier,
        statement=" ".join(each.statement.text for each in checked),
        passage=passage,
        source=source,
        span=Span(passage.sha256 if passage else "", start, start + len(quote)),
        quote=quote,
        outcome=_outcome(ordinal, identifier, checked, material),
    )


def _outcome(
    ordinal: int, identifier: str, checked: Sequence[CheckedStatement], material: ProofMaterial
) -> CheckOutcome:
    problem = _problem(identifier, material)
    if problem:
        check = Check.UNCHECKED if problem == _NOT_AT_HAND else Check.FAILED
        return CheckOutcome(check, problem, 0.0)
    found = [each.outcome_of(ordinal) for each in checked]
    return min(found, key=lambda each: _ORDER.index(each.check), default=CheckOutcome(Check.UNCHECKED, "", 0.0))


def _quote(
    ordinal: int, identifier: str, checked: Sequence[CheckedStatement], material: ProofMaterial
) -> tuple[int, str]:
    """Where the words begin that a citation rests on, and the words; those of a narrowed passage never leave it."""
    passage = material.passages.get(identifier)
    source = material.sources.get(passage.sha256) if passage else None
    if passage is None:
        return 0, ""
    if source is None or not source.is_whole:
        return passage.span.start, passage.text[: passage.span.end - passage.span.start]
    spans = [each for one in checked for each in one.quotes if each.ordinal == ordinal]
    hint = _hinted(identifier, checked, material)
    inside = [each for each in (*hint, *spans) if passage.span.start <= each.start and each.end <= passage.span.end]
    if not inside:
        return passage.span.start, passage.text[: passage.span.end - passage.span.start]
    start, end = _joined(inside, source.text)
    return start, source.text[start:end]


def _joined(spans: Sequence[QuoteSpan], text: str) -> tuple[int, int]:
    """The first span with those that go on behind it: two statements may rest on two sentences in a row."""
    start, end = spans[0].start, spans[0].end
    for each in sorted(spans, key=lambda one: one.start):
        if start <= each.start and not text[end : each.start].strip():
            end = max(end, each.end)
    return start, end


def _hinted(identifier: str, checked: Sequence[CheckedStatement], material: ProofMaterial) -> list[QuoteSpan]:
    """The quote that a reasoner named for a statement, where rules found no words that say just this."""
    hints = material.hints.get(identifier, ())
    view = material.view(identifier)
    if view is None or len(hints) != 1 or any(each.share >= 1.0 for each in checked):
        return []
    found = QuoteIndex(view.text).find(hints[0])
    return [QuoteSpan(0, view.start + found.start, view.start + found.end)] if found else []
