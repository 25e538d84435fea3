"""Disagreements without a model: only what tables and dated sentences prove."""

from intelli.reasoning.values import SourceDisagreement, SourceText
from intelli.reasoning.without_model.disagreements import disagreements_of


def _found(*texts: tuple[str, str]) -> tuple[SourceDisagreement, ...]:
    return disagreements_of(
        [
            SourceText(identifier=f"{number:016x}.0-{len(text)}", title=title, text=text)
            for number, (title, text) in enumerate(texts)
        ]
    )


REPORT = "| Segment | Revenue 2024 |\n|---|---|\n| Pumps | 163.8 |\n| Valves | 34.6 |\n| Meters | 251.7 |"


def test_two_tables_that_give_another_figure_for_the_same_row_and_year_disagree():
    (found,) = _found(("report.pdf", REPORT), ("broker note.pdf", REPORT.replace("163.8", "168.3")))
    assert found.about == "Pumps Revenue 2024"
    assert [each.value for each in found.readings] == ["163.8", "168.3"]


def test_two_years_do_not_disagree():
    assert _found(("a.pdf", REPORT), ("b.pdf", REPORT.replace("2024", "2023").replace("163.8", "158.7"))) == ()


def test_a_later_issue_of_a_document_replaces_the_earlier_one():
    later = REPORT.replace("163.8", "160.1")
    assert _found(("report-2024.pdf", REPORT), ("report-2025.pdf", later)) == ()


def test_an_amendment_does_not_disagree_with_what_it_amends():
    clause = "From 1 May 2024 the notice period of the agreement is 30 days."
    assert _found(("agreement.pdf", clause), ("amendment.pdf", clause.replace("30", "60"))) == ()


def test_dated_sentences_that_differ_in_one_figure_alone_disagree():
    said = "At the end of 2024 the Globex group employed 1,204 people."
    (found,) = _found(("press release.txt", said), ("annual report.txt", said.replace("1,204", "1,310")))
    assert [each.value for each in found.readings] == ["1,204", "1,310"]


def test_sentences_without_a_date_prove_nothing():
    assert _found(("a.txt", "The deposit is 500 euros."), ("b.txt", "The deposit is 650 euros.")) == ()


def test_a_total_that_is_not_the_sum_of_its_rows_is_told():
    table = "| Customer | Orders |\n|---|---|\n| A | 120 |\n| B | 80 |\n| C | 60 |\n| Total | 250 |"
    (found,) = _found(("customers.xlsx", table))
    assert [each.value for each in found.readings] == ["250", "260"]
    assert _found(("customers.xlsx", table.replace("250", "260"))) == ()
