"""Tabulating: figures, series and tables as they stand, and nothing of a model's that does not stand."""

import pytest

from intelli.reasoning.extractive import measures
from intelli.reasoning.values import QuotedFinding, SourceText
from intelli.reasoning.verbs import tabulate
from intelli.reasoning.verbs.tabulate import (
    MeasureDraft,
    PointDraft,
    RowDraft,
    SeriesDraft,
    TableDraft,
    TabulatedDraft,
    TabulateInput,
)
from intelli.reasoning.without_model import tables

TABLE = "Sales (in thousands)\n\t2023\t2022\t2021\nBikes\t$\t5,234\t$\t4,600\t$\t4,100\nScooters\t734\t(21)\t310\n"
MARKDOWN = "| Region | Share |\n|---|---|\n| Europe | 42% |\n| Asia | 31% |\n| Total | 73% |\n| Americas | 27% |\n"


def _finding(text: str, relevance: float = 0.5) -> QuotedFinding:
    return QuotedFinding(text=text, identifier="f", quote=text, relevance=relevance)


def _measures(*texts: str) -> list[tuple[str, str, str]]:
    found = measures.measures_of([_finding(text) for text in texts])
    return [(each.name, each.value, each.period) for each in found]


def test_a_figure_is_named_by_the_words_before_it_and_keeps_how_it_is_written():
    assert _measures("Revenue came to 412.7 million euros in 2025.") == [("Revenue", "412.7 million euros", "2025")]
    assert _measures("In fiscal 2024, the operating margin was 14.2%.") == [
        ("Operating margin", "14.2%", "fiscal 2024")
    ]
    assert _measures("The company employed 1,204 people in 2025.") == [("People employed", "1,204 people", "2025")]


def test_what_something_has_is_what_is_measured():
    assert _measures("The Plus plan has an out-of-pocket maximum of $4,000 per year.") == [
        ("Out-of-pocket maximum, Plus plan", "$4,000", "")
    ]
    assert _measures("The out-of-pocket maximum for the Northwind Standard plan is $6,350.") == [
        ("Out-of-pocket maximum for the Northwind Standard plan", "$6,350", "")
    ]
    assert _measures("The limit of the Gold plan is $6,350 for an individual and $12,700 for a family.") == [
        ("Limit of the Gold plan, individual", "$6,350", ""),
        ("Limit of the Gold plan, family", "$12,700", ""),
    ]
    assert _measures("Vaccinations are covered at 100%.") == [("Vaccinations", "100%", "")]


def test_a_change_is_not_taken_for_a_value_and_a_comparison_for_nothing():
    assert _measures("Net sales increased 8% in 2022.") == [("Net sales (increase)", "8%", "2022")]
    assert _measures("Margin rose to 14% in 2025, up from 12%.") == [("Margin", "14%", "2025")]


def test_each_of_several_figures_has_its_own_name_or_none():
    assert _measures("Costs of the clinic were $12.5 million in 2025, $1.5 million below the plan of $14 million.") == [
        ("Costs of the clinic", "$12.5 million", "2025"),
        ("Plan, costs of the clinic", "$14 million", "2025"),
    ]
    assert _measures("Revenue rose from \u20ac31.4 million to \u20ac36.9 million in 2025.") == [
        ("Revenue", "\u20ac36.9 million", "2025")
    ]
    assert _measures("Fees of \u20ac11.8 million were paid, of which \u20ac1.6 million came from ships.") == [
        ("Fees", "\u20ac11.8 million", "")
    ]
    assert _measures("E-bikes made up 62 percent of revenue.") == []


def test_numbers_that_measure_nothing_are_left_alone():
    assert _measures("See section 12 on page 4.", "Chapter 3 was written in 1999.") == []


def test_a_table_becomes_rows_and_a_series_in_the_order_of_time():
    asked = TabulateInput(question="How many bikes?", findings=(), passages=(_passage(TABLE),))
    found = tables.tabulate(asked)
    (table,) = found.tables
    assert table.title == "Sales (in thousands)"
    assert table.columns == ("", "2023", "2022", "2021")
    assert table.rows[0].cells == ("Bikes", "$5,234", "$4,600", "$4,100")
    assert table.rows[1].cells == ("Scooters", "734", "(21)", "310")
    series = found.series[0]
    assert (series.title, series.unit) == ("Bikes", "thousands")
    assert [(point.label, point.value) for point in series.points] == [
        ("2021", "$4,100"),
        ("2022", "$4,600"),
        ("2023", "$5,234"),
    ]
    assert all(point.quote in TABLE and point.label in point.quote for point in series.points)


