"""The PDF is one that a screen reader, a search engine and an archive can use: tagged, titled, linked, bookmarked."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pikepdf
import pytest
from tests.deliverables import papers, reading

from intelli.deliverables.forms import FORMS, Edition, Options
from intelli.deliverables.paper import Heading, Paper, Paragraph, TextRun


@pytest.fixture(scope="module")
def pdf() -> Iterator[pikepdf.Pdf]:
    rendered = FORMS["pdf"].render(papers.brief(), papers.paper(), Options(base_url="https://desk.example"))
    with pikepdf.open(io.BytesIO(rendered)) as opened:
        yield opened


def kinds_in(element: Any) -> Iterator[str]:
    """The kind of every element of the structure, down from one."""
    if isinstance(element, pikepdf.Array):
        for each in element:
            yield from kinds_in(each)
    elif isinstance(element, pikepdf.Dictionary):
        if "/S" in element:
            yield str(element.S)
        yield from kinds_in(element.get("/K"))


def links_of(pdf: pikepdf.Pdf) -> Iterator[Any]:
    for page in pdf.pages:
        yield from (each for each in page.obj.get("/Annots", []) if each.get("/Subtype") == "/Link")


def test_it_is_tagged_and_says_its_title_and_language(pdf: pikepdf.Pdf) -> None:
    assert bool(pdf.Root.MarkInfo.Marked)
    assert str(pdf.Root.Lang) == "en"
    assert str(pdf.docinfo["/Title"]) == papers.paper().title
    assert bool(pdf.Root.ViewerPreferences.DisplayDocTitle)
    with pdf.open_metadata() as metadata:
        assert metadata.get("pdfuaid:part") == "1", "it promises universal access"


def test_its_structure_has_headings_tables_figures_notes_lists_and_contents(pdf: pikepdf.Pdf) -> None:
    kinds = set(kinds_in(pdf.Root.StructTreeRoot.K))
    assert {
        "/H1",
        "/H2",
        "/P",
        "/Table",
        "/TH",
        "/TD",
        "/Figure",
        "/Note",
        "/L",
        "/LI",
        "/TOC",
        "/TOCI",
        "/Link",
    } <= kinds


def test_every_link_leads_somewhere(pdf: pikepdf.Pdf) -> None:
    links = list(links_of(pdf))
    pages = {page.obj.objgen for page in pdf.pages}
    named = pdf.Root.get("/Names", {}).get("/Dests")
    known = {str(name) for name, _ in pikepdf.NameTree(named).items()} if named is not None else set()
    assert len(links) > 20
    for link in links:
        address = link.get("/A", {}).get("/URI")
        target = link.get("/Dest", link.get("/A", {}).get("/D"))
        if address is not None:
            assert str(address).startswith("https://")
        elif isinstance(target, pikepdf.Array):
            assert target[0].objgen in pages
        else:
            assert str(target) in known


def test_it_has_a_bookmark_for_each_heading(pdf: pikepdf.Pdf) -> None:
    with pdf.open_outline() as outline:
        titles = [each.title for item in outline.root for each in (item, *item.children)]
    assert titles == [
        *("Summary", "How far the fleet has been electrified", "Range", "What charging rests on"),
        *("Open questions", "Sources"),
    ]


def test_pictures_have_words(pdf: pikepdf.Pdf) -> None:
    def figures(element: Any) -> Iterator[Any]:
        if isinstance(element, pikepdf.Array):
            for each in element:
                yield from figures(each)
        elif isinstance(element, pikepdf.Dictionary):
            if element.get("/S") == "/Figure":
                yield element
            yield from figures(element.get("/K"))

    words = [str(each.get("/Alt", "")) for each in figures(pdf.Root.StructTreeRoot.K)]
    assert len(words) == 2
    assert all("Electric trucks" in each or "Depots" in each for each in words)


def test_it_carries_its_citations_for_programs(pdf: pikepdf.Pdf) -> None:
    table = json.loads(pdf.attachments["citations.json"].get_file().read_bytes())
    assert [each["identifier"] for each in table["citations"]] == [papers.IDS[at] for at in (0, 1, 2, 4, 3)]
    assert {each["check"] for each in table["citations"]} == {"verified", "weak", "failed"}


def test_headings_that_skip_levels_and_other_scripts_are_set() -> None:
    strange = "\u0627\u0644\u0639\u0631\u0628\u064a\u0629 \u65e5\u672c\u8a9e \U0001f9ea \ue123"
    blocks = (Heading(level=4, text=strange, id="a"), Paragraph(runs=(TextRun(text=strange),)))
    rendered = FORMS["pdf"].render(papers.brief(), Paper(title=strange, blocks=blocks, language="ar"), Options())
    with pikepdf.open(io.BytesIO(rendered)) as opened:
        assert "/StructTreeRoot" in opened.Root


def test_a_report_in_another_language_speaks_it_throughout() -> None:
    german = papers.paper().model_copy(update={"language": "de"})
    for name in ("pdf", "docx", "html", "site", "md"):
        words = reading.words_of(name, FORMS[name].render(papers.brief(), german, Options(edition=Edition.PROOF)))
        assert all(each in words for each in ("Quellen", "Abbildung", "Tabelle", "Geprüft")), name
