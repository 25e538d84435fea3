"""Every form of a report says the same: all of its words, all of its citations, the same bytes each time."""

import re
import time

import pytest
from tests.deliverables import papers, reading
from tests.support.soak import often

from intelli.deliverables.forms import FORMS, Edition, Options
from intelli.deliverables.forms.layout import flatten, lay_out
from intelli.deliverables.paper import (
    Bullets,
    Callout,
    Heading,
    Numbered,
    Paper,
    Paragraph,
    QuoteBlock,
    TableBlock,
    TextRun,
)
from intelli.language.quotes import skeleton

OPTIONS = Options(base_url="https://desk.example", edition=Edition.PROOF)
PROOF = Options(edition=Edition.PROOF)
# The sources alone, for programs that keep references.
LISTS = {"bib", "csl"}
_RENDERED: dict[str, bytes] = {}


def rendered(name: str) -> bytes:
    if name not in _RENDERED:
        _RENDERED[name] = FORMS[name].render(papers.brief(), papers.paper(), OPTIONS)
    return _RENDERED[name]


def said_by(paper: Paper) -> list[str]:
    """Every stretch of text that a reader of the paper reads."""
    found: list[str] = []
    for block in flatten(paper.blocks):
        match block:
            case Heading():
                found.append(block.text)
            case Paragraph() | QuoteBlock() | Callout():
                found += [run.text for run in block.runs]
            case Bullets() | Numbered():
                found += [run.text for item in block.items for run in item]
            case TableBlock():
                found += [*block.columns, *(run.text for row in block.rows for cell in row for run in cell)]
    return found


def test_there_is_a_form_for_each_promise() -> None:
    assert set(FORMS) == {"md", "html", "pdf", "docx", "pptx", "slides", "site", "bib", "csl", "gml"}
    assert all(name == form.name and "/" in form.media_type and form.extension for name, form in FORMS.items())


@pytest.mark.parametrize("name", sorted(FORMS))
def test_every_identifier_of_the_brief_is_in_the_form(name: str) -> None:
    carried = reading.carried_by(name, rendered(name))
    assert [each for each in papers.IDS if each not in carried] == []


@pytest.mark.parametrize("name", sorted(FORMS.keys() - {"gml"}))
def test_every_quote_and_every_source_is_in_the_form(name: str) -> None:
    carried = skeleton(reading.carried_by(name, rendered(name)))
    assert [quote for quote in papers.QUOTES if skeleton(quote) not in carried] == []
    assert [each for each in papers.SOURCES if skeleton(each) not in carried] == []


@pytest.mark.parametrize("name", sorted(FORMS.keys() - LISTS))
def test_no_text_of_the_paper_is_lost(name: str) -> None:
    words = skeleton(reading.words_of(name, rendered(name)))
    assert [said for said in said_by(papers.paper()) if skeleton(said) not in words] == []


@pytest.mark.parametrize("name", sorted(FORMS.keys() - LISTS - {"gml"}))
def test_every_figure_of_the_paper_is_written_as_the_source_writes_it(name: str) -> None:
    carried = reading.carried_by(name, rendered(name))
    assert [shown for shown in ("8,450", "71 %", "47 of 312", "about 500 km") if shown not in carried] == []


@pytest.mark.parametrize("name", sorted(FORMS))
def test_the_same_report_has_the_same_bytes(name: str) -> None:
    assert FORMS[name].render(papers.brief(), papers.paper(), OPTIONS) == rendered(name)


@pytest.mark.parametrize("name", sorted(FORMS))
def test_links_to_sources_are_there_only_when_it_is_known_where_they_lead(name: str) -> None:
    if name != "gml":
        assert "desk.example/library/documents/1" in reading.carried_by(name, rendered(name))
    unlinked = FORMS[name].render(papers.brief(), papers.paper(), Options())
    assert "desk.example" not in reading.carried_by(name, unlinked)


@pytest.mark.parametrize("name", sorted(FORMS))
def test_a_report_with_nothing_in_it_has_every_form(name: str) -> None:
    empty = papers.brief().model_copy(update={"sources": (), "citations": (), "title": "", "question": ""})
    assert FORMS[name].render(empty, Paper(title="", blocks=()), OPTIONS) or name in {"bib", "gml"}


@pytest.mark.parametrize("name", sorted(FORMS.keys() - {"gml"}))
def test_a_form_has_what_its_paper_cites_and_nothing_that_was_only_found(name: str) -> None:
    short = Paper(
        title="Short", blocks=(Paragraph(runs=(TextRun(text="One.", citations=(papers.IDS[0], "unknown.0-1")),)),)
    )
    carried = reading.carried_by(name, FORMS[name].render(papers.brief(), short, PROOF))
    # A site brings its brief with it, for who wants the data.
    assert [each for each in papers.IDS if each in carried] == list(papers.IDS if name == "site" else papers.IDS[:1])


def test_footnotes_are_numbered_in_the_order_of_reading() -> None:
    sheet = lay_out(papers.brief(), papers.paper())
    assert [note.number for note in sheet.footnotes.values()] == [1, 2, 3, 4, 5]
    assert list(sheet.footnotes)[:3] == list(papers.IDS[:3])
    marks = re.findall(r"\[\^(\d)\]", rendered("md").decode().partition("## Sources")[0])
    assert list(dict.fromkeys(marks)) == ["1", "2", "3", "4", "5"]


def test_headings_go_down_one_level_at_a_time_and_the_title_is_none_of_them() -> None:
    levels = [heading.level for heading in lay_out(papers.brief(), papers.paper()).headings]
    assert levels == [1, 1, 2, 1, 1]


@pytest.mark.parametrize("name", ["pdf", "docx", "pptx", "site"])
def test_a_long_report_takes_seconds(name: str) -> None:
    brief, paper = papers.long_paper(often(3, soaking=20))
    begun = time.process_time()
    assert FORMS[name].render(brief, paper, OPTIONS)
    assert time.process_time() - begun < 30
