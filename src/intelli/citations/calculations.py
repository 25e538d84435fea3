"""Calculations over cited figures: which sum, difference, share, change, average or count gives a figure of a text.

A calculation is looked for only among figures that belong together, since among many something always fits: figures of
the statement itself, rows and columns of a table that the statement names, and passages with few figures.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, DecimalException
from itertools import combinations, permutations, product

from intelli.citations.source_views import SourceView, language_of, read_figures
from intelli.language import periods, words
from intelli.language.numbers import Number
from intelli.language.text_tables import CellText, TableText

_FEW = 8
_MOST_SUMMED = 4
_PERCENT = {"percent", "per mille"}
# What a result may be off by beside rounding: a small whole number would fit too much.
_TOLERANCE = Decimal("0.06")
# Words that say which calculation was made; among figures that nothing else brings together, they decide.
_SAYS_SUM = re.compile(
    r"\b(?:totals?|totall?ing|sum|together|combined|altogether|aggregate|between them|in all|add(?:s|ed)? up|insgesamt|"
    r"zusammen\w*|summe|gesamt\w*|ensemble|suma)\b",
    re.IGNORECASE,
)
_SAYS_DIFFERENCE = re.compile(
    r"\b(?:by|difference|more|less|fewer|higher|lower|above|below|increas\w*|decreas\w*|rise|rose|risen|fell|fall\w*|"
    r"drop\w*|grew|grow\w*|gain\w*|declin\w*|up|down|gap|short\w*|remain\w*|left|overrun|exceed\w*|later|earlier|"
    r"longer|shorter|um|mehr|weniger|h\u00f6her|niedriger|stieg\w*|sank\w*|differenz|unterschied|\u00fcbrig|verbleib\w*|"
    r"sp\u00e4ter|fr\u00fcher|l\u00e4nger|k\u00fcrzer|hausse|baisse|aument\w*|diferencia)\b",
    re.IGNORECASE,
)
_SAYS_QUOTIENT = re.compile(
    r"%|\b(?:percent|per ?cent|prozent\w*|times|ratio|fold|per|factor|doubl\w*|tripl\w*|half|each|average|mean|share|"
    r"portion|account\w*|represent\w*|margin|rate|out of|mal|pro|je|verh\u00e4ltnis|durchschnitt\w*|anteil\w*|quote|"
    r"fois|veces)\b|\bx\b|-fold",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"^(?:sub-?)?(?:total|sum|group|gesamt|summe|insgesamt|konzern|alle|all)\b", re.IGNORECASE)
_CONVERSIONS = {
    12: re.compile(r"\b(?:months?|years?|monat\w*|jahr\w*)\b", re.IGNORECASE),
    7: re.compile(r"\b(?:days?|weeks?|tag\w*|woche\w*)\b", re.IGNORECASE),
    60: re.compile(r"\b(?:minutes?|hours?|seconds?|minuten?|stunden?)\b", re.IGNORECASE),
    24: re.compile(r"\b(?:hours?|days?|stunden?|tage?)\b", re.IGNORECASE),
    4: re.compile(r"\b(?:quarter\w*|quartal\w*)\b", re.IGNORECASE),
    1000: re.compile(r"\b(?:k?m|kg|tonn\w*|[kmg]wh|thousand|tausend|tsd|lit(?:er|re)s?)\b", re.IGNORECASE),
    100: re.compile(r"%|\bper ?cent\b|\bprozent\b|\bc?m\b", re.IGNORECASE),
}
_WORD = re.compile(r"\s?([^\W\d_]+)")


@dataclass(frozen=True, slots=True)
class Operand:
    """A number of a calculation and where it was read: a source, the reading of a figure, or the text itself (None)."""

    number: Number
    origin: object


@dataclass(frozen=True, slots=True)
class FoundCalculation:
    """A calculation that gives a figure: its formula as people write it, and its operands."""

    formula: str
    operands: tuple[Operand, ...]


def find_calculation(
    statement: str, target: Number, views: Sequence[SourceView], known: Sequence[Operand]
) -> FoundCalculation | None:
    """Return a calculation over figures that belong together which gives the target; None when there is none."""
    if _is_small(target):
        return next(_counted(statement, target, views), None)
    groups: list[Callable[[], Iterator[FoundCalculation]]] = [
        lambda: _of_few(target, known),
        lambda: _of_tables(statement, target, views),
        lambda: _of_passages(statement, target, views, known),
        lambda: _converted(statement, target, views, known),
    ]
    for group in groups:
        for found in group():
            return found
    return None


def _is_small(target: Number) -> bool:
    """Whether a figure is one digit without a unit: too many calculations give it by chance."""
    return not target.unit and target.scale is None and abs(target.value) < 10 and target.value % 1 == 0


def _counted(statement: str, target: Number, views: Sequence[SourceView]) -> Iterator[FoundCalculation]:
    """Counts of rows that a statement names, and spans of years."""
    for view in views:
        language = language_of(view.text)
        named = set(words.terms_of(statement, language))
        for table in view.tables:
            for rows in _Table(view, table, named, language).groups():
                if target.value == len(rows):
                    yield FoundCalculation(f"{len(rows)} rows: {_listed([row[0].text for row in rows])}", ())


def sum_of_column(target: Number, values: Sequence[str]) -> FoundCalculation | None:
    """Return the sum of a column of the text's own table that gives the target; None when it does not."""
    figures = [each for value in values for each in read_figures(value, "").numbers]
    operands = tuple(Operand(number, None) for number in figures)
    return next(_summed(target, operands), None) if len(operands) > 1 else None


