"""Text from documents is a stranger's: in no form does it run, become markup, break the file or get lost."""

import io
import re
import unicodedata
import zipfile
from decimal import Decimal
from functools import cache

import docx
import pptx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from openpyxl import load_workbook
from selectolax.lexbor import LexborHTMLParser
from tests.deliverables import papers, reading
from tests.support.soak import often

from intelli.deliverables.brief import Cited, DataBrief, Point, Series
from intelli.deliverables.forms import FORMS, Options, clean
from intelli.deliverables.paper import (
    Block,
    Bullets,
    Callout,
    Heading,
    Metrics,
    Paper,
    Paragraph,
    QuoteBlock,
    Row,
    TableBlock,
    TextRun,
)
from intelli.language.quotes import skeleton

ATTACKS = (
    '#read("/etc/passwd") #import "@preview/x:1.0.0": *',
    "*bold* _it_ $x^2$ @label <label> `raw` = Heading // comment /* */",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)> \' onmouseover=alert(1) x="',
    "]]> &lt;b&gt; &amp; <!-- x --> <?xml ?>",
    '=HYPERLINK("http://evil.example","x")',
    "=cmd|' /C calc'!A0",
    "javascript:alert(1)",
    "[link](javascript:alert(1)) ![x](http://evil.example/x.png) <http://evil.example>",
    "# not a heading",
    "1. not a list\n- nor this\n> nor that\n\n    nor code\n```\nnor this",
    "| a | b |\n|---|---|",
    "\\end{document} \\input{/etc/passwd} {}%$&#_~^",
    "[^1]: not a footnote",
    "tab\there\x00\x01\x0b\x0c\x1f\x7f\x85\ufffe\uffff\u202eevil\u202c",
    "w" * 600,
    "\u0627\u0644\u0639\u0631\u0628\u064a\u0629 \u65e5\u672c\u8a9e \U0001f600 \u0e44\u0e17\u0e22 a\u0301\u0302\u0303",
    "../../../etc/passwd",
)
_RUNNING = {"script", "img", "iframe", "object", "embed", "form", "input", "video", "audio", "base", "style"}
_OURS = {"site": {"script", "input"}, "slides": {"script"}, "html": {"style"}, "md": set()}


def report(*texts: str) -> tuple[DataBrief, Paper]:
    """A report in which each text stands wherever one can; the first is its title, too."""
    citations, blocks = list[Cited](), list[Block]()
    for number, text in enumerate(texts):
        made = papers.cited(number, "quote", of=1, check="failed")
        citations.append(made.model_copy(update={"quote": text, "section": text, "reason": text}))
        blocks += stands_in(text, made.identifier)
        # Drawing takes the most time: a few texts, and those that a workbook would compute.
        if number % 8 == 0 or text.startswith("="):
            blocks.append(drawn(text, made.identifier))
    title = texts[0]
    source = papers.source(1, "a.pdf").model_copy(update={"file_name": title, "mime_type": title, "url": title})
    brief = papers.brief().model_copy(
        update={
            "title": title,
            "question": title,
            "workspace": title,
            "citations": tuple(citations),
            "sources": (source,),
        }
    )
    return brief, Paper(title=title, blocks=tuple(blocks), language='en" onload="x')


def stands_in(text: str, identifier: str) -> list[Block]:
    runs = (TextRun(text=text, citations=(identifier,), href=text), TextRun(text=text, bold=True, italic=True))
    return [
        Heading(level=4, text=text, id='x" onclick="alert(1)'),
        Paragraph(runs=runs),
        QuoteBlock(runs=runs),
        Callout(title=text, runs=runs),
        Bullets(items=(runs,)),
        Metrics(metrics=(papers.metric(text, text, "1", identifier, period=text),)),
        Row(primary=(Paragraph(runs=runs),), sidebar=(Paragraph(runs=runs),)),
        TableBlock(caption=text, columns=(text, text), rows=((runs, ()),)),
    ]


def drawn(text: str, identifier: str) -> Block:
    points = tuple(Point(label=f"{text}{at}", value=Decimal(at), citation=identifier) for at in range(3))
    series = Series(key="k", title=text, unit=text, points=points)
    return papers.chart(series, identifier).model_copy(update={"caption": text, "alt": text})


@cache
def rendered(name: str, texts: tuple[str, ...] = ATTACKS) -> bytes:
    brief, paper = report(*texts)
    return FORMS[name].render(brief, paper, Options(base_url="https://desk.example"))