def test_a_column_of_shares_is_a_series_without_its_total():
    asked = TabulateInput(question="Which region?", findings=(), passages=(_passage(MARKDOWN),))
    (series,) = tables.tabulate(asked).series
    assert [point.label for point in series.points] == ["Europe", "Asia", "Americas"]


def test_a_table_that_has_nothing_to_do_with_the_question_is_left_out():
    found = tables.tabulate(TabulateInput(question="Who is the chair?", findings=(), passages=(_passage(TABLE),)))
    assert (found.tables, found.series) == ((), ())


def test_text_that_only_looks_like_a_table_gives_none():
    odd = _passage("a\tb\n|\n|||\n\t\t\t\nrevenue\t\n- | -\n" + "\t".join("x" * 50))
    assert tables.tabulate(TabulateInput(question="revenue", findings=(), passages=(odd,))).tables == ()


def test_a_models_figure_that_does_not_stand_in_its_quote_is_dropped():
    sources = {"s1": _passage("Revenue was 4.1 million in 2021, 4.6 million in 2022 and 5.2 million in 2023.")}
    quote = sources["s1"].text
    said = {"unit": "", "period": "", "entity": "", "source": "s1", "quote": quote}
    draft = TabulatedDraft(
        metrics=[
            MeasureDraft(name="Revenue", value="5.2 million", **said),
            MeasureDraft(name="Revenue", value="5.3 million", **said),
            MeasureDraft(name="Revenue", value="5.2 million", **{**said, "quote": "Revenue was 5.2 million."}),
            MeasureDraft(name="Revenue", value="5.2 million", **{**said, "source": "s9"}),
            MeasureDraft(name="Revenue", value="Revenue", **said),
        ],
        series=[_series(quote, "4.1", "4.6", "5.2"), _series(quote, "4.1", "4.6", "9.9")],
        tables=[],
    )
    found = tabulate.check(draft, _asked("How was revenue?"), sources)
    assert [each.value for each in found.metrics] == ["5.2 million"]
    assert [[point.value for point in each.points] for each in found.series] == [["4.1", "4.6", "5.2"]]


def test_a_models_name_that_does_not_say_what_is_measured_gives_way_to_a_better_one_or_to_none():
    passage = _passage(
        "The harbour handled 4.2 million tonnes of cargo in 2025. Clinic A: $2.2 million. Rent was $900."
    )
    handled, clinic, rent = (f"{each}." for each in passage.text.rstrip(".").split(". "))
    said = {"unit": "", "period": "", "entity": "", "source": "s1"}
    draft = TabulatedDraft(
        metrics=[
            MeasureDraft(name="Harbour", value="4.2 million tonnes", quote=handled, **said),
            MeasureDraft(name="Cargo of the harbour", value="4.2 million", quote=handled, **said),
            MeasureDraft(name="Clinic A", value="$2.2 million", quote=clinic, **said),
            MeasureDraft(name="Clinic of A", value="$2.2 million", quote=clinic, **{**said, "entity": "Clinic of A"}),
            MeasureDraft(name="Rent", value="$900", quote=rent, **said),
        ],
        series=[],
        tables=[],
    )
    found = [
        each.name for each in tabulate.check(draft, _asked("Cargo of the harbour? Rent?"), {"s1": passage}).metrics
    ]
    assert found == ["Cargo handled, harbour", "Cargo of the harbour", "Rent"]


def test_figures_of_one_thing_in_one_sentence_make_a_series():
    text = "Revenue was 4.1 million euros in 2021, 4.6 million euros in 2022 and 5.2 million euros in 2023."
    assert _measures(text) == [
        ("Revenue", "4.1 million euros", "2021"),
        ("Revenue", "4.6 million euros", "2022"),
        ("Revenue", "5.2 million euros", "2023"),
    ]
    (series,) = tables.tabulate(TabulateInput(question="How was revenue?", findings=(_finding(text),))).series
    assert [point.label for point in series.points] == ["2021", "2022", "2023"]