def _of_few(target: Number, operands: Sequence[Operand]) -> Iterator[FoundCalculation]:
    """Calculations over a few figures: all their pairs, and sums of up to four, or of all."""
    usable = [each for each in operands if not _is_year(each.number)]
    if not 1 < len(usable) <= 4 * _FEW:
        return
    if len(usable) <= _FEW:
        yield from _pairs(target, permutations(usable, 2))
    sums = (chosen for count in range(2, min(len(usable), _MOST_SUMMED) + 1) for chosen in combinations(usable, count))
    few: Iterable[tuple[Operand, ...]] = sums if len(usable) <= _FEW else ()
    for chosen in (*few, tuple(usable)):
        yield from _summed(target, chosen)
    whole = Decimal(1)
    for each in usable:
        whole *= each.number.worth / (100 if each.number.unit in _PERCENT else 1)
    if 2 < len(usable) <= _MOST_SUMMED and _gives(target, whole):
        yield _made(" \u00d7 ", tuple(usable))
    years = [each for each in operands if _is_year(each.number)]
    for one, other in combinations(years, 2):
        if abs(one.number.value - other.number.value) == abs(target.value):
            yield _made(" \u2212 ", (other, one))


def _of_tables(statement: str, target: Number, views: Sequence[SourceView]) -> Iterator[FoundCalculation]:
    """Calculations over the rows and columns of a table that the statement names."""
    for view in views:
        language = language_of(view.text)
        named = set(words.terms_of(statement, language))
        for table in view.tables:
            yield from _of_table(_Table(view, table, named, language), target)


class _Table:
    """A table whose rows and columns are compared with the words of a statement."""

    def __init__(self, view: SourceView, table: TableText, named: set[str], language: str) -> None:
        self._view = view
        self._named = named
        self._language = language
        self.rows = [row for row in table.rows if any(cell.text for cell in row)]
        self.width = max((len(row) for row in self.rows), default=0)
        self.head = [cell.text for cell in table.head]

    def operand(self, cell: CellText) -> Operand | None:
        """The number of a cell that holds one and nothing else that counts."""
        found = read_figures(cell.text, self._view.text).numbers
        if len(found) != 1:
            return None
        number = found[0]
        moved = replace(number, start=cell.start + number.start, end=cell.start + number.end)
        return Operand(moved, self._view)

    def groups(self) -> Iterator[list[tuple[CellText, ...]]]:
        """Rows that belong together: all but totals, those that the statement names, those with a value it names."""
        plain = [row for row in self.rows if not _TOTAL.match(row[0].text)]
        yield plain
        named = [row for row in plain if self._is_named(row[0].text)]
        others = [row for row in plain if row not in named]
        alike = ([row for row in plain if self._has_term(row[0].text, term)] for term in self._named)
        yield from (group for group in (named, others, *alike) if 1 < len(group) < len(plain))
        for at in range(self.width):
            yield from self._by_value(plain, at)

    def _by_value(self, rows: Sequence[tuple[CellText, ...]], at: int) -> Iterator[list[tuple[CellText, ...]]]:
        """Rows with the same value in a column, for values that the statement names; and all of these together."""
        values: dict[str, list[tuple[CellText, ...]]] = {}
        for row in rows:
            if at < len(row) and row[at].text and self._is_named(row[at].text):
                values.setdefault(row[at].text.casefold(), []).append(row)
        yield from values.values()
        if len(values) > 1:
            yield [row for same in values.values() for row in same]

    def _has_term(self, text: str, term: str) -> bool:
        return term in words.terms_of(text, self._language)

    def _is_named(self, text: str) -> bool:
        terms = set(words.terms_of(text, self._language))
        return bool(terms) and (terms <= self._named or len(terms & self._named) * 2 >= len(terms))