@pytest.mark.parametrize("name", ["html", "site", "slides", "md"])
def test_nothing_in_a_page_comes_from_a_text(name: str) -> None:
    content = rendered(name)
    if name in {"site", "slides"}:
        content = reading.parts_of(content, ".html")["index.html"]
    page = content.decode()
    if name == "md":
        page = MarkdownIt("commonmark", {"html": True}).enable("table").render(page)
    for node in LexborHTMLParser(page).css("*"):
        assert node.tag not in _RUNNING - _OURS[name] or (node.tag == "input" and node.attributes.get("id") == "search")
        attributes = {key: value or "" for key, value in node.attributes.items()}
        assert not any(key.startswith("on") for key in attributes), attributes
        links = [attributes[key] for key in ("href", "src") if key in attributes]
        assert all(re.match(r"https?://|#|assets/|style\.css|site\.js|mailto:", each) for each in links), links


@pytest.mark.parametrize("name", sorted(FORMS.keys() - {"bib", "csl", "gml"}))
def test_every_text_is_shown_as_it_is(name: str) -> None:
    words = skeleton(reading.words_of(name, rendered(name)))
    # The order in which a PDF gives back other scripts is not the order of reading.
    shown = [each for each in ATTACKS if name != "pdf" or clean.clean_text(each).isascii()]
    assert [each for each in shown if skeleton(clean.clean_text(each)) not in words] == []


@pytest.mark.parametrize("name", ["bib", "csl", "gml"])
def test_lists_of_sources_take_every_text(name: str) -> None:
    assert rendered(name)


def test_a_workbook_behind_a_chart_has_no_formula_and_no_link() -> None:
    parts = reading.parts_of(rendered("pptx"), ".xlsx")
    assert len(parts) >= 4
    for content in parts.values():
        sheet = load_workbook(io.BytesIO(content)).active
        cells = [cell for row in sheet.iter_rows() for cell in row]
        assert all(cell.data_type != "f" and cell.hyperlink is None for cell in cells)


def test_office_files_open_again() -> None:
    assert docx.Document(io.BytesIO(rendered("docx"))).paragraphs
    slides = pptx.Presentation(io.BytesIO(rendered("pptx"))).slides
    assert len(slides) > 1
    assert all(any(shape.has_text_frame for shape in slide.shapes) for slide in slides)


@settings(max_examples=often(2, soaking=200), deadline=None, suppress_health_check=list(HealthCheck))
@given(texts=st.lists(st.text(min_size=1, max_size=60), min_size=3, max_size=3))
def test_any_text_can_stand_anywhere_and_nothing_of_it_is_lost(texts: list[str]) -> None:
    brief, paper = report(*texts)
    for name in ("md", "html", "docx", "site", "slides", "pptx"):
        words = skeleton(reading.words_of(name, FORMS[name].render(brief, paper, Options())))
        assert [each for each in texts if skeleton(clean.clean_text(each)) not in words] == [], name
    for name in ("pdf", "bib", "csl", "gml"):
        assert FORMS[name].render(brief, paper, Options())


def test_clean_text_keeps_every_letter_and_sign() -> None:
    every = "".join(map(chr, range(0x20, 0xD800)))
    kept = clean.clean_text(every)
    dropped = {unicodedata.category(each) for each in every if each not in kept}
    assert dropped <= {"Cc", "Cf", "Zl", "Zp"}


@pytest.mark.parametrize("name", ["docx", "pptx", "html", "md"])
def test_a_report_leads_to_its_sources_and_nowhere_else(name: str):
    stranger, known = "https://evil.example/x", "https://example.org/study"
    sources = tuple(each.model_copy(update={"url": known}) for each in papers.brief().sources)
    brief = papers.brief().model_copy(update={"sources": sources})
    runs = (TextRun(text="here", href=stranger), TextRun(text=" and "), TextRun(text="there", href=known))
    made = FORMS[name].render(brief, Paper(title="R", blocks=(Paragraph(runs=runs),)), Options())
    linked = _targets(name, made)
    assert any(target.startswith(known) for target in linked)
    assert not any("evil.example" in target for target in linked)


def _targets(name: str, made: bytes) -> set[str]:
    """Where a file leads."""
    if name in {"docx", "pptx"}:
        with zipfile.ZipFile(io.BytesIO(made)) as packed:
            parts = b"".join(packed.read(part) for part in packed.namelist() if part.endswith(".rels")).decode()
        return set(re.findall(r'Target="([^"]*)"[^>]*TargetMode="External"', parts))
    page = made.decode() if name == "html" else MarkdownIt("commonmark", {"html": True}).render(made.decode())
    return set(re.findall(r'(?:href|src)="([^"]*)"', page))
