"""A table is whole, or says how much of it is shown; on slides it goes on; only data that was asked for is shown."""

import zipfile
from io import BytesIO

import pytest
from pptx import Presentation
from tests.deliverables import research

from intelli.content import passage as content
from intelli.content.span import Span
from intelli.deliverable_kinds import DeliverableKind
from intelli.deliverables import prose
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.compile_brief import BriefMaterial, compile_brief
from intelli.deliverables.forms import FORMS, Options
from intelli.deliverables.kinds import KINDS, compose, kind_of
from intelli.reasoning.extractive import data_tables
from intelli.reasoning.values import QuotedFinding, SourceText
from intelli.reasoning.verbs.tabulate import DataTables, RowDraft, TableDraft, TabulatedDraft, TabulateInput, check
from intelli.reasoning.without_model import tables

QUARTERS = [f"{year}-Q{quarter}" for year in range(2021, 2025) for quarter in range(1, 5)]


def sheet(labels: list[str], header: str = "Quarter\tRevenue (EUR million)\tOperating cost (EUR million)") -> str:
    rows = [f"{label}\t{38 + number}.2\t{21 + number}.4" for number, label in enumerate(labels)]
    return "\n".join([header, *rows])


def tabulate(question: str, text: str, *told: QuotedFinding, section: str | None = None) -> DataTables:
    passage = SourceText(identifier="b.0-9", title="quarters.csv", text=text, section=section)
    return tables.tabulate(TabulateInput(question=question, findings=told, passages=(passage,)))


def brief_with(text: str, data: DataTables) -> DataBrief:
    """The brief of the small research with another document's data."""
    span = Span("ab" * 32, 0, len(text))
    reference = content.Passage(span, text, "quarters.csv", "/quarters.csv", "text/csv", score=0.5)
    known = research.material()
    return compile_brief(
        BriefMaterial(known.brief, known.answer, data, {**known.passages, "b.0-9": reference}, known.made_on)
    ).brief


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_row_of_a_table_is_told_in_every_kind(kind: DeliverableKind) -> None:
    text = sheet(QUARTERS)
    paper = compose(kind, brief_with(text, tabulate("How did revenue develop?", text)))
    told = [line for block in paper.blocks for line in prose.words(block).split("\n")]
    assert [line.split("\t")[0] for line in told if "\t" in line and line[:2] == "20"] == QUARTERS


@pytest.mark.parametrize("form", ["pptx", "slides"])
def test_of_a_long_table_a_slide_shows_the_first_rows_and_its_notes_have_all(form: str) -> None:
    text = sheet(QUARTERS)
    brief = brief_with(text, tabulate("How did revenue develop?", text))
    made = FORMS[form].render(brief, compose(kind_of("SLIDES"), brief), Options())
    if form == "slides":
        with zipfile.ZipFile(BytesIO(made)) as archive:
            page = archive.read("index.html").decode()
        assert all(f"{quarter} | " in page for quarter in QUARTERS)
        return
    slides = list(Presentation(BytesIO(made)).slides)
    shapes = [shape for slide in slides for shape in slide.shapes if shape.has_table]
    rows = [[row.cells[0].text for row in list(shape.table.rows)[1:]] for shape in shapes]
    (shown,) = [each for each in rows if each[0] in QUARTERS]
    assert shown == QUARTERS[: len(shown)]
    assert 2 <= len(shown) < len(QUARTERS)
    spoken = "\n".join(slide.notes_slide.notes_text_frame.text for slide in slides)
    assert all(f"{quarter} | " in spoken for quarter in QUARTERS)


def test_of_a_very_long_table_the_newest_rows_are_shown_and_that_is_told() -> None:
    years = [str(1960 + number) for number in range(64)]
    (table,) = tabulate("How did revenue develop?", sheet(years, "Year\tRevenue\tCost"), section="Accounts").tables
    assert [row.cells[0] for row in table.rows] == years[-data_tables.MOST_ROWS :]
    assert table.title == "Accounts (the newest 40 of 64 rows; the source has the others)"


