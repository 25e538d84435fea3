"""The text of a PDF: words, lines, paragraphs, lists, tables, code, and characters that need care."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.library.extraction.pdfs import Sheet, make_pdf, paragraph, show, write

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, Extraction
from intelli.library.extraction.pdf import extract_pdf

BODY = "Nothing here is set in large letters, it is only the body of the text."


def read(folder: Path, *sheets: Sheet, letters: str | dict[int, str] = "") -> Extraction:
    return extract_pdf(write(folder, make_pdf(*sheets, letters=letters)), Limits())


def blocks(extraction: Extraction) -> list[tuple[BlockKind, str]]:
    return [(block.kind, extraction.text[block.start : block.end]) for block in extraction.blocks]


def test_pages_are_joined_by_form_feeds_and_know_their_stretch_of_the_text(tmp_path: Path):
    extraction = read(tmp_path, Sheet(show("First page", 72, 700)), Sheet(), Sheet(show("Third page", 72, 700)))
    assert extraction.text == "First page\f\fThird page"
    assert [extraction.text[page.start : page.end] for page in extraction.pages] == ["First page", "", "Third page"]
    assert [block.place.page for block in extraction.blocks] == [1, 3]


def test_lines_close_to_each_other_are_one_paragraph(tmp_path: Path):
    content = paragraph(["One two three", "four five."], 72, 700) + paragraph(["Six seven", "eight."], 72, 640)
    assert blocks(read(tmp_path, Sheet(content))) == [
        (BlockKind.PARAGRAPH, "One two three\nfour five."),
        (BlockKind.PARAGRAPH, "Six seven\neight."),
    ]


def test_rows_of_a_table_stay_rows_even_if_its_cells_are_painted_one_by_one(tmp_path: Path):
    rows = [("Item", "2023", "2024"), ("Sales", "1,200", "1,350"), ("Costs", "900", "870")]
    content = b"".join(
        show(cell, 72 + 150 * column, 700 - 16 * row)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    )
    assert blocks(read(tmp_path, Sheet(content))) == [
        (BlockKind.TABLE, "Item\t2023\t2024\nSales\t1,200\t1,350\nCosts\t900\t870")
    ]


def test_a_narrow_bold_line_between_rows_is_a_row_and_no_heading(tmp_path: Path):
    content = (
        show("Item", 72, 700)
        + show("2024", 300, 700)
        + show("Assets", 72, 684, font="F2")
        + show("Cash", 72, 668)
        + show("12", 300, 668)
    )
    assert blocks(read(tmp_path, Sheet(content))) == [(BlockKind.TABLE, "Item\t2024\nAssets\nCash\t12")]


def test_items_of_a_list_keep_their_second_lines(tmp_path: Path):
    content = paragraph(
        ["1. First item that is long enough to", "   go on in the next line", "2. Second item"], 72, 700
    )
    ((kind, text),) = blocks(read(tmp_path, Sheet(content)))
    assert kind is BlockKind.LIST
    assert text.splitlines()[1:] == ["go on in the next line", "2. Second item"]


def test_code_keeps_its_indentation(tmp_path: Path):
    code = show("def f(x):", 72, 500, font="F3") + show("return x", 72 + 4 * 7.2, 485, font="F3")
    extraction = read(tmp_path, Sheet(paragraph([BODY] * 3, 72, 700) + code))
    assert blocks(extraction)[-1] == (BlockKind.CODE, "def f(x):\n    return x")


def test_a_document_from_a_typewriter_is_no_code(tmp_path: Path):
    extraction = read(tmp_path, Sheet(paragraph(["Dear Sir,", "we regret to inform you"], 72, 700, font="F3")))
    assert {block.kind for block in extraction.blocks} == {BlockKind.PARAGRAPH}


def test_a_word_broken_at_the_line_end_becomes_whole_and_each_half_keeps_its_box(tmp_path: Path):
    extraction = read(tmp_path, Sheet(paragraph(["The inter-", "national agreement"], 72, 700)))
    assert extraction.text == "The international agreement"
    boxes = {extraction.text[word.start : word.end]: word.box for word in extraction.pages[0].words}
    assert boxes["inter"][1] < boxes["national"][1]


def test_a_hyphen_at_the_line_end_stays_where_the_word_has_one_elsewhere(tmp_path: Path):
    lines = ["A co-payment is due. The co-", "payment is small."]
    assert read(tmp_path, Sheet(paragraph(lines, 72, 700))).text == "A co-payment is due. The co-payment is small."


def test_right_to_left_text_reads_in_logical_order(tmp_path: Path):
    # Painted from left to right, as the eye sees it.
    extraction = read(tmp_path, Sheet(show("DCBA", 72, 700, font="F4")), letters="سلام")
    assert extraction.text == "سلام"


def test_the_two_letters_of_lam_alef_come_in_their_order(tmp_path: Path):
    letters = {ord("A"): "س", ord("B"): "لا", ord("C"): "م"}
    assert read(tmp_path, Sheet(show("CBA", 72, 700, font="F4")), letters=letters).text == "سلام"


def test_characters_beyond_the_first_plane_are_one_character(tmp_path: Path):
    extraction = read(tmp_path, Sheet(show("ABA", 72, 700, font="F4")), letters="x😀")
    assert extraction.text == "x😀x"
    assert [(word.start, word.end) for word in extraction.pages[0].words] == [(0, 3)]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=30), max_size=8),
    gap=st.floats(0.4, 4),
    size=st.floats(3, 30),
)
def test_every_word_is_text_without_spaces_on_its_page_and_no_glyph_is_lost(
    tmp_path: Path, lines: list[str], gap: float, size: float
):
    content = b"".join(show(line, 40, 740 - n * gap * size, size=size) for n, line in enumerate(lines))
    extraction = read(tmp_path, Sheet(content), Sheet(show("second", 72, 700)))
    for page in extraction.pages:
        for word in page.words:
            piece = extraction.text[word.start : word.end]
            assert piece
            assert not any(character.isspace() for character in piece)
            assert page.start <= word.start < word.end <= page.end
            x0, y0, x1, y1 = word.box
            assert 0 <= x0 <= x1 <= page.width
            assert 0 <= y0 <= y1 <= page.height
    ends = [0, *(block.end for block in extraction.blocks)]
    assert all(block.start >= end for block, end in zip(extraction.blocks, ends, strict=False))


@pytest.mark.parametrize("text", ["a\x00b", "tab\tbed"])
def test_control_characters_never_reach_the_text(tmp_path: Path, text: str):
    assert not set(read(tmp_path, Sheet(show(text, 72, 700))).text) & set("\x00\x01\x02\t")
