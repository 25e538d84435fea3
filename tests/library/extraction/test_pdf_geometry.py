"""Boxes of words lie on the page as it is displayed: rotated, cropped, sideways, downwards, from right to left."""

import ctypes
import difflib
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.library.extraction.files import DATA
from tests.library.extraction.pdfs import Sheet, make_pdf, paragraph, show, write
from tests.library.extraction.samples import handbook

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, Box, Extraction, TextPage
from intelli.library.extraction.pdf import extract_pdf

_REAL = ("PerksPlus.pdf", "employee_handbook.pdf", "role_library.pdf", "Benefit_Options.pdf")
WIDTH, HEIGHT = 612.0, 792.0


def read(folder: Path, *sheets: Sheet, letters: str = "") -> Extraction:
    return extract_pdf(write(folder, make_pdf(*sheets, letters=letters)), Limits())


def box_of(extraction: Extraction, text: str) -> Box:
    return next(
        word.box for page in extraction.pages for word in page.words if extraction.text[word.start : word.end] == text
    )


def text_under(page: pdfium.PdfPage, box: Box) -> str:
    """What pdfium itself finds in a rectangle of the displayed page."""
    width, height = page.get_size()
    steps = 64
    x, y = ctypes.c_double(), ctypes.c_double()

    def point(left: float, top: float) -> tuple[float, float]:
        whole = (int(width * steps), int(height * steps))
        pdfium_c.FPDF_DeviceToPage(page.raw, 0, 0, *whole, 0, int(left * steps), int(top * steps), x, y)
        return x.value, y.value

    x0, y0, x1, y1 = box
    inset = 0.2 * min(y1 - y0, x1 - x0)
    is_upright = x1 - x0 < y1 - y0
    one = point(x0 + (inset if is_upright else -0.3), y0 + (-0.3 if is_upright else inset))
    other = point(x1 - (inset if is_upright else -0.3), y1 - (-0.3 if is_upright else inset))
    (left, right), (bottom, top) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    text_page = page.get_textpage()
    try:
        return str(text_page.get_text_bounded(left, bottom, right, top))
    finally:
        text_page.close()


def rectangles(page: TextPage, start: int, end: int) -> Iterator[Box]:
    """The boxes of a span, those of neighbours in a line joined."""
    current: Box | None = None
    for word in page.words:
        if word.end <= start or word.start >= end:
            continue
        if current and _is_beside(current, word.box):
            low = (min(current[0], word.box[0]), min(current[1], word.box[1]))
            current = (*low, max(current[2], word.box[2]), max(current[3], word.box[3]))
            continue
        if current:
            yield current
        current = word.box
    if current:
        yield current


def _is_beside(one: Box, other: Box) -> bool:
    overlap = min(one[3], other[3]) - max(one[1], other[1])
    return overlap > 0.5 * min(one[3] - one[1], other[3] - other[1]) and abs(other[0] - one[2]) < 30


@pytest.mark.parametrize(
    ("rotate", "expected"),
    [
        (0, (100, HEIGHT - 200)),
        (90, (200, 100)),
        (180, (WIDTH - 100, 200)),
        (270, (HEIGHT - 200, WIDTH - 100)),
    ],
)
def test_the_box_of_a_word_follows_the_rotation_of_its_page(tmp_path: Path, rotate: int, expected: tuple[float, float]):
    extraction = read(tmp_path, Sheet(show("Word", 100, 200, size=20), rotate=rotate))
    x0, y0, x1, y1 = box_of(extraction, "Word")
    assert x0 - 8 <= expected[0] <= x1 + 8
    assert y0 - 8 <= expected[1] <= y1 + 8
    assert (x1 - x0 > y1 - y0) == (rotate in {0, 180})
    page = extraction.pages[0]
    assert (page.width, page.height) == ((WIDTH, HEIGHT) if rotate in {0, 180} else (HEIGHT, WIDTH))


def test_a_cropped_page_counts_from_its_visible_corner(tmp_path: Path):
    extraction = read(tmp_path, Sheet(show("Seen", 150, 600, size=20), crop=(100, 500, 400, 700)))
    assert (extraction.pages[0].width, extraction.pages[0].height) == (300, 200)
    x0, y0, _, y1 = box_of(extraction, "Seen")
    assert x0 == pytest.approx(50, abs=1)
    assert y0 < 100 < y1


