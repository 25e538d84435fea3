"""Findings say no more than the words they quote: figures, dates, denials and names are held against these."""

import pytest

from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.reasoning.values import QuotedFinding, SourceQuote
from intelli.reasoning.verbs.note import Notes
from intelli.runs.check_findings import check_notes

REPORT = (
    "Annual report 2024\n\nAcme Ltd makes pumps. Revenue came to 412.7 million euros in 2024, after 388.1 million "
    "euros in 2023. It will not pay a dividend.\n\n"
    "| CHF million | 2023 | 2024 |\n|---|---|---|\n| EBIT | 104.9 | 121.7 |\n"
)
MAIL = "From: Jane Doe\n\nThe supply agreement ends on 31 May 2026. The contract may not be terminated before."


def passage(text: str, digit: str) -> Passage:
    span = Span(digit * 64, 0, len(text))
    return Passage(span, text, f"{digit}.txt", f"/{digit}.txt", "text/plain", 1)


PASSAGES = {each.identifier: each for each in (passage(REPORT, "a"), passage(MAIL, "b"))}
FIRST, SECOND = PASSAGES
REVENUE = "Revenue came to 412.7 million euros in 2024"
END = "The supply agreement ends on 31 May 2026."
ROW = "| EBIT | 104.9 | 121.7 |"
STAYS = "The contract may not be terminated before."


def finding(text: str, *quotes: tuple[str, str]) -> QuotedFinding:
    (name, quote), *more = quotes
    further = tuple(SourceQuote(text=each, identifier=of) for of, each in more)
    return QuotedFinding(text=text, identifier=name, quote=quote, relevance=1, further=further)


def kept(one: QuotedFinding) -> str:
    checked = check_notes([Notes(task_title="t", findings=(one,))], PASSAGES)
    return checked.notes[0].findings[0].text


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("Acme had revenue of 412.7 million euros in 2024.", [(FIRST, REVENUE)]),
        ("EBIT rose from 104.9 in 2023 to 121.7 in 2024.", [(FIRST, ROW)]),
        ("The agreement ends on 31 May 2026 and cannot be terminated before.", [(SECOND, END), (SECOND, STAYS)]),
        ("Revenue was 412.7 million euros, and the agreement ends on 31 May 2026.", [(FIRST, REVENUE), (SECOND, END)]),
    ],
)
def test_what_the_quotes_bear_together_is_kept(text: str, quotes: list[tuple[str, str]]) -> None:
    assert kept(finding(text, *quotes)) == text


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Revenue came to 417.2 million euros in 2024.", (FIRST, REVENUE)),
        ("Revenue came to 412.7 million euros in 2022.", (FIRST, REVENUE)),
        ("The supply agreement ends on 13 May 2027.", (SECOND, END)),
        ("The contract may be terminated before.", (SECOND, STAYS)),
        ("The supply agreement does not end on 31 May 2026.", (SECOND, END)),
        ("The supply agreement with Globex ends on 31 May 2026.", (SECOND, END)),
    ],
)
def test_what_says_more_is_reduced_to_its_quote(text: str, quote: tuple[str, str]) -> None:
    assert kept(finding(text, quote)) == quote[1]


def test_what_was_reduced_is_counted_and_told_in_one_sentence() -> None:
    wrong = [finding(f"Revenue came to {number} million euros.", (FIRST, REVENUE)) for number in (1.5, 2.5)]
    notes = [Notes(task_title=each.text, findings=(each,)) for each in wrong]
    checked = check_notes(notes, PASSAGES)

    assert checked.reduced == 2
    assert checked.problem is not None
    assert checked.problem.startswith("2 findings")
    assert check_notes([], PASSAGES).problem is None
