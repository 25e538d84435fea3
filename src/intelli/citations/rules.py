"""Check a statement by rules: what a source says word for word is supported, and what it cannot mean is rejected.

Nothing here understands language. Figures, dates, quotations and negations can reject a statement, the source's own
words can support it, and everything between is said *in other words*: for a judge, or for the reader.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from intelli.citations import figure_rules, figures
from intelli.citations.bind import find_row
from intelli.citations.check import OTHER_WORDS, OWN, SILENT, UNCITED, CheckedStatement, QuoteSpan
from intelli.citations.figures import CitedView, FigureEntry
from intelli.citations.source_views import SentenceTokens, SourceView, language_of, read_figures, sentences_of, years_of
from intelli.citations.statements import CitedStatement
from intelli.citations.table_cells import CellFinding, CellMatch, find_cell
from intelli.citations.wire import JudgedBy, StatementKind
from intelli.citations.wording import SupportDoubt, Wording, compare
from intelli.citations.wording_tokens import TextToken, tokenize
from intelli.language import sentences, words
from intelli.language.dates import Day
from intelli.language.numbers import Number
from intelli.language.quotes import QuoteIndex, QuoteMatch, skeleton
from intelli.reasoning.verbs.judge import Verdict

_LEAST_QUOTED_WORDS = 3
_QUOTED = re.compile(
    r"\u201c([^\u201c\u201d]{8,})\u201d|\u201e([^\u201c-\u201e]{8,})[\u201c\u201d]|\u00ab([^\u00ab\u00bb]{8,})\u00bb|\"([^\"]{8,})\""
)
_NAME = re.compile(r"(?<=[\w,;:)\u2019'] )[A-Z\u00c0-\u00de\u0410-\u042f][\w'\u2019-]*|\b\w*[A-Z]\w*[A-Z0-9]\w*")
_SHOUTED = re.compile(r"[^\WA-Z]*+[A-Z][^\WA-Z0-9]*+[A-Z0-9]\w*+|[A-Z]+-?\d+")
# Shorter than this a statement is a figure or a name, and may stand anywhere by chance.
_LEAST_VERBATIM = 24
# "According to the report, …": who says it is the citation's matter.
_ATTRIBUTION = re.compile(r"^(?:According to|As stated in|Laut|Gem\u00e4\u00df|Nach|Per) [^,.;]{3,80}, (?=\w)")
# A line of a timeline: its date, a dash, and what was.
_DATED = re.compile(r"([^\u2013]{2,40}\d{4}|\d{4}) \u2013 ")
_STOPS = ".!? "
# What stands between the end of one sentence and the words of the next, and between these and their full stop.
_OPENING, _CLOSING = " *_#>-\u2022\u2013\"'\u201c\u201e\u00ab([", " *_\"'\u201d\u201c\u00bb)]"
_EDGES = "\n\f\t|.!?\u2026\u3002;:"
_SIGHT = 80
_WINDOWS = 3
# A sentence with less of a statement than this is neither the same nor its contrary.
_LEAST_ALIKE = 0.5
_FAR = SupportDoubt("The source says it in other words, if at all.")
_LEAST_CARRIED = 0.25
# A figure that was read in a sentence says as much as so many words that it shares.
_FIGURE_WEIGHT = 3


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is around a statement: columns above it in its table, other sources of its sentence, and the question."""

    columns: Sequence[Sequence[str]] = ()
    context: Sequence[CitedView] = ()
    question: str = ""


def check_by_rules(
    statement: CitedStatement, cited: Sequence[CitedView], around: Surroundings | None = None
) -> CheckedStatement:
    """Return the verdict that rules alone give."""
    if not cited:
        return _uncited(statement)
    entries = _entries(statement, cited, around or Surroundings())
    best = _best_wording(statement.text, cited)
    made = CheckedStatement(
        statement, Verdict.UNCHECKED, OTHER_WORDS, JudgedBy.RULES, entries=tuple(entries), is_open=True,
        quotes=tuple(_rests_on(statement.text, each, entries, cited) for each in best),
        share=max((each.wording.share for each in best), default=0.0),
        carried_by=_carriers(cited, entries, best),
    )  # fmt: skip
    if statement.is_calculated:
        return _calculated(made)
    if statement.kind is StatementKind.FIGURE:
        missing = [entry.written for entry in entries if not entry.is_found and not entry.is_open]
        failed = replace(made, verdict=Verdict.NOT_SUPPORTED, reason=_missing(missing)) if missing else made
        return figure_rules.check_figure(failed, cited[0])
    return _own(made) if statement.kind is StatementKind.OWN else _decide(made, cited, best)