def test_of_a_very_long_table_of_things_those_asked_for_are_shown_and_that_is_told() -> None:
    towns = [f"Town {chr(97 + number % 26)}{number}" for number in range(60)] + ["Bern"]
    (table,) = tabulate("Welche Einnahmen hatte Bern?", sheet(towns, "Ort\tEinnahmen\tAusgaben")).tables
    assert table.rows[-1].cells[0] == "Bern"
    assert table.title.endswith("(40 von 61 Zeilen; die übrigen stehen in der Quelle)")


def test_a_table_that_goes_on_in_another_passage_says_so() -> None:
    text, rest = sheet(QUARTERS), "2025-Q1\t70.1\t39.0\n2025-Q2\t71.0\t39.4"
    passages = (
        SourceText(identifier="b.0-400", title="q.csv", text=text, section="Accounts"),
        SourceText(identifier="b.400-440", title="q.csv", text=rest),
    )
    asked = TabulateInput(question="How did revenue develop?", findings=(), passages=passages)
    (table,) = tables.tabulate(asked).tables
    assert table.title == "Accounts (the first 16 rows; the source has more)"


def test_a_row_that_does_not_fit_its_table_is_counted_as_left_out() -> None:
    text = sheet(QUARTERS[:5]) + "\n2022-Q2\t99.1\t3\t4\n" + "2022-Q3\t45.0\t28.0"
    (table,) = tabulate("How did revenue develop?", text, section="Accounts").tables
    assert table.title == "Accounts (6 of 7 rows; the source has the others)"


def test_a_table_is_called_by_its_section_with_a_model_and_without_and_is_whole_with_both() -> None:
    text = (
        "Turnover among technicians reached 14.2% in 2024. The risk is rated medium.\n\n"
        "| Risk | Likelihood |\n|---|---|\n| Supplier failure | 20% |\n| Cyber intrusion | 35% |\n| Shortage | 50% |\n"
    )
    passage = SourceText(identifier="b.0-9", title="risks.md", text=text, section="Risk register \u203a Staff")
    asked = TabulateInput(question="Which risk is there?", findings=(), passages=(passage,))
    rows = [
        RowDraft(cells=["Supplier failure", "20%"], quote="| Supplier failure | 20% |"),
        RowDraft(cells=["Shortage", "50%"], quote="| Shortage | 50% |"),
    ]
    draft = TableDraft(title="The risk is rated medium.", columns=["Risk", "Likelihood"], rows=rows, source="s1")
    written = check(TabulatedDraft(metrics=[], series=[], tables=[draft]), asked, {"s1": passage})
    assert written.tables == tables.tabulate(asked).tables
    assert written.tables[0].title == "Risk register \u203a Staff"
    assert len(written.tables[0].rows) == 3


def test_data_that_has_one_word_in_common_with_the_question_is_left_out() -> None:
    question = "What risks does the risk register name, and what did the cyber intrusion cost?"
    elsewhere = QuotedFinding(text="It cost 2.3.", identifier="a.0-12", quote="It cost 2.3.", relevance=0.9)
    found = tabulate(question, sheet(QUARTERS), elsewhere)
    assert (found.tables, found.series) == ((), ())


@pytest.mark.parametrize(
    "question",
    ["How did revenue develop?", "What was the operating cost in 2024?", "What did operations cost in each quarter?"],
)
def test_data_that_names_what_is_asked_for_is_shown(question: str) -> None:
    found = tabulate(question, sheet(QUARTERS))
    assert len(found.tables) == 1
    assert len(found.series) == 1


def test_data_of_a_document_that_a_finding_is_from_is_shown() -> None:
    told = QuotedFinding(text="x", identifier="b.20-30", quote="x", relevance=0.9)
    assert tabulate("What did the cyber intrusion cost?", sheet(QUARTERS), told).tables


def test_only_the_columns_that_are_asked_for_are_drawn() -> None:
    (series,) = tabulate("How did revenue develop?", sheet(QUARTERS)).series
    assert series.title == "Revenue (EUR million)"
    assert [point.label for point in series.points] == QUARTERS


def test_a_series_that_is_too_long_ends_with_the_newest_value() -> None:
    years = [str(1960 + number) for number in range(64)]
    (series,) = tabulate("How did revenue develop?", sheet(years, "Year\tRevenue\tCost")).series
    assert series.points[-1].label == "2023"
