"""Figures as written in texts, never rounded or converted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from intelli.language import dates, periods, scales, units
from intelli.reasoning.values import BriefMetric, DatedEvent, QuotedFinding

_NUMBER = r"[-\u2212]?(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+)(?:[.,'\u2019]\d+)*"
_SCALE = rf"(?:{scales.pattern(scales.SCALE_OF.keys() - scales.AMBIGUOUS | {'k', 'm'})})\b\.?"
_UNIT = (
    rf"(?:%|\u2030|\u00b0C|\u00b0F|{units.WORDS}|"
    r"years?|months?|weeks?|days?|hours?|minutes?|seconds?|jahre|monate|wochen|tage|stunden|"
    r"square (?:miles|feet|(?:kilo)?met(?:re|er)s)|quadrat(?:(?:kilo)?meter|meilen)n?|miles|"
    r"hectares?|hektar|lit(?:re|er)s?|"
    r"km|cm|mm|kg|mg|ml|g|m|kWh|MWh|GWh|MW|GW|tonnes|tons|tonnen|people|employees|users|patients|participants)"
)
_FIGURE = re.compile(
    rf"(?<![\w.,])(?P<currency>(?:US\$|[$\u20ac\u00a3\u00a5]|(?:USD|EUR|GBP|CHF)(?=[\s\u00a0]))\s?)?(?P<value>{_NUMBER})(?:[\s\u00a0-]?(?P<scale>{_SCALE}))?"
    rf"(?:[\s\u00a0-]?(?P<unit>{_UNIT}(?!\w)|[\u20ac$\u00a3\u00a5\u5143]))?(?![\w])",
    re.IGNORECASE,
)
# What makes a name of a token with digits: an address, the name of a file and a place in it, the number of a paper.
_IDENTIFIER = re.compile(r"\w_\w|://|\.\w{2,4}#|#\d|[^\W\d_]-\d")
_LONGEST_TOKEN = 120
# So far from a figure is looked for the words that name it.
_SIGHT = 400
_DATE = re.compile(
    r"(?<!\d)(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|"
    rf"(?:\d{{1,2}}\.? )?(?:{'|'.join(map(str.capitalize, dates.month_names('en')))}) "
    rf"(?:\d{{1,2}}, )?\d{{4}}|{periods.YEAR})(?!\d)"
)


@dataclass(frozen=True, slots=True)
class WrittenFigure:
    """A number with its unit, as written and in comparable form, and its position."""

    written: str
    value: str
    unit: str
    number: str
    kind: str
    start: int


def figures_of(text: str) -> list[WrittenFigure]:
    """The figures of a text, in order; years alone are dates, and digits of a name are no figures."""
    found: list[WrittenFigure] = []
    for match in _FIGURE.finditer(text):
        if _IDENTIFIER.search(_token_at(text, match.start("value"))):
            continue
        parts = {name: (part or "").strip() for name, part in match.groupdict().items()}
        has_unit = bool(parts["currency"] or parts["scale"] or parts["unit"])
        if not has_unit and (periods.WRITTEN_YEAR.fullmatch(parts["value"]) or len(parts["value"]) == 1):
            continue
        # A full stop behind a scale ends the sentence, or an abbreviation: it is no part of the unit.
        said = (parts["currency"], parts["scale"].rstrip("."), parts["unit"])
        unit = " ".join(part for part in said if part)
        found.append(
            WrittenFigure(
                match.group().strip().rstrip("."),
                parts["value"],
                unit,
                re.sub(r"[^\d.,-]", "", parts["value"]),
                unit.lower(),
                match.start(),
            )
        )
    return found


def _token_at(text: str, at: int) -> str:
    """What stands around a place without a space."""
    before, after = text[max(0, at - _LONGEST_TOKEN) : at], text[at : at + _LONGEST_TOKEN]
    head = "" if not before or before[-1].isspace() else before.split()[-1]
    return head + after.split(maxsplit=1)[0]


def metrics_of(findings: Sequence[QuotedFinding]) -> tuple[BriefMetric, ...]:
    """Each figure that stands in a finding, once."""
    found: dict[tuple[str, str, str], BriefMetric] = {}
    for finding in findings:
        years = set(periods.WRITTEN_YEAR.findall(finding.text))
        # Where several years are told, which of them a figure is of cannot be.
        period = years.pop() if len(years) == 1 else ""
        for figure in figures_of(finding.text):
            metric = BriefMetric(
                name=name_of(finding.text, figure),
                value=figure.value,
                unit=figure.unit,
                period=period,
                identifier=finding.identifier,
            )
            found.setdefault((figure.written, finding.identifier, metric.name), metric)
    return tuple(found.values())


def timeline_of(findings: Sequence[QuotedFinding]) -> tuple[DatedEvent, ...]:
    """Findings that name a date, in the order of the years."""
    dated = [(_DATE.findall(finding.text), finding) for finding in findings]
    moments = [DatedEvent(when=dates[0], what=each.text, identifier=each.identifier) for dates, each in dated if dates]
    return tuple(sorted(moments, key=lambda moment: periods.WRITTEN_YEAR.findall(moment.when) or [moment.when]))


def name_of(text: str, figure: WrittenFigure) -> str:
    """The words before a figure, or those after it: what it is a figure of."""
    before, _, after = text.partition(figure.written)
    before, after = before[-_SIGHT:], after[:_SIGHT]
    picked = re.split(r"[.;:,()]\s", before)[-1].split()[-8:] or re.split(r"[.;:,()]", after)[0].split()[:8]
    return " ".join(picked).strip(" .,;:()") or figure.written