def test_words_beyond_the_edge_are_left_out_and_the_reader_is_told(tmp_path: Path):
    content = show("Seen", 150, 600) + show("Unseen", 10, 10)
    extraction = read(tmp_path, Sheet(content, crop=(100, 500, 400, 700)))
    assert extraction.text == "Seen"
    assert extraction.warnings == ("Page 1: words beyond the edge of the page were left out.",)


@pytest.mark.parametrize("turn", ["0 1 -1 0", "0 -1 1 0", "-1 0 0 -1"])
def test_lines_that_run_up_down_or_upside_down_are_read_as_lines(tmp_path: Path, turn: str):
    step = {"0 1 -1 0": (14, 0), "0 -1 1 0": (-14, 0), "-1 0 0 -1": (0, 14)}[turn]
    lines = ["Sideways text is", "read line by line"]
    content = b"".join(show(line, 300 + n * step[0], 400 + n * step[1], turn=turn) for n, line in enumerate(lines))
    extraction = read(tmp_path, Sheet(content))
    assert extraction.text == "Sideways text is\nread line by line"
    with pdfium.PdfDocument(tmp_path / "file.pdf") as document:
        assert text_under(document[0], box_of(extraction, "Sideways")).strip() == "Sideways"


def test_characters_below_each_other_are_a_line_and_columns_go_to_the_left(tmp_path: Path):
    columns = ["ABCD", "EFGH"]
    content = b"".join(
        show(glyph, 500 - 17 * column, 700 - 14 * row, size=14, font="F4")
        for column, glyphs in enumerate(columns)
        for row, glyph in enumerate(glyphs)
    )
    extraction = read(tmp_path, Sheet(content), letters="日本語文縦書二列")
    assert extraction.text == "日本語文\n縦書二列"
    assert [block.kind for block in extraction.blocks] == [BlockKind.PARAGRAPH]
    x0, y0, x1, y1 = box_of(extraction, "日本語文")
    assert y1 - y0 > 3 * (x1 - x0)


def test_a_watermark_across_the_page_is_one_piece(tmp_path: Path):
    slope = "0.7071 0.7071 -0.7071 0.7071"
    content = paragraph(["Some text of the page."], 72, 700) + show("CONFIDENTIAL", 150, 200, size=60, turn=slope)
    assert "CONFIDENTIAL" in read(tmp_path, Sheet(content)).text.split()


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rotate=st.sampled_from([0, 90, 180, 270]),
    crop=st.sampled_from([None, (50, 60, 580, 770), (0, 0, 612, 500)]),
    at=st.tuples(st.integers(60, 400), st.integers(70, 480)),
    size=st.integers(6, 30),
    letters=st.sampled_from(["abcdef", "سلامنو", "日本語文縦書"]),
)
def test_what_pdfium_finds_in_the_box_of_a_word_is_the_word(
    tmp_path: Path, *, rotate: int, crop: Box | None, at: tuple[int, int], size: int, letters: str
):
    content = show("ABCDEF", *at, size=size, font="F4")
    extraction = read(tmp_path, Sheet(content, rotate=rotate, crop=crop), letters=letters)
    (word,) = extraction.pages[0].words
    with pdfium.PdfDocument(tmp_path / "file.pdf") as document:
        assert text_under(document[0], word.box).strip() == extraction.text


@pytest.mark.parametrize("name", ["made", *(name for name in _REAL if (DATA / "pages" / name).exists())])
def test_spans_of_long_documents_lie_in_boxes_that_hold_their_text(name: str, tmp_path: Path):
    path = write(tmp_path, handbook()) if name == "made" else DATA / "pages" / name
    extraction = extract_pdf(path, Limits())
    pick = random.Random(name)
    blocks = [block for block in extraction.blocks if block.end - block.start > 30 and block.kind != BlockKind.NOTE]
    with pdfium.PdfDocument(path) as document:
        for block in pick.sample(blocks, min(len(blocks), 40)):
            page = extraction.pages[(block.place.page or 1) - 1]
            words = [word for word in page.words if block.start <= word.start < block.end]
            first = pick.randrange(len(words))
            last = min(first + pick.randrange(1, 30), len(words) - 1)
            start, end = words[first].start, words[last].end
            found = "".join(text_under(document[page.number - 1], box) for box in rectangles(page, start, end))
            assert _likeness(extraction.text[start:end], found) >= 0.95


def _likeness(one: str, other: str) -> float:
    one, other = (re.sub(r"[\s\x02\ufffe-]+", "", text) for text in (one, other))
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
