"""Find the slices of tables that a question is about: cells of a column, of a row, or of one place in many tables."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from intelli.reasoning.table_answers.labels import LabelledTable, Moment
from intelli.reasoning.table_answers.question import Operation, TableQuestion

_MOST_CELLS = 60_000
# What a time counts that only the surroundings of a table tell, alone or among others.
_AROUND, _BETWEEN = 0.95, 0.85
# What is asked of several documents even where words name only one.
_OVER_TIME = frozenset({Operation.COURSE, Operation.DIFFERENCE, Operation.SIDES})
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A cell by its table, row and column."""

    table: LabelledTable
    row: int
    column: int

    @property
    def text(self) -> str:
        """The words of the cell."""
        return self.table.table.rows[self.row].text(self.column)


@dataclass(frozen=True, slots=True)
class TableSlice:
    """Cells that differ in one thing only, with the terms of the question that their labels account for.

    `varies` is what they differ in: "row", "column" or "document". `in_column` and `in_rows` are the terms that the
    names of columns and the words of rows have. `timed` is the share of the asked times that labels tell, a little less
    where only the surroundings tell them.
    """

    cells: tuple[CellPlace, ...]
    varies: str
    in_column: frozenset[str]
    in_rows: frozenset[str]
    around: frozenset[str]
    timed: float

    @property
    def named(self) -> frozenset[str]:
        """The terms that rows or columns have, and not only what stands around the table."""
        return self.in_column | self.in_rows

    @property
    def covered(self) -> frozenset[str]:
        """All terms that are accounted for."""
        return self.named | self.around

    def share(self, asked: TableQuestion) -> float:
        """The share of the question's terms that the slice accounts for; a time counts as one."""
        total = len(asked.terms) + bool(asked.times)
        return (len(self.covered) + (self.timed if asked.times else 0)) / total if total else 0.0


def find(tables: Sequence[LabelledTable], asked: TableQuestion) -> Iterator[TableSlice]:
    """Yield the slices of tables that have anything of what is asked."""
    families = list(_families(tables))
    for family in families:
        _mark_unnamed(family, asked)
    for table in tables:
        if len(table.table.rows) * len(table.table.columns) <= _MOST_CELLS:
            yield from _down(table, asked)
            yield from _along(table, asked)
    for family in families:
        yield from _across(family, asked)


def _down(table: LabelledTable, asked: TableQuestion) -> Iterator[TableSlice]:
    """Yield the cells of each column in the rows that the rest of the question names."""
    rows = _timed_rows(table, asked)
    of_rows = _share_of_times([table.times_of_rows[row] for row in rows], asked) if rows else 0.0
    for column, named in enumerate(table.of_columns):
        time = table.times_of_columns[column]
        if time is not None and not _is_column_asked(time, asked):
            continue
        if rows is None and time is None and not _is_of_years(table, asked):
            continue
        among = rows if rows is not None else range(len(table.table.rows))
        found = _named_rows(table, among, named | table.around)
        filled = [row for row in found if table.table.rows[row].text(column)] or found
        if not filled:
            continue
        in_rows = frozenset[str]().union(*(table.of_rows[row] for row in filled))
        if in_rows:
            in_rows |= _names_of_matched(table, filled[0])
        of_column = _share_of_times([time], asked) if time else 0.0
        timed = of_rows or of_column or _share_around(table, asked)
        yield TableSlice(
            tuple(CellPlace(table, row, column) for row in filled), "row", named, in_rows, table.around, timed
        )


def _along(table: LabelledTable, asked: TableQuestion) -> Iterator[TableSlice]:
    """Yield the figures of each row in the columns that the rest of the question names."""
    figures = [at for at, column in enumerate(table.table.columns) if column.is_number]
    if len(figures) < 2:
        return
    timed = [at for at in figures if (time := table.times_of_columns[at]) is not None and _is_column_asked(time, asked)]
    are_times = sum(table.times_of_columns[at] is not None for at in figures) > 1
    if are_times and asked.times and not timed:
        return
    for row, named in enumerate(table.of_rows):
        if not named:
            continue
        columns = timed if timed and asked.times else figures
        best = max((len(table.of_columns[at] - named) for at in columns), default=0)
        columns = [at for at in columns if len(table.of_columns[at] - named) == best] if best else columns
        columns = [at for at in columns if table.table.rows[row].text(at)]
        in_columns = frozenset[str]().union(*(table.of_columns[at] for at in columns)) if best else frozenset()
        if len(columns) > 1:
            times = _share_of_times([table.times_of_columns[at] for at in columns], asked)
            cells = tuple(CellPlace(table, row, at) for at in columns)
            yield TableSlice(cells, "column", in_columns, named, table.around, times or _share_around(table, asked))


