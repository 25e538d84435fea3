"""Calculations over cited figures: shown with their operands where they hold, and nowhere else."""

import pytest
from tests.citations.checking import checked

from intelli.citations.figures import FigureEntry
from intelli.citations.wire import Check

SALES = (
    "| Region | Orders | Returns |\n|---|---|---|\n| North | 420 | 31 |\n| South | 365 | 12 |\n| West | 215 | 19 |\n"
    "| East | 188 | 27 |"
)


def _entry(statement: str, written: str, *sources: str) -> FigureEntry:
    found = [entry for _, entry in checked(f"{statement} @0", *sources).ledger if written in entry.written]
    assert len(found) == 1, found
    return found[0]


def test_the_sum_of_a_column_is_shown_with_every_cell_as_operand():
    entry = _entry("All regions had 1,188 orders.", "1,188", SALES)
    assert entry.calculation == "420 + 365 + 215 + 188"
    assert [SALES[each.start : each.end] for each in entry.read] == ["420", "365", "215", "188"]


def test_the_sum_of_the_rows_that_are_named_is_found():
    assert _entry("North and South had 785 orders.", "785", SALES).calculation == "420 + 365"


def test_a_sum_that_is_wrong_fails():
    (proof,) = checked("All regions had 1,198 orders. @0", SALES).proofs
    assert proof.outcome.check is Check.FAILED


@pytest.mark.parametrize(
    ("statement", "written", "source", "calculation"),
    [
        ("It rose by 23.5 million.", "23.5", "It was 412.7 million euros, after 389.2 million.",
         "412.7 million euros \u2212 389.2 million"),
        ("It rose by 6.0 %.", "6.0", "It was 412.7 million euros, after 389.2 million.",
         "(412.7 million euros \u2212 389.2 million) / 389.2 million \u00d7 100"),
        ("That is a share of 25 %.", "25", "Of 400 pumps 100 were returned.", "100 / 400 \u00d7 100"),
        ("The contract runs for 36 months.", "36", "The contract runs for 3 years.", "3 \u00d7 12"),
        ("On average it was 150 a day.", "150", "| Day | Calls |\n|---|---|\n| A | 100 |\n| B | 130 |\n| C | 220 |",
         "(100 + 130 + 220) / 3"),
    ],
)  # fmt: skip
def test_a_calculation_is_shown_as_people_write_it(statement: str, written: str, source: str, calculation: str):
    assert _entry(statement, written, source).calculation == calculation


def test_the_head_of_a_table_tells_the_scale_of_its_figures():
    source = "| Product | Units (thousand) |\n|---|---|\n| Meters | 405 |\n| Valves | 77 |"
    entry = _entry("It sold 405,000 meters.", "405,000", source)
    assert [each.written for each in entry.read] == ["405"]


def test_a_figure_of_a_table_without_a_scale_is_not_scaled():
    source = "| Product | Units |\n|---|---|\n| Meters | 405 |\n| Valves | 77 |"
    assert not _entry("It sold 405,000 meters.", "405,000", source).is_found


def test_what_was_calculated_is_part_of_the_next_calculation():
    source = "Kiel made 1,240 pumps and Ulm 860, of which 315 were faulty."
    entries = [
        entry
        for _, entry in checked("Together they made 2,100 pumps, and a share of 15 % was faulty. @0", source).ledger
    ]
    assert [entry.calculation for entry in entries] == ["1,240 + 860", "315 / 2,100 \u00d7 100"]


def test_figures_of_two_sources_are_operands_of_one_calculation():
    text = "Together that is 2,100 pumps. @0@1"
    ((_, entry),) = checked(text, "Kiel made 1,240 pumps.", "Ulm made 860 pumps.").ledger
    assert entry.calculation == "1,240 + 860"
    assert [each.ordinal for each in entry.read] == [0, 1]


def test_the_difference_of_two_years_is_no_figure_of_anything_else():
    assert not _entry("It had 5 sites.", "5", "It was founded in 2019 and sold in 2024.").is_found


def test_among_many_figures_nothing_is_tried_until_it_fits():
    source = "Readings: " + ", ".join(str(each) for each in range(101, 160, 3)) + "."
    assert not _entry("The total came to 260.", "260", source).is_found


def test_a_figure_in_another_currency_is_not_made_by_adding_what_vanishes_beside_it():
    source = "Revenue came to 412.7 million euros. It employed 1204 people."
    assert not _entry("Revenue came to 412.7 million dollars.", "412.7", source).is_found


def test_euros_do_not_add_up_to_dollars():
    source = "The pump costs 300 euros and the valve 120 euros."
    assert not _entry("Both cost 420 dollars.", "420", source).is_found


def test_a_ratio_is_no_amount_of_millions():
    source = "Costs were 100 and 50. Revenue came to 412.7 million euros."
    assert not _entry("It came to about 500 million euros.", "500", source).is_found
