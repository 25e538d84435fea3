"""The date of a document is what its first lines say of it, not what they say of others."""

from datetime import date

import pytest

from intelli.language.document_dates import date_of_beginning

TODAY = date(2026, 11, 18)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Annual report 2024\n\nZurich, 14 March 2025\n\nThe year was good.", date(2025, 3, 14)),
        ("# Data and texts\n\nStand / last change: 10 September 2024 (Yusra)\n", date(2024, 9, 10)),
        ("FINAL \u2013 6 May 2025 \u2013 replaces all drafts\n", date(2025, 5, 6)),
        ("Agreement\n\nbetween\n\nA AG\n\nand\n\nB AG\n\ndated 21 September 2022\n", date(2022, 9, 21)),
        ("Amendment to the lease of 1 May 2019\n\n3 June 2024\n", date(2024, 6, 3)),
    ],
)
def test_a_line_that_has_hardly_more_than_a_date_dates_a_document(text: str, day: date) -> None:
    found = date_of_beginning(text, today=TODAY)
    assert found is not None
    assert found.day == day


@pytest.mark.parametrize(
    "text",
    [
        "Alte Mühle e. V.\n\nÄnderung der Satzung vom 12. März 2016\n\nbeschlossen von der Versammlung\n",
        "KASSENBERICHT\n\n1. Überblick\n\n   Bestand am 1. Januar 2024          7.432,27 Euro\n",
        "Agreement\n\nbetween\n\nA AG\n\nand\n\nB AG\n\nwhich bought land on 2 May 2019\n",
        "Balance at 31 December 2024 | 6,172.97 | EUR\n",
    ],
    ids=["the date of what is amended", "a row of values", "a sentence below", "a row of a table"],
)
def test_the_date_of_something_else_dates_nothing(text: str) -> None:
    assert date_of_beginning(text, today=TODAY) is None
