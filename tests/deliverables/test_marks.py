"""What a mark says is true of the place where it stands, is found under its number, and is the same in every form."""

import io
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import docx
import pikepdf
import pptx
import pytest
from selectolax.lexbor import LexborHTMLParser
from tests.deliverables import papers, reading
from tests.deliverables.research import known_of, material, proven_paper, references, sources

from intelli.citations import prove
from intelli.citations.wire import Check
from intelli.deliverable_kinds import DeliverableKind
from intelli.deliverables import brief_proofs, gml, prose
from intelli.deliverables.brief import DataBrief, Mark, Point, Series
from intelli.deliverables.compile_brief import compile_brief
from intelli.deliverables.forms import FORMS, Edition, Options
from intelli.deliverables.forms.layout import lay_out, numbers_of
from intelli.deliverables.kinds import KINDS, compose, kind_of, sections
from intelli.deliverables.paper import Metrics, Paper, Paragraph, TextRun
from intelli.deliverables.recheck.report import recheck
from intelli.kit.ids import uuid7

DOUBT = "Value, name and period were compared with the quote. It does not have \u201cTrucks\u201d."
FIRST, SECOND = papers.IDS[:2]
PROOF = Options(edition=Edition.PROOF)


def marked(check: str, reason: str = "", identifier: str = FIRST) -> Mark:
    return Mark(id=str(uuid7()), identifier=identifier, check=check, reason=reason)  # type: ignore[arg-type]


def with_a_weak_card() -> tuple[DataBrief, Paper]:
    """A sentence that is verified, and a card on the same quote that is not."""
    card = papers.metric("Trucks delivered", "8,450", "8450", FIRST)
    paper = Paper(
        title="Trucks",
        blocks=(
            Paragraph(runs=(TextRun(text=papers.QUOTES[0], citations=(FIRST,)),)),
            Metrics(metrics=(card,)),
            Paragraph(runs=(TextRun(text=papers.QUOTES[1], citations=(SECOND,)),)),
            Paragraph(runs=(TextRun(text=papers.QUOTES[0], citations=(FIRST,)),)),
        ),
    )
    marks = (marked("verified"), marked("weak", DOUBT), marked("verified", identifier=SECOND), marked("verified"))
    return papers.brief().model_copy(update={"marks": marks}), paper


def test_a_card_that_is_not_proven_has_a_note_of_its_own_beside_that_of_its_sentence():
    sheet = lay_out(*with_a_weak_card())
    notes = [(note.number, note.cited.identifier, note.cited.check) for note in sheet.footnotes.values()]
    assert notes == [(1, FIRST, "verified"), (2, FIRST, "weak"), (3, SECOND, "verified")]
    (cards,) = [block for block in sheet.blocks if isinstance(block, Metrics)]
    assert [note.number for note in sheet.named([cards.metrics[0].citation])] == [2]


def test_a_paper_other_than_the_one_that_was_proven_has_what_is_known_of_its_quotes():
    brief, paper = with_a_weak_card()
    shorter = paper.model_copy(update={"blocks": paper.blocks[:2]})
    assert [note.cited.check for note in lay_out(brief, shorter).footnotes.values()] == ["verified"]


@pytest.mark.parametrize("name", ["md", "html", "site", "slides", "pptx", "docx", "pdf"])
def test_every_form_says_weak_of_the_card_and_why(name: str):
    words = " ".join(reading.words_of(name, FORMS[name].render(*with_a_weak_card(), PROOF)).split())
    assert "In other words: Value, name and period were compared with the quote." in words
    assert words.count("Verified") >= 2


def _spoken(lines: Iterable[str]) -> dict[int, str]:
    """The notes in what a speaker reads."""
    found = (re.match(r"(\d+)\. (\[\d+\].*)", line) for line in lines)
    return {int(match[1]): match[2] for match in found if match}


def notes_of(name: str, rendered: bytes) -> dict[int, str]:
    """The words of each note of a form by its number."""
    match name:
        case "md":
            lines = re.findall(r"^\[\^(\d+)\]: (.*)$", rendered.decode(), re.MULTILINE)
            return {int(number): words.replace("\\", "") for number, words in lines}
        case "slides":
            page = reading.parts_of(rendered, ".html")["index.html"]
            return _spoken(each.text() for each in LexborHTMLParser(page.decode()).css("aside.notes p.note"))
        case "html" | "site":
            page = rendered if name == "html" else reading.parts_of(rendered, ".html")["index.html"]
            items = LexborHTMLParser(page.decode()).css("ol.footnotes > li")
            return {int(str(each.attributes["value"])): each.text() for each in items}
        case "pptx":
            slides = pptx.Presentation(io.BytesIO(rendered)).slides
            return _spoken(line for slide in slides for line in slide.notes_slide.notes_text_frame.text.splitlines())
        case "docx":
            part = docx.Document(io.BytesIO(rendered)).part.package
            notes = next(each.blob for each in part.iter_parts() if each.partname.endswith("footnotes.xml"))
            return dict(enumerate(re.findall(r"\[\d+\].*", reading.office_words(notes).replace(" [", "\n [")), start=1))
        case _:
            with pikepdf.open(io.BytesIO(rendered)) as opened:
                table = json.loads(opened.attachments["citations.json"].get_file().read_bytes())
            return {each["number"]: f"[{each['source']}] {each['check']}" for each in table["citations"]}