def _calculated(made: CheckedStatement) -> CheckedStatement:
    """The verdict on a calculation that a program made: its figures have to be the sources'."""
    missing = [entry.written for entry in made.entries if not entry.is_found and not entry.is_open]
    if missing:
        return replace(made, verdict=Verdict.NOT_SUPPORTED, reason=_missing(missing), is_open=False)
    return replace(made, verdict=Verdict.SUPPORTED, reason="", is_open=False, carried_by=made.statement.ordinals)


def _own(made: CheckedStatement) -> CheckedStatement:
    """The verdict on a judgement: only its figures are the sources'."""
    missing = [entry.written for entry in made.entries if not entry.is_found and not entry.is_open]
    if missing:
        return replace(made, verdict=Verdict.NOT_SUPPORTED, reason=_missing(missing))
    return replace(made, reason=OWN, judged_by=JudgedBy.NOTHING, is_open=False, is_known=False)


def _rests_on(text: str, best: "_Compared", entries: Sequence[FigureEntry], cited: Sequence[CitedView]) -> QuoteSpan:
    """The words of a source to show for a statement: its own, else the sentence in which its figures were read."""
    mine = next(each for each in cited if each.ordinal == best.quote.ordinal)
    read = [reading.start for entry in entries for reading in entry.read if reading.ordinal == mine.ordinal]
    if best.wording.is_same or not read:
        return best.quote
    language = language_of(mine.view.text)
    keys = {token.key for token in tokenize(text, language)}
    found = [
        (_FIGURE_WEIGHT * len(here) + len(keys & each.keys), QuoteSpan(mine.ordinal, start, end))
        for each in sentences_of(mine.view.text, language)
        for start, end in [(mine.view.start + each.start, mine.view.start + each.end)]
        if (here := [at for at in read if start <= at < end])
    ]
    return max(found, key=lambda each: each[0], default=(0, best.quote))[1]


def _decide(made: CheckedStatement, cited: Sequence[CitedView], best: "Sequence[_Compared]") -> CheckedStatement:
    """The verdict of rules: the first that has something to say."""
    statement = made.statement
    unquoted = _not_quoted(statement.text, cited)
    if unquoted is not None:
        reason = f"The source does not have the words \u201c{unquoted[:80]}\u201d."
        return replace(made, verdict=Verdict.NOT_SUPPORTED, reason=reason, is_open=False)
    missing = [entry.written for entry in made.entries if not entry.is_found and not entry.is_open]
    same = next((each for each in best if each.wording.is_same and not missing), None)
    if same is not None:
        return replace(
            made, verdict=Verdict.SUPPORTED, reason="", judged_by=JudgedBy.WORDS, is_open=False,
            carried_by=(same.quote.ordinal,), quotes=(same.quote, *(each.quote for each in best if each is not same)),
        )  # fmt: skip
    of_cells = _check_cells(made, cited) if statement.cells else None
    if of_cells is not None:
        return of_cells
    if missing:
        return replace(made, verdict=Verdict.NOT_SUPPORTED, reason=_missing(missing))
    return _compare(made, cited, best)


def _compare(made: CheckedStatement, cited: Sequence[CitedView], best: "Sequence[_Compared]") -> CheckedStatement:
    """The verdict on a statement whose figures are all there: contradicted by nearly the same words, or in others."""
    statement = made.statement
    is_row = statement.kind is StatementKind.CELL or (bool(best) and _is_in_table(best[0].quote, cited))
    turned = best[0].wording.contradiction if best and not is_row else ""
    if turned:
        return replace(made, verdict=Verdict.CONTRADICTED, reason=turned)
    unknown = unknown_names(statement.text, cited)
    return replace(made, reason=f"The source does not name {_listed(unknown)}. {OTHER_WORDS}") if unknown else made


def _is_in_table(quote: QuoteSpan, cited: Sequence[CitedView]) -> bool:
    """Whether words of a source are a row of a table, whose figures may be told in any order."""
    view = next(each.view for each in cited if each.ordinal == quote.ordinal)
    return any(table.start <= quote.start - view.start < table.end for table in view.tables)


def _missing(figures: Sequence[str]) -> str:
    return f"The sources do not have {_listed(figures)}, and no figures of theirs give it."


def _uncited(statement: CitedStatement) -> CheckedStatement:
    reasons = {StatementKind.ABSENCE: SILENT, StatementKind.OWN: OWN}
    return CheckedStatement(
        statement,
        Verdict.UNCHECKED,
        reasons.get(statement.kind, UNCITED),
        JudgedBy.NOTHING,
        is_open=statement.kind is StatementKind.ABSENCE,
        is_known=False,
    )


