"""Headings and captions of an edited Word report cite nothing: each that says something else is told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml.ns import qn
from tests.deliverables import papers

from intelli.deliverables.forms import FORMS, Options
from intelli.deliverables.recheck import headings
from intelli.deliverables.recheck.headings import ChangedHeading
from intelli.deliverables.recheck.report import RecheckReport, SentenceStatus, recheck

Edit = Callable[[Callable[[Any], None]], RecheckReport]


@pytest.fixture
def edit(tmp_path: Path) -> Edit:
    """Open a report as a person would, change it, and check it again."""

    def edited(change: Callable[[Any], None]) -> RecheckReport:
        path = tmp_path / "report.docx"
        path.write_bytes(FORMS["docx"].render(papers.brief(), papers.paper(), Options()))
        document = docx.Document(str(path))
        change(document)
        document.save(str(path))
        return recheck(path)

    return edited


def styled(document: Any, style: str) -> Any:
    return next(each for each in document.paragraphs if each.style.name.lower().startswith(style))


@pytest.mark.parametrize("style", ["title", "heading", "caption"])
def test_one_that_was_changed_is_told_with_what_it_was(edit: Edit, style: str) -> None:
    seen: list[str] = []

    def change(document: Any) -> None:
        runs = styled(document, style).runs
        run = next((each for each in runs if each.text.startswith(": ")), runs[0])
        seen.append(run.text.strip(": "))
        run.text = f"{run.text} fell by 90%"

    [told] = edit(change).flagged
    assert told.standing is SentenceStatus.NEW
    assert told.text.endswith(f"{seen[0]} fell by 90%")
    assert told.before.endswith(seen[0])
    assert "heading or caption that was changed" in told.reason


def test_a_head_of_a_column_counts(edit: Edit) -> None:
    def change(document: Any) -> None:
        document.tables[-1].rows[0].cells[1].paragraphs[0].runs[0].text = "Profit 2030"

    assert "Profit 2030" in [each.text for each in edit(change).flagged]


def test_a_new_heading_is_told_when_it_has_a_figure(edit: Edit) -> None:
    def change(document: Any) -> None:
        document.add_heading("Outlook", 1)
        document.add_heading("Costs rise by 12%", 1)

    [told] = edit(change).flagged
    assert (told.text, told.before) == ("Costs rise by 12%", "")


def test_a_heading_that_was_taken_out_is_told_and_has_to_be_looked_at(edit: Edit) -> None:
    seen: list[str] = []

    def change(document: Any) -> None:
        heading = styled(document, "heading 2")._p
        seen.append("".join(each.text for each in heading.iter(qn("w:t"))))
        heading.getparent().remove(heading)

    found = edit(change)
    assert (found.removed, found.flagged, found.is_settled) == (seen, [], False)


def test_what_word_counts_in_a_caption_is_no_change(edit: Edit) -> None:
    def change(document: Any) -> None:
        number = next(each for each in styled(document, "caption").runs if each.text.isdigit())
        number.text = "7"

    assert edit(change).is_settled


def test_headings_that_changed_places_are_as_they_were() -> None:
    found = headings.compare(["Prices", "Prices", "Volumes in 2024"], ["Volumes in 2024", "Prices", "Prices"])
    assert (found.changed, found.removed) == ([], [])


def test_a_heading_of_which_nothing_is_left_is_what_the_missing_one_became() -> None:
    found = headings.compare(["Prices", "Volumes"], ["Losses everywhere", "Volumes"])
    assert found.changed == [ChangedHeading("Losses everywhere", "Prices")]
