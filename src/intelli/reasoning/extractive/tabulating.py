"""The data of a brief, read out of the findings and the tables beside them. Nothing is calculated or converted."""

from collections.abc import Sequence

from intelli.reasoning.extractive import grids, measures, series, words
from intelli.reasoning.extractive.grids import Grid
from intelli.reasoning.thoughts import Series, Table, TableRow, TabulateAsked, Tabulated

_MOST_TABLES = 4
_MOST_SERIES = 4
_MOST_ROWS = 15


def tabulate(asked: TabulateAsked) -> Tabulated:
    """Figures of the findings; tables that bear on the question, and the series that either gives."""
    language = words.language_of(asked.question)
    wanted = frozenset(words.terms_of(asked.question, language))
    cited = {finding.quote.strip() for finding in asked.findings}
    found = _relevant([grid for passage in asked.passages for grid in grids.grids(passage)], wanted, cited, language)
    measured = measures.measures_of(asked.findings)

    def weight(text: str) -> float:
        return len(wanted & set(words.terms_of(text, language)))

    given = [*series.of_measures(measured), *(each for grid in found for each in series.of_grid(grid, weight=weight))]
    return Tabulated(
        metrics=measured,
        series=_distinct(given)[:_MOST_SERIES],
        tables=tuple(_table(grid, wanted, cited, language) for grid in found[:_MOST_TABLES]),
    )


def _relevant(found: Sequence[Grid], wanted: frozenset[str], cited: set[str], language: str) -> list[Grid]:
    """Tables that a finding was read from, or that name what is asked for; each once, the nearest first."""
    scored: dict[tuple[tuple[str, ...], ...], tuple[float, int, Grid]] = {}
    for number, grid in enumerate(found):
        quoted = sum(row.quote in cited for row in grid.rows)
        said = " ".join((*grid.columns, *(row.cells[0] for row in grid.rows)))
        shared = len(wanted & set(words.terms_of(said, language)))
        if quoted or shared:
            key = tuple(row.cells for row in grid.rows[:3])
            scored.setdefault(key, (-(quoted * 2 + shared), number, grid))
    return [grid for _, _, grid in sorted(scored.values(), key=lambda each: each[:2])]


def _table(grid: Grid, wanted: frozenset[str], cited: set[str], language: str) -> Table:
    """A table; of a long one the rows that bear on the question, in their order."""
    rows = list(grid.rows)
    if len(rows) > _MOST_ROWS:
        weights = {
            number: (row.quote in cited, len(wanted & set(words.terms_of(row.cells[0], language))), -number)
            for number, row in enumerate(rows)
        }
        kept = sorted(sorted(weights, key=lambda number: weights[number], reverse=True)[:_MOST_ROWS])
        rows = [rows[number] for number in kept]
    return Table(
        title=grid.title,
        columns=grid.columns,
        rows=tuple(TableRow(cells=row.cells, quote=row.quote) for row in rows),
        identifier=grid.passage.identifier,
    )


def _distinct(found: Sequence[Series]) -> tuple[Series, ...]:
    kept: dict[tuple[str, tuple[str, ...]], Series] = {}
    for each in found:
        kept.setdefault((each.title.lower(), tuple(point.value for point in each.points)), each)
    return tuple(kept.values())
