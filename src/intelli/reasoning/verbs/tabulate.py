"""Verb `tabulate`: collect the figures, series and tables of a brief, each with the words it is written in.

A model's data is checked against its sources: a figure that is not in its quote is dropped. So is one whose name does
not say what is measured, unless the quote has a better name, and data that nobody asked for.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from intelli.language import grids, words
from intelli.language.grids import Grid
from intelli.reasoning.extractive import data_tables, measures
from intelli.reasoning.quotes import find_quote
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import (
    QuotedFinding,
    QuotedMetric,
    QuotedPoint,
    QuotedRow,
    QuotedSeries,
    QuotedTable,
    ReasoningModel,
    SourceText,
)
from intelli.reasoning.verbs.brief import MetricDraft
from intelli.reasoning.verbs.verb import Sources, Verb, VerbInput

_LEAST_POINTS = 3
_LEAST_ROWS = 2
# From the head of a table to a row of it.
_FARTHEST_LABEL = 1_200
_DIGIT = re.compile(r"\d")


class DataTables(ReasoningModel):
    """The data of a brief: every figure stands in its quote, and every quote in its passage."""

    metrics: tuple[QuotedMetric, ...] = ()
    series: tuple[QuotedSeries, ...] = ()
    tables: tuple[QuotedTable, ...] = ()


class TabulateInput(VerbInput[DataTables]):
    """Which figures, series and tables do the findings and the passages beside them hold?"""

    verb: Literal["tabulate"] = "tabulate"
    question: str
    findings: tuple[QuotedFinding, ...]
    passages: tuple[SourceText, ...] = ()


class MeasureDraft(MetricDraft):
    """A figure by the handle of its source, with the words it stands in."""

    quote: str


class PointDraft(ReasoningModel):
    """One value of a series."""

    label: str
    value: str
    source: str
    quote: str


class SeriesDraft(ReasoningModel):
    """A series in handles."""

    title: str
    unit: str
    points: list[PointDraft]


class RowDraft(ReasoningModel):
    """A row of a table, with the line it was read from."""

    cells: list[str]
    quote: str


class TableDraft(ReasoningModel):
    """A table of one source."""

    title: str
    columns: list[str]
    rows: list[RowDraft]
    source: str


class TabulatedDraft(ReasoningModel):
    """The data of a brief in handles."""

    metrics: list[MeasureDraft]
    series: list[SeriesDraft]
    tables: list[TableDraft]


def _slots(given: TabulateInput, fence: Fence) -> Mapping[str, str]:
    return {"question": given.question}


def _sources(given: TabulateInput) -> Sequence[SourceText]:
    """Return the sources' own words alone: data is never read from text that a model wrote."""
    quotes = [
        SourceText(identifier=quote.identifier, title=each.about or "finding", text=quote.text)
        for each in given.findings
        for quote in each.quotes
    ]
    return (*quotes, *given.passages)


def check(draft: TabulatedDraft, given: TabulateInput, sources: Sources) -> DataTables:
    """Return the data of a draft that is in the sources and relevant to the question."""
    metrics = [measure for each in draft.metrics if (measure := _measure(each, sources)) is not None]
    series = [kept for each in draft.series if (kept := _series(each, sources)) is not None]
    tables = [table for each in draft.tables if (table := _table(each, sources)) is not None]
    return DataTables(
        metrics=tuple(each for each in metrics if _is_metric_asked_for(each, given)),
        series=tuple(each for each in series if _is_series_asked_for(each, given)),
        tables=tuple(each for each in tables if _is_table_asked_for(each, given)),
    )


def _is_metric_asked_for(metric: QuotedMetric, given: TabulateInput) -> bool:
    return _is_relevant(given, metric.identifier, names=(metric.name, metric.entity), quotes=(metric.quote,))


def _is_series_asked_for(series: QuotedSeries, given: TabulateInput) -> bool:
    names = (series.title, *(point.label for point in series.points))
    return any(_is_relevant(given, point.identifier, names=names, quotes=(point.quote,)) for point in series.points)


def _is_table_asked_for(table: QuotedTable, given: TabulateInput) -> bool:
    names = (*table.columns, *(row.cells[0] for row in table.rows))
    return _is_relevant(given, table.identifier, names=names, quotes=tuple(row.quote for row in table.rows))


