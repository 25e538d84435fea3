"""The data of a brief, read out of the findings and the tables beside them. Nothing is calculated or converted."""

import re
from collections.abc import Callable, Iterator, Sequence

from intelli.reasoning.extractive import grids, languages, measures, series, words
from intelli.reasoning.extractive.grids import Grid, GridRow
from intelli.reasoning.extractive.series import Wanted
from intelli.reasoning.thoughts import Passage, Series, Table, TableRow, TabulateAsked, Tabulated

_MOST_TABLES = 4
_MOST_SERIES = 4
# More than a page holds: of a longer table a part is shown, and told to be one.
MOST_ROWS = 40
_LONGEST_UNIT = 3
_SPAN = re.compile(r"([^.]+)\.(\d+)-(\d+)")
_BRACKETED = re.compile(r"\([^)]*+(?:(?P<closed>\))|\Z)")

Weight = tuple[float, ...]


def tabulate(asked: TabulateAsked) -> Tabulated:
    """Figures of the findings; tables that bear on the question, and the series that either gives."""
    wanted = series.wanted_of(asked.question)
    cited = {finding.quote.strip() for finding in asked.findings}
    found = _relevant(asked, wanted, cited)
    measured = measures.measures_of(asked.findings)

    def bearing(row: GridRow) -> Weight:
        return (row.quote in cited, wanted.weight(row.cells[0]))

    given = series.of_measures(measured)
    for grid in found:
        # What a row happens to be called says nothing of the others.
        is_meant = any(row.quote in cited for row in grid.rows) or wanted.weight(f"{grid.title} {grid.columns[0]}") > 0
        given += series.of_grid(grid, wanted=wanted, is_meant=is_meant)
    return Tabulated(
        metrics=measured,
        series=_distinct(given)[:_MOST_SERIES],
        tables=tuple(
            _told(grid, table_of(grid, bearing, words.tongue_of(asked.question)), asked)
            for grid in found[:_MOST_TABLES]
        ),
    )


def bears(asked: TabulateAsked, identifier: str, *, names: Sequence[str], quotes: Sequence[str]) -> bool:
    """Whether data of a passage is what was asked for: a finding was read there, or it is named."""
    near = [each.quote.strip() for each in asked.findings if _bytes_of(each.identifier) == _bytes_of(identifier)]
    if any(quote.strip() in each or each in quote for quote in quotes for each in near if each):
        return True
    # A finding says much beside the point: one word of it is not enough.
    is_told = any(series.wanted_of(each).weight(" ".join(names)) > 1 for each in near)
    return is_told or _is_named(names, series.wanted_of(asked.question))


def _told(grid: Grid, table: Table, asked: TabulateAsked) -> Table:
    """A table that goes on in another passage of its document says so."""
    if not any(_goes_on(grid, passage) for passage in asked.passages):
        return table
    said = languages.languages()[words.tongue_of(asked.question)]
    return table.model_copy(update={"title": said.first_rows.format(grid.title, len(table.rows))})


def _goes_on(grid: Grid, passage: Passage) -> bool:
    """Whether a passage begins with further rows of a table that another passage ends with."""
    mine, theirs = _SPAN.fullmatch(grid.passage.identifier), _SPAN.fullmatch(passage.identifier)
    if mine is None or theirs is None or mine[1] != theirs[1] or int(theirs[3]) <= int(mine[3]):
        return False
    ends = grid.passage.text.rstrip().rpartition("\n")[2].strip() == grid.rows[-1].quote
    return ends and int(theirs[2]) > int(mine[2]) and grids.is_row(passage.text.lstrip("\n").partition("\n")[0])


def _relevant(asked: TabulateAsked, wanted: Wanted, cited: set[str]) -> list[Grid]:
    """Tables that a finding was read from, or that name what is asked for; each once, the nearest first."""
    told = {_bytes_of(finding.identifier) for finding in asked.findings}
    scored: dict[tuple[tuple[str, ...], ...], tuple[float, int, Grid]] = {}
    for number, grid in enumerate(grid for passage in asked.passages for grid in grids.grids(passage)):
        quoted = sum(row.quote in cited for row in grid.rows)
        names = list(_names(grid))
        shared = wanted.weight(" ".join(names))
        if quoted or (shared and (_is_named(names, wanted) or _bytes_of(grid.passage.identifier) in told)):
            key = tuple(row.cells for row in grid.rows[:3])
            scored.setdefault(key, (-(quoted * 2 + shared), number, grid))
    return [grid for _, _, grid in sorted(scored.values(), key=lambda each: each[:2])]


def _is_named(names: Sequence[str], wanted: Wanted) -> bool:
    """Whether names are asked for. One word in common may mean anything: an operating cost is not an accident's."""
    terms = [words.terms_of(name, wanted.language) for name in names]
    return wanted.weight(" ".join(names)) > 1 or any(_is_wanted(name, wanted.terms) for name in terms)


def _is_wanted(name: Sequence[str], wanted: frozenset[str]) -> bool:
    """Whether all of a name is asked for; short words behind the first may be its unit, and a number its year."""
    rest = (term for term in name[1:] if len(term) > _LONGEST_UNIT and not term.isdigit())
    return bool(name) and name[0] in wanted and all(term in wanted for term in rest)


def _names(grid: Grid) -> Iterator[str]:
    """What columns and rows are called, without the units behind them."""
    for name in (*grid.columns, *(row.cells[0] for row in grid.rows)):
        yield _BRACKETED.sub(lambda found: " " if found["closed"] else found[0], name)


def _bytes_of(identifier: str) -> str:
    """The part of an identifier that names the bytes, which is the same for all passages of a document."""
    return identifier.partition(".")[0]


def table_of(grid: Grid, weight: Callable[[GridRow], Weight], language: str) -> Table:
    """A table, whole; of a long one the newest rows where they are periods, else those that weigh most."""
    numbers = range(len(grid.rows))
    are_periods = all(series.is_period(row.cells[0]) for row in grid.rows)

    def rank(number: int) -> tuple[str | float, ...]:
        row = grid.rows[number]
        return series.order(row.cells[0]) if are_periods else (*weight(row), -number)

    kept = sorted(sorted(numbers, key=rank, reverse=True)[:MOST_ROWS])
    rows = tuple(TableRow(cells=grid.rows[number].cells, quote=grid.rows[number].quote) for number in kept)
    said = languages.languages()[language]
    caption = said.newest_rows if are_periods and not grid.odd else said.some_rows
    of_all = len(grid.rows) + grid.odd
    title = caption.format(grid.title, len(rows), of_all) if len(rows) < of_all else grid.title
    return Table(title=title, columns=grid.columns, rows=rows, identifier=grid.passage.identifier)


def _distinct(found: Sequence[Series]) -> tuple[Series, ...]:
    kept: dict[tuple[str, tuple[str, ...]], Series] = {}
    for each in found:
        kept.setdefault((each.title.lower(), tuple(point.value for point in each.points)), each)
    return tuple(kept.values())
