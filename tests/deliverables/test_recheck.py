"""A Word report that a person has edited: citations are recovered, and sentences that no longer stand are flagged."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from tests.deliverables import papers

from intelli.deliverables.forms import FORMS, Options
from intelli.deliverables.forms.docx.open_report import NoReport
from intelli.deliverables.recheck.report import SentenceStatus, recheck

CHANGED = "Deliveries of electric trucks rose from 1,240 in 2019 to 9,450 in 2023."
REWORDED = "Deliveries of electric trucks rose from 1,240 (2019) to 8,450 (2023)."


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reports") / "report.docx"
    path.write_bytes(FORMS["docx"].render(papers.brief(), papers.paper(), Options()))
    return path


@pytest.fixture
def edit(written: Path, tmp_path: Path) -> Callable[[Callable[[Any], None]], Path]:
    """Open the report as a person would, change it, save it elsewhere."""

    def edited(change: Callable[[Any], None]) -> Path:
        document = docx.Document(str(written))
        change(document)
        path = tmp_path / "edited.docx"
        document.save(str(path))
        return path

    return edited


def replace(document: Any, before: str, after: str) -> None:
    """Type over the first run that has these words."""
    runs = [run for paragraph in document.paragraphs for run in paragraph.runs if before in run.text]
    runs[0].text = runs[0].text.replace(before, after)


def standings(path: Path) -> dict[SentenceStatus, list[str]]:
    found: dict[SentenceStatus, list[str]] = {}
    for sentence in recheck(path).sentences:
        found.setdefault(sentence.standing, []).append(sentence.text)
    return found


def test_a_report_that_nobody_touched_is_unchanged_and_every_citation_is_recovered(written: Path) -> None:
    found = recheck(written)
    assert {sentence.standing for sentence in found.sentences} == {SentenceStatus.UNCHANGED}
    assert {identifier for sentence in found.sentences for identifier in sentence.identifiers} == set(papers.IDS)
    assert (found.removed, found.lost, found.flagged) == ([], [], [])
    assert {sentence.text for sentence in found.sentences} >= {papers.QUOTES[0], papers.QUOTES[3]}


def test_a_figure_that_was_changed_is_no_longer_supported(edit: Callable[..., Path]) -> None:
    found = recheck(edit(lambda document: replace(document, papers.QUOTES[0], CHANGED)))
    [flagged] = found.flagged
    assert (flagged.standing, flagged.text, flagged.before) == (SentenceStatus.UNSUPPORTED, CHANGED, papers.QUOTES[0])
    assert "9,450" in flagged.reason


def test_other_words_with_the_same_figures_are_still_supported(edit: Callable[..., Path]) -> None:
    found = standings(edit(lambda document: replace(document, papers.QUOTES[0], REWORDED)))
    assert found[SentenceStatus.SUPPORTED] == [REWORDED]
    assert SentenceStatus.UNSUPPORTED not in found


def test_a_change_of_spaces_and_quotation_marks_is_none(edit: Callable[..., Path]) -> None:
    found = standings(
        edit(lambda document: replace(document, "Deliveries of electric", "Deliveries  of \u201celectric\u201d"))
    )
    assert set(found) == {SentenceStatus.UNCHANGED}


def test_a_sentence_that_was_added_has_no_source(edit: Callable[..., Path]) -> None:
    added = "Hydrogen will be cheaper than both."
    found = standings(edit(lambda document: document.add_paragraph(added)))
    assert found[SentenceStatus.NEW] == [added]


def test_a_sentence_that_lost_its_footnote_is_flagged_and_the_citation_is_named(edit: Callable[..., Path]) -> None:
    def cut(document: Any) -> None:
        for reference in list(document.element.body.iter(qn("w:footnoteReference"))):
            reference.getparent().getparent().remove(reference.getparent())

    found = recheck(edit(cut))
    assert any(each.reason == "Its citation was removed." for each in found.flagged)


def test_a_sentence_that_was_taken_out_is_told(edit: Callable[..., Path]) -> None:
    def cut(document: Any) -> None:
        for paragraph in list(document.paragraphs):
            if "total cost of ownership" in paragraph.text:
                paragraph._p.getparent().remove(paragraph._p)

    found = recheck(edit(cut))
    assert papers.QUOTES[2] in found.removed
    assert not found.is_settled


def test_a_figure_in_a_table_counts(edit: Callable[..., Path]) -> None:
    def change(document: Any) -> None:
        cell = document.tables[-1].rows[1].cells[2].paragraphs[0]
        cell.runs[0].text = "13"

    [flagged] = recheck(edit(change)).flagged
    assert (flagged.standing, flagged.text) == (SentenceStatus.UNSUPPORTED, "13")


def test_figures_that_changed_places_between_rows_are_no_longer_supported(edit: Callable[..., Path]) -> None:
    def swap(document: Any) -> None:
        one, other = (document.tables[-1].rows[number].cells[1].paragraphs[0].runs[0] for number in (1, 2))
        one.text, other.text = other.text, one.text

    found = standings(edit(swap))
    assert len(found[SentenceStatus.UNSUPPORTED]) == 2


def test_insertions_under_review_count_and_deletions_do_not(edit: Callable[..., Path]) -> None:
    def review(document: Any) -> None:
        paragraph = next(each for each in document.paragraphs if each.text.startswith("Charging at depots"))
        run = paragraph.runs[0]._r
        deleted = parse_xml(
            f'<w:del {nsdecls("w")} w:id="1" w:author="A"><w:r><w:delText>gone</w:delText></w:r></w:del>'
        )
        inserted = parse_xml(f'<w:ins {nsdecls("w")} w:id="2" w:author="A"><w:r><w:t>Only in May. </w:t></w:r></w:ins>')
        run.addprevious(deleted)
        run.addprevious(inserted)

    found = standings(edit(review))
    assert found[SentenceStatus.NEW] == ["Only in May."]


def test_a_quote_that_was_changed_in_its_footnote_is_flagged(written: Path, tmp_path: Path) -> None:
    path = tmp_path / "forged.docx"
    with zipfile.ZipFile(written) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, content.replace(b"8,450 in 2023", b"9,450 in 2023") if "footnotes" in name else content)
    assert any("footnote was changed" in each.reason for each in recheck(path).flagged)


def without(written: Path, path: Path, *parts: str) -> Path:
    """The report as a program saves it that keeps nothing of such parts."""
    with zipfile.ZipFile(written) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            if not any(part in name for part in parts):
                new.writestr(name, old.read(name))
    return path


def test_a_program_that_keeps_the_properties_alone_keeps_what_the_report_said(written: Path, tmp_path: Path) -> None:
    found = recheck(without(written, tmp_path / "kept.docx", "customXml"))
    assert found == recheck(written)


def test_without_its_passport_a_report_is_held_against_its_footnotes_and_no_change_is_claimed(
    written: Path, tmp_path: Path
) -> None:
    found = recheck(without(written, tmp_path / "stripped.docx", "customXml", "docProps/custom.xml"))
    verified = [each for each in found.sentences if each.text == papers.QUOTES[0]]
    assert verified
    assert all(each.standing is SentenceStatus.SUPPORTED for each in verified)
    assert not found.is_recorded
    assert {each.standing for each in found.sentences} <= {SentenceStatus.SUPPORTED, SentenceStatus.UNCONFIRMED}


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no", b"plain text", b"%PDF-1.7 no"])
def test_what_is_no_report_is_refused_in_words(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.docx"
    path.write_bytes(content)
    with pytest.raises(NoReport, match=r"Word document\. Name a report in Word's form"):
        recheck(path)


def test_a_document_of_another_program_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "other.docx"
    document = docx.Document()
    document.add_paragraph("Hello.")
    document.save(str(path))
    with pytest.raises(NoReport, match="no citations of Intelli"):
        recheck(path)


def test_the_command_tells_what_no_longer_stands_and_ends_with_1(edit: Callable[..., Path]) -> None:
    path = edit(lambda document: replace(document, papers.QUOTES[0], CHANGED))
    command = [sys.executable, "-m", "intelli.cli", "recheck", str(path), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    assert [each["text"] for each in told["sentences"] if each["standing"] == "unsupported"] == [CHANGED]
