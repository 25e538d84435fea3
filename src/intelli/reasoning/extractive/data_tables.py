"""Tables for display, and whether data of a passage was asked for. Nothing is calculated or converted."""

from collections.abc import Callable, Sequence

from intelli.language import words
from intelli.language.grids import Grid, GridRow
from intelli.reasoning.extractive import phrases, series
from intelli.reasoning.extractive.series import SeriesQuery
from intelli.reasoning.values import QuotedRow, QuotedTable

# More than a page holds: of a longer table a part is shown, and told to be one.
MOST_ROWS = 40
_LONGEST_UNIT = 3
Weight = tuple[float, ...]


def bears(question: str, near: Sequence[str], *, names: Sequence[str], quotes: Sequence[str]) -> bool:
    """Whether data of a passage is what was asked for: a finding was read there, or it is named.

    `near` are the quotes of the findings from the document of the passage.
    """
    near = [each.strip() for each in near]
    if any(quote.strip() in each or each in quote for quote in quotes for each in near if each):
        return True
    # A finding says much beside the point: one word of it is not enough.
    is_told = any(series.wanted_of(each).weight(" ".join(names)) > 1 for each in near)
    return is_told or is_named(names, series.wanted_of(question))


def bytes_of(identifier: str) -> str:
    """The part of an identifier that names the bytes, which is the same for all passages of a document."""
    return identifier.partition(".")[0]


def is_named(names: Sequence[str], wanted: SeriesQuery) -> bool:
    """Whether names are asked for. One word in common may mean anything: an operating cost is not an accident's."""
    terms = [words.terms_of(name, wanted.language) for name in names]
    return wanted.weight(" ".join(names)) > 1 or any(_is_wanted(name, wanted.terms) for name in terms)


def _is_wanted(name: Sequence[str], wanted: frozenset[str]) -> bool:
    """Whether all of a name is asked for; short words behind the first may be its unit, and a number its year."""
    rest = (term for term in name[1:] if len(term) > _LONGEST_UNIT and not term.isdigit())
    return bool(name) and name[0] in wanted and all(term in wanted for term in rest)


def table_of(grid: Grid, weight: Callable[[GridRow], Weight], language: str) -> QuotedTable:
    """A table, whole; of a long one the newest rows where they are periods, else those that weigh most."""
    numbers = range(len(grid.rows))
    are_periods = all(series.is_period(row.cells[0]) for row in grid.rows)

    def rank(number: int) -> tuple[str | float, ...]:
        row = grid.rows[number]
        return series.order(row.cells[0]) if are_periods else (*weight(row), -number)

    kept = sorted(sorted(numbers, key=rank, reverse=True)[:MOST_ROWS])
    rows = tuple(QuotedRow(cells=grid.rows[number].cells, quote=grid.rows[number].quote) for number in kept)
    said = phrases.phrases_in(language)
    caption = said.newest_rows if are_periods and not grid.odd else said.some_rows
    of_all = len(grid.rows) + grid.odd
    title = caption.format(grid.title, len(rows), of_all) if len(rows) < of_all else grid.title
    return QuotedTable(title=title, columns=grid.columns, rows=rows, identifier=grid.passage.identifier)