def _entries(statement: CitedStatement, cited: Sequence[CitedView], around: Surroundings) -> list[FigureEntry]:
    """The figures of a statement; those of a clause may be in the other sources of its sentence, or in the question."""
    entries = figures.entries_of(statement.text, cited, around.columns)
    if around.context and not all(entry.is_found for entry in entries):
        wider = figures.entries_of(statement.text, [*cited, *around.context], around.columns)
        by_place = {entry.start: entry for entry in wider}
        entries = [entry if entry.is_found else by_place.get(entry.start, entry) for entry in entries]
    asked = {skeleton(each.written) for each in _figures_of(around.question)}
    return [
        replace(entry, is_open=True) if not entry.is_found and skeleton(entry.written) in asked else entry
        for entry in entries
    ]


def _figures_of(text: str) -> "Iterator[Number | Day]":
    found = read_figures(text, "")
    yield from found.numbers
    yield from found.days


class _Compared:
    """A window of a source beside the statement: how they compare, and where it is."""

    def __init__(self, wording: Wording, quote: QuoteSpan) -> None:
        self.wording = wording
        self.quote = quote

    @property
    def rank(self) -> tuple[bool, float, int]:
        """What is the same first, then what has most of the statement in the fewest words."""
        return not self.wording.is_same, -self.wording.share, self.quote.end - self.quote.start


def _best_wording(text: str, cited: Sequence[CitedView]) -> "list[_Compared]":
    """The best window of each cited source, the best of all first."""
    found = [window for each in cited if (window := _window(text, each)) is not None]
    return sorted(found, key=lambda each: each.rank)


def _window(text: str, cited: CitedView) -> _Compared | None:
    view = cited.view
    verbatim = _verbatim(text, view) or find_row(text, view.text, view.header)
    if verbatim is not None:
        span = QuoteSpan(cited.ordinal, view.start + verbatim.start, view.start + verbatim.end)
        return _Compared(Wording(1.0, ()), span)
    language = language_of(view.text)
    said = _without_lead(tokenize(_ATTRIBUTION.sub("", text), language), text)
    known = sentences_of(view.text, language)
    if not known:
        return None
    keys = {token.key for token in said}
    ranked = sorted(range(len(known)), key=lambda at: (-len(keys & known[at].keys), at))[:_WINDOWS]
    enough = _LEAST_ALIKE * len(keys)
    alike = [at for at in ranked if len(keys & known[at].keys) >= enough]
    if not alike:
        return _unlike(keys, known[ranked[0]], cited)
    windows = [_compared(said, known[at : at + 1], cited) for at in alike]
    windows += [_compared(bare, known[at : at + 1], cited) for at in alike for bare in _timeless(said, known[at], view)]
    if not any(each.wording.is_same for each in windows):
        first = ranked[0]
        near = [known[max(first - 1, 0) : first + 1], known[first : first + 2]]
        windows += [_compared(said, each, cited) for each in near if len(each) > 1]
    return min(windows, key=lambda each: each.rank)


def _timeless(
    said: tuple[TextToken, ...], sentence: SentenceTokens, view: SourceView
) -> Iterator[tuple[TextToken, ...]]:
    """A statement without the year that it adds, where its heading tells that year and the sentence tells none."""
    if any(token.is_year for token in sentence.tokens):
        return
    years = years_of(view.heading)
    rest = tuple(token for token in said if not (token.is_year and int(token.key) in years))
    if len(rest) < len(said):
        yield rest


def _without_lead(tokens: tuple[TextToken, ...], text: str) -> tuple[TextToken, ...]:
    """The tokens of a statement behind the date that it begins with, where it tells this again: "2024: In 2024 …"."""
    lead = _DATED.match(text)
    count = len(tokenize(lead[1], "en")) if lead else 0
    rest = tokens[count:]
    return rest if {token.key for token in tokens[:count]} <= {token.key for token in rest} else tokens


def _unlike(keys: set[str], sentence: SentenceTokens, cited: CitedView) -> _Compared:
    """A sentence that has too little of a statement to be compared word by word."""
    share = len(keys & sentence.keys) / len(keys) if keys else 0.0
    start = cited.view.start
    return _Compared(Wording(share, (_FAR,)), QuoteSpan(cited.ordinal, start + sentence.start, start + sentence.end))


def _compared(said: Sequence[TextToken], window: Sequence[SentenceTokens], cited: CitedView) -> _Compared:
    tokens = list(window[0].tokens)
    for number, sentence in enumerate(window[1:], start=1):
        tokens += [replace(token, sentence=token.sentence + 100 * number) for token in sentence.tokens]
    start = cited.view.start
    return _Compared(compare(said, tokens), QuoteSpan(cited.ordinal, start + window[0].start, start + window[-1].end))


def _verbatim(text: str, view: SourceView) -> QuoteMatch | None:
    """Where a statement stands as it is, with its full stop: all of a sentence, and not words from two of them."""
    bare = text.rstrip(_STOPS)
    if len(bare) < _LEAST_VERBATIM or skeleton(bare)[:24] not in _skeleton(view.text):
        return None
    found = QuoteIndex(view.text).find(bare)
    if found is None or not _is_whole(view.text, found):
        return None
    if _count_sentences(view.text[found.start : found.end]) > _count_sentences(bare):
        return None
    stop = view.text[found.end : found.end + 1]
    return replace(found, end=found.end + 1) if stop and stop in _STOPS.strip() else found


