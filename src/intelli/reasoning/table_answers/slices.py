"""Find the slices of tables that a question is about: cells of a column, of a row, or of one place in many tables."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from intelli.reasoning.table_answers.labels import LabelledTable, Moment
from intelli.reasoning.table_answers.question import Operation, TableQuestion, Time

_MOST_CELLS = 60_000
# What a time counts that only the surroundings of a table tell, alone or among others.
_AROUND, _BETWEEN = 0.95, 0.85
# What a word for the kind of thing that is chosen counts less where no table calls it so.
_UNSAID = 0.5
# What is asked of several documents even where words name only one.
_OVER_TIME = frozenset({Operation.COURSE, Operation.DIFFERENCE, Operation.SIDES})
# What takes several things that are named side by side.
_OF_SEVERAL = frozenset({Operation.SIDES, Operation.DIFFERENCE, Operation.SUM})
# Characters of the words that tell one document of a family from the others.
_LONGEST_NAME = 60
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
    where only the surroundings tell them. A slice that `is_whole` is of rows that add up all others.
    """

    cells: tuple[CellPlace, ...]
    varies: str
    in_column: frozenset[str]
    in_rows: frozenset[str]
    around: frozenset[str]
    timed: float
    is_whole: bool = False

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
        unsaid = len(asked.chosen & frozenset(asked.terms) - self.covered) if self.named else 0
        total = len(asked.terms) + bool(asked.times) - _UNSAID * unsaid
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
        cells = tuple(CellPlace(table, row, column) for row in filled)
        yield TableSlice(cells, "row", named, in_rows, table.around, timed)
        totals = [cell for cell in cells if table.table.rows[cell.row].is_total]
        if not in_rows and named and len(totals) == 1:
            yield TableSlice(tuple(totals), "row", named, frozenset(), table.around, timed, is_whole=True)


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
        own = {at: table.of_columns[at] - named for at in columns}
        best = max(map(len, own.values()), default=0)
        if best and asked.is_joint and asked.operation in _OF_SEVERAL:
            columns = [at for at in columns if own[at] and not any(own[at] < other for other in own.values())]
        elif best:
            columns = [at for at in columns if len(own[at]) == best]
        if asked.is_up_to and len(columns) > 1:
            columns = [at for at in figures if columns[0] <= at <= columns[-1]]
        columns = [at for at in columns if table.table.rows[row].text(at)]
        in_columns = frozenset[str]().union(*(table.of_columns[at] for at in columns)) if best else frozenset()
        if len(columns) > 1:
            times = _share_of_times([table.times_of_columns[at] for at in columns], asked)
            cells = tuple(CellPlace(table, row, at) for at in columns)
            yield TableSlice(cells, "column", in_columns, named, table.around, times or _share_around(table, asked))


def _across(family: Sequence[LabelledTable], asked: TableQuestion) -> Iterator[TableSlice]:
    """Yield the cells at one place of several tables of one form, in the documents that the question names."""
    chosen = _chosen(family, asked)
    if len(chosen) < 2:
        return
    around = frozenset[str]().union(*(table.around for table in chosen))
    for places in _rows_by_label(chosen):
        first, row = places[0]
        named, is_total = first.of_rows[row], first.table.rows[row].is_total
        if len(places) < 2 or not (named or is_total):
            continue
        for column in _columns_across(first, row, asked):
            in_column, time = first.of_columns[column], first.times_of_columns[column]
            cells = tuple(CellPlace(each, at, column) for each, at in places if each.table.rows[at].text(column))
            if len(cells) < 2:
                continue
            timed = _share_of_times([time], asked) if time else _share_of_years(chosen, asked)
            if asked.operation is Operation.DIFFERENCE and len(asked.years) == 1:
                timed = _BETWEEN
            yield TableSlice(cells, "document", in_column, named, around, timed, is_whole=is_total)


def _columns_across(table: LabelledTable, row: int, asked: TableQuestion) -> list[int]:
    """The columns of figures that may be asked of a row in several documents."""
    filled = [
        at for at, column in enumerate(table.table.columns) if column.is_number and table.table.rows[row].text(at)
    ]
    times = table.times_of_columns
    columns = [at for at in filled if (time := times[at]) is None or _is_column_asked(time, asked)]
    if table.of_rows[row]:
        return [at for at in columns if at != table.key]
    named = [at for at in columns if table.of_columns[at]]
    return named or (columns if len(columns) == 1 else [])


def _rows_by_label(tables: Sequence[LabelledTable]) -> list[list[tuple[LabelledTable, int]]]:
    """The first row of each label in each table."""
    found: defaultdict[str, dict[int, tuple[LabelledTable, int]]] = defaultdict(dict)
    for number, table in enumerate(tables):
        for row in range(len(table.table.rows)):
            found[table.label(row).casefold()].setdefault(number, (table, row))
    return [list(places.values()) for places in found.values()]


