"""Named figures: the measure, the period, and the words in which each is written."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from intelli.language import dates, grids, periods
from intelli.language.periods import YEAR, YEAR_RANGE
from intelli.reasoning.extractive import clauses, figure_names, figures
from intelli.reasoning.extractive.figure_spot import Spot
from intelli.reasoning.extractive.figures import WrittenFigure
from intelli.reasoning.values import QuotedFinding, QuotedMetric

_PERIOD = re.compile(
    rf"\b(?:Q[1-4][ /]?{YEAR}|(?:{periods.FISCAL})[ ]?(?:{YEAR}|\d\d)|"
    rf"(?:first|second|third|fourth) quarter(?: of)?(?: fiscal)? {YEAR}|H[12][ /]?{YEAR}|"
    rf"(?:{'|'.join(dates.month_names('en'))}) {YEAR}|{YEAR})\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"(?:^|\b)(?:at the end of|by the end of|the year ended|in the year|im jahr|in|for|during|of|by|as of|as at|since|"
    r"from|ende|anfang|im|en|nel|em)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
# "For the 2025 programme": the year tells which, and what follows is still part of the name.
_WHICH = re.compile(r"\s+[^\W\d_A-Z]{3,}")
# Whom a figure is for: "$6,350 for an individual".
_FOR_EACH = re.compile(
    r"\s+(?:for|f\u00fcr|pour|para)\s+"
    r"(?:an?|each|every|one|eine?n?|jede[nrs]?|une?|chaque|una?|cada)\s+(\w+)(?=\s*(?:[,.;)]|$|(?:and|or|und|oder|et|ou|y|o)\b))",
    re.IGNORECASE,
)
# Between two figures of one thing: "$6,350 for an individual and $12,700 for a family".
_ALSO = re.compile(rf"(?:{_FOR_EACH.pattern})?,?\s+(?:and|or|und|oder|et|ou|y|o)\s+", re.IGNORECASE)
# "2.4% in 2024 and 1.9% in 2025", "4.2% in the treatment group and 6.8% in the control group".
_WHERE = r"\s++(?P<lead>in|for|among|im|bei|f\u00fcr)\s++(?P<where>[^,.;:()]{2,40}?)"
_THERE = re.compile(rf"{_WHERE}(?=\s*(?:[,.;]|$)|\s+(?:and|und)\b)", re.IGNORECASE)
_THERE_AND = re.compile(rf"{_WHERE}(?:,?\s+(?:and|und)|,)\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?|der|die|das|dem|den)\s+", re.IGNORECASE)
_MOST = 24
# Each figure is named by its whole sentence, so that no more of one is read than people write.
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class NamedFigure:
    """A figure of a finding with its name."""

    figure: WrittenFigure
    name: str
    period: str
    finding: QuotedFinding


def measures_of(findings: Sequence[QuotedFinding]) -> tuple[QuotedMetric, ...]:
    """The figures of findings that have a unit and a name, the best findings first, each once."""
    ranked = sorted(findings, key=lambda each: -each.relevance)
    named = [each for finding in ranked for each in of_finding(finding)]
    found: dict[tuple[str, str, str, str], QuotedMetric] = {}
    for each in named:
        measure = QuotedMetric(
            name=each.name,
            value=each.figure.written,
            unit=each.figure.unit,
            period=each.period,
            identifier=each.finding.identifier,
            quote=each.finding.quote,
        )
        # One finding gives one figure of a kind for a name and a period; others may be of another time.
        key = (each.name.lower(), each.period, each.figure.kind, each.finding.quote)
        found.setdefault(key, measure)
    return tuple(found.values())[:_MOST]


def of_finding(finding: QuotedFinding) -> list[NamedFigure]:
    """The figures of one finding that have a unit and a name."""
    if grids.is_row(finding.quote):
        return []
    text = finding.text[:_LONGEST]
    found: list[NamedFigure] = []
    spots = _spots(text)
    for number, (figure, spot) in enumerate(spots):
        said = _with_where(spots, number)
        if figure_is_measured(figure) and said:
            found.append(NamedFigure(figure, said, _period(spot), finding))
    return found


def figure_is_measured(figure: WrittenFigure) -> bool:
    """A bare small number counts something that cannot be told from its words."""
    return bool(figure.unit) or re.search(r"\d[,.'\u2019\u00a0\u202f]\d{3}\b", figure.value) is not None


def name_in(quote: str, value: str, proposed: str) -> str:
    """A name that somebody else proposed for a figure of a quote, if it says what is measured; else our own, if any."""
    digits = re.sub(r"\D", "", value)
    finding = QuotedFinding(text=quote, identifier="", quote=quote, relevance=0)
    own = next((each.name for each in of_finding(finding) if re.sub(r"\D", "", each.figure.value) == digits), "")
    if own:
        shared = figure_names.telling(proposed) & figure_names.telling(own.partition(",")[0])
        return proposed if shared else own
    return proposed if figure_names.is_telling(proposed) else ""


def periods_of(text: str) -> list[str]:
    """The periods that a text names, as written."""
    return [match.group() for match in _PERIOD.finditer(text)]


def _spots(text: str) -> list[tuple[WrittenFigure, Spot]]:
    """The figures of a text where they stand, each with what the one before it was called."""
    found: list[tuple[WrittenFigure, Spot]] = []
    at, said, kind = 0, "", ""
    for figure in figures.figures_of(text):
        end = figure.start + len(figure.written)
        before = _bare(clauses.clause(text, figure.start, at))
        spot = Spot(
            text=text,
            start=figure.start,
            end=end,
            unit=figure.unit,
            after=at,
            said=said if kind == figure.kind else "",
            bare_before=before,
            bare_after=_bare(clauses.tail(text, end)),
        )
        found.append((figure, spot))
        named = _name(found)
        said, kind, at = (named or said), figure.kind if named else kind, end
    return found


def _name(spots: Sequence[tuple[WrittenFigure, Spot]]) -> str:
    """The name of the last: that of the one before it, where the two are figures of one thing."""
    _, spot = spots[-1]
    if spot.said and spot.after:
        is_each = _ALSO.fullmatch(spot.text, spot.after, spot.start) and _FOR_EACH.match(spot.text, spot.end)
        is_there = _THERE_AND.fullmatch(spot.text, spot.after, spot.start) and _THERE.match(spot.text, spot.end)
        if is_each or is_there:
            return spot.said
    return figure_names.name(spot)


def _with_where(spots: Sequence[tuple[WrittenFigure, Spot]], number: int) -> str:
    """A name with whom or where its figure is for, where several are told apart by that."""
    said = _name(spots[: number + 1])
    _, spot = spots[number]
    whose = _FOR_EACH.match(spot.text, spot.end)
    if not said or whose:
        return f"{said}, {whose[1]}" if said and whose else said
    following = spots[number + 1][1] if number + 1 < len(spots) else None
    is_first = following is not None and _THERE_AND.fullmatch(spot.text, spot.end, following.start) is not None
    is_next = spot.after > 0 and _THERE_AND.fullmatch(spot.text, spot.after, spot.start) is not None
    where = (_THERE_AND if is_first else _THERE).match(spot.text, spot.end)
    if where is None or not (is_first or is_next) or _PERIOD.search(where["where"]):
        return said
    return f"{said}, {_ARTICLE.sub('', where['where'])}"


def _period(spot: Spot) -> str:
    """The period of a figure: the one that follows it in its clause, else the last before it."""
    text, end = spot.text, spot.end
    spanned = YEAR_RANGE.search(text)
    if spanned:
        first, last = (year for year in spanned.groups() if year)
        return last if clauses.is_on_to(text, spot.start, spot.after) else f"{first}\u2013{last}"
    after = _PERIOD.search(clauses.tail(text, end))
    if after is not None:
        return after.group()
    before = [match.group() for match in _PERIOD.finditer(text, 0, spot.start)]
    return before[-1] if before else ""


def _bare(clause: str) -> str:
    """A clause without its periods and the words that lead to them."""
    kept, at = "", 0
    for match in [*YEAR_RANGE.finditer(clause)] or [*_PERIOD.finditer(clause)]:
        piece = clause[at : match.start()]
        kept += piece if _is_which(clause, match.end()) else _WHEN.sub("", piece)
        at = match.end()
    return kept + clause[at:]


def _is_which(clause: str, end: int) -> bool:
    follows = _WHICH.match(clause, end)
    return follows is not None and not clauses.is_little(follows.group().strip())