def _of_table(table: _Table, target: Number) -> Iterator[FoundCalculation]:
    for rows in table.groups():
        if target.value == len(rows) and not target.unit:
            yield FoundCalculation(f"{len(rows)} rows: {_listed([row[0].text for row in rows])}", ())
        for at in range(table.width):
            column = [each for row in rows if at < len(row) and (each := table.operand(row[at])) is not None]
            if len(column) > 1:
                yield from _summed(target, tuple(column))
                yield from _averaged(target, tuple(column))
            if 1 < len(column) <= _FEW:
                yield from _pairs(target, permutations(column, 2))
    for row in table.rows:
        cells = [each for cell in row[1:] if (each := table.operand(cell)) is not None]
        if 1 < len(cells) <= _FEW + 4:
            yield from _pairs(target, permutations(cells, 2))
            yield from _summed(target, tuple(cells))


def _of_passages(
    statement: str, target: Number, views: Sequence[SourceView], known: Sequence[Operand]
) -> Iterator[FoundCalculation]:
    """Calculations over the figures of passages with few, where the statement says which calculation it is."""
    free = [Operand(number, view) for view in views for number in view.figures.numbers if not _is_year(number)]
    spelt = [Operand(number, view) for view in views for number in view.figures.words if number.value > 1]
    says_pair = _SAYS_DIFFERENCE.search(statement) or _SAYS_QUOTIENT.search(statement)
    if says_pair and len(free) + len(spelt) <= 2 * _FEW:
        yield from _pairs(target, permutations([*free, *spelt], 2))
    if len(free) <= (_FEW if _SAYS_SUM.search(statement) else _MOST_SUMMED):
        yield from _sums(target, free)
    if len(free) <= 3 * _FEW:
        mine = [each for each in known if not _is_year(each.number)]
        both = list(product(mine, free))
        yield from _pairs(target, [*both, *((other, one) for one, other in both)])


def _sums(target: Number, operands: Sequence[Operand]) -> Iterator[FoundCalculation]:
    """Sums of two to four of some figures."""
    for count in range(2, min(len(operands), _MOST_SUMMED) + 1):
        for chosen in combinations(operands, count):
            yield from _summed(target, chosen)


def _converted(
    statement: str, target: Number, views: Sequence[SourceView], known: Sequence[Operand]
) -> Iterator[FoundCalculation]:
    """Another unit for a figure: months for years, tonnes for kilograms."""
    free = [Operand(number, view) for view in views for number in (*view.figures.numbers, *view.figures.words)]
    for factor, unit in _CONVERSIONS.items():
        if not unit.search(statement):
            continue
        for each in (*known, *free):
            worth = each.number.worth
            if _is_of_same_unit(statement, target, each):
                continue
            if factor == 100 and target.unit in _PERCENT and _gives(target, 100 - worth):
                yield FoundCalculation(f"100 \u2212 {each.number.written}", (each,))
            if _gives(target, worth * factor):
                yield FoundCalculation(f"{each.number.written} \u00d7 {factor}", (each,))
            if _gives(target, worth / factor):
                yield FoundCalculation(f"{each.number.written} / {factor}", (each,))


def _is_of_same_unit(statement: str, target: Number, operand: Operand) -> bool:
    """Whether the same word follows both figures: kilograms are not converted to kilograms."""
    if not isinstance(operand.origin, SourceView):
        return False
    mine, theirs = (
        _WORD.match(text, at) for text, at in ((statement, target.end), (operand.origin.text, operand.number.end))
    )
    return mine is not None and theirs is not None and mine[1].casefold() == theirs[1].casefold()


def _pairs(target: Number, pairs: Iterable[tuple[Operand, Operand]]) -> Iterator[FoundCalculation]:
    """Calculations over two figures, in this order."""
    for one, other in pairs:
        a, b = one.number, other.number
        if target.unit in {"", *_PERCENT} or not {a.unit, b.unit} - {"", target.unit, *_PERCENT}:
            yield from _differences(target, one, other)
            yield from _products(target, one, other)


