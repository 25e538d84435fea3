"""What a reader sees of a chart in Markdown, how columns are called, and by which names forms are asked for."""

import json
import re
from pathlib import Path

import pytest
from tests.deliverables import papers
from tests.deliverables.research import QUESTION, material, references

from intelli.cli import deliverables
from intelli.deliverables.column_names import readable
from intelli.deliverables.compile_brief import compile_brief
from intelli.deliverables.forms import FORMS, Options
from intelli.deliverables.kinds import KINDS, compose
from intelli.kit.errors import Invalid
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.tabulate import TabulateInput
from intelli.reasoning.without_model import tables

ROOT = Path(__file__).parents[2]
CSV = "year,revenue_m_eur,cargo_handled_mt\n2022,147.6,34.1\n2023,151.2,33.7\n2024,162.9,36.8\n"


def test_a_chart_in_markdown_is_a_table_of_its_values_under_their_unit():
    written = FORMS["md"].render(papers.brief(), papers.paper(), Options()).decode()
    table = written.partition("Electric trucks delivered")[2].partition("\n\n")[2].partition("\n\n")[0]
    assert table.splitlines()[:3] == ["|  | Vehicles a year |", "| --- | ---: |", "| 2019 | 1,240 |"]


def test_words_stand_to_the_left_and_figures_to_the_right_in_markdown():
    written = FORMS["md"].render(papers.brief(), papers.paper(), Options()).decode()
    assert "| Region | Depots | Need a connection |\n| --- | ---: | ---: |" in written


@pytest.mark.parametrize(
    ("kept", "read"),
    [
        ("revenue_m_eur", "Revenue m eur"),
        ("Umsatz_Mio_EUR", "Umsatz Mio EUR"),
        ("Operating profit", "Operating profit"),
        ("year", "Year"),
        ("kg", "kg"),
        ("port_figures.csv", "port_figures.csv"),
        ("_", "_"),
        ("", ""),
    ],
)
def test_a_column_is_called_as_people_say_it(kept: str, read: str):
    assert readable(kept) == read


def test_no_kind_shows_the_name_of_a_column_as_it_is_kept():
    reference = references({"figures.csv": CSV})["figures.csv"]
    asked = TabulateInput(
        question=QUESTION,
        findings=material().brief.findings,
        passages=(SourceText(identifier=reference.identifier, title="figures.csv", text=CSV.replace(",", "\t")),),
    )
    data = tables.tabulate(asked)
    series = data.series or data.tables
    assert series, "the reasoner reads a table"
    given = material()
    known = {**given.passages, reference.identifier: reference}
    brief = compile_brief(type(given)(given.brief, given.answer, data, known, given.made_on)).brief
    shown = json.dumps([compose(kind, brief).model_dump(mode="json") for kind in KINDS])
    assert not re.search(r"revenue_m_eur|cargo_handled_mt", shown)


def test_the_guide_names_no_format_that_there_is_not():
    guide = (ROOT / "docs/how-to/deliverables.md").read_text()
    assert set(re.findall(r"^\| `(\w+)` \|", guide, re.MULTILINE)) <= set(FORMS)


def test_the_end_of_a_file_name_says_one_form_at_most():
    endings = [form.extension for form in FORMS.values() if form.extension != "zip"]
    assert len(endings) == len(set(endings))


def test_every_form_suits_a_kind_and_every_form_of_a_kind_is_there():
    assert {form.kind for form in FORMS.values()} <= {kind.name for kind in KINDS}
    assert {name for kind in KINDS for name in kind.forms} <= set(FORMS)


def test_a_format_that_there_is_not_is_refused_with_the_list(tmp_path: Path):
    for output, form in ((tmp_path / "x.pdf", "word"), (tmp_path / "x.rtf", None)):
        with pytest.raises(Invalid, match="pdf, docx, pptx, html, site, slides, md, gml, bib, csl"):
            deliverables.parse_options(output, None, form)


@pytest.mark.parametrize(
    ("name", "form", "made"),
    [
        ("x.pdf", None, ("DOCUMENT", "pdf")),
        ("x.csl.json", None, ("REPORT", "csl")),
        ("x.zip", "site", ("WEBSITE", "site")),
        ("x.zip", "slides", ("SLIDES", "slides")),
        ("x.zip", None, (None, None)),
        ("x.md", None, (None, None)),
        ("x.md", "md", ("REPORT", "md")),
    ],
)
def test_a_file_name_or_a_format_says_what_is_made(
    tmp_path: Path, name: str, form: str | None, made: tuple[str | None, str | None]
):
    asked = deliverables.parse_options(tmp_path / name, None, form)
    assert (asked.kind, asked.form) == made
