"""Without a model: what is told from tables, for which time, and of whom."""

from tests.citations.texts import cited
from tests.reasoning.passages import answer, brief_of, passage

from intelli.citations.bind import bind
from intelli.citations.figures import entries_of
from intelli.language import grids
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.values import SourceText

USE = passage(
    "Site A used 8,420 litres of water in 2024, compared with 9,115 litres in 2023. "
    "Site B used 12,300 litres of water.\n\n"
    "| Water (l) | 2021 | 2022 | 2023 | 2024 |\n|---|---|---|---|---|\n"
    "| Site A | 10,230 | 9,870 | 9,115 | 8,420 |\n| Site B | 15,900 | 14,750 | 13,480 | 12,300 |",
    "water",
    "Water statement 2024",
)
ORDERS = "Order\tBuyer\tPieces\tStatus"


async def said(question: str, *passages: SourceText) -> str:
    return (await answer(ExtractiveReasoner(), question, *passages)).text


async def test_a_row_is_told_with_columns_that_are_years_and_rests_on_the_line_that_has_them() -> None:
    told = "Water (l): Site B; 2021: 15,900; 2022: 14,750; 2023: 13,480; 2024: 12,300."
    text = await said("How did the water of site B develop from 2021 to 2024?", USE)
    bound = bind(told, USE.text)
    quote = USE.text[bound.start : bound.end]

    assert told in text
    assert "|" not in text
    assert bound.is_verbatim
    assert quote.startswith("| Water (l) | 2021")
    assert all(entry.is_found for entry in entries_of(told, [cited(quote)]))


async def test_a_row_whose_columns_have_no_names_is_told_cell_by_cell() -> None:
    rates = passage("Mortgage rate\t3.1 %\t3.4 %\nSavings rate\t1.2 %\t1.1 %", "rates", "rates.txt")

    assert "Savings rate: 1.2 %; 1.1 %." in await said("What is the savings rate?", rates)


async def test_a_later_part_of_a_table_is_told_with_the_columns_of_the_table() -> None:
    rows = "SO-8\tBuyer number 8\t12\topen\nSO-9\tBuyer number 9\t17\tshipped"
    part = passage(rows, "orders", "orders.csv").model_copy(update={"header": ORDERS})
    told = "Order: SO-9; Buyer: Buyer number 9; Pieces: 17; Status: shipped."

    assert told in await said("What is the status of the order of Buyer number 9?", part)
    assert bind(told, rows, header=ORDERS).is_verbatim
    assert grids.header_over(f"Orders\n\n{ORDERS}\n{rows}\n", len(f"Orders\n\n{ORDERS}\n")) == ORDERS


async def test_rows_of_things_are_not_taken_for_a_course_from_the_first_to_the_last() -> None:
    rows = "| Pumps | 31.4 | 33.1 |\n| Valves | 58.0 | 61.7 |\n| Repairs | 10.2 | 19.4 |"
    table = passage(f"| Segment | Sales 2023 | Sales 2024 |\n|---|---|---|\n{rows}", "t", "Segments")

    text = await said("How did sales of valves develop?", table)
    assert "Segment: Valves; Sales 2023: 58.0; Sales 2024: 61.7." in text


async def test_numbers_of_pages_files_and_papers_are_no_figures_that_disagree() -> None:
    question = "What does the Gold plan cover abroad?"
    one = "The Gold plan covers care abroad. pages: Gold_Plan_Details.pdf#10"
    other = "The Gold plan covers care abroad in full. pages: Gold_Plan_Details.pdf#59"
    for texts in (
        (one, other),
        ("The Gold plan covers care abroad, see page 12.", "The Gold plan covers it, see page 30."),
    ):
        brief = await brief_of(
            ExtractiveReasoner(), question, *(passage(text, f"n{at}", "Gold") for at, text in enumerate(texts))
        )
        assert brief.disagreements == ()


async def test_a_figure_of_a_longer_german_word_is_none_of_the_shorter() -> None:
    rendite = passage("Die Umsatzrendite betrug 5 Millionen Euro.", "r", "Bericht")

    assert "Umsatzrendite" not in await said("Wie hoch war der Umsatz?", rendite)


async def test_a_part_of_what_was_named_before_is_told_with_it() -> None:
    memo = passage("The audit examined 214 orders. In 23 of them the second approval was missing.", "m", "Audit")
    wartung = passage("Geprüft wurden 80 Pumpen. Bei 12 davon fehlte der Nachweis der Wartung.", "w", "Wartung")

    assert "examined 214 orders. In 23 of them" in await said("Where was the second approval missing?", memo)
    assert "80 Pumpen. Bei 12 davon" in await said("Bei wie vielen Pumpen fehlte der Nachweis?", wartung)


async def test_what_sends_its_reader_to_find_out_is_no_answer() -> None:
    tips = passage("1. Understand what services are covered by Gold and which are not.\n2. Ask for help.", "t", "Gold")

    found = await answer(ExtractiveReasoner(), "Which services are covered by Gold?", tips)
    assert not found.is_answered
    assert "Understand what" not in found.text


async def test_a_sentence_that_says_which_was_the_most_is_told_beside_a_table_that_is_cut() -> None:
    report = passage("March had the most deficiencies of all months, 41 in number.", "report", "report.md")
    rows = "2025-01\t14\n2025-02\t9\n2025-03\t41\n"
    table = passage(f"Month\tDeficiencies\n{rows}", "table", "deficiencies.csv").model_copy(update={"is_cut": True})

    told = await said("Which month had the most deficiencies?", report, table)

    assert "March had the most deficiencies" in told


async def test_a_month_that_a_table_writes_as_a_number_is_found_by_its_name() -> None:
    rows = "".join(
        f"{year}-{month:02}\t{month * 3}\t{year - 2000}\n" for year in (2024, 2025) for month in range(1, 13)
    )
    table = passage(f"Month\tDeficiencies\tInspectors\n{rows}", "table", "inspections.csv")

    told = await said("How many deficiencies were there in February 2025?", table)

    assert "Month: 2025-02; Deficiencies: 6" in told
    assert told.count("Month:") == 1


async def test_a_line_that_only_says_what_a_table_holds_is_no_answer() -> None:
    rows = "Supplier\tDeficiencies\nAlpha\t12\nBeta\t31\n"
    table = passage(f"Notes of the audit.\n\nDeficiencies by supplier.\n\n{rows}", "table", "audit.md")
    stated = passage(f"Deficiencies rose at every supplier.\n\n{rows}", "stated", "audit.md")

    assert "by supplier" not in await said("Which supplier has deficiencies?", table)
    assert "rose at every supplier" in await said("How did the deficiencies of every supplier develop?", stated)
