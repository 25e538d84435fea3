"""A figure by itself is proven by its parts: its value, its name over it or beside it, and the year it is told for."""

from dataclasses import replace
from decimal import Decimal

import pytest
from tests.deliverables.papers import metric
from tests.deliverables.research import proven_paper, references, sources

from intelli.citations import prove
from intelli.citations.wire import Check
from intelli.content.span import Span
from intelli.deliverables.brief import Point, Series
from intelli.deliverables.kinds import sections
from intelli.deliverables.paper import Block, Metrics, Paper, Paragraph, TextRun

TABLE = "Segment\tRevenue 2024 (EUR million)\tRevenue 2023 (EUR million)\nHeat pumps\t96.4\t71.3\nGrids\t112.0\t106.5"
SENTENCE = "Kite AG reported revenue of EUR 252.9 million in 2024, up 16.0% from EUR 218.1 million in 2023."


def checks(block: Block, text: str, *lines: str) -> list[Check]:
    """What the check of a block comes to whose citations are lines of a source."""
    given = references({"source.txt": text})["source.txt"]
    names = [identifier_of(text, line) for line in lines]
    known = {name: replace(given, span=span_of(text, line)) for name, line in zip(names, lines, strict=True)}
    paper = Paper(title="T", blocks=(block,))
    hints = {name: [line] for name, line in zip(names, lines, strict=True)}
    proven = proven_paper(paper, prove.ProofMaterial(known, sources({"source.txt": text}), hints))
    return [proof.outcome.check for proof in proven.proofs]


def identifier_of(text: str, line: str) -> str:
    return span_of(text, line).identifier


def span_of(text: str, line: str) -> Span:
    given = references({"source.txt": text})["source.txt"]
    return given.span.part(text.index(line), text.index(line) + len(line))


@pytest.mark.parametrize(
    ("title", "values", "expected"),
    [
        ("Revenue 2024 (EUR million)", ("96.4", "112.0"), Check.VERIFIED),
        ("Revenue 2024", ("96.4", "112.0"), Check.VERIFIED),
        ("Revenue 2023", ("71.3", "106.5"), Check.VERIFIED),
        ("Revenue 2024", ("71.3", "106.5"), None),
        ("Revenue 2022", ("96.4", "112.0"), None),
    ],
)
def test_a_value_is_proven_by_the_name_over_its_column_with_or_without_the_unit(
    title: str, values: tuple[str, str], expected: Check | None
):
    rows = TABLE.splitlines()[1:]
    points = tuple(
        Point(label=row.split("\t")[0], value=Decimal(value), citation=identifier_of(TABLE, row))
        for row, value in zip(rows, values, strict=True)
    )
    found = checks(sections.chart(Series(key="s", title=title, points=points)), TABLE, *rows)
    assert found == [expected] * 2 if expected else Check.VERIFIED not in found


GRID = "| Emissions (t) | 2021 | 2022 |\n|---|---|---|\n| Scope 1 | 10,230 | 9,870 |\n| Scope 2 | 15,900 | 14,750 |"


@pytest.mark.parametrize(
    ("title", "expected"),
    [("Emissions (t): Scope 1", Check.VERIFIED), ("Scope 1", Check.VERIFIED), ("Waste (t): Scope 1", Check.WEAK)],
)
def test_a_row_that_is_drawn_is_proven_by_its_name_below_the_head_of_its_column(title: str, expected: Check):
    line = "\n".join(GRID.splitlines()[:3])
    cited = identifier_of(GRID, line)
    values = {"2021": Decimal(10230), "2022": Decimal(9870)}
    points = [Point(label=year, value=value, citation=cited) for year, value in values.items()]
    assert checks(sections.chart(Series(key="s", title=title, points=tuple(points))), GRID, line) == [expected]


def test_a_value_of_another_year_in_the_same_sentence_cannot_be_meant():
    cited = identifier_of(SENTENCE, SENTENCE)
    card = metric("Revenue", "EUR 252.9 million", "252900000", cited).model_copy(
        update={"period": "2024", "entity": "Kite AG"}
    )
    assert checks(Metrics(metrics=(card,)), SENTENCE, SENTENCE) == [Check.VERIFIED]
    undated = card.model_copy(update={"period": ""})
    assert checks(Metrics(metrics=(undated,)), SENTENCE, SENTENCE) == [Check.WEAK]
    swapped = card.model_copy(update={"period": "2023"})
    assert checks(Metrics(metrics=(swapped,)), SENTENCE, SENTENCE) == [Check.WEAK]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Segment: Grids; Revenue (EUR million): 112.0; Orders: 71.", Check.VERIFIED),
        ("Segment: Grids; Revenue (EUR million): 71; Orders: 112.0.", None),
    ],
)
def test_a_row_that_is_told_with_its_columns_is_verified_where_only_the_row_is_quoted(
    said: str, expected: Check | None
):
    table = "Segment\tRevenue (EUR million)\tOrders\nHeat pumps\t96.4\t65\nGrids\t112.0\t71"
    row = table.splitlines()[2]
    block = Paragraph(runs=(TextRun(text=said, citations=(identifier_of(table, row),)),))
    (found,) = checks(block, table, row)
    assert found is expected if expected else found is not Check.VERIFIED


def test_the_number_of_a_name_is_no_other_value():
    line = "Scope 1 emissions of the fleet were 8,420 tonnes in 2023."
    card = metric("Scope 1 emissions", "8,420", "8420", identifier_of(line, line))
    assert checks(Metrics(metrics=(card,)), line, line) == [Check.VERIFIED]


def test_a_figure_that_is_in_doubt_is_not_left_to_a_model():
    given = references({"source.txt": SENTENCE})["source.txt"]
    card = metric("Growth of profit", "16.0%", "16.0", given.identifier)
    paper = Paper(title="T", blocks=(Metrics(metrics=(card,)),))
    known = prove.ProofMaterial({given.identifier: given}, sources({"source.txt": SENTENCE}))
    (statement,) = proven_paper(paper, known).statements
    assert statement.check is not Check.VERIFIED
    assert not statement.is_open


SCOPES = "Scope 1 emissions were 8,420 tonnes in 2024 and Scope 2 emissions were low. The Sensors segment grew by 8.7%."


@pytest.mark.parametrize(
    ("name", "shown", "value", "expected"),
    [
        ("Scope 1 emissions", "8,420 tonnes", "8420", Check.VERIFIED),
        ("Sensors segment (increase)", "8.7%", "8.7", Check.VERIFIED),
        ("Sensors segment (decrease)", "8.7%", "8.7", Check.WEAK),
    ],
)
def test_numbers_of_a_name_and_words_for_a_change_raise_no_doubt(name: str, shown: str, value: str, expected: Check):
    first, _, second = SCOPES.partition(". ")
    line = second if "Sensors" in name else f"{first}."
    card = metric(name, shown, value, identifier_of(SCOPES, line)).model_copy(update={"period": "", "entity": ""})
    assert checks(Metrics(metrics=(card,)), SCOPES, line) == [expected]
