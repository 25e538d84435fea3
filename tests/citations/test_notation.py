"""How numbers are written: tables tell it by their figures, sentences by their words, scraps by what they are in."""

from decimal import Decimal

import pytest
from tests.citations.texts import cited

from intelli.citations.figures import entries_of
from intelli.language.notation import Decimals, decimals_of
from intelli.language.numbers import numbers_of

ENGLISH = "The plant has made all of these in the course of the year."
GERMAN = "Das Werk hat alle diese im Laufe des Jahres gefertigt."
POINT, COMMA = Decimals.POINT, Decimals.COMMA


@pytest.mark.parametrize(
    ("text", "around", "expected"),
    [
        ("| Emissions (t CO2e) | 2021 | 2022 |\n| Scope 1 | 10,230 | 9,870 |", (ENGLISH,), POINT),
        ("| Emissionen (t CO2e) | 2021 | 2022 |\n| Scope 1 | 10.230 | 9.870 |", (GERMAN,), COMMA),
        ("| Q1 2024 | 301.200 | 2,6 |", (), COMMA),
        ("| Q1 2024 | 301,200 | 2.6 |", (GERMAN,), POINT),
        ("| North | 10,230 | 1,284,500 |", (), POINT),
        ("| Nord | 10.230 | (1.284,5) |", (ENGLISH,), COMMA),
        ("| DE | 10,230 | 9,870 |", (), None),
        ("| DE | 10,230 | 9,870 |", (ENGLISH,), POINT),
        ("| 3.2 | 10.230 | 9.870 |", (GERMAN,), COMMA),
        ("| Stand 31.12. | 10.230 | 9.870 |", (), None),
        ("| Scope 1 | 10,230 | 9,870 |", ("| Scope 2 | 10,5 | 9,1 |", ENGLISH), COMMA),
        ("Das Modell 2.0 kostet 1.577 Euro", (), COMMA),
        ("10,230", (), None),
    ],
)
def test_a_mark_means_what_the_text_or_else_the_text_around_it_tells(
    text: str, around: tuple[str, ...], expected: Decimals | None
):
    assert decimals_of(text, *around) == expected


@pytest.mark.parametrize("around", [ENGLISH, GERMAN, ""])
@pytest.mark.parametrize("space", [" ", "\u00a0", "\u202f", "\u2009"])
def test_a_cell_with_groups_of_digits_is_one_number_in_every_language(space: str, around: str):
    row = f"| Pumps | 1{space}234 | 12{space}345,5 |"
    assert [each.value for each in numbers_of(row, around)] == [Decimal(1234), Decimal("12345.5")]
    assert all(entry.is_found for entry in entries_of("Pumps: 1234", [cited(row, around=around)]))


def test_numbers_side_by_side_in_a_sentence_stay_two():
    assert [each.value for each in numbers_of("In room 12 577 people met.")] == [12, 577]


def test_a_figure_of_a_table_is_found_however_the_language_of_the_statement_writes_it():
    row = cited("| Q1 2024 | 301.200 |", around=GERMAN)
    assert all(entry.is_found for entry in entries_of("The plant made 301,200 of them in Q1 2024.", [row]))
    assert not all(entry.is_found for entry in entries_of("The plant made 301.2 of them in Q1 2024.", [row]))
