"""Word and PowerPoint files are what their programs expect: real headings, footnotes, links, charts and notes."""

import io
from typing import Any

import docx
import pptx
import pytest
from docx.oxml.ns import qn
from lxml import etree
from tests.deliverables import papers, reading

from intelli.deliverables.forms import FORMS, Edition, Options
from intelli.deliverables.forms.docx.read_report import bookmark_of

OPTIONS = Options(base_url="https://desk.example", edition=Edition.PROOF)
# The order that the schema of Word gives to what stands in the properties of a paragraph.
_PROPERTIES = (
    *("pStyle", "keepNext", "keepLines", "pageBreakBefore", "widowControl", "numPr", "pBdr", "shd", "tabs", "bidi"),
    *("spacing", "ind", "contextualSpacing", "jc", "outlineLvl", "rPr"),
)


@pytest.fixture(scope="module")
def word() -> bytes:
    return FORMS["docx"].render(papers.brief(), papers.paper(), OPTIONS)


@pytest.fixture(scope="module")
def slides() -> Any:
    return pptx.Presentation(io.BytesIO(FORMS["pptx"].render(papers.brief(), papers.paper(), OPTIONS)))


def test_headings_are_real_and_the_contents_name_them(word: bytes) -> None:
    document = docx.Document(io.BytesIO(word))
    headings = [each.text for each in document.paragraphs if each.style.name.startswith("Heading")]
    listed = [_words(each._p) for each in document.paragraphs if each.style.name.lower().startswith("toc ")]
    assert headings == [each.rstrip("0123456789") for each in listed[-len(headings) :]], "their pages stand behind them"
    assert headings[0] == "Summary"


def test_each_passage_has_one_real_footnote_with_quote_check_link_and_identifier(word: bytes) -> None:
    parts = reading.parts_of(word)
    notes = etree.fromstring(parts["word/footnotes.xml"])
    words = ["".join(each.itertext()) for each in notes if each.get(qn("w:type")) is None]
    assert len(words) == len(papers.IDS)
    assert all(any(identifier in each for each in words) for identifier in papers.IDS)
    assert any(
        "[1] annual-report-2023.pdf" in each and papers.QUOTES[0] in each and "Verified" in each for each in words
    )
    assert b"https://desk.example/library/documents/1#" in parts["word/_rels/footnotes.xml.rels"]


def test_what_is_cited_again_refers_to_the_first_footnote(word: bytes) -> None:
    document = reading.parts_of(word)["word/document.xml"].decode()
    name = bookmark_of(papers.IDS[0])
    assert document.count(f'w:name="{name}"') == 1
    assert document.count(f"NOTEREF {name} ") >= 2


def test_every_style_link_and_bookmark_that_is_named_exists(word: bytes) -> None:
    parts = reading.parts_of(word)
    styles = {each.get(qn("w:styleId")) for each in etree.fromstring(parts["word/styles.xml"]).iter(qn("w:style"))}
    for name in ("word/document.xml", "word/footnotes.xml"):
        root = etree.fromstring(parts[name])
        used = {each.get(qn("w:val")) for tag in ("w:pStyle", "w:rStyle", "w:tblStyle") for each in root.iter(qn(tag))}
        assert used <= styles
    body = etree.fromstring(parts["word/document.xml"])
    bookmarks = [each.get(qn("w:name")) for each in body.iter(qn("w:bookmarkStart"))]
    anchors = {
        each.get(qn("w:anchor"))
        for part in ("word/document.xml", "word/footnotes.xml")
        for each in etree.fromstring(parts[part]).iter(qn("w:hyperlink"))
    } - {None}
    assert len(bookmarks) == len(set(bookmarks))
    assert anchors <= set(bookmarks)


def test_properties_stand_in_the_order_of_the_schema(word: bytes) -> None:
    parts = reading.parts_of(word)
    for name in ("word/document.xml", "word/styles.xml", "word/footnotes.xml", "word/header1.xml"):
        for properties in etree.fromstring(parts[name]).iter(qn("w:pPr")):
            tags = [etree.QName(each).localname for each in properties]
            known = [_PROPERTIES.index(each) for each in tags if each in _PROPERTIES]
            assert known == sorted(known), (name, tags)


def test_properties_carry_the_identifiers_and_the_passport_all_citations(word: bytes) -> None:
    parts = reading.parts_of(word)
    assert all(identifier in parts["docProps/custom.xml"].decode() for identifier in papers.IDS)
    assert all(identifier in parts["customXml/item7.xml"].decode() for identifier in papers.IDS)


def test_pictures_have_words_and_tables_a_head_that_repeats(word: bytes) -> None:
    body = etree.fromstring(reading.parts_of(word)["word/document.xml"])
    described = [each.get("descr") for each in body.iter() if etree.QName(each).localname == "docPr"]
    assert len(described) == 2
    assert all(described)
    assert len(list(body.iter(qn("w:tblHeader")))) == 1


def test_every_slide_has_a_title_and_notes_and_every_passage_is_in_some_notes(slides: Any) -> None:
    notes = "\n".join(slide.notes_slide.notes_text_frame.text for slide in slides.slides)
    assert all(slide.shapes.title is not None and slide.shapes.title.text_frame.text for slide in slides.slides)
    for cited in papers.CITED:
        assert cited.identifier in notes
        assert cited.quote in notes


def test_charts_can_be_edited_and_show_the_figures_of_the_brief(slides: Any) -> None:
    charts = [shape.chart for slide in slides.slides for shape in slide.shapes if shape.has_chart]
    values = [tuple(chart.plots[0].series[0].values) for chart in charts]
    assert values[0] == (1240, 2110, 3980, 6020, 8450)
    assert values[1] == (37, 61, 96, 118), "bars are drawn from below"


def test_nothing_on_a_slide_stands_outside_of_it(slides: Any) -> None:
    for slide in slides.slides:
        for shape in slide.shapes:
            assert shape.left >= 0
            assert shape.left + shape.width <= slides.slide_width
            assert shape.top + shape.height <= slides.slide_height


def _words(element: Any) -> str:
    return "".join(each.text or "" for each in element.iter(qn("w:t")))
