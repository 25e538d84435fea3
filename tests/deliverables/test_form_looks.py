"""What a reader would stumble over: another language, an axis that does not begin at zero, a page in the dark."""

import io
from decimal import Decimal
from pathlib import Path

import pptx
import pytest
from playwright.async_api import async_playwright
from selectolax.lexbor import LexborHTMLParser
from tests.browser import axe
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.deliverables import papers, reading
from tests.deliverables.test_forms_web import put
from tests.deliverables.test_marks import DOUBT, with_a_weak_card

from intelli.citations.parse import tag
from intelli.citations.statements import statements_of
from intelli.deliverables import charts, prose
from intelli.deliverables.brief import Point, Series
from intelli.deliverables.column_names import named
from intelli.deliverables.forms import FORMS, Options
from intelli.deliverables.forms.layout import file_kind, lay_out
from intelli.deliverables.forms.phrases import list_verdicts, phrases
from intelli.deliverables.kinds import sections
from intelli.deliverables.paper import Heading, Metrics, Paper, Paragraph, TableBlock, TextRun


def test_a_german_report_speaks_german_of_its_checks_its_date_and_its_figures():
    brief, paper = with_a_weak_card()
    sheet = lay_out(brief, paper.model_copy(update={"language": "de"}))
    assert sheet.made == "Freight desk \u00b7 16. November 2026"
    weak = next(note for note in sheet.footnotes.values() if note.cited.check == "weak")
    assert weak.cited.reason == DOUBT
    compared = "Wert, Name und Zeitraum wurden mit dem Zitat verglichen."
    assert weak.verdict == f"Mit anderen Worten: {compared} Es enth\u00e4lt \u201cTrucks\u201d nicht."
    assert charts.format_value(Decimal("12345.60"), "de") == "12\u202f345,60"
    chart = sections.chart(papers.DELIVERIES.model_copy(update={"unit": "Fahrzeuge"}), "de")
    assert "2019: 1\u202f240" in chart.alt


def test_verdicts_are_those_of_every_reader_and_old_words_are_still_known():
    english = [phrases("en").verdict(check) for check in ("verified", "weak", "failed", "unchecked")]
    assert english == ["Verified", "In other words", "Not supported", "Unchecked"]
    assert {*english, "Weak", "Not verified", "Mit anderen Worten", "Schwach belegt"} <= set(list_verdicts())


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "pt", "nl", "ru", "zh", "ar"])
def test_every_language_has_its_dates(language: str):
    day = phrases(language).day(papers.brief().made_on)
    assert "2026" in day
    assert "16" in day
    assert (day == "16 November 2026") == (language == "en")


def test_the_columns_of_a_chart_begin_at_zero_in_powerpoint_too():
    points = tuple(Point(label=str(year), value=Decimal(value), citation=papers.IDS[0]) for year, value in YEARS)
    block = sections.chart(Series(key="k", title="Bulk terminal", points=points))
    rendered = FORMS["pptx"].render(papers.brief(), Paper(title="T", blocks=(block,)), Options())
    slides = pptx.Presentation(io.BytesIO(rendered)).slides
    (chart,) = [shape.chart for slide in slides for shape in slide.shapes if shape.has_chart]
    assert chart.value_axis.minimum_scale == 0


YEARS = ((2022, 228), (2023, 219), (2024, 231))


def test_of_many_periods_a_phone_names_some():
    points = tuple(Point(label=str(year), value=Decimal(year), citation=papers.IDS[0]) for year in range(2000, 2020))
    spec = charts.narrow(charts.build_spec(Series(key="k", title="T", points=points)))
    assert spec["encoding"]["x"]["axis"]["values"] == ["2000", "2004", "2008", "2012", "2016"]
    assert charts.find_plotted(spec) == charts.find_plotted(
        charts.build_spec(Series(key="k", title="T", points=points))
    )
    assert charts.narrow(charts.build_spec(papers.DELIVERIES))["width"] < 390


def test_the_last_row_of_a_table_is_not_read_with_the_heading_after_it():
    row = ((TextRun(text="2024"),), (TextRun(text="93,7", citations=(papers.IDS[0],)),))
    paper = Paper(
        title="T",
        blocks=(
            TableBlock(columns=("", ""), rows=(row,)),
            Heading(level=2, text="Was die Quellen offen lassen", id="x"),
        ),
    )
    (statement,) = statements_of(prose.of(paper))
    assert statement.text == "2024 93,7"
    assert tag(papers.IDS[0]) in prose.of(paper)


def test_a_table_that_is_called_by_its_columns_is_called_as_its_file_is():
    brief = papers.brief()
    cell = {"text": "1", "citation": papers.IDS[0]}
    table = {
        "key": "k",
        "title": "year, revenue_m_eur",
        "columns": ["year", "revenue_m_eur"],
        "rows": [[{"text": "a"}, cell]],
    }
    whole = named(type(brief).model_validate({**brief.model_dump(), "tables": [table]}))
    assert whole.tables[0].title == "annual-report-2023"
    assert whole.tables[0].columns == ("Year", "Revenue m eur")


def test_what_every_label_of_a_chart_says_is_its_unit():
    labels = ("Revenue 2022 (EUR million)", "Revenue 2023 (EUR million)", "Revenue 2024 (EUR million)")
    points = tuple(Point(label=label, value=Decimal(1), citation=papers.IDS[0]) for label in labels)
    given = papers.brief().model_copy(update={"series": (Series(key="k", title="Sensors", points=points),)})
    (series,) = named(given).series
    assert (series.title, series.unit) == ("Sensors: Revenue", "EUR million")
    assert [point.label for point in series.points] == ["2022", "2023", "2024"]
    assert sections.chart(series).caption == "Sensors: Revenue, 2022\u20132024 (EUR million)"