@pytest.mark.parametrize("name", ["md", "html", "site", "slides", "pptx", "docx", "pdf"])
def test_every_note_that_a_mark_names_is_there_and_names_its_source(name: str):
    rendered = FORMS[name].render(papers.brief(), papers.paper(), PROOF)
    sheet = lay_out(papers.brief(), papers.paper())
    notes = notes_of(name, rendered)
    assert set(notes) == {note.number for note in sheet.footnotes.values()}
    for note in sheet.footnotes.values():
        assert f"[{note.cited.source}]" in notes[note.number]


@pytest.mark.parametrize("name", ["md", "html", "site", "slides", "pptx", "docx", "pdf"])
def test_the_list_of_sources_says_which_notes_rest_on_each(name: str):
    rendered = FORMS[name].render(papers.brief(), papers.paper(), PROOF)
    words = " ".join(reading.words_of(name, rendered).replace("\u200b", "").split())
    sheet = lay_out(papers.brief(), papers.paper())
    for source in sheet.brief.sources:
        numbers = re.sub(r"[,\u2013] ?", r"\\s*\g<0>\\s*", numbers_of(sheet.notes_of_source(source)))
        assert re.search(rf"\[{source.number}\] (?:(?!\[\d\]).)*Notes?\s+{numbers}(?!\d)", words), source.file_name


def test_no_slide_shows_the_number_of_a_note_as_that_of_a_source():
    rendered = FORMS["pptx"].render(papers.brief(), papers.paper(), PROOF)
    known = {f"[{source.number}]" for source in papers.brief().sources}
    for slide in pptx.Presentation(io.BytesIO(rendered)).slides:
        shown = " ".join(shape.text_frame.text for shape in slide.shapes if shape.has_text_frame)
        assert set(re.findall(r"\[\d+\]", shown)) <= known
        if not slide.shapes.title.text_frame.text.startswith(("Notes", "Sources")):
            assert re.findall(r"\[\d+\]", shown) == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_check_of_each_mark_is_the_one_that_is_kept_for_the_screen(kind: DeliverableKind):
    compiled = compile_brief(material())
    paper = compose(kind, compiled.brief)
    proven = proven_paper(paper, known_of(compiled))
    brief = brief_proofs.add_proofs(compiled.brief, proven.proofs, kept_as=uuid7())
    assert [mark.identifier for mark in brief.marks] == prose.citations(paper)
    sheet = lay_out(brief, gml.parse(gml.write(paper), language=paper.language))
    told = [name for block in sheet.blocks for name in prose.cited(block)]
    shown = [sheet.footnotes[name].cited.check for name in told]
    assert shown == [proof.outcome.check.value for proof in proven.proofs]


def test_a_card_says_what_was_compared_and_what_did_not_match():
    compiled = compile_brief(material())
    report = compose(kind_of("REPORT"), compiled.brief)
    revenue = next(each for each in compiled.brief.metrics if each.shown == "412.7 million euros")
    margin = next(each for each in compiled.brief.metrics if each.shown == "14.1%")
    cases = (
        (revenue.model_copy(update={"name": "Net revenue"}), "\u201cNet\u201d"),
        (margin, "\u201c13.5%\u201d, which could be meant"),
    )
    for metric, expected in cases:
        paper = report.model_copy(update={"blocks": (Metrics(metrics=(metric,)),)})
        (proof,) = proven_paper(paper, known_of(compiled)).proofs
        assert proof.outcome.check is Check.WEAK
        assert proof.outcome.reason.startswith("Value, name and period were compared with the quote.")
        assert expected in proof.outcome.reason


def figures_of_csv(title: str, *, shift: int = 0) -> list[tuple[Check, str]]:
    """What the check of a chart comes to that draws a column of a table, or the values of another one."""
    lines = [f"{year}\t{year - 1900}.5\t{year - 1800}" for year in range(2020, 2024)]
    text = "\n".join(("year\trevenue_m_eur\temployees", *lines))
    given = references({"figures.csv": text})["figures.csv"]
    starts = [text.index(line) for line in lines]
    spans = [given.span.part(at, at + len(line)) for at, line in zip(starts, lines, strict=True)]
    known = {span.identifier: replace(given, span=span) for span in spans}
    points = tuple(
        Point(label=line.split("\t")[0], value=Decimal(line.split("\t")[1 + shift]), citation=name)
        for line, name in zip(lines, known, strict=True)
    )
    block = sections.chart(Series(key="s", title=title, points=points))
    paper = Paper(title="T", blocks=(block,))
    hints = {name: [line] for name, line in zip(known, lines, strict=True)}
    proven = proven_paper(paper, prove.ProofMaterial(known, sources({"figures.csv": text}), hints))
    return [(proof.outcome.check, proof.outcome.reason) for proof in proven.proofs]


def test_a_chart_of_a_column_is_verified_where_each_value_stands_in_it():
    assert figures_of_csv("Revenue m eur") == [(Check.VERIFIED, "")] * 4


def test_a_chart_of_another_column_is_not():
    assert Check.VERIFIED not in {check for check, _ in figures_of_csv("Revenue m eur", shift=1)}
    assert Check.VERIFIED not in {check for check, _ in figures_of_csv("Operating profit")}


def test_a_word_report_is_taken_back_in_with_the_check_that_each_statement_had(tmp_path: Path):
    path = tmp_path / "report.docx"
    path.write_bytes(FORMS["docx"].render(*with_a_weak_card(), PROOF))
    checks = {each.text: each.check for each in recheck(path).sentences if each.identifiers}
    assert checks == {papers.QUOTES[0]: "verified", papers.QUOTES[1]: "verified", "8,450": "weak"}
