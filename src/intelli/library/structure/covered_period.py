"""The kind of a document, and the period that it is about."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

from intelli.language import dates, periods
from intelli.language.languages import languages
from intelli.language.periods import Period
from intelli.library.extraction.model import Extraction
from intelli.library.structure import table_rows
from intelli.library.structure.document_structure import DocumentStructure
from intelli.library.structure.document_table import ColumnType, DocumentTable
from intelli.library.structure.heading_words import HeadingWords
from intelli.library.structure.told_words import FactOrigin, ToldWords

_BEGINNING = 3000
_BEHIND_CHARS = 60
_ROWS = 500
_TABLES = 3
_MONTHS = {"six": 6, "three": 3, "nine": 9, "quarter": 3, "quartal": 3}
_FULL_YEAR = 12


def find_kind(heads: Sequence[HeadingWords]) -> ToldWords | None:
    """Return the kind that the title or a first heading names: "annual report", "Rahmenvertrag"."""
    for head in heads:
        found = _kinds().search(head.text)
        if found is not None:
            span = (head.start + found.start(), head.start + found.end())
            return ToldWords(found[0].casefold(), found[0], FactOrigin.TEXT, span)
    return None


@cache
def _kinds() -> re.Pattern[str]:
    phrases = sorted({phrase for known in languages().values() for phrase in known.kinds}, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b", re.IGNORECASE)


def find_period(
    extraction: Extraction, structure: DocumentStructure, heads: Sequence[HeadingWords]
) -> ToldWords | None:
    """Return the period of the title, of a phrase such as "for the year ended", or of the columns of its tables."""
    for head in heads:
        if told := lone_period(head.text, head.start):
            return told
    return _covered(extraction.text[:_BEGINNING]) or _tabled(extraction, structure)


def lone_period(text: str, at: int = 0, origin: FactOrigin = FactOrigin.TEXT) -> ToldWords | None:
    """Return the one period that a heading or a name tells; None where it tells several, or a day."""
    days = dates.dates_of(text)
    found = [each for each in _with_year(text) if not any(d.start < each.end and each.start < d.end for d in days)]
    if len({each.key for each in found}) != 1:
        return None
    first = found[0]
    span = (at + first.start, at + first.end) if origin is FactOrigin.TEXT else None
    return ToldWords(_written(first), first.written, origin, span)


def _with_year(text: str) -> Iterator[Period]:
    return (each for each in periods.periods_of(text) if each.first_year is not None)


def _written(period: Period) -> str:
    """Return a period as "2024", "2019/2023" or "2024-Q3"."""
    first, last = period.first_year, period.last_year
    years = f"{first}" if first == last else f"{first}/{last}"
    return f"{years}-{period.part}" if period.part else years


def _covered(text: str) -> ToldWords | None:
    """Return the period behind a phrase that tells what a document covers."""
    found = _covering().search(text)
    if found is None:
        return None
    rest = text[found.end() : found.end() + _BEHIND_CHARS]
    days = [day for day in dates.dates_of(rest) if day.year is not None]
    if days and days[0].start <= 4:
        day = days[0]
        span = (found.start(), found.end() + day.end)
        return ToldWords(_ending(found[0], day.year or 0, day.month), text[span[0] : span[1]], FactOrigin.TEXT, span)
    told = next((each for each in _with_year(rest) if each.start <= 4), None)
    if told is None:
        return None
    span = (found.start(), found.end() + told.end)
    return ToldWords(_written(told), text[span[0] : span[1]], FactOrigin.TEXT, span)


def _ending(phrase: str, year: int, month: int) -> str:
    """Return the period that ends in a month: "for the six months ended 30 June 2025" is 2025-H1."""
    words = phrase.casefold().split()
    months = next((_MONTHS[word] for word in words if word in _MONTHS), _FULL_YEAR)
    if months == _MONTHS["six"]:
        return f"{year}-H{1 if month <= months else 2}"
    if months == _MONTHS["three"]:
        return f"{year}-Q{(month + 2) // 3}"
    return f"{year}-9M" if months == _MONTHS["nine"] else f"{year}"


@cache
def _covering() -> re.Pattern[str]:
    phrases = sorted({phrase for known in languages().values() for phrase in known.covering}, key=len, reverse=True)
    alternatives = "|".join(re.escape(phrase).replace(r"\ ", r"\s") for phrase in phrases)
    return re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE)


def _tabled(extraction: Extraction, structure: DocumentStructure) -> ToldWords | None:
    """Return the years that the tables are about, when they are in the heads or in a column."""
    if structure.pieces and not structure.tables:
        return None
    years: list[int] = []
    for table in structure.tables[:_TABLES]:
        years += _years_of(extraction.text, table)
    if not years:
        return None
    first, last = min(years), max(years)
    written = f"{first}" if first == last else f"{first}/{last}"
    table = structure.tables[0]
    line = extraction.text[table.start : table.end].partition("\n")[0][:200]
    return ToldWords(written, line, FactOrigin.TEXT, (table.start, table.start + len(line)))


def _years_of(text: str, table: DocumentTable) -> Iterator[int]:
    for column in table.columns:
        yield from (each.first_year for each in _with_year(column.name) if each.first_year)
    dated = {at for at, column in enumerate(table.columns) if column.type in {ColumnType.PERIOD, ColumnType.DATE}}
    if not dated:
        return
    last = max(dated) + 1
    for row in islice(table_rows.row_words(text, table, most_columns=last), 1, _ROWS):
        yield from (year for at in dated if at in row for year in periods.years_of(row[at]))
