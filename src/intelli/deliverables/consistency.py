"""Consistency checks: every figure of a kind is in the brief, written the same, and every finding is in the kind.

So no two kinds differ, and none omits what another contains.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from intelli.deliverables import charts
from intelli.deliverables.brief import DataBrief, Finding
from intelli.language import dates, numbers
from intelli.language.numbers import Number
from intelli.language.quotes import skeleton

# Without a unit, numbers up to here count pages, sections, notes and sources.
_COUNTED = 400
# How much of a statement, in letters and digits, tells that it is said.
_BEGINNING = 60
_PARTS = re.compile(r"(?:^|\s)[\u2022\u2023\u25aa]\s+")


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """A figure of a kind that the brief does not have, with the nearest figure of the brief."""

    kind: str
    written: str
    nearest: str


@dataclass(frozen=True, slots=True)
class Untold:
    """A finding of the brief that a kind omits."""

    kind: str
    finding: str


def untold(brief: DataBrief, texts: Mapping[str, str]) -> list[Untold]:
    """The findings that each kind's text neither has, nor begins to say, nor has written anew."""
    retold = _retold(brief)
    found = []
    for kind, text in texts.items():
        said = skeleton(text)
        found += [
            Untold(kind, finding.text)
            for finding in brief.findings
            if not any(_is_said(each, said) for each in (finding.text, *_sentences(finding, retold)))
        ]
    return found


def _retold(brief: DataBrief) -> list[Finding]:
    return [said for section in brief.sections for paragraph in section.paragraphs for said in paragraph]


def _sentences(finding: Finding, retold: Sequence[Finding]) -> Iterator[str]:
    """The sentences that were written from a finding."""
    return (each.text for each in retold if set(each.citations) & set(finding.citations))


def _is_said(text: str, said: str) -> bool:
    """Whether a text is there; slides may tell its beginning, and its items one by one."""
    parts = [skeleton(part) for part in _PARTS.split(text)]
    return all(part[:_BEGINNING] in said for part in parts)


def check(brief: DataBrief, texts: Mapping[str, str]) -> list[Inconsistency]:
    """The figures of each kind's text that are not the brief's, kind by kind, each once."""
    known = _known(brief)
    found: dict[tuple[str, str], Inconsistency] = {}
    for kind, text in texts.items():
        for number in _numbers(text):
            if not _is_counted(number) and numbers.find(number, known) is None:
                nearest = min(known, key=lambda each: _distance(number, each), default=None)
                odd = Inconsistency(kind, number.written, nearest.written if nearest else "")
                found.setdefault((kind, number.written), odd)
    return list(found.values())


def _known(brief: DataBrief) -> list[Number]:
    return [number for text in _said(brief) for number in numbers.numbers_of(text)]


def _said(brief: DataBrief) -> Iterable[str]:
    """All that the brief says, wherever a figure may stand."""
    yield from (brief.title, brief.question, brief.made_on.isoformat(), str(brief.made_on.year))
    for finding in (*brief.summary, *brief.findings):
        yield finding.text
    for section in brief.sections:
        yield section.heading
        yield from (said.text for paragraph in section.paragraphs for said in paragraph)
    yield from _data(brief)
    for moment in brief.timeline:
        yield from (moment.date, moment.label)
    for quotation in brief.quotes:
        yield quotation.text
    for disagreement in brief.disagreements:
        yield from (disagreement.about, *(reading.value for reading in disagreement.readings))
    yield from brief.open_questions
    yield from (source.file_name for source in brief.sources)
    yield from (text for cited in brief.citations for text in (cited.quote, cited.section or "", cited.reason))


def _data(brief: DataBrief) -> Iterable[str]:
    """Yield the texts of metrics, series and tables."""
    for metric in brief.metrics:
        yield from (metric.shown, metric.name, metric.period, metric.entity)
    for series in brief.series:
        yield series.title
        for point in series.points:
            yield from (point.label, charts.format_value(point.value, brief.language), format(point.value, "f"))
    for table in brief.tables:
        yield from (table.title, *table.columns)
        yield from (cell.text for row in table.rows for cell in row)


def _numbers(text: str) -> list[Number]:
    """The numbers of a text that stand in no date."""
    taken = [range(day.start, day.end) for day in dates.dates_of(text)]
    return [each for each in numbers.numbers_of(text) if not any(each.start in span for span in taken)]


def _is_counted(number: Number) -> bool:
    is_whole = number.value == number.value.to_integral_value()
    return not number.unit and number.scale is None and is_whole and 0 <= number.value <= _COUNTED


def _distance(one: Number, other: Number) -> Decimal:
    return abs(one.worth - other.worth)
