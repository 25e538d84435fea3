"""`intelli verify` and what is no bundle: one plain line that says what it is and what to do."""

import zipfile
from pathlib import Path

import pytest
from tests.deliverables import bundles, papers
from typer.testing import CliRunner

from intelli.cli.program import app
from intelli.deliverables.bundle import quotes
from intelli.deliverables.bundle.detect import NoBundle, NoSuchFile, require_bundle
from intelli.deliverables.forms import FORMS, Options

MAKES = 'A bundle is made by `intelli research FOLDER "question" -o evidence.zip`'


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("docx", "is a Word document, no evidence bundle. Check it with `intelli recheck"),
        ("pptx", "is a PowerPoint presentation, no evidence bundle."),
        ("pdf", "is a PDF, no evidence bundle."),
        ("site", "is a website or slides, no evidence bundle."),
        ("md", "is another kind of file, no evidence bundle."),
    ],
)
def test_another_form_of_a_report_is_told_as_what_it_is(tmp_path: Path, form: str, words: str) -> None:
    path = tmp_path / f"report.{FORMS[form].extension}"
    path.write_bytes(FORMS[form].render(papers.brief(), papers.paper(), Options()))
    with pytest.raises(NoBundle) as refused:
        require_bundle(path)
    said = str(refused.value)
    assert words in said
    assert MAKES in said
    assert "\n" not in said


def test_a_zip_an_empty_file_a_directory_and_nothing_are_told_apart(tmp_path: Path) -> None:
    other, empty = tmp_path / "other.zip", tmp_path / "empty.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("holiday.txt", "sun")
    empty.touch()
    for path, words in ((other, "is a zip"), (empty, "is empty"), (tmp_path, "is a directory")):
        with pytest.raises(NoBundle, match=words):
            require_bundle(path)
    with pytest.raises(NoSuchFile, match="There is no file"):
        require_bundle(tmp_path / "gone.zip")
    with pytest.raises(NoBundle, match="is a zip"):
        quotes.read_quotes(other)


def test_what_was_cut_off_before_anything_tells_that_it_is_a_bundle_is_told_as_incomplete(tmp_path: Path) -> None:
    bundle = bundles.make(tmp_path / "bundle.zip")
    bundle.write_bytes(bundle.read_bytes()[:200])
    with pytest.raises(NoBundle, match=r"bundle\.zip is incomplete: the end of the zip is missing"):
        require_bundle(bundle)


def test_a_bundle_is_one_however_it_was_damaged(tmp_path: Path) -> None:
    bundle = bundles.make(tmp_path / "bundle.zip")
    whole = bundle.read_bytes()
    for damaged in (whole, whole[: len(whole) // 2], whole[100:], b"x" + whole, whole.replace(b"data/brief.json", b"")):
        bundle.write_bytes(damaged)
        require_bundle(bundle)


def test_the_command_says_so_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "report.pdf"
    path.write_bytes(b"%PDF-1.7\n")
    done = CliRunner().invoke(app, ["verify", str(path)])
    assert isinstance(done.exception, NoBundle)
    assert done.output == ""
