"""The span map: what was packed comes back, and every span leads to boxes that hold it."""

from hypothesis import example, given
from hypothesis import strategies as st

from intelli.library.extraction.model import (
    Block,
    BlockKind,
    BlockLocation,
    ExtractedAttachment,
    Extraction,
    PageWord,
    TextPage,
)
from intelli.library.span_map import DamagedMap, SpanMap, pack

_LINE_HEIGHT = 12.0


@st.composite
def extractions(draw: st.DrawFn) -> Extraction:
    """Pages of words on lines, some from right to left, with a block for each page."""
    pages, blocks, text = [], [], ""
    for number in range(1, draw(st.integers(1, 4)) + 1):
        start, words = len(text), []
        for line in range(draw(st.integers(0, 4))):
            x = 10.0
            for word in draw(st.lists(st.text("abc\u05d0\u05d1", min_size=1, max_size=8), max_size=5)):
                box = (x, line * _LINE_HEIGHT, x + 6.0 * len(word), line * _LINE_HEIGHT + 10)
                words.append(PageWord(len(text), len(text) + len(word), box))
                text += f"{word} "
                x = box[2] + 4
        pages.append(TextPage(number, start, len(text), 600, 800, tuple(words), is_ocr=draw(st.booleans())))
        kind = draw(st.sampled_from(list(BlockKind)))
        place = BlockLocation(
            page=number,
            cells=draw(st.sampled_from([None, "A1:B2"])),
            box=draw(st.sampled_from([None, (0.0, 1.0, 2.0, 3.0)])),
        )
        blocks.append(Block(start, len(text), kind, place, level=draw(st.integers(0, 6)), path=("A", f"page {number}")))
        text += "\f"
    attachments = (ExtractedAttachment("a.pdf", "application/pdf", 7),)
    return Extraction(text, tuple(blocks), "application/pdf", tuple(pages), attachments=attachments, warnings=("w",))


@given(extractions())
def test_what_is_packed_comes_back(extraction: Extraction):
    found = SpanMap(pack(extraction))
    assert tuple(found.block(index) for index in range(found.block_count)) == extraction.blocks
    assert (found.attachments, found.warnings) == (extraction.attachments, list(extraction.warnings))
    assert [(page.number, page.start, page.end, page.is_ocr) for page in found.pages] == [
        (page.number, page.start, page.end, page.is_ocr) for page in extraction.pages
    ]


@given(extractions(), st.data())
def test_every_span_leads_to_boxes_on_its_pages_that_hold_its_words(extraction: Extraction, data: st.DataObject):
    start = data.draw(st.integers(0, len(extraction.text)))
    end = data.draw(st.integers(start, len(extraction.text)))
    found = {each.page.number: each.boxes for each in SpanMap(pack(extraction)).boxes(start, end)}
    for page in extraction.pages:
        inside = [word for word in page.words if start <= word.start and word.end <= end]
        for word in inside:
            assert any(_holds(box, word.box) for box in found[page.number])
        if not any(word.start < end and word.end > start for word in page.words):
            assert page.number not in found


@given(extractions(), st.data())
def test_a_character_is_on_the_page_and_in_the_block_that_holds_it(extraction: Extraction, data: st.DataObject):
    page = data.draw(st.sampled_from(extraction.pages))
    if page.start == page.end:
        return
    offset = data.draw(st.integers(page.start, page.end - 1))
    found = SpanMap(pack(extraction))
    assert found.page_of(offset) == page.number
    assert [place.page for place in found.places(offset, offset + 1, text=extraction.text)] == [page.number]
    assert found.section(offset) == f"A \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} page {page.number}"


def test_part_of_a_word_is_part_of_its_box_but_not_when_it_runs_the_other_way():
    words = (PageWord(0, 4, (0.0, 0.0, 40.0, 10.0)), PageWord(5, 9, (50.0, 0.0, 90.0, 10.0)))
    page = TextPage(1, 0, 9, 600, 800, words)
    found = SpanMap(pack(Extraction("abcd שלום", (), "application/pdf", (page,))))
    assert found.boxes(1, 3)[0].boxes == [(10.0, 0.0, 30.0, 10.0)]
    assert found.boxes(6, 7)[0].boxes == [(50.0, 0.0, 90.0, 10.0)]


@given(st.binary(max_size=200))
@example(pack(Extraction("", (), "text/plain"))[-1:] + b"\0")
def test_bytes_that_are_no_map_are_refused(junk: bytes):
    for packed in (junk, pack(Extraction("", (), "text/plain"))[:-1] + junk):
        try:
            SpanMap(packed)
        except DamagedMap:
            continue
        assert packed == pack(Extraction("", (), "text/plain"))


def test_a_map_of_many_words_stays_small():
    words = tuple(
        PageWord(at * 6, at * 6 + 5, (at % 80 * 7.0, at // 80 * 12.0, at % 80 * 7 + 6.0, at // 80 * 12 + 10.0))
        for at in range(40_000)
    )
    pages = (TextPage(1, 0, 240_000, 600, 800, words),)
    packed = pack(Extraction("word. " * 40_000, (), "application/pdf", pages))
    assert len(packed) < 5 * 40_000


def _holds(box: tuple[float, ...], inner: tuple[float, ...]) -> bool:
    slack = 0.1
    return (
        box[0] <= inner[0] + slack
        and box[1] <= inner[1] + slack
        and box[2] >= inner[2] - slack
        and box[3] >= inner[3] - slack
    )
