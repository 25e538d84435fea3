"""Data of a brief, read from the findings and the tables beside them. Nothing is calculated or converted."""

import re
from collections.abc import Iterator, Sequence

from intelli.language import grids, words
from intelli.language.grids import Grid, GridRow
from intelli.reasoning.extractive import data_tables, measures, phrases, series
from intelli.reasoning.extractive.series import SeriesQuery
from intelli.reasoning.values import QuotedSeries, QuotedTable, SourceText
from intelli.reasoning.verbs.tabulate import DataTables, TabulateInput

_MOST_TABLES = 4
_MOST_SERIES = 4
_SPAN = re.compile(r"([^.]+)\.(\d+)-(\d+)")
_BRACKETED = re.compile(r"\([^)]*+(?:(?P<closed>\))|\Z)")


def tabulate(given: TabulateInput) -> DataTables:
    """Figures of the findings; tables that bear on the question, and the series that either gives."""
    wanted = series.wanted_of(given.question)
    cited = {quote.text.strip() for finding in given.findings for quote in finding.quotes}
    found = _relevant(given, wanted, cited)
    measured = measures.measures_of(given.findings)

    def bearing(row: GridRow) -> data_tables.Weight:
        return (row.quote in cited, wanted.weight(row.cells[0]))

    found_series = series.of_measures(measured)
    for grid in found:
        # What a row happens to be called says nothing of the others.
        is_meant = any(row.quote in cited for row in grid.rows) or wanted.weight(f"{grid.title} {grid.columns[0]}") > 0
        found_series += series.of_grid(grid, wanted=wanted, is_meant=is_meant)
    return DataTables(
        metrics=measured,
        series=_distinct(found_series)[:_MOST_SERIES],
        tables=tuple(
            _told(grid, data_tables.table_of(grid, bearing, words.tongue_of(given.question)), given)
            for grid in found[:_MOST_TABLES]
        ),
    )


def _told(grid: Grid, table: QuotedTable, given: TabulateInput) -> QuotedTable:
    """A table that goes on in another passage of its document says so."""
    if not any(_goes_on(grid, passage) for passage in given.passages):
        return table
    said = phrases.phrases_in(words.tongue_of(given.question))
    return table.model_copy(update={"title": said.first_rows.format(grid.title, len(table.rows))})


def _goes_on(grid: Grid, passage: SourceText) -> bool:
    """Whether a passage begins with further rows of a table that another passage ends with."""
    mine, theirs = _SPAN.fullmatch(grid.passage.identifier), _SPAN.fullmatch(passage.identifier)
    if mine is None or theirs is None or mine[1] != theirs[1] or int(theirs[3]) <= int(mine[3]):
        return False
    ends = grid.passage.text.rstrip().rpartition("\n")[2].strip() == grid.rows[-1].quote
    return ends and int(theirs[2]) > int(mine[2]) and grids.is_row(passage.text.lstrip("\n").partition("\n")[0])


def _relevant(given: TabulateInput, wanted: SeriesQuery, cited: set[str]) -> list[Grid]:
    """Tables that a finding was read from, or that name what is asked for; each once, the nearest first."""
    told = {data_tables.bytes_of(name) for finding in given.findings for name in finding.identifiers}
    scored: dict[tuple[tuple[str, ...], ...], tuple[float, int, Grid]] = {}
    for number, grid in enumerate(grid for passage in given.passages for grid in grids.grids(passage)):
        quoted = sum(row.quote in cited for row in grid.rows)
        names = list(_names(grid))
        shared = wanted.weight(" ".join(names))
        is_told = data_tables.bytes_of(grid.passage.identifier) in told
        if quoted or (shared and (is_told or data_tables.is_named(names, wanted))):
            key = tuple(row.cells for row in grid.rows[:3])
            scored.setdefault(key, (-(quoted * 2 + shared), number, grid))
    return [grid for _, _, grid in sorted(scored.values(), key=lambda each: each[:2])]


def _names(grid: Grid) -> Iterator[str]:
    """What columns and rows are called, without the units behind them."""
    for name in (*grid.columns, *(row.cells[0] for row in grid.rows)):
        yield _BRACKETED.sub(lambda found: " " if found["closed"] else found[0], name)


def _distinct(found: Sequence[QuotedSeries]) -> tuple[QuotedSeries, ...]:
    kept: dict[tuple[str, tuple[str, ...]], QuotedSeries] = {}
    for each in found:
        kept.setdefault((each.title.lower(), tuple(point.value for point in each.points)), each)
    return tuple(kept.values())
