"""Verify a calculation that someone wrote down: its figures are in the sources, and it gives what it says."""

import ast
import operator
import re
from collections.abc import Callable, Sequence
from decimal import Decimal, DecimalException

from intelli.citations.figures import CitedView, FigureEntry, FigureReading, find_reading
from intelli.citations.source_views import read_figures
from intelli.language.numbers import Number, is_same

_SIGNS = str.maketrans({"\u00d7": "*", "\u00f7": "/", "\u2212": "-", "\u2013": "-", ":": "/", "[": "(", "]": ")"})
# Numbers that convert one unit to another, and are in no source.
_CONSTANTS = frozenset(map(Decimal, (1, 2, 3, 4, 7, 12, 24, 30, 52, 60, 100, 360, 365, 1000, 1_000_000)))
_WHOLES = frozenset(map(Decimal, (1, 100)))
_PARTS = re.compile(r"[;\n]")
# A figure that was proven elsewhere in the text.
_GIVEN = FigureReading(0, "", 0, 0)
_TIMES = re.compile(r"(?<=[\s)])x(?=[\s(])")
_Operand = tuple[Number, FigureReading | None]
_OPERATORS: dict[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def verify(
    calculation: str, entry: FigureEntry, cited: Sequence[CitedView], given: Sequence[Number] = ()
) -> FigureEntry | None:
    """Return the figure with the calculation that gives it, when that holds and its operands are known; None when not.

    Several calculations are parted by semicolons; each may use what those before it gave. `given` are figures that the
    text has and that were proven.
    """
    target = _numbers(entry.written)
    proven = list(given)
    for formula in _PARTS.split(calculation):
        made = _verify_one(formula, cited, proven)
        if made is None:
            continue
        value, read, result = made
        if any(_is_near(each, value) for each in target):
            told = formula.partition("=")[0].strip()
            return FigureEntry(entry.written, entry.start, entry.end, read, told, is_placed=True)
        proven += result
    return None


_Verified = tuple[Decimal, tuple[FigureReading, ...], list[Number]]


def _verify_one(formula: str, cited: Sequence[CitedView], proven: Sequence[Number]) -> _Verified | None:
    """The value of a calculation, where its operands were read, and the result it names; None when it does not hold."""
    left, _, right = formula.translate(_SIGNS).partition("=")
    operands, result = _numbers(left), _numbers(right)
    readings = [find_reading(each, cited) for each in operands]
    both = list(zip(operands, readings, strict=True))
    if not operands or not all(reading is not None or _is_known(each, cited, proven) for each, reading in both):
        return None
    marked = [(each, reading or (_GIVEN if _is_given(each, proven) else None)) for each, reading in both]
    value = _evaluate(left, marked)
    if value is None or (result and not _is_near(result[0], value)):
        return None
    return value, tuple(dict.fromkeys(each for each in readings if each is not None)), result


def _is_known(number: Number, cited: Sequence[CitedView], proven: Sequence[Number]) -> bool:
    """Whether a number needs no place in a source: a constant, a proven figure, or 1.20 where a source says 20 %."""
    if number.value in _CONSTANTS or _is_given(number, proven):
        return True
    change = abs(number.value - 1) * 100
    return any(each.unit == "percent" and each.value == change for one in cited for each in one.view.figures.numbers)


def _is_given(number: Number, proven: Sequence[Number]) -> bool:
    return any(is_same(number, each) for each in proven)


def _numbers(text: str) -> list[Number]:
    return list(read_figures(text, "").numbers)


def _evaluate(formula: str, known: Sequence[_Operand]) -> Decimal | None:
    """The value of a formula over these numbers; None when it is none."""
    pieces: list[str] = []
    at = 0
    for number, (operand, _) in enumerate(known):
        pieces += (formula[at : operand.start], f" n{number} ")
        at = operand.end
    whole = _TIMES.sub("*", "".join([*pieces, formula[at:]]))
    bare = re.sub(r"(?<!\bn)\b(?!n\d+\b)[^\W\d_][\w.]*|[%\u2030\u20ac$\u00a3\u00a5,;]", " ", whole)
    try:
        tree = ast.parse(bare.strip(), mode="eval")
        return _value(tree.body, known) if isinstance(tree.body, ast.BinOp) else None
    except (SyntaxError, ValueError, LookupError, DecimalException, RecursionError):
        return None


def _is_added(node: ast.expr, known: Sequence[_Operand]) -> bool:
    """Whether a constant would be a term of its own. One and a hundred may: they make a change or a rest of a share."""
    if not isinstance(node, ast.Name):
        return False
    number, reading = known[int(node.id[1:])]
    return reading is None and number.value not in _WHOLES


def _value(node: ast.expr, known: Sequence[_Operand]) -> Decimal:
    match node:
        case ast.BinOp():
            if isinstance(node.op, (ast.Add, ast.Sub)) and any(
                _is_added(side, known) for side in (node.left, node.right)
            ):
                raise ValueError("this adds what no source has")
            return _OPERATORS[type(node.op)](_value(node.left, known), _value(node.right, known))
        case ast.UnaryOp(op=ast.USub()):
            return -_value(node.operand, known)
        case ast.Name():
            return known[int(node.id[1:])][0].worth
        case _:
            raise ValueError("this is no calculation")


def _is_near(number: Number, value: Decimal) -> bool:
    """Whether a value is the number as it is written, in any scale, or as a share in percent; "343,000" is rounded."""
    step = number.step
    while number.worth and number.worth % (step * 10) == 0:
        step *= 10
    for factor in (Decimal(1), Decimal(100), Decimal("0.01"), Decimal(1000), Decimal(1_000_000), Decimal("0.001")):
        if abs(abs(value) * factor - abs(number.worth)) * 2 <= step:
            return True
    return False
