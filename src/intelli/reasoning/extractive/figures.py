"""Figures as texts write them, never rounded or converted; and where two sources give different ones."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from intelli.reasoning.extractive import words
from intelli.reasoning.extractive.choose import likeness
from intelli.reasoning.thoughts import Disagreement, Finding, Metric, Moment, Reading

_NUMBER = r"[-\u2212]?\d+(?:[ \u00a0\u202f]\d{3}(?!\d)|[.,'\u2019]\d+)*"
_SCALE = r"(?:thousand|million|billion|trillion|mio|mrd|millionen|milliarden|millones|millions|milliards|bn|k|m)\b\.?"
_UNIT = (
    r"(?:%|\u2030|\u00b0C|\u00b0F|percent|per cent|percentage points|prozent|por ciento|pour cent|"
    r"(?:US )?(?:dollars?|euros?|pounds?|yen)|USD|EUR|GBP|CHF|"
    r"years?|months?|weeks?|days?|hours?|minutes?|seconds?|jahre|monate|tage|stunden|"
    r"km|cm|mm|kg|mg|ml|g|m|kWh|MWh|GWh|MW|GW|tonnes|tons|people|employees|users|patients|participants)"
)
_FIGURE = re.compile(
    rf"(?<![\w.,])(?P<currency>[$\u20ac\u00a3\u00a5]\s?)?(?P<value>{_NUMBER})(?:[\s\u00a0-]?(?P<scale>{_SCALE}))?"
    rf"(?:[\s\u00a0-]?(?P<unit>{_UNIT}(?!\w)|[\u20ac$\u00a3\u00a5\u5143]))?(?![\w])",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d.,])(?:1[5-9]|20)\d\d(?![\d.,]\d|\d)")
_DATE = re.compile(
    r"(?<!\d)(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|"
    r"(?:\d{1,2}\.? )?(?:January|February|March|April|May|June|July|August|September|October|November|December) "
    r"(?:\d{1,2}, )?\d{4}|(?:1[5-9]|20)\d\d)(?!\d)"
)
_ALIKE = 0.6
_LEAST_COMMON = 3


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its unit, as written, and both in a form that can be compared."""

    written: str
    value: str
    unit: str
    number: str
    kind: str


def figures_of(text: str) -> list[Figure]:
    """The figures of a text, in order; years alone are dates, not figures."""
    found: list[Figure] = []
    for match in _FIGURE.finditer(text):
        parts = {name: (part or "").strip() for name, part in match.groupdict().items()}
        has_unit = bool(parts["currency"] or parts["scale"] or parts["unit"])
        if not has_unit and (_YEAR.fullmatch(parts["value"]) or len(parts["value"]) == 1):
            continue
        unit = " ".join(part for part in (parts["currency"], parts["scale"], parts["unit"]) if part)
        found.append(
            Figure(
                match.group().strip().rstrip("."),
                parts["value"],
                unit,
                re.sub(r"[^\d.,-]", "", parts["value"]),
                unit.lower(),
            )
        )
    return found


def metrics_of(findings: Sequence[Finding]) -> tuple[Metric, ...]:
    """Each figure that stands in a finding, once."""
    found: dict[tuple[str, str, str], Metric] = {}
    for finding in findings:
        period = next(iter(_YEAR.findall(finding.text)), "")
        for figure in figures_of(finding.text):
            metric = Metric(
                name=_name(finding.text, figure),
                value=figure.value,
                unit=figure.unit,
                period=period,
                identifier=finding.identifier,
            )
            found.setdefault((figure.written, finding.identifier, metric.name), metric)
    return tuple(found.values())


def timeline_of(findings: Sequence[Finding]) -> tuple[Moment, ...]:
    """Findings that name a date, in the order of the years."""
    dated = [(_DATE.findall(finding.text), finding) for finding in findings]
    moments = [Moment(when=dates[0], what=each.text, identifier=each.identifier) for dates, each in dated if dates]
    return tuple(sorted(moments, key=lambda moment: _YEAR.findall(moment.when) or [moment.when]))


def disagreements_of(findings: Sequence[Finding], language: str) -> tuple[Disagreement, ...]:
    """Figures of one kind in sentences of different sources that otherwise say the same."""
    told = [(each, _subject(each.text, language), figures_of(each.text)) for each in findings]
    found: dict[str, list[Reading]] = defaultdict(list)
    for number, (one, subject, figures) in enumerate(told):
        for other, its_subject, its_figures in told[number + 1 :]:
            if one.identifier == other.identifier or not _is_same(subject, its_subject):
                continue
            if _years(one.text) != _years(other.text):
                continue
            for ours, theirs in _conflicts(figures, its_figures):
                readings = found[_about(one.text, ours)]
                for figure, finding in ((ours, one), (theirs, other)):
                    reading = Reading(value=figure.written, identifier=finding.identifier)
                    if reading not in readings:
                        readings.append(reading)
    return tuple(Disagreement(about=about, readings=tuple(readings)) for about, readings in found.items())


def _conflicts(figures: list[Figure], others: list[Figure]) -> list[tuple[Figure, Figure]]:
    """Pairs of one kind, when each side has just one of it and they differ."""
    pairs: list[tuple[Figure, Figure]] = []
    for kind in dict.fromkeys(figure.kind for figure in figures):
        ours = [figure for figure in figures if figure.kind == kind]
        theirs = [figure for figure in others if figure.kind == kind]
        if len(ours) == len(theirs) == 1 and ours[0].number != theirs[0].number:
            pairs.append((ours[0], theirs[0]))
    return pairs


def _subject(text: str, language: str) -> frozenset[str]:
    return frozenset(term for term in words.terms_of(text, language) if not term[0].isdigit())


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _LEAST_COMMON and likeness(one, other) >= _ALIKE


def _years(text: str) -> frozenset[str]:
    return frozenset(_YEAR.findall(text))


def _name(text: str, figure: Figure) -> str:
    """The words before a figure, or those after it: what it is a figure of."""
    before, _, after = text.partition(figure.written)
    picked = re.split(r"[.;:,()]\s", before)[-1].split()[-8:] or re.split(r"[.;:,()]", after)[0].split()[:8]
    return " ".join(picked).strip(" .,;:()") or figure.written


def _about(text: str, figure: Figure) -> str:
    return f"\u201c{_name(text, figure)} \u2026\u201d"
