"""Formulas of calculated cells: parsed, computed with exact numbers, and told with the values they are made of.

A formula names cells as in a spreadsheet, where A1 is the first cell below the heads: "C1 - B1", "SUM(B1:B4)". One that
ends with "%" gives a share in per cent. Anything else, or a cell without one plain number, has no result.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, DecimalException

from intelli.deliverables import charts
from intelli.language import numbers

_CELL = r"([A-J])([1-9]\d?)"
_RANGE = re.compile(rf"(SUM|AVERAGE)\(\s*{_CELL}\s*:\s*{_CELL}\s*\)")
_TOKEN = re.compile(rf"(?P<cell>{_CELL})(?![\d(])|(?P<number>\d{{1,9}}(?:\.\d{{1,6}})?)|(?P<sign>[-+*/()])")
_SIGNS = {"*": " \u00d7 ", "/": " / ", "+": " + ", "-": " \u2212 "}
_MOST_TOKENS, _LONGEST = 120, 400
_MOST_DIGITS = 2
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class CalculatedCell:
    """A result as it is shown, the formula with the values it is made of, and their cells as (row, column).

    `named` is the formula with the heads of its columns, or of its rows where it goes down a column.
    """

    shown: str
    told: str
    named: str
    cells: tuple[Place, ...]


def calculate(
    formula: str, columns: Sequence[str], rows: Sequence[Sequence[str]], language: str = "en"
) -> CalculatedCell | None:
    """Compute a formula over the texts of a table's cells; None where it has no result."""
    bare = formula[:_LONGEST].strip().upper().lstrip("= ")
    tokens = _tokens(_RANGE.sub(_spelt_out, bare.rstrip("% ")))
    known = {each: number for each in tokens if (number := _number(each, rows)) is not None}
    cells = [each for each in tokens if re.fullmatch(_CELL, each)]
    if not cells or any(each not in known for each in cells):
        return None
    try:
        value = _Parser(tokens, {name: number for name, (number, _) in known.items()}).whole()
        is_share = bare.endswith("%")
        digits = 1 if is_share else min(max(_digits(known[each][0]) for each in cells), _MOST_DIGITS)
        shown = charts.format_value(_rounded(value * 100 if is_share else value, digits), language)
    except DecimalException:
        return None
    places = tuple(dict.fromkeys(map(_place, cells)))
    is_across = len({row for row, _ in places}) == 1
    heads = {each: columns[_place(each)[1]] if is_across else rows[_place(each)[0]][0] for each in cells}
    told = _joined(tokens, {name: text for name, (_, text) in known.items()})
    return CalculatedCell(f"{shown}%" if is_share else shown, told, _joined(tokens, heads), places)


def _rounded(value: Decimal, digits: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)


def _joined(tokens: Sequence[str], cells: Mapping[str, str]) -> str:
    text = "".join(cells.get(each, _SIGNS.get(each, each)) for each in tokens)
    return text[1:-1] if re.fullmatch(r"\([^()]*\)", text) else text


def _spelt_out(found: re.Match[str]) -> str:
    """A range as what it stands for: "SUM(B1:B3)" as "(B1+B2+B3)"."""
    name, column, row, last_column, last_row = found.groups()
    if column == last_column:
        cells = [f"{column}{each}" for each in range(int(row), int(last_row) + 1)]
    else:
        cells = [f"{chr(each)}{row}" for each in range(ord(column), ord(last_column) + 1)]
    total = f"({'+'.join(cells)})"
    return total if name == "SUM" else f"{total}/{len(cells)}"


def _tokens(formula: str) -> list[str]:
    """The tokens of a formula; none where anything else stands in it."""
    found = [match[0] for match in _TOKEN.finditer(formula)]
    is_whole = "".join(found) == re.sub(r"\s", "", formula)
    return found if is_whole and len(found) <= _MOST_TOKENS else []


def _place(token: str) -> Place:
    return int(token[1:]) - 1, ord(token[0]) - ord("A")


def _number(token: str, rows: Sequence[Sequence[str]]) -> tuple[Decimal, str] | None:
    """The one number that a cell holds, and how it writes it."""
    if not re.fullmatch(_CELL, token):
        return None
    row, column = _place(token)
    text = rows[row][column].strip() if row < len(rows) and column < len(rows[row]) else ""
    found = list(numbers.numbers_of(text, "\n".join(" ".join(each) for each in rows)))
    return (found[0].value, text) if len(found) == 1 else None


def _digits(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


class _Parser:
    """Computes tokens by precedence: sums of products of cells, numbers and brackets."""

    def __init__(self, tokens: Sequence[str], cells: Mapping[str, Decimal]) -> None:
        self._tokens = [*tokens, ""]
        self._cells = cells

    def whole(self) -> Decimal:
        """Compute all tokens; raise a DecimalException where they are no formula."""
        value = self._sum()
        if self._tokens != [""]:
            raise DecimalException(self._tokens)
        return value

    def _sum(self) -> Decimal:
        return self._chain(self._product, {"+": lambda a, b: a + b, "-": lambda a, b: a - b})

    def _product(self) -> Decimal:
        return self._chain(self._value, {"*": lambda a, b: a * b, "/": lambda a, b: a / b})

    def _chain(
        self, part: Callable[[], Decimal], signs: Mapping[str, Callable[[Decimal, Decimal], Decimal]]
    ) -> Decimal:
        value = part()
        while self._tokens[0] in signs:
            value = signs[self._tokens.pop(0)](value, part())
        return value

    def _value(self) -> Decimal:
        sign = self._tokens.pop(0)
        if sign == "(":
            value = self._sum()
            if self._tokens.pop(0) != ")":
                raise DecimalException(self._tokens)
            return value
        if sign == "-":
            return -self._value()
        if sign in self._cells:
            return self._cells[sign]
        if not sign[:1].isdigit():
            raise DecimalException(sign)
        return Decimal(sign)
