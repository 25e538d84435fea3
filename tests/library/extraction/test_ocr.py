"""Recognition of scanned pages: words with boxes where tesseract is installed, clear words where it is not."""

import shutil
from pathlib import Path

import pytest
from tests.library.extraction.pdfs import LETTER, Sheet, make_pdf, paragraph, show, write
from tests.library.extraction.pictures import picture_of

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Refusal, Unreadable
from intelli.library.extraction.pdf import extract_pdf

needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")

PAINT = b"q 612 0 0 792 0 0 cm /Im Do Q\n"


def scan(*lines: str, content: bytes = b"", rotate: int = 0) -> Sheet:
    """A page that is only a picture, at 150 dpi."""
    width, height = 1275, 1650
    image = picture_of(*lines, size=(width, height), letters=36)
    return Sheet(PAINT + content, picture=(image.tobytes(), width, height), rotate=rotate)


@pytest.fixture
def no_tesseract(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")


@needs_tesseract
def test_a_scanned_page_becomes_text_with_boxes_where_the_words_are(tmp_path: Path):
    extraction = extract_pdf(write(tmp_path, make_pdf(scan("The quick brown fox", "jumps over the dog"))), Limits())
    assert extraction.text == "The quick brown fox\njumps over the dog"
    page = extraction.pages[0]
    assert page.is_ocr
    assert page.quality > 0.8
    assert (page.width, page.height) == LETTER
    x0, y0, _, y1 = page.words[0].box
    assert x0 == pytest.approx(100 * 72 / 150, abs=4)
    assert y0 < (100 + 20) * 72 / 150 < y1


@needs_tesseract
def test_a_page_with_text_is_not_recognised_again(tmp_path: Path):
    content = paragraph(
        ["A layer of text that is long enough to be the text of the whole page, over a picture."] * 2, 72, 700
    )
    extraction = extract_pdf(write(tmp_path, make_pdf(scan("Other words", content=content))), Limits())
    assert "Other words" not in extraction.text
    assert not extraction.pages[0].is_ocr


@needs_tesseract
def test_a_stamp_on_a_scan_does_not_hide_the_scan(tmp_path: Path):
    sheet = scan(
        "The quick brown fox jumps over the lazy dog",
        "and then sleeps in the warm sun",
        content=show("FAX 12/03", 72, 30),
    )
    extraction = extract_pdf(write(tmp_path, make_pdf(sheet)), Limits())
    assert "quick brown fox" in extraction.text
    assert "FAX" in extraction.text


@needs_tesseract
def test_letters_that_are_drawn_as_outlines_are_recognised(tmp_path: Path):
    image = picture_of("Outlined words", size=(600, 300), letters=60)
    strokes = b"".join(
        b"%d %d 1 1 re f\n" % (x, 792 - y) for y in range(300) for x in range(600) if image.getpixel((x, y)) < 128
    )
    extraction = extract_pdf(write(tmp_path, make_pdf(Sheet(strokes))), Limits())
    assert extraction.text == "Outlined words"


@needs_tesseract
def test_only_so_many_pages_are_recognised_and_the_reader_is_told(tmp_path: Path):
    path = write(tmp_path, make_pdf(*[scan("Some scanned words")] * 3))
    extraction = extract_pdf(path, Limits(ocr_pages=1))
    assert [bool(page.words) for page in extraction.pages] == [True, False, False]
    assert extraction.warnings == (
        "Pages 2-3: pictures of text that were not read, too many for one file. Split it to read them all.",
    )


@needs_tesseract
def test_a_language_that_is_not_installed_fails_in_words(tmp_path: Path):
    sheets = make_pdf(Sheet(show("A page with words of its own.", 72, 700)), scan("Words"))
    extraction = extract_pdf(write(tmp_path, sheets), Limits(ocr_languages="xxx"))
    assert extraction.warnings == ("Page 2: pictures of text that could not be recognised.",)


@pytest.mark.usefixtures("no_tesseract")
def test_without_tesseract_a_scan_is_refused_with_what_to_install(tmp_path: Path):
    with pytest.raises(Unreadable) as caught:
        extract_pdf(write(tmp_path, make_pdf(scan("Words"))), Limits())
    assert caught.value.refusal is Refusal.NO_TEXT
    assert "Install tesseract" in caught.value.reason


@pytest.mark.usefixtures("no_tesseract")
def test_without_tesseract_the_pages_with_text_are_read_and_the_others_named(tmp_path: Path):
    path = write(tmp_path, make_pdf(Sheet(show("A page with words of its own.", 72, 700)), scan("Words"), scan("More")))
    extraction = extract_pdf(path, Limits())
    assert extraction.text.startswith("A page with words")
    assert extraction.warnings == (
        "Pages 2-3: pictures of text that were not read. Install tesseract on the server, then retry.",
    )