def _differences(target: Number, one: Operand, other: Operand) -> Iterator[FoundCalculation]:
    """The difference and the quotients of two figures of one unit."""
    a, b = one.number, other.number
    if a.unit and b.unit and a.unit != b.unit:
        return
    is_of_unit = target.unit not in _PERCENT or a.unit == b.unit == target.unit
    # The larger less the smaller, unless the figure itself is negative.
    is_signed = (a.worth >= b.worth) == (target.value >= 0)
    if is_of_unit and is_signed and _adds_up(target, (a, b)) and _gives(target, a.worth - b.worth):
        yield _made(" \u2212 ", (one, other))
    if b.worth and not _PERCENT & {a.unit, b.unit}:
        yield from _quotients(target, one, other)


def _products(target: Number, one: Operand, other: Operand) -> Iterator[FoundCalculation]:
    """A share of a figure, and a figure so many times."""
    a, b = one.number, other.number
    if b.unit in _PERCENT and a.unit not in _PERCENT and _gives(target, a.worth * b.value / 100):
        yield FoundCalculation(f"{a.written} \u00d7 {b.written}", (one, other))
    is_of_unit = target.unit in {"", a.unit, b.unit}
    if is_of_unit and not (a.unit and b.unit) and min(a.worth, b.worth) > 1 and _gives(target, a.worth * b.worth):
        yield _made(" \u00d7 ", (one, other))


def _quotients(target: Number, one: Operand, other: Operand) -> Iterator[FoundCalculation]:
    a, b = one.number, other.number
    if target.unit in _PERCENT:
        if _gives(target, (a.worth - b.worth) / b.worth * 100):
            formula = f"({a.written} \u2212 {b.written}) / {b.written} \u00d7 100"
            yield FoundCalculation(formula, (one, other))
        if _gives(target, a.worth / b.worth * 100):
            yield FoundCalculation(f"{a.written} / {b.written} \u00d7 100", (one, other))
        return
    # One half is not 500 million; yet a million of a table's head for each of some people is a sum of euros.
    scales = (0, 3, 6, 9) if target.unit and target.scale is None else (0,)
    # A whole number is hardly a ratio, and among many figures always one by chance.
    is_ratio = bool(target.unit) or (target.scale is None and target.value % 1 != 0)
    if is_ratio and _gives(target, a.worth / b.worth, scales):
        yield _made(" / ", (one, other))


def _summed(target: Number, chosen: tuple[Operand, ...]) -> Iterator[FoundCalculation]:
    units = {each.number.unit for each in chosen if each.number.unit}
    if len(units) > 1 or (target.unit in _PERCENT and units != {target.unit}):
        return
    if _adds_up(target, [each.number for each in chosen]) and _gives(
        target, sum((each.number.worth for each in chosen), Decimal(0))
    ):
        yield _made(" + ", chosen)


def _adds_up(target: Number, parts: Sequence[Number]) -> bool:
    """Whether numbers may add up to one: all of its unit, and none of them it already, beside which others vanish."""
    is_other_unit = bool(target.unit) and any(each.unit and each.unit != target.unit for each in parts)
    return not is_other_unit and not any(_gives(target, each.worth) for each in parts)


def _averaged(target: Number, chosen: tuple[Operand, ...]) -> Iterator[FoundCalculation]:
    if _gives(target, sum((each.number.worth for each in chosen), Decimal(0)) / len(chosen)):
        formula = " + ".join(each.number.written for each in chosen)
        yield FoundCalculation(f"({formula}) / {len(chosen)}", chosen)


def _made(sign: str, operands: tuple[Operand, ...]) -> FoundCalculation:
    return FoundCalculation(sign.join(each.number.written for each in operands), operands)


def _gives(target: Number, result: Decimal, scales: Sequence[int] = (0, 3, 6, 9)) -> bool:
    """Whether a result is the number as it is written, in any scale; a fall of 5 percent is one of minus 5."""
    try:
        result = abs(result)
        for scale in scales if target.unit not in _PERCENT else (0,):
            off = abs(result.scaleb(scale) - abs(target.worth))
            if result and (off == 0 or (off * 2 <= target.step and off < _TOLERANCE * abs(target.worth))):
                return True
    except DecimalException:
        return False
    return False


def _is_year(number: Number) -> bool:
    """Years are no quantities: the difference of two is in every text."""
    is_bare = number.scale is None and not number.unit and number.written.isdigit()
    return is_bare and periods.is_year(number.value)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:6]) + (" \u2026" if len(names) > 6 else "")
