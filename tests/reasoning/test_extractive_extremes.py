"""Without a model: which row of a table has the most or the least of something, and when that cannot be told."""

import pytest
from tests.reasoning.passages import answer, passage

from intelli.language import grids
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.extractive import question as extractive_question
from intelli.reasoning.extractive.question import Extreme
from intelli.reasoning.values import SourceText

MONTHS = (
    "Month\tDeficiencies\tInspections\n2025-01\t14\t120\n2025-02\t9\t131\n2025-03\t41\t98\n2025-04\t27\t140\n"
    "Total\t91\t489\n"
)
SITES = "Standort\tUmsatz (TEUR)\tMitarbeiter\nKiel\t1.204,5\t48\nBonn\t998,0\t112\nJena\t1.450,2\t73\n"


async def said(question: str, *passages: SourceText) -> str:
    return (await answer(ExtractiveReasoner(), question, *passages)).text


def table(text: str, **more: object) -> SourceText:
    return passage(text, "table", "deficiencies.csv").model_copy(update=more)


@pytest.mark.parametrize(
    ("question", "extreme"),
    [
        ("Which month had the most deficiencies?", Extreme.MOST),
        ("Which site has the fewest employees?", Extreme.LEAST),
        ("Welcher Standort hatte den höchsten Umsatz?", Extreme.MOST),
        ("Welcher Monat hatte die wenigsten Mängel?", Extreme.LEAST),
        ("What is the most recent report?", None),
        ("Who can claim at most 30 days?", None),
        ("How many deficiencies were there at least?", None),
        ("Quel est le site le plus grand ?", Extreme.MOST),
        ("Quel est le rapport le plus récent ?", None),
    ],
)
def test_a_question_may_ask_for_an_end_of_a_scale(question: str, extreme: Extreme | None) -> None:
    assert extractive_question.read(question).extreme is extreme


@pytest.mark.parametrize(
    ("question", "row", "text"),
    [
        ("Which month had the most deficiencies?", "2025-03", MONTHS),
        ("Which month had the fewest deficiencies?", "2025-02", MONTHS),
        ("Which month had the highest number of inspections?", "2025-04", MONTHS),
        ("Welcher Standort hatte den höchsten Umsatz?", "Jena", SITES),
        ("Welcher Standort hat die meisten Mitarbeiter?", "Bonn", SITES),
    ],
)
async def test_the_row_that_has_it_is_told_and_no_other(question: str, row: str, text: str) -> None:
    told = await said(question, table(text))

    assert row in told
    others = [cells[0] for line in text.splitlines()[1:] if (cells := grids.cells_of(line)) and cells[0] != row]
    assert [other for other in others if other in told] == []


async def test_rows_of_another_year_or_place_are_not_compared() -> None:
    text = "Region\tYear\tRevenue\nNorth\t2023\t90\nSouth\t2023\t40\nNorth\t2024\t50\nSouth\t2024\t60\n"

    told = await said("Which region had the highest revenue in 2024?", table(text))

    assert "South" in told
    assert "North" not in told


@pytest.mark.parametrize(
    "cut",
    [
        table(MONTHS.replace("Total\t91\t489\n", ""), is_cut=True),
        table("2025-05\t14\t120\n2025-06\t9\t131\n", header="Month\tDeficiencies\tInspections"),
        table("Month\tSupplier\tDeficiencies\n2025-01\tA\t5\n2025-01\tB\t9\n2025-02\tA\t8\n"),
    ],
)
async def test_nothing_is_told_of_a_table_of_which_only_a_part_is_seen_or_that_would_have_to_be_summed_up(
    cut: SourceText,
) -> None:
    assert "do not answer" in await said("Which month had the most deficiencies?", cut)


async def test_a_sentence_that_says_it_is_told_beside_a_table_that_is_cut() -> None:
    report = passage("March had the most deficiencies of all months, 41 in number.", "report", "report.md")

    told = await said("Which month had the most deficiencies?", report, table(MONTHS, is_cut=True))

    assert "March had the most deficiencies" in told


async def test_how_something_went_is_told_by_the_ends_of_its_table_whatever_was_the_most() -> None:
    years = "Year\tLargest order\n" + "".join(f"{2018 + n}\t{n * 7 % 5}\n" for n in range(6))

    told = await said("How did the largest order develop from 2018 to 2023?", table(years))

    assert "2018" in told
    assert "2023" in told


def test_a_table_goes_on_where_the_next_line_is_a_row() -> None:
    text = "Month\tSum\n2025-01\t5\n2025-02\t9\n\nOther words."
    first = text.index("\n2025-02")

    assert grids.goes_on(text, first)
    assert not grids.goes_on(text, text.index("\n\nOther"))
    assert not grids.goes_on(text, len(text))