def _chosen(family: Sequence[LabelledTable], asked: TableQuestion) -> list[LabelledTable]:
    """The tables whose documents are named; all where none is, or where only one is and the others tell its past."""
    terms = _own_terms(family)
    best = max(map(len, terms))
    chosen = [table for table, own in zip(family, terms, strict=True) if best and len(own) == best]
    if len(chosen) < 2 and best and asked.is_joint:
        # Several documents are named, and one of them by more words.
        chosen = [table for table, own in zip(family, terms, strict=True) if own]
    if len(chosen) < 2 and (not best or asked.operation in _OVER_TIME):
        return list(family)
    return chosen


def _own_terms(family: Sequence[LabelledTable]) -> list[frozenset[str]]:
    """The asked terms that tell each table from the others: by name and headings, else by its document's opening."""
    common = frozenset.intersection(*(table.around for table in family))
    headed = frozenset[str]().union(*(table.headed for table in family))
    in_all = frozenset.intersection(*(table.headed for table in family))
    labels = (*(table.of_rows for table in family), *(table.of_columns for table in family))
    inside = frozenset[str]().union(*(terms for each in labels for terms in each))
    return [(table.headed - in_all) | (table.around - common - headed - inside) for table in family]


def _mark_unnamed(family: Sequence[LabelledTable], asked: TableQuestion) -> None:
    """Mark the tables of a family that nothing in the question tells from the others of their time."""
    terms = _own_terms(family)
    if any(terms) and not asked.is_of_totals:
        return
    best = max(map(len, terms))
    meant = [table for table, own in zip(family, terms, strict=True) if len(own) == best]
    for table in meant:
        alike = [each for each in meant if each.years == table.years and not each.is_outdated]
        table.is_alike_unnamed = len(alike) > (not table.is_outdated)


def _tell_apart(family: Sequence[LabelledTable]) -> None:
    """Give each table of a family the words by which its caption or heading differs from those of the others."""
    lines = [[line.split() for line in table.table.around.split("\n")] for table in family]
    for number in range(min(map(len, lines))):
        told = [each[number] for each in lines]
        before = next((at for at, words in enumerate(zip(*told, strict=False)) if len(set(words)) > 1), None)
        if not before:
            continue
        shortest = min(map(len, told)) - before
        behind = next((at for at in range(shortest) if len({words[-1 - at] for words in told}) > 1), shortest)
        names = [" ".join(words[before : len(words) - behind]).strip(" ,;:.)") for words in told]
        if len(set(names)) == len(names) and all(0 < len(name) <= _LONGEST_NAME for name in names):
            for table, name in zip(family, names, strict=True):
                table.told_by = name
            return


def _families(tables: Sequence[LabelledTable]) -> Iterator[list[LabelledTable]]:
    groups: defaultdict[tuple[str, ...], list[LabelledTable]] = defaultdict(list)
    for table in tables:
        groups[tuple(_folded(column.name) for column in table.table.columns)].append(table)
    for group in groups.values():
        if len({table.table.document for table in group}) > 1:
            _tell_apart(group)
            yield group


def _folded(name: str) -> str:
    return " ".join(_WORD.findall(name.casefold()))


def _named_rows(table: LabelledTable, rows: Sequence[int], named: frozenset[str]) -> list[int]:
    """The rows that have most of the terms which nothing else accounts for; of those, the ones with most terms at all.

    All rows where none has any. Where several things are named side by side, rows of fewer terms are theirs as well.
    """
    own = {row: table.of_rows[row] - named for row in rows}
    if table.asked.is_joint and table.asked.operation in _OF_SEVERAL:
        sets = set(own.values())
        if several := [row for row in rows if own[row] and not any(own[row] < other for other in sets)]:
            return several
    best = max(map(len, own.values()), default=0)
    found = [row for row in rows if len(own[row]) == best]
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
    """The share of the asked years that the surroundings tell; less where they tell others, or only enclose them."""
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
    if asked.is_since:
        return _is_later(time, asked.times[0])
    return any(each.holds(*time) for each in asked.times) or (asked.is_span and year in asked.years)


def _is_later(time: Moment, first: Time) -> bool:
    """Whether a time is the one that a course begins with, or after it."""
    year, month, _ = time
    if first.year is None or year is None or year == first.year:
        return not first.months or (month or 0) >= first.months[0]
    return year > first.year


def _is_column_asked(time: Moment, asked: TableQuestion) -> bool:
    """Whether a column is of an asked time: a quarter is none of its year."""
    is_part = time[1] is not None and asked.times and not any(each.months for each in asked.times)
    return _is_asked(time, asked) and not is_part


def _is_of_years(table: LabelledTable, asked: TableQuestion) -> bool:
    """Whether a table without times of its own may be of the asked years."""
    return not asked.years or not table.years or _share_around(table, asked) > 0
