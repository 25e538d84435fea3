"""A sentence that was edited counts as supported only if its quote says it: held against a table of our own edits."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.text.paragraph import Paragraph
from hypothesis import given
from hypothesis import strategies as st
from tests.deliverables import papers

from intelli.citations.prove import CitingText, ProofMaterial, StoredText, examine
from intelli.citations.statements import CitedStatement
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.deliverables.forms import FORMS, Options
from intelli.deliverables.recheck.report import SentenceStatus, recheck
from intelli.reasoning.verbs.judge import Verdict

EDITS = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("edits.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
HARMFUL = [edit for edit in EDITS if edit[0] == "harmful"]
HARMLESS = [edit for edit in EDITS if edit[0] == "harmless"]
# Harmless, but by words alone nobody can know.
UNCONFIRMED = {
    "Die Helvora Energy AG beschäftigte Ende 2024 1.284 Personen.",
    "Der Verein zählte 2023 insgesamt 412 Mitglieder, wie berichtet.",
    "Water use fell to 210 litres per person (see below).",
    "The team published 3 books and 12 papers.",
}
ODD = ("Bern", "sales", "rose", "not", "in", "by", "4%", "2023", "2024", "and", ",", "the", "fell", "costs", "up", "to")
WORDS = st.lists(st.sampled_from(ODD), max_size=12)


def verdict(sentence: str, quote: str) -> Verdict:
    """What the engine makes of a sentence that cites a quote."""
    passage = Passage(Span("0" * 64, 0, len(quote)), quote, title="", path="", mime_type="", score=1.0)
    source = StoredText(passage.sha256, quote, is_whole=True)
    statement = CitedStatement(sentence, (0,), 0, len(sentence))
    material = ProofMaterial({passage.identifier: passage}, {passage.sha256: source})
    [checked] = examine(CitingText(sentence, (statement,), (passage.identifier,)), material)
    return checked.verdict


@pytest.mark.parametrize(("_", "quote", "after"), HARMFUL)
def test_what_a_quote_does_not_say_is_not_supported(_: str, quote: str, after: str) -> None:
    assert verdict(after, quote) is not Verdict.SUPPORTED


@pytest.mark.parametrize(("_", "quote", "after"), HARMLESS)
def test_what_a_quote_says_is_supported_or_left_open(_: str, quote: str, after: str) -> None:
    assert verdict(after, quote) is (Verdict.UNCHECKED if after in UNCONFIRMED else Verdict.SUPPORTED)


@given(WORDS, WORDS)
def test_no_words_are_too_odd_to_be_compared(one: list[str], other: list[str]) -> None:
    verdict(" ".join(one), " ".join(other))
    same = " ".join(["Helvora", *one])
    assert verdict(f"{same}.", f"{same}.") is Verdict.SUPPORTED


def test_what_is_too_long_to_be_a_sentence_is_not_compared() -> None:
    assert verdict("sales rose " * 5_000, "sales rise " * 5_000) is not Verdict.SUPPORTED


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reports") / "report.docx"
    path.write_bytes(FORMS["docx"].render(papers.brief(), papers.paper(), Options()))
    return path


@pytest.fixture
def edit(written: Path, tmp_path: Path) -> Callable[[Callable[[Any], None]], Path]:
    def edited(change: Callable[[Any], None]) -> Path:
        document = docx.Document(str(written))
        change(document)
        path = tmp_path / "edited.docx"
        document.save(str(path))
        return path

    return edited


def _first(document: Any, words: str) -> Any:
    paragraphs: list[Paragraph] = list(document.paragraphs)
    return next(run for paragraph in paragraphs for run in paragraph.runs if words in run.text)


def _type_over(before: str, after: str) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        run = _first(document, before)
        run.text = run.text.replace(before, after)

    return change


@pytest.mark.parametrize(
    ("before", "after", "standing"),
    [
        ("trucks rose from", "trucks never rose from", SentenceStatus.UNSUPPORTED),
        ("Deliveries of electric trucks rose from", "Thefts of electric trucks rose from", SentenceStatus.UNCONFIRMED),
        ("1,240 in 2019 to 8,450 in 2023", "8,450 in 2019 to 1,240 in 2023", SentenceStatus.UNSUPPORTED),
        ("1,240 in 2019 to 8,450 in 2023", "1,240 in 2019 to 9,450 in 2023", SentenceStatus.UNSUPPORTED),
    ],
)
def test_a_report_tells_what_became_of_an_edited_sentence(
    edit: Callable[..., Path], before: str, after: str, standing: SentenceStatus
) -> None:
    found = recheck(edit(_type_over(before, after)))
    [flagged] = found.flagged
    assert (flagged.standing, flagged.before) == (standing, papers.QUOTES[0])
    assert flagged.reason
    assert found.removed == []


def test_a_cell_that_was_changed_is_told_as_that(edit: Callable[..., Path]) -> None:
    def change(document: Any) -> None:
        document.tables[-1].rows[1].cells[1].paragraphs[0].runs[0].text = "96.4"

    [flagged] = recheck(edit(change)).flagged
    assert (flagged.standing, flagged.text) == (SentenceStatus.UNSUPPORTED, "96.4")
    assert flagged.reason == "The row of the source does not have \u201c96.4\u201d."


def test_cells_that_changed_places_are_told(edit: Callable[..., Path]) -> None:
    def change(document: Any) -> None:
        one, other = (document.tables[-1].rows[1].cells[at].paragraphs[0].runs[0] for at in (1, 2))
        one.text, other.text = other.text, one.text

    flagged = recheck(edit(change)).flagged
    assert flagged
    assert {each.standing for each in flagged} == {SentenceStatus.UNSUPPORTED}


def test_a_sentence_put_in_front_of_a_mark_is_new_and_the_one_before_it_stands(edit: Callable[..., Path]) -> None:
    added = "The board should sell the company at once."
    found = recheck(edit(_type_over(papers.QUOTES[0], f"{papers.QUOTES[0]} {added}")))
    [flagged] = found.flagged
    assert (flagged.standing, flagged.text) == (SentenceStatus.NEW, added)
    assert "in front of a mark" in flagged.reason
    assert (found.removed, found.lost) == ([], [])
    assert sum(each.text == papers.QUOTES[0] for each in found.sentences) >= 1


def test_a_sentence_that_was_made_two_still_rests_on_its_mark(edit: Callable[..., Path]) -> None:
    halves = "Deliveries of electric trucks rose. Deliveries rose from 1,240 in 2019 to 8,450 in 2023."
    found = recheck(edit(_type_over(papers.QUOTES[0], halves)))
    assert not [each for each in found.flagged if each.standing in {SentenceStatus.NEW, SentenceStatus.UNSUPPORTED}]
