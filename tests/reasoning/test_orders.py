"""Orders of papers in a person's own words: subject and headings, in their order."""

import pytest

from intelli.reasoning.orders import read_order, role_of, title_of
from intelli.reasoning.verbs.outline import ChapterRole

ORDERS = [
    (
        "Write a due diligence report on Tarnbeck AG: financial development, segments, debt, risks and open questions",
        "Tarnbeck AG",
        ("Financial development", "Segments", "Debt", "Risks", "Open questions"),
    ),
    (
        "Bitte erstelle ein Memo zum Mietvertrag mit den Kapiteln Parteien, Laufzeit und offene Fragen. Kurz, bitte.",
        "Mietvertrag",
        ("Parteien", "Laufzeit", "Offene Fragen"),
    ),
    (
        "Create slides for the board about Tarnbeck covering revenue, EBIT, and the acquisition.",
        "Tarnbeck",
        ("Revenue", "EBIT", "Acquisition"),
    ),
    (
        "Write a report about Tarnbeck\n1. Revenue and EBIT (2022-24)\n2. Debt: covenants\n3. Next steps\n\nShort.",
        "Tarnbeck",
        ("Revenue and EBIT", "Debt", "Next steps"),
    ),
    ("What did revenue come to and how many people were employed?", "", ()),
    ("Write a report on the risks of Tarnbeck", "risks of Tarnbeck", ()),
]


@pytest.mark.parametrize(("message", "subject", "headings"), ORDERS)
def test_subject_and_headings_are_read_where_their_form_leaves_no_doubt(
    message: str, subject: str, headings: tuple[str, ...]
):
    order = read_order(message)
    assert (order.subject, order.headings) == (subject, headings)


def test_a_title_is_the_order_without_the_words_that_order():
    assert title_of(ORDERS[0][0]) == "Due diligence report on Tarnbeck AG"


def test_headings_that_are_written_last_are_known_by_their_names():
    assert role_of("Executive summary") is ChapterRole.SUMMARY
    assert role_of("Offene Fragen") is ChapterRole.OPEN_QUESTIONS
    assert role_of("Debt") is ChapterRole.CHAPTER
