"""Rows of tables: held against the tables of their sources, where row and column meet."""

import pytest
from tests.citations.checking import checked

from intelli.citations.check import CheckedStatement
from intelli.citations.wire import Check, StatementKind
from intelli.reasoning.verbs.judge import Verdict

SOURCE = (
    "| Segment | Revenue 2023 | Revenue 2024 |\n|---|---|---|\n"
    "| Heat pumps | 71.3 | 96.4 |\n| Grids | 106.5 | 112.0 |\n| Sensors | 17.2 | 20.1 |"
)


def _row(row: str, head: str = "| Segment | Revenue 2024 |") -> CheckedStatement:
    (statement,) = checked(f"{head}\n|---|---|\n{row}\n", SOURCE).statements
    return statement


def test_a_row_whose_values_stand_where_row_and_column_meet_is_verified():
    statement = _row("| Grids | 112.0 @0 |")
    assert (statement.statement.kind, statement.check) == (StatementKind.CELL, Check.VERIFIED)


def test_a_row_with_the_value_of_another_row_is_contradicted_by_the_value_that_is_there():
    statement = _row("| Grids | 96.4 @0 |")
    assert statement.verdict is Verdict.CONTRADICTED
    assert "\u201c112.0\u201d there, not \u201c96.4\u201d" in statement.reason


def test_a_row_with_the_value_of_another_column_is_contradicted():
    assert _row("| Grids | 106.5 @0 |").verdict is Verdict.CONTRADICTED


def test_a_row_that_the_source_has_not_is_not_verified():
    assert _row("| Turbines | 96.4 @0 |").check is not Check.VERIFIED


def test_a_table_that_was_turned_round_is_read_as_it_is_meant():
    statement = _row("| Revenue 2024 | 112.0 @0 |", head="| Measure | Grids |")
    assert statement.check is Check.VERIFIED


@pytest.mark.parametrize("value", ["112", "112.00"])
def test_digits_that_say_nothing_make_no_other_value(value: str):
    assert _row(f"| Grids | {value} @0 |").check is Check.VERIFIED


def test_cells_with_citations_of_their_own_are_statements_of_their_own():
    text = "| Segment | Revenue 2023 | Revenue 2024 |\n|---|---|---|\n| Grids | 106.5 @0 | 99.9 @0 |\n"
    statements = checked(text, SOURCE).statements
    assert [each.check for each in statements] == [Check.VERIFIED, Check.FAILED]


def test_the_line_of_the_cell_is_what_the_citation_is_bound_to():
    (proof,) = checked("| Segment | Revenue 2024 |\n|---|---|\n| Grids | 112.0 @0 |\n", SOURCE).proofs
    assert proof.quote == "| Grids | 106.5 | 112.0 |"


def test_a_row_whose_name_only_begins_like_one_of_the_source_is_not_contradicted_by_it():
    source = "| EUR million | 2023 | 2024 |\n|---|---|---|\n| Net debt | 46.9 | 39.2 |\n\nNet debt to EBITDA was 1.4."
    text = "| EUR million | 2024 |\n|---|---|\n| Net debt to EBITDA | 1.4 @0 |\n"
    (statement,) = checked(text, source).statements
    assert statement.verdict is not Verdict.CONTRADICTED
