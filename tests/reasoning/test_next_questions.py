"""What could be asked next, and first: questions that a person would ask, made from what is there."""

from intelli.reasoning.document_answers.source_document import PieceRole, SourceDocument, SourcePiece
from intelli.reasoning.next_questions import AnsweredFrom, list_first, list_next
from intelli.reasoning.table_answers.source_table import SourceCell, SourceColumn, SourceRow, SourceTable


def test_another_year_is_asked_about_the_one_before_first():
    answered = AnsweredFrom("What was revenue in 2024?", "412.7 million", years=[2024, 2025, 2023, 2021])
    assert list_next(answered) == ["And in 2023?", "And in 2021?"]
    german = AnsweredFrom("Wie hoch war der Umsatz 2024?", "412,7 Millionen", years=[2024, 2023])
    assert list_next(german) == ["Und 2023?"]


def test_an_answer_of_several_years_leads_to_no_other_year():
    assert (
        list_next(AnsweredFrom("How did revenue develop?", "It rose from 1 in 2022 to 2 in 2024.", years=[2021])) == []
    )


def test_what_amends_a_cited_document_is_asked_about_first():
    answered = AnsweredFrom("How can it be terminated?", "In writing.", amendments=["amendment_2.pdf"])
    assert list_next(answered) == ["What does amendment 2 change?", "Summarise amendment 2."]


def test_another_row_and_a_chapter_that_was_not_told_are_asked_about():
    answered = AnsweredFrom(
        "What is the capacity of Basel?",
        "4,200 tonnes",
        labels=["Basel", "Porto"],
        headings=["Report \u203a 3. Risks", "Report \u203a Impressum"],
    )
    assert list_next(answered) == ["And for Porto?", "What are the main risks?"]


def test_a_document_is_asked_about_its_tables_its_chapters_and_itself():
    text = "Annual Report\n\nRisks\n\nThe price of copper."
    pieces = (
        SourcePiece(0, 13, PieceRole.TITLE),
        SourcePiece(15, 20, PieceRole.HEADING),
        SourcePiece(22, 42, PieceRole.PROSE),
    )
    columns = (SourceColumn("Plant"), SourceColumn("Capacity", is_number=True))
    rows = tuple(SourceRow({0: SourceCell(name), 1: SourceCell("5")}, 0, 1) for name in ("Basel", "Porto", "Lyon"))
    table = SourceTable("report.md", "", "", columns, rows, 0, 1)
    assert list_first(SourceDocument("report.md", text, pieces), [table]) == [
        "Which plant has the highest capacity?",
        "Annual Report: What are the main risks?",
        "What is Annual Report about?",
    ]
