"""How pages are laid out: no word is torn, no caption parted from its figure, and no cover filled by a question."""

import io
from typing import Any

import docx
import pikepdf
import pptx
import pypdfium2
import pytest
from docx.enum.section import WD_ORIENT
from docx.oxml.ns import qn
from lxml import etree
from tests.deliverables import papers, reading

from intelli.deliverables.forms import FORMS, Options, columns
from intelli.deliverables.forms.layout import lay_out
from intelli.deliverables.forms.text_width import ems
from intelli.deliverables.paper import Block, Chart, Heading, Paper, Paragraph, TableBlock, TextRun

FEW = (("Segment", "Revenue 2022 (EUR million)", "Revenue 2023 (EUR million)"), ("Sensors", "231.4", "250.2"))
YEARS = ("Region", *(f"FY{year}" for year in range(2010, 2023)))
MANY = (YEARS, ("Mediterranean", *["1,234.5"] * 13))
LONG = (("Id", "What was found", "Owner"), ("A-17", "Nobody had asked for an offer. " * 12, "Purchasing"))


def table(cells: tuple[tuple[str, ...], ...]) -> TableBlock:
    rows = (tuple((TextRun(text=text),) for text in row) for row in cells[1:])
    return TableBlock(caption="Table", columns=cells[0], rows=tuple(rows))


def rendered(form: str, *blocks: Block, question: str = "") -> bytes:
    brief = papers.brief().model_copy(update={"question": question} if question else {})
    return FORMS[form].render(brief, Paper(title="T", blocks=blocks), Options())


