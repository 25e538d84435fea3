"""The date of a cited document, as its name and its heading tell it."""

from datetime import date

import pytest

from intelli.citations.check import CheckOutcome
from intelli.citations.prove import CitationProof, StoredText
from intelli.citations.source_dates import date_of
from intelli.citations.wire import Check
from intelli.content.passage import Passage
from intelli.content.span import Span


def _proof(title: str, text: str) -> CitationProof:
    span = Span("a" * 64, 0, 1)
    passage = Passage(span, text, title=title, path="", mime_type="text/plain", score=1.0)
    stored = StoredText("b" * 64, text, is_whole=True)
    return CitationProof(0, span.identifier, "", passage, stored, span, text[:1], CheckOutcome(Check.VERIFIED, "", 1.0))


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("minutes.md", "# Minutes, 14 January 2026\n\nThe board opens on Mondays from 1 May 2026.", date(2026, 1, 14)),
        (
            "lease.md",
            "# Amendment to the lease of 1 March 2023\n\nDate: 15 June 2025\n\nRent rises.",
            date(2025, 6, 15),
        ),
        ("report_2025-03-14.pdf", "All is well.", date(2025, 3, 14)),
        ("note.txt", "It was agreed on 3 May 2024 that the fee is due on 1 June 2024.", None),
        ("log.csv", "date,station,volts\n2024-02-03,HF-01,12.1\n2024-02-10,HF-01,12.0", None),
        ("amendment.txt", "Amendment 1 to the supply agreement of 21 September 2022\n\nThe parties agree.", None),
        ("plan.txt", "Plan of 1 May 2031", None),
        ("list.csv", "a,b\n1,2", None),
    ],
)
def test_the_heading_tells_the_date_and_the_body_does_not(title: str, text: str, expected: date | None):
    assert date_of(_proof(title, text), today=date(2026, 6, 1)) == expected