def test_a_models_row_with_a_cell_of_its_own_making_gives_way_to_the_sources():
    rows = [
        RowDraft(cells=["Europe", "42%"], quote="| Europe | 42% |"),
        RowDraft(cells=["Asia", "31%"], quote="Asia | 31%"),
    ]
    lie = RowDraft(cells=["Americas", "99%"], quote="| Americas | 27% |")
    draft = TableDraft(title="Shares", columns=["Region", "Share"], rows=[*rows, lie], source="s1")
    (table,) = tabulate.check(
        TabulatedDraft(metrics=[], series=[], tables=[draft]), _asked("Which region?"), {"s1": _passage(MARKDOWN)}
    ).tables
    assert [row.cells for row in table.rows] == [
        ("Europe", "42%"),
        ("Asia", "31%"),
        ("Total", "73%"),
        ("Americas", "27%"),
    ]


SEGMENTS = (
    "Segments\n\n| Segment | Revenue 2022 | Revenue 2023 | Revenue 2024 |\n|---|---|---|---|\n"
    "| Sensors | 231.4 | 250.2 | 271.9 |\n| Valves | 158.0 | 161.7 | 159.3 |\n| Services | 100.2 | 109.4 | 117.5 |\n"
)


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("What is the revenue of each segment?", ["Revenue 2024", "Revenue 2023"]),
        ("What was the revenue of each segment in 2022?", ["Revenue 2022", "Revenue 2024"]),
        ("Which segments are there?", ["Revenue 2024", "Revenue 2023"]),
        ("Wie viele Sensoren wurden gefertigt?", []),
    ],
)
def test_of_columns_that_are_asked_for_alike_the_newest_or_that_of_the_year_is_charted(
    question: str, titles: list[str]
):
    found = tables.tabulate(TabulateInput(question=question, findings=(), passages=(_passage(SEGMENTS),)))
    assert [each.title for each in found.series] == titles


@pytest.mark.parametrize(
    ("question", "finding", "count"),
    [
        ("How did revenue develop in the segments?", "", 1),
        ("What did customers say about delivery times?", "", 0),
        ("What did customers say about delivery times?", "| Valves | 158.0 | 161.7 | 159.3 |", 1),
        ("Wie lief das Jahr?", "Sensors had more revenue.", 1),
        ("Wie lief das Jahr?", "Two customers put off orders of valves.", 0),
        ("Wie lief das Jahr?", "The board met in May.", 0),
    ],
)
def test_data_that_a_model_proposes_is_kept_where_the_question_or_a_finding_there_names_it(
    question: str, finding: str, count: int
):
    rows = [line for line in SEGMENTS.splitlines() if line.startswith(("| Sensors", "| Valves", "| Services"))]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    table = TableDraft(
        title="Segments",
        columns=["Segment", "Revenue 2022", "Revenue 2023", "Revenue 2024"],
        rows=[RowDraft(cells=each, quote=row) for each, row in zip(cells, rows, strict=True)],
        source="s1",
    )
    points = [
        PointDraft(label=each[0], value=each[3], source="s1", quote=row) for each, row in zip(cells, rows, strict=True)
    ]
    series = SeriesDraft(title="Revenue 2024", unit="", points=points)
    findings = (QuotedFinding(text=finding, identifier="p", quote=finding, relevance=0.5),) if finding else ()
    asked = TabulateInput(question=question, findings=findings)
    draft = TabulatedDraft(metrics=[], series=[series], tables=[table])
    found = tabulate.check(draft, asked, {"s1": _passage(SEGMENTS)})
    assert (len(found.series), len(found.tables)) == (count, count)


def _asked(question: str) -> TabulateInput:
    return TabulateInput(question=question, findings=())


def _series(quote: str, *values: str) -> SeriesDraft:
    points = [
        PointDraft(label=str(2021 + number), value=value, source="s1", quote=quote)
        for number, value in enumerate(values)
    ]
    return SeriesDraft(title="Revenue", unit="million", points=points)


def _passage(text: str) -> SourceText:
    return SourceText(identifier="p", title="p.pdf", text=text)


@pytest.mark.parametrize(
    ("asked", "unit"),
    [
        ("How did the employees develop?", ""),
        ("How did the margin develop?", "%"),
        ("How did revenue develop?", "million EUR"),
    ],
)
def test_the_unit_of_one_column_is_not_that_of_another(asked: str, unit: str):
    table = "Year\tRevenue (million EUR)\tMargin (%)\tEmployees\n" + "\n".join(
        f"{year}\t{31 + year % 7}\t{8 + year % 3}\t{410 + year % 9}" for year in range(2021, 2025)
    )
    found = tables.tabulate(TabulateInput(question=asked, findings=(), passages=(_passage(table),)))
    assert {each.unit for each in found.series} == {unit}