def words_by_page(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [document[number].get_textpage().get_text_range() for number in range(len(document))]
    finally:
        document.close()


@pytest.mark.parametrize("cells", [FEW, MANY, LONG])
def test_no_word_and_no_figure_of_a_table_is_torn_in_a_pdf(cells: tuple[tuple[str, ...], ...]) -> None:
    words = {word for page in words_by_page(rendered("pdf", table(cells))) for word in page.split()}
    assert {word for row in cells for cell in row for word in cell.split()} <= words


@pytest.mark.parametrize("cells", [FEW, MANY, LONG])
def test_the_columns_of_a_word_table_are_as_wide_as_their_longest_word(cells: tuple[tuple[str, ...], ...]) -> None:
    document = docx.Document(io.BytesIO(rendered("docx", table(cells))))
    (made,) = document.tables
    size = document.styles[made.cell(1, 0).paragraphs[0].style.name].font.size.pt
    for at, column in enumerate(made.columns):
        longest = max((word for row in cells for word in row[at].split()), key=ems)
        assert column.width.pt >= ems(longest) * size
        assert made.cell(1, at).width == column.width, "Word goes by the cells"
    assert made.autofit is False


def test_the_columns_of_a_table_on_a_slide_are_as_wide_as_their_longest_word() -> None:
    slides = pptx.Presentation(io.BytesIO(rendered("pptx", table(LONG)))).slides
    (made,) = [shape.table for slide in slides for shape in slide.shapes if shape.has_table]
    narrow, wide, owner = (column.width for column in made.columns)
    assert owner > narrow
    assert wide > 2 * owner


def test_a_table_with_many_columns_stands_on_a_page_on_its_side() -> None:
    blocks = (Heading(level=2, text="Before", id="b"), table(MANY), table(MANY), Heading(level=2, text="After", id="a"))
    with pikepdf.open(io.BytesIO(rendered("pdf", *blocks))) as pdf:
        are_turned = [page.mediabox[2] > page.mediabox[3] for page in pdf.pages]
    assert are_turned == [False, False, True, True, False]
    sections = docx.Document(io.BytesIO(rendered("docx", *blocks))).sections
    assert [each.orientation for each in sections] == [WD_ORIENT.PORTRAIT, WD_ORIENT.LANDSCAPE, WD_ORIENT.PORTRAIT]
    assert not sections[1].different_first_page_header_footer


def test_more_columns_than_a_page_has_room_for_still_have_a_width() -> None:
    cells = (tuple(f"C{number}" for number in range(120)), ("1,234,567",) * 120)
    fit = columns.fit(lay_out(papers.brief(), papers.paper()), table(cells), columns.TableSpace(436, 4, (8.5, 7)))
    assert min(fit.widths) > 0
    assert fit.has_breaks


def test_a_table_in_a_script_without_spaces_breaks_between_its_characters() -> None:
    cells = (("地区", "说明"), ("北方", "仓库储存了未经采购部门批准的货物" * 6))
    fit = columns.fit(lay_out(papers.brief(), papers.paper()), table(cells), columns.TableSpace(436, 4, (8.5, 7)))
    assert fit.size == 8.5
    assert fit.widths[0] >= 2 * 8.5
    assert sum(fit.widths) == pytest.approx(436, abs=1)


def test_a_caption_stands_on_the_page_of_its_figure() -> None:
    chart = papers.chart(papers.DELIVERIES)
    line = Paragraph(runs=(TextRun(text="A line of text."),))
    for before in range(12, 30):
        pages = words_by_page(rendered("pdf", *[line] * before, chart))
        (captioned,) = [page for page in pages if "Figure 1" in page]
        assert "2021" in captioned, f"the axis is there with {before} lines before it"


def test_a_long_question_is_begun_at_the_end_and_whole_in_the_properties() -> None:
    question = "How did deliveries develop in the regions of the north? " * 300
    blocks = (Heading(level=2, text="First", id="f"), Paragraph(runs=(TextRun(text="Said."),)))
    pdf = rendered("pdf", *blocks, question=question)
    assert len(words_by_page(pdf)) == 2
    assert "\u2026" in words_by_page(pdf)[1]
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        assert str(opened.docinfo.Subject) == question
    word = docx.Document(io.BytesIO(rendered("docx", *blocks, question=question)))
    (asked,) = [each.text for each in word.paragraphs if "in the regions" in each.text]
    assert len(asked) < 400
    assert asked.endswith("\u2026")
    assert word.core_properties.comments == question
    cover = pptx.Presentation(io.BytesIO(rendered("pptx", *blocks, question=question))).slides[0]
    assert question in cover.notes_slide.notes_text_frame.text
    for form in ("html", "site", "slides"):
        assert reading.words_of(form, rendered(form, *blocks, question=question)).count("in the regions") < 10


def test_every_line_of_the_contents_has_a_page_and_word_asks_nothing() -> None:
    parts = reading.parts_of(rendered("docx", *_long_report()))
    body = etree.fromstring(parts["word/document.xml"])
    pages = [_page_of(paragraph) for paragraph in body.iter(qn("w:p")) if _style(paragraph).lower().startswith("toc")]
    told = [page for page in pages if page is not None]
    assert len(told) == 7
    assert told == sorted(told)
    assert told[0] == 2
    assert told[-1] > told[0]
    assert b"updateFields" not in parts["word/settings.xml"]
    assert all(each.get(qn("w:dirty")) is None for each in body.iter(qn("w:fldChar")))


def _long_report() -> list[Block]:
    text = Paragraph(runs=(TextRun(text="Deliveries rose in every year of the period. " * 25),))
    chart: Chart = papers.chart(papers.DELIVERIES)
    return [
        block
        for number in range(6)
        for block in (Heading(level=2, text=f"Part {number}", id=f"p{number}"), text, text, chart)
    ]


def _style(paragraph: Any) -> str:
    style = paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
    return "" if style is None else str(style.get(qn("w:val")))


def _page_of(paragraph: Any) -> int | None:
    link = paragraph.find(qn("w:hyperlink"))
    if link is None:
        return None
    (instruction,) = link.iter(qn("w:instrText"))
    assert instruction.text.split()[:2] == ["PAGEREF", link.get(qn("w:anchor"))]
    return int([each.text for each in link.iter(qn("w:t"))][-1])


def test_office_files_carry_nothing_of_the_templates_they_are_made_with() -> None:
    parts = reading.parts_of(rendered("docx", *_long_report()))
    assert "word/stylesWithEffects.xml" not in parts
    assert len(parts["word/styles.xml"]) < 80_000
    for form in ("docx", "pptx"):
        parts = reading.parts_of(rendered(form, papers.chart(papers.DELIVERIES)))
        assert not [name for name in parts if "thumbnail" in name]
        assert b"thumbnail" not in parts["_rels/.rels"]


def test_a_line_has_a_ground_below_it_in_powerpoint_too() -> None:
    slides = pptx.Presentation(io.BytesIO(rendered("pptx", papers.chart(papers.DELIVERIES)))).slides
    (chart,) = [shape.chart for slide in slides for shape in slide.shapes if shape.has_chart]
    below, line = chart.plots
    assert below.series[0].values == line.series[0].values
    assert list(below.categories) == list(line.categories)
