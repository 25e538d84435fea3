"""Label the rows and columns of a table: the terms and the times by which a question may name them."""

import re
from dataclasses import dataclass
from functools import cached_property

from intelli.language import dates, periods
from intelli.reasoning.table_answers.question import TableQuestion, alike, is_outdated, large_words, terms_of
from intelli.reasoning.table_answers.source_table import SourceRow, SourceTable

_LEAST_SHARED = 5
_SHARE = 0.7
_LEAST_PART = 4
# Columns on the left say what a row is about, also where they hold numbers: "from 200 users".
_NAMING = 2
# Rows whose first cells are looked at for letters.
_LOOKED_AT = 20
_LETTER = re.compile(r"[^\W\d_]")
_NUMBERED_MONTH = re.compile(rf"(?<![\w-])({periods.RECENT_YEAR})-(0[1-9]|1[0-2])(?![\d-])")
Moment = tuple[int | None, int | None, int | None]


@dataclass(eq=False)
class LabelledTable:
    """A table with the terms of its rows, columns and surroundings that a question names.

    One that `is_alike_unnamed` is in several documents alike, and no term or time of the question tells which is meant.
    `told_by` are the words over the table that tell it from those of other documents.
    """

    table: SourceTable
    asked: TableQuestion
    is_alike_unnamed: bool = False
    told_by: str = ""

    @cached_property
    def around(self) -> frozenset[str]:
        """The asked terms that the document's name and beginning, the headings and the names of words' columns have."""
        table = self.table
        names = " ; ".join(column.name for column in table.columns if not column.is_number)
        return self.asked_in(f"{table.document} {table.around} {table.opening} {names}")

    @cached_property
    def headed(self) -> frozenset[str]:
        """The asked terms that the document's name, the caption and the headings have."""
        return self.asked_in(f"{self.table.document} {self.table.around}")

    @cached_property
    def is_outdated(self) -> bool:
        """Whether the document says of itself, over the table or at its beginning, that it does not count."""
        return is_outdated(f"{self.table.document.replace('_', ' ')} {self.table.around} {self.table.opening}")

    @cached_property
    def of_columns(self) -> list[frozenset[str]]:
        """The asked terms of each column's name."""
        return [self.asked_in(column.name) for column in self.table.columns]

    @cached_property
    def of_rows(self) -> list[frozenset[str]]:
        """The asked terms of each row's words."""
        adding_up = self.asked.literal if self.asked.is_of_totals else frozenset[str]()
        return [
            self.asked_in(" ; ".join(self._words(row))) | (adding_up if row.is_total else frozenset())
            for row in self.table.rows
        ]

    @cached_property
    def times_of_rows(self) -> list[Moment | None]:
        """The time of each row: of its column of dates or periods, else of its first words."""
        return [self._time_of(row) for row in self.table.rows]

    @cached_property
    def times_of_columns(self) -> list[Moment | None]:
        """The time that each column's name tells."""
        return [moment_of(column.name) or self._part_of_year(column.name) for column in self.table.columns]

    @cached_property
    def years(self) -> frozenset[int]:
        """The years that the headings, the document's name and its beginning tell."""
        table = self.table
        dated = str(table.dated.year) if table.dated else ""
        return frozenset(periods.years_of(f"{table.around} {table.document.replace('_', ' ')} {table.opening} {dated}"))

    @cached_property
    def newest(self) -> int:
        """How new a table is, as a day count: by the document's date, else by the newest year around it."""
        if self.table.dated is not None:
            return self.table.dated.toordinal()
        return max(self.years, default=0) * 366

    @cached_property
    def over(self) -> frozenset[str]:
        """The asked terms that the caption, the headings or the name of the key column have."""
        table = self.table
        return self.asked_in(f"{table.around} {table.columns[self.key].name if table.columns else ''}")

    @cached_property
    def key(self) -> int:
        """The column that says what a row is about: the first with words, else the first."""
        columns = self.table.columns
        first = [row.text(0) for row in self.table.rows[:_LOOKED_AT] if row.text(0)]
        if columns and not columns[0].is_time and first and all(_LETTER.search(text) for text in first):
            return 0
        named = (at for at, column in enumerate(columns) if not column.is_number and not column.is_time)
        return next(named, 0)

    def label(self, row: int) -> str:
        """What a row is called."""
        found = self.table.rows[row]
        return found.text(self.key) or next((cell.text for cell in found.cells.values() if cell.text), "")

    @cached_property
    def parts(self) -> list[int]:
        """The columns that are parts of a year, as quarters are, by their names alone."""
        return [at for at, column in enumerate(self.table.columns) if column.is_number and _is_part(column.name)]

    def _part_of_year(self, name: str) -> Moment | None:
        """The time of a column that names a part of the one year that the table is of."""
        if len(self.years) != 1 or not _is_part(name):
            return None
        (year,) = self.years
        return year, periods.first_month(name), None

    def _words(self, row: SourceRow) -> list[str]:
        columns = self.table.columns
        return [
            cell.text for at, cell in row.cells.items() if at < _NAMING or at >= len(columns) or cell.number is None
        ]

    def _time_of(self, row: SourceRow) -> Moment | None:
        for at, column in enumerate(self.table.columns):
            found = moment_of(row.text(at)) if column.is_time else None
            # A year further right is one of several things told of the row: when a site was opened.
            if found is not None and (at == 0 or found[2] is not None):
                return found
        return moment_of(row.text(0)) if row.cells else None

    def asked_in(self, text: str) -> frozenset[str]:
        """The asked terms that a text has."""
        said = frozenset(terms_of(text, self.asked.language)) | large_words(text, self.asked.language)
        others = alike(self.asked.language)
        return frozenset(
            term for term in self.asked.terms if is_named(term, said) or not said.isdisjoint(others.get(term, ()))
        )


def is_named(term: str, said: frozenset[str]) -> bool:
    """Whether a term is among others, as it is, as a part of a longer word, or with another ending."""
    if term in said:
        return True
    if len(term) < _LEAST_PART or not term.isalpha():
        return False
    return any(_are_alike(term, other) for other in said if len(other) >= _LEAST_PART and other.isalpha())


def _are_alike(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) >= _LEAST_SHARED and (longer.startswith(shorter) or longer.endswith(shorter)):
        return True
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(shorter))
    return shared >= _LEAST_SHARED and shared >= _SHARE * len(shorter) and shared >= len(longer) - _LEAST_SHARED


def _is_part(name: str) -> bool:
    """Whether a name begins with a part of a year, without the year."""
    found = next(iter(periods.periods_of(name)), None)
    return found is not None and found.start == 0 and bool(found.part) and found.first_year is None


def moment_of(text: str) -> Moment | None:
    """The date, month or year that a label tells; None without one."""
    day = next(iter(dates.dates_of(text)), None)
    if day is not None and day.year is not None:
        return day.year, day.month, day.day
    if month := _NUMBERED_MONTH.search(text):
        return int(month[1]), int(month[2]), None
    period = next(iter(periods.periods_of(text)), None)
    if period is None or period.first_year is None:
        return None
    first = periods.first_month(text) if period.part else None
    return period.first_year, first, None