def _is_whole(text: str, found: QuoteMatch) -> bool:
    """Return whether a sentence begins and ends where words were found: "No" before them would say the opposite."""
    before = text[max(found.start - _SIGHT, 0) : found.start].rstrip(_OPENING)
    after = text[found.end : found.end + _SIGHT].lstrip(_CLOSING)
    return (not before or before[-1] in _EDGES) and (not after or after[0] in _EDGES)


def _count_sentences(text: str) -> int:
    return len(sentences.split(" ".join(text.split())))


@lru_cache(maxsize=1024)
def _skeleton(text: str) -> str:
    return skeleton(text)


def _carriers(cited: Sequence[CitedView], entries: Sequence[FigureEntry], best: Sequence[_Compared]) -> tuple[int, ...]:
    """The citations that carry a part: a figure was read there, or a good part of the words is there."""
    read = {reading.ordinal for entry in entries for reading in entry.read}
    read |= {each.quote.ordinal for each in best if each.wording.share >= _LEAST_CARRIED}
    return tuple(each.ordinal for each in cited if each.ordinal in read)


def _check_cells(made: CheckedStatement, cited: Sequence[CitedView]) -> CheckedStatement | None:
    """The verdict on a table row by the tables of its sources; None where these do not tell."""
    statement, views = made.statement, [each.view for each in cited]
    values = [(head, value) for head, value in statement.cells if value != statement.row]
    found = [(head, value, find_cell(statement.row, head, value, views)) for head, value in values]
    other = next((each for each in found if each[2].match is CellMatch.OTHER and each[2].cell is not None), None)
    by_view = {each.view.identifier: each for each in cited}
    if found and all(each.match is CellMatch.SAME for _, _, each in found):
        spans = tuple(_span(each, by_view) for _, _, each in found)
        return replace(
            made, verdict=Verdict.SUPPORTED, reason="", judged_by=JudgedBy.RULES, is_open=False, quotes=spans,
            carried_by=tuple(dict.fromkeys(span.ordinal for span in spans)),
        )  # fmt: skip
    if other is not None and other[2].cell is not None:
        head, value, finding = other
        reason = (
            f"The source has \u201c{other[2].cell.text}\u201d there, not \u201c{value}\u201d ({statement.row}, {head})."
        )
        return replace(made, verdict=Verdict.CONTRADICTED, reason=reason, quotes=(_span(finding, by_view),))
    return None


def _span(found: CellFinding, by_view: dict[str, CitedView]) -> QuoteSpan:
    """The line of a cell in its source."""
    cited, cell = by_view[found.identifier], found.cell
    assert cell is not None, "a cell that was found is there"
    text = cited.view.text
    start, end = text.rfind("\n", 0, cell.start) + 1, text.find("\n", cell.end)
    return QuoteSpan(cited.ordinal, cited.view.start + start, cited.view.start + (end if end >= 0 else len(text)))


def _not_quoted(text: str, cited: Sequence[CitedView]) -> str | None:
    """Words in quotation marks that no cited source has."""
    said = [next(filter(None, match.groups())) for match in _QUOTED.finditer(text)]
    long = [each for each in said if len(each.split()) >= _LEAST_QUOTED_WORDS]
    return next((each for each in long if not any(_has_quote(each, view.view) for view in cited)), None)


def _has_quote(quote: str, view: SourceView) -> bool:
    return any(QuoteIndex(text).find(quote.strip(" .,;")) is not None for text in (view.text, view.place))


def unknown_names(text: str, cited: Sequence[CitedView]) -> list[str]:
    """Names that no source has. German writes all nouns large: there only those in capitals."""
    names = dict.fromkeys(match[0] for match in _NAME.finditer(text))
    if words.language_of(text) == "de":
        names = {name: None for name in names if _SHOUTED.fullmatch(name)}
    known = " ".join(_skeleton(each.view.said) for each in cited)
    return [name for name in names if skeleton(name).removesuffix("s") not in known]


def _listed(things: Sequence[str]) -> str:
    return ", ".join(f"\u201c{each}\u201d" for each in things[:3])


def columns_above(statement: CitedStatement, others: Sequence[CitedStatement]) -> Iterator[tuple[str, ...]]:
    """Yield the values above a row of a table, column by column: a total may be their sum."""
    if statement.kind is not StatementKind.CELL:
        return
    above = [each for each in others if each.kind is StatementKind.CELL and each.start < statement.start]
    for head, _ in statement.cells[1:]:
        yield tuple(value for each in above for name, value in each.cells if name == head)
