"""Formulas of calculated cells are computed by code, from cells alone."""

import pytest

from intelli.deliverables.formulas import calculate

COLUMNS = ("Item", "2023", "2024")
ROWS = [["Revenue", "1,251.9", "1,338.2"], ["EBIT", "EUR 15.8 million", "\u20132.5"], ["Note", "none", "5 of 6"]]


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("C1 - B1", "86.3"),
        ("= (C1 - B1) / B1 %", "6.9%"),
        ("SUM(B1:B2)", "1,267.7"),
        ("AVERAGE(B1:C1)", "1,295.1"),
        ("B2 + C2", "13.3"),
        ("B1 * 2", "2,503.8"),
    ],
)
def test_a_formula_over_cells_has_a_result(formula: str, shown: str):
    made = calculate(formula, COLUMNS, ROWS)
    assert made is not None
    assert made.shown == shown


@pytest.mark.parametrize(
    "formula", ["", "1 + 2", "B1 +", "(B1", "B9 - B1", "A1 + B1", "C3 - B1", "B1 / (B1 - B1)", "B1; C1", "X"]
)
def test_what_is_no_formula_over_numbers_has_none(formula: str):
    assert calculate(formula, COLUMNS, ROWS) is None


def test_a_calculation_tells_its_values_and_its_heads():
    made = calculate("(C1-B1)/B1%", COLUMNS, ROWS)
    assert made is not None
    assert made.told == "(1,338.2 \u2212 1,251.9) / 1,251.9"
    assert made.named == "(2024 \u2212 2023) / 2023"
    assert made.cells == ((0, 2), (0, 1))
    down = calculate("SUM(B1:B2)", COLUMNS, ROWS)
    assert down is not None
    assert down.named == "Revenue + EBIT"