def test_labels_that_differ_in_what_they_measure_stay_as_they_are():
    labels = ("Revenue (EUR million)", "Staff (persons)")
    points = tuple(Point(label=label, value=Decimal(1), citation=papers.IDS[0]) for label in labels)
    given = Series(key="k", title="Sensors", points=points)
    assert named(papers.brief().model_copy(update={"series": (given,)})).series == (given,)


def test_the_row_of_a_table_says_what_the_head_above_it_measures():
    points = tuple(Point(label=str(year), value=Decimal(1), citation=papers.IDS[0]) for year, _ in YEARS)
    rows = [[{"text": "Scope 1"}, *({"text": "1", "citation": papers.IDS[0]} for _ in YEARS)]]
    columns = ["Emissions (t CO2e)", *(str(year) for year, _ in YEARS)]
    table = {"key": "t", "title": "Statement", "columns": columns, "rows": rows}
    series = Series(key="k", title="Scope 1", points=points)
    brief = papers.brief()
    whole = type(brief).model_validate({**brief.model_dump(), "series": [series.model_dump()], "tables": [table]})
    assert named(whole).series[0].title == "Emissions (t CO2e): Scope 1"


def test_a_part_of_the_question_is_a_heading_and_the_whole_is_none():
    brief = papers.brief().model_copy(update={"question": "What did the audit find about suppliers and approvals?"})
    parts = ("What did the audit find about suppliers?", "What did the audit find about approvals?")
    assert [sections.title_of(each, brief, is_only=False) for each in parts] == [each.rstrip("?") for each in parts]
    assert sections.title_of(brief.question, brief, is_only=False) == "Findings"
    assert sections.title_of("What did the audit find about\u2026", brief, is_only=False) == "Findings"
    assert sections.title_of(parts[0], brief, is_only=True) == "Findings"


def test_a_source_is_called_as_people_call_such_files():
    source = papers.source(1, "a.docx").model_copy(update={"mime_type": "text/csv"})
    assert file_kind(source) == "CSV"
    assert file_kind(source.model_copy(update={"mime_type": "chemical/x-pdb"})) == "chemical/x-pdb"


@pytest.mark.browser
async def test_the_site_can_be_read_in_the_dark_and_on_a_phone(tmp_path: Path):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            page = await browser.new_page(color_scheme="dark", viewport={"width": 390, "height": 844})
            await page.goto(put(tmp_path, "site", papers.brief(), papers.paper()))
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            letters = (
                "[...document.querySelectorAll('.chart .narrow text')].map(each => each.getBoundingClientRect().height)"
            )
            assert min(await page.evaluate(letters)) > 9, "they can be read"
            assert await page.locator(".chart .wide:visible").count() == 0
            ground = page.locator(".chart .narrow svg > rect").first
            assert await ground.evaluate("each => getComputedStyle(each).fill") == "none", "no white box"
            ink = page.locator(".chart .narrow text").first
            assert await ink.evaluate("each => getComputedStyle(each).fill") == "rgb(162, 166, 173)"
            await page.locator("a.cite").first.click()
            assert await axe.findings(page) == []
        finally:
            await browser.close()


@pytest.mark.browser
async def test_a_mark_on_a_slide_leads_to_its_source(tmp_path: Path):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            page = await browser.new_page()
            await page.goto(put(tmp_path, "slides", papers.brief(), papers.paper()))
            await page.keyboard.press("ArrowRight")
            await page.locator("section.present a.cite").first.click()
            await page.wait_for_function(
                "document.querySelector('section.present h2')?.textContent.startsWith('Sources')"
            )
            assert "annual-report-2023" in await page.locator("section.present").inner_text()
        finally:
            await browser.close()


@pytest.mark.browser
async def test_slides_are_shown_in_a_narrow_frame_without_storage(tmp_path: Path):
    address = put(tmp_path, "slides", papers.brief(), papers.paper())
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            page = await browser.new_page(viewport={"width": 390, "height": 700})
            failures: list[str] = []
            page.on("pageerror", lambda error: failures.append(str(error)))
            # As in a frame without an origin.
            await page.add_init_script(
                "Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('no storage'); } })"
            )
            await page.goto(address)
            await page.locator("section.cover.present h1").wait_for()
            cover, title = page.locator("section.cover"), page.locator("section.cover h1")
            left, inner = await cover.bounding_box(), await title.bounding_box()
            assert left is not None
            assert inner is not None
            assert inner["x"] - left["x"] > 20, "the title keeps its margin"
            assert failures == []
        finally:
            await browser.close()


def test_the_number_of_a_note_does_not_run_into_the_figure_before_it():
    card = papers.metric("Trucks delivered", "8,450", "8450", papers.IDS[0])
    said = Paragraph(runs=(TextRun(text="Trucks delivered: 8,451", citations=(papers.IDS[0],)),))
    paper = Paper(title="Trucks", blocks=(Metrics(metrics=(card,)), said))
    made = {name: FORMS[name].render(papers.brief(), paper, Options()) for name in ("html", "docx", "pdf")}
    page = LexborHTMLParser(made["html"].decode()).css_first("dd").text()
    assert page == "8,450\u200a\u20601"
    assert "8,450\u200a" in reading.words_of("docx", made["docx"])
    copied = reading.words_of("pdf", made["pdf"])
    assert "8,451\u200a" in copied