def _is_relevant(given: TabulateInput, identifier: str, *, names: Sequence[str], quotes: Sequence[str]) -> bool:
    document = data_tables.bytes_of(identifier)
    quoted = (quote for each in given.findings for quote in each.quotes)
    near = [each.text for each in quoted if data_tables.bytes_of(each.identifier) == document]
    return data_tables.bears(given.question, near, names=names, quotes=quotes)


def _measure(draft: MeasureDraft, sources: Sources) -> QuotedMetric | None:
    passage, quote = _find_quoted(draft.source, draft.quote, sources)
    value = _find_value(draft.value, quote)
    if passage is None or quote is None or value is None:
        return None
    proposed = " ".join(draft.name.split())
    is_owner = proposed.casefold() == draft.entity.strip().casefold()
    name = measures.name_in(quote, value, "" if is_owner else proposed)
    if not name:
        return None
    said = {each: getattr(draft, each) for each in ("unit", "period", "entity")}
    return QuotedMetric(**said, name=name, value=value, identifier=passage.identifier, quote=quote)


def _series(draft: SeriesDraft, sources: Sources) -> QuotedSeries | None:
    """Check a series: at least three points must be in their sources, without repeated labels."""
    points = [point for each in draft.points if (point := _point(each, sources)) is not None]
    if len({point.label for point in points}) < max(_LEAST_POINTS, len(points)):
        return None
    return QuotedSeries(title=draft.title, unit=draft.unit, points=tuple(points))


def _point(draft: PointDraft, sources: Sources) -> QuotedPoint | None:
    passage, quote = _find_quoted(draft.source, draft.quote, sources)
    value = _find_value(draft.value, quote)
    if passage is None or quote is None or value is None or not draft.label.strip():
        return None
    whole = _with_label(draft.label, quote, passage.text)
    return QuotedPoint(label=draft.label, value=value, identifier=passage.identifier, quote=whole)


def _with_label(label: str, quote: str, text: str) -> str:
    """Extend the quote back to its label: a table row has the names of its columns some lines above."""
    if find_quote(label, quote) is not None:
        return quote
    end = text.find(quote)
    begin = text.rfind(label.strip(), max(0, end - _FARTHEST_LABEL), max(0, end))
    line = text.rfind("\n", 0, begin) + 1
    return text[line : end + len(quote)] if begin >= 0 else quote


def _table(draft: TableDraft, sources: Sources) -> QuotedTable | None:
    passage = sources.get(draft.source.strip("[] "))
    if passage is None or len(draft.columns) < _LEAST_ROWS:
        return None
    rows = [row for each in draft.rows if (row := _row(each, len(draft.columns), passage)) is not None]
    if len(rows) < _LEAST_ROWS:
        return None
    grid = _grid_of(rows, passage)
    if grid is not None:
        chosen = {row.cells for row in rows}
        return data_tables.table_of(grid, lambda row: (row.cells in chosen,), words.language_of(passage.text))
    return QuotedTable(title=draft.title, columns=tuple(draft.columns), rows=tuple(rows), identifier=passage.identifier)


def _grid_of(rows: Sequence[QuotedRow], passage: SourceText) -> Grid | None:
    """Find the table of the source that rows were copied from: it has its own name, and rows that a model left out."""
    wanted = {row.cells for row in rows}
    alike = [grid for grid in grids.grids(passage) if wanted <= {row.cells for row in grid.rows}]
    return alike[0] if alike else None


def _row(draft: RowDraft, width: int, passage: SourceText) -> QuotedRow | None:
    """Check a row: every cell must be in its line."""
    quote = find_quote(draft.quote, passage.text)
    if quote is None or len(draft.cells) != width:
        return None
    if any(cell.strip() and find_quote(cell, quote) is None for cell in draft.cells):
        return None
    return QuotedRow(cells=tuple(draft.cells), quote=quote)


def _find_quoted(handle: str, quote: str, sources: Sources) -> tuple[SourceText | None, str | None]:
    passage = sources.get(handle.strip("[] "))
    return passage, find_quote(quote, passage.text) if passage else None


def _find_value(value: str, quote: str | None) -> str | None:
    """Return a value as its quote writes it; None when it is not there."""
    return find_quote(value, quote) if quote and _DIGIT.search(value) else None


VERB = Verb(
    input=TabulateInput,
    output=DataTables,
    draft=TabulatedDraft,
    slots=_slots,
    sources=_sources,
    check=check,
)
