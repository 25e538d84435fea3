"""Charts and cards show only what stands in the words they cite, at the worth that it has there."""

from decimal import Decimal

import pytest
from tests.deliverables.research import references

from intelli.deliverables import metrics
from intelli.deliverables.quote_citations import QuoteCitations
from intelli.reasoning.values import QuotedMetric, QuotedPoint, QuotedSeries, SourceText
from intelli.reasoning.verbs.tabulate import DataTables, TabulateInput
from intelli.reasoning.without_model import tables

ENGLISH = "The table has the output of the plants in all of these years.\n\n"
GERMAN = "Die Tabelle hat die Mengen aller Werke in diesen Jahren.\n\n"
ROWS = "| Plant (t CO2e) | 2021 | 2022 | 2023 |\n|---|---|---|---|\n| Output | {} | {} | {} |\n| Waste | {} | {} | {} |"
POINTED = ("10.230", "9.870", "8.420", "1.230", "1.870", "1.420")
COMMAED = ("10,230", "9,870", "8,420", "1,230", "1,870", "1,420")
SPACED = ("10 230", "9 870", "8 420", "1\u202f230", "1\u00a0870", "1\u2009420")
THOUSANDS = [Decimal(10230), Decimal(9870), Decimal(8420)]
TENS = [Decimal("10.230"), Decimal("9.870"), Decimal("8.420")]


def charted(text: str) -> list[list[Decimal]]:
    """The values of the series that a table gives."""
    given = references({"table.md": text})["table.md"]
    passage = SourceText(identifier=given.identifier, title=given.title, text=text)
    data = tables.tabulate(TabulateInput(question="Output of the plant?", findings=(), passages=(passage,)))
    found = metrics.series(data, QuoteCitations({given.identifier: given}, {}))
    return [[point.value for point in each.points] for each in found]


@pytest.mark.parametrize(
    ("words", "cells", "expected"),
    [
        (ENGLISH, COMMAED, [THOUSANDS]),
        (ENGLISH, POINTED, [TENS]),
        (GERMAN, POINTED, [THOUSANDS]),
        (GERMAN, COMMAED, [TENS]),
        (ENGLISH, SPACED, [THOUSANDS]),
        (GERMAN, SPACED, [THOUSANDS]),
        ("", COMMAED, []),
        ("", POINTED, []),
        ("", (*COMMAED[:5], "12.5"), [THOUSANDS]),
        (ENGLISH, (*POINTED[:5], "12,5"), [THOUSANDS]),
    ],
)
def test_a_chart_is_drawn_at_the_worth_that_the_document_gives_its_figures_or_not_at_all(
    words: str, cells: tuple[str, ...], expected: list[list[Decimal]]
):
    assert charted(words + ROWS.format(*cells)) == expected


def test_a_series_with_a_point_that_its_quote_does_not_have_is_not_charted():
    text = "Output was 310 tonnes in 2021. Output was 420 tonnes in 2022. Output was 530 tonnes in 2023."
    given = references({"plant.txt": text})["plant.txt"]
    quoting = QuoteCitations({given.identifier: given}, {})

    def series(*labels: str) -> DataTables:
        quotes = [f"{each}." for each in text.rstrip(".").split(". ")]
        values = zip(labels, ("310", "420", "530"), quotes, strict=True)
        points = [
            QuotedPoint(label=at, value=value, identifier=given.identifier, quote=said) for at, value, said in values
        ]
        return DataTables(series=(QuotedSeries(title="Output", unit="tonnes", points=tuple(points)),))

    assert len(metrics.series(series("2021", "2022", "2023"), quoting)) == 1
    assert metrics.series(series("2021", "2022", "2024"), quoting) == ()


def test_a_card_for_a_year_that_its_quote_does_not_have_is_not_made():
    text = "Output was 310 tonnes in 2021."
    given = references({"plant.txt": text})["plant.txt"]
    card = QuotedMetric(name="Output", value="310 tonnes", unit="tonnes", identifier=given.identifier, quote=text)
    found = [
        metrics.metrics(
            DataTables(metrics=(card.model_copy(update={"period": period}),)),
            QuoteCitations({given.identifier: given}, {}),
        )
        for period in ("2021", "2022")
    ]
    assert list(map(len, found)) == [1, 0]
