"""What a model tabulated, held against its sources: a figure that does not stand in its quote is dropped.

So is one whose name does not say what is measured, unless the quote tells a better one, and data that nobody asked for.
"""

import re
from collections.abc import Mapping, Sequence

from intelli.reasoning.citing import find_quote
from intelli.reasoning.drafts import MeasureDraft, PointDraft, RowDraft, SeriesDraft, TableDraft, TabulatedDraft
from intelli.reasoning.extractive import grids, measures, tabulating, words
from intelli.reasoning.extractive.grids import Grid
from intelli.reasoning.thoughts import Measure, Passage, Point, Series, Table, TableRow, TabulateAsked, Tabulated

_LEAST_POINTS = 3
_LEAST_ROWS = 2
# From the head of a table to a row of it.
_FARTHEST_LABEL = 1_200
_DIGIT = re.compile(r"\d")

Sources = Mapping[str, Passage]


def proven(draft: TabulatedDraft, asked: TabulateAsked, sources: Sources) -> Tabulated:
    """What of a draft stands in the sources, and bears on the question."""
    metrics = [measure for each in draft.metrics if (measure := _measure(each, sources)) is not None]
    series = [kept for each in draft.series if (kept := _series(each, sources)) is not None]
    tables = [table for each in draft.tables if (table := _table(each, sources)) is not None]
    return Tabulated(
        metrics=tuple(
            each
            for each in metrics
            if tabulating.bears(asked, each.identifier, names=(each.name, each.entity), quotes=(each.quote,))
        ),
        series=tuple(each for each in series if _is_series_asked_for(each, asked)),
        tables=tuple(each for each in tables if _is_table_asked_for(each, asked)),
    )


def _is_series_asked_for(series: Series, asked: TabulateAsked) -> bool:
    names = (series.title, *(point.label for point in series.points))
    return any(tabulating.bears(asked, point.identifier, names=names, quotes=(point.quote,)) for point in series.points)


def _is_table_asked_for(table: Table, asked: TabulateAsked) -> bool:
    names = (*table.columns, *(row.cells[0] for row in table.rows))
    return tabulating.bears(asked, table.identifier, names=names, quotes=tuple(row.quote for row in table.rows))


def _measure(draft: MeasureDraft, sources: Sources) -> Measure | None:
    passage, quote = _standing(draft.source, draft.quote, sources)
    value = _written(draft.value, quote)
    if passage is None or quote is None or value is None:
        return None
    proposed = " ".join(draft.name.split())
    is_owner = proposed.casefold() == draft.entity.strip().casefold()
    name = measures.name_in(quote, value, "" if is_owner else proposed)
    if not name:
        return None
    said = {each: getattr(draft, each) for each in ("unit", "period", "entity")}
    return Measure(**said, name=name, value=value, identifier=passage.identifier, quote=quote)


def _series(draft: SeriesDraft, sources: Sources) -> Series | None:
    """A series of which at least three points stand; one whose labels repeat is none."""
    points = [point for each in draft.points if (point := _point(each, sources)) is not None]
    if len({point.label for point in points}) < max(_LEAST_POINTS, len(points)):
        return None
    return Series(title=draft.title, unit=draft.unit, points=tuple(points))


def _point(draft: PointDraft, sources: Sources) -> Point | None:
    passage, quote = _standing(draft.source, draft.quote, sources)
    value = _written(draft.value, quote)
    if passage is None or quote is None or value is None or not draft.label.strip():
        return None
    whole = _with_label(draft.label, quote, passage.text)
    return Point(label=draft.label, value=value, identifier=passage.identifier, quote=whole)


def _with_label(label: str, quote: str, text: str) -> str:
    """The quote from where its label stands: a row of a table says what its columns are called some lines above."""
    if find_quote(label, quote) is not None:
        return quote
    end = text.find(quote)
    begin = text.rfind(label.strip(), max(0, end - _FARTHEST_LABEL), max(0, end))
    line = text.rfind("\n", 0, begin) + 1
    return text[line : end + len(quote)] if begin >= 0 else quote


def _table(draft: TableDraft, sources: Sources) -> Table | None:
    passage = sources.get(draft.source.strip("[] "))
    if passage is None or len(draft.columns) < _LEAST_ROWS:
        return None
    rows = [row for each in draft.rows if (row := _row(each, len(draft.columns), passage)) is not None]
    if len(rows) < _LEAST_ROWS:
        return None
    grid = _grid_of(rows, passage)
    if grid is not None:
        chosen = {row.cells for row in rows}
        return tabulating.table_of(grid, lambda row: (row.cells in chosen,), words.language_of(passage.text))
    return Table(title=draft.title, columns=tuple(draft.columns), rows=tuple(rows), identifier=passage.identifier)


def _grid_of(rows: Sequence[TableRow], passage: Passage) -> Grid | None:
    """The table of the source that rows were copied from: it has its own name, and rows that a model left out."""
    wanted = {row.cells for row in rows}
    alike = [grid for grid in grids.grids(passage) if wanted <= {row.cells for row in grid.rows}]
    return alike[0] if alike else None


def _row(draft: RowDraft, width: int, passage: Passage) -> TableRow | None:
    """A row whose every cell stands in its line."""
    quote = find_quote(draft.quote, passage.text)
    if quote is None or len(draft.cells) != width:
        return None
    if any(cell.strip() and find_quote(cell, quote) is None for cell in draft.cells):
        return None
    return TableRow(cells=tuple(draft.cells), quote=quote)


def _standing(handle: str, quote: str, sources: Sources) -> tuple[Passage | None, str | None]:
    passage = sources.get(handle.strip("[] "))
    return passage, find_quote(quote, passage.text) if passage else None


def _written(value: str, quote: str | None) -> str | None:
    """A value as its quote writes it."""
    return find_quote(value, quote) if quote and _DIGIT.search(value) else None