def _across(family: Sequence[LabelledTable], asked: TableQuestion) -> Iterator[TableSlice]:
    """Yield the cells at one place of several tables of one form, in the documents that the question names."""
    common = frozenset.intersection(*(table.around for table in family))
    best = max(len(table.around - common) for table in family)
    chosen = [table for table in family if best and len(table.around - common) == best]
    if len(chosen) < 2 and best:
        # Several documents are named, and one of them by more words.
        chosen = [table for table in family if table.around - common]
    if len(chosen) < 2 and (not best or asked.operation in _OVER_TIME):
        chosen = list(family)
    if len(chosen) < 2:
        return
    first = chosen[0]
    for row, named in enumerate(first.of_rows):
        for column, in_column in enumerate(first.of_columns):
            time = first.times_of_columns[column]
            if (
                not (named or in_column)
                or column == first.key
                or (time is not None and not _is_column_asked(time, asked))
            ):
                continue
            cells = tuple(CellPlace(each, at, column) for each in chosen for at in _rows_called(each, first.label(row)))
            if len(cells) < 2 or not first.table.columns[column].is_number:
                continue
            around = frozenset[str]().union(*(table.around for table in chosen))
            timed = _share_of_times([time], asked) if time else _share_of_years(chosen, asked)
            if asked.operation is Operation.DIFFERENCE and len(asked.years) == 1:
                timed = _BETWEEN
            yield TableSlice(cells, "document", in_column, named, around, timed)


def _mark_unnamed(family: Sequence[LabelledTable], asked: TableQuestion) -> None:
    """Mark the tables of a family that nothing in the question tells from the others of their time."""
    common = frozenset.intersection(*(table.around for table in family))
    if any(table.around - common for table in family):
        return
    for table in family:
        alike = [each for each in family if each.years == table.years]
        table.is_alike_unnamed = len(alike) > 1


def _families(tables: Sequence[LabelledTable]) -> Iterator[list[LabelledTable]]:
    groups: defaultdict[tuple[str, ...], list[LabelledTable]] = defaultdict(list)
    for table in tables:
        groups[tuple(_folded(column.name) for column in table.table.columns)].append(table)
    for group in groups.values():
        if len({table.table.document for table in group}) > 1:
            yield group


def _folded(name: str) -> str:
    return " ".join(_WORD.findall(name.casefold()))


def _rows_called(table: LabelledTable, label: str) -> list[int]:
    found = [row for row in range(len(table.table.rows)) if table.label(row).casefold() == label.casefold()]
    return found[:1]


def _named_rows(table: LabelledTable, rows: Sequence[int], named: frozenset[str]) -> list[int]:
    """The rows that have most of the terms which nothing else accounts for; of those, the ones with most terms at all.

    All rows where none has any.
    """
    best = max((len(table.of_rows[row] - named) for row in rows), default=0)
    found = [row for row in rows if len(table.of_rows[row] - named) == best]
    most = max((len(table.of_rows[row]) for row in found), default=0) if best else 0
    return [row for row in found if len(table.of_rows[row]) >= most]


def _names_of_matched(table: LabelledTable, row: int) -> frozenset[str]:
    """The asked terms in the names of the columns where a row has asked terms: "shipyard" over "Empor"."""
    cells = table.table.rows[row].cells
    matched = [at for at, cell in cells.items() if at < len(table.of_columns) and table.asked_in(cell.text)]
    return frozenset[str]().union(*(table.of_columns[at] for at in matched))


def _share_of_times(times: Sequence[Moment | None], asked: TableQuestion) -> float:
    """The share of the asked years that labels tell; 1 where no year is asked for."""
    told = {time[0] for time in times if time is not None}
    return len(told & asked.years) / len(asked.years) if asked.years else 1.0


def _share_around(table: LabelledTable, asked: TableQuestion) -> float:
    """The share of the asked years that the surroundings tell; less where they tell others too, or only enclose them."""
    if not asked.years:
        return _AROUND
    shared = len(table.years & asked.years) / len(asked.years)
    if not shared and table.years and min(table.years) < min(asked.years) and max(asked.years) < max(table.years):
        return _BETWEEN
    return shared * (_AROUND if table.years <= asked.years else _BETWEEN)


def _share_of_years(tables: Sequence[LabelledTable], asked: TableQuestion) -> float:
    told = frozenset[int]().union(*(table.years for table in tables))
    return _AROUND * len(told & asked.years) / len(asked.years) if asked.years else _AROUND


def _timed_rows(table: LabelledTable, asked: TableQuestion) -> list[int] | None:
    """The rows of the times that are asked for; None where rows tell no times, or none is asked for."""
    if not asked.times:
        return None
    times = table.times_of_rows
    if sum(time is not None for time in times) * 2 < len(times):
        return None
    return [row for row, time in enumerate(times) if time is not None and _is_asked(time, asked)]


def _is_asked(time: Moment, asked: TableQuestion) -> bool:
    if not asked.times:
        return True
    year = time[0]
    return any(each.holds(*time) for each in asked.times) or (asked.is_span and year in asked.years)


def _is_column_asked(time: Moment, asked: TableQuestion) -> bool:
    """Whether a column is of an asked time: a quarter is none of its year."""
    is_part = time[1] is not None and asked.times and not any(each.months for each in asked.times)
    return _is_asked(time, asked) and not is_part


def _is_of_years(table: LabelledTable, asked: TableQuestion) -> bool:
    """Whether a table without times of its own may be of the asked years."""
    return not asked.years or not table.years or _share_around(table, asked) > 0
