"""Quantities: value times unit is what the words say, in any scale and currency, with any way to write decimals."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.deliverables.research import material, references

from intelli.deliverables import metrics, quantities
from intelli.deliverables.brief import DataBrief, Metric
from intelli.deliverables.compile_brief import compile_brief
from intelli.deliverables.quote_citations import QuoteCitations
from intelli.reasoning.values import QuotedMetric, QuotedPoint, QuotedSeries
from intelli.reasoning.verbs.tabulate import DataTables

ENGLISH, GERMAN = (
    "The figure for the whole of the year was {}, which is more than before.",
    "Der Wert lag im Jahr bei {}.",
)
SCALES = {
    "en": {"": 0, " thousand": 3, " million": 6, " billion": 9, "bn": 9, " trillion": 12},
    "de": {"": 0, " Tsd.": 3, " Mio.": 6, " Millionen": 6, " Mrd.": 9, " Milliarden": 9},
}
BEFORE = {"en": ["$", "\u20ac", "\u00a3", "US$", "CHF ", "EUR "], "de": ["\u20ac "]}
BEHIND = {
    "en": [" tonnes", " euros", " percent", " km", " people", "", " MWh"],
    "de": [" Euro", " \u20ac", " Tonnen", " Prozent", " %", " EUR", ""],
}


@pytest.mark.parametrize(
    ("written", "quote", "value", "unit"),
    [
        ("1.2 Mio. \u20ac", GERMAN, "1.2E+6", "\u20ac"),
        ("36,9 million", "Der Umsatz betrug 36,9 million Euro.", "36900000", "Euro"),
        ("$2.2bn", ENGLISH, "2200000000", "$"),
        ("4.2 million tonnes", ENGLISH, "4200000", "tonnes"),
        ("12 %", ENGLISH, "12", "%"),
        ("3,5 Prozentpunkte", GERMAN, "3.5", "Prozentpunkte"),
        ("\u22127", ENGLISH, "-7", ""),
        ("1 234,5", GERMAN, "1234.5", ""),
        ("1.577", GERMAN, "1577", ""),
        ("1,577", ENGLISH, "1577", ""),
        ("\u20ac5m", ENGLISH, "5000000", "\u20ac"),
        ("\u20ac5 m", ENGLISH, "5000000", "\u20ac"),
        ("$12k", ENGLISH, "12000", "$"),
        ("760 mm", ENGLISH, "760", "mm"),
        ("340 miles", ENGLISH, "340", "miles"),
        (
            "25 miles de euros",
            "Los ingresos de la empresa fueron de 25 miles de euros en el a\u00f1o.",
            "25000",
            "euros",
        ),
        ("\u20ac36.9 million.", "Revenue came to \u20ac36.9 million.", "36900000", "\u20ac"),
    ],
)
def test_a_quantity_is_a_plain_number_in_a_unit_without_scale_or_marks(written: str, quote: str, value: str, unit: str):
    found = quantities.read(written, quote.format(written), unit="")
    assert found is not None
    assert (found.value, found.unit) == (Decimal(value), unit)
    assert "E" not in str(found.value)
    assert found.shown in quote.format(written)


@pytest.mark.parametrize("written", ["12 k", "12k", "5 m", "7 b", "about", ""])
def test_what_can_be_read_in_several_ways_is_no_quantity(written: str):
    assert quantities.read(written, ENGLISH.format(written)) is None


@settings(max_examples=150, deadline=None)
@given(data=st.data(), language=st.sampled_from(["en", "de"]), number=st.decimals("0.1", "999999", places=1))
def test_value_times_unit_is_what_the_words_say(data: st.DataObject, language: str, number: Decimal):
    scale = data.draw(st.sampled_from(sorted(SCALES[language])))
    before = data.draw(st.sampled_from(["", *BEFORE[language]]))
    behind = "" if before else data.draw(st.sampled_from(BEHIND[language]))
    digits = f"{number:,f}"
    digits = digits.translate(str.maketrans(",.", ".,")) if language == "de" else digits
    written = f"{before}{digits}{scale}{behind}"
    quote = (GERMAN if language == "de" else ENGLISH).format(written)
    found = quantities.read(written, quote)
    assert found is not None
    assert found.value == number.scaleb(SCALES[language][scale])
    assert found.unit == (before or behind).strip()
    assert found.shown == written.rstrip(".")
    assert quantities.unit_of(found.unit) == found.unit
    metric = Metric(key="k", name="n", value=found.value, unit=found.unit, shown=found.shown, citation="c")
    assert metric == Metric.model_validate_json(metric.model_dump_json())
    assert metric.value == found.value


def _with(measure: QuotedMetric) -> DataBrief:
    given = material()
    data = given.data.model_copy(update={"metrics": (measure,)})
    return compile_brief(type(given)(given.brief, given.answer, data, given.passages, given.made_on)).brief


def _measure(value: str, unit: str) -> QuotedMetric:
    quoted = material().brief.findings[0]
    return QuotedMetric(name="Revenue", value=value, unit=unit, identifier=quoted.identifier, quote=quoted.quote)


@pytest.mark.parametrize(
    ("value", "unit"), [("412.7", "million euros"), ("412.7", "billion"), ("412.7 million", "\u20ac")]
)
def test_a_models_figure_is_what_its_quote_makes_of_it(value: str, unit: str):
    (metric,) = _with(_measure(value, unit)).metrics
    assert (metric.value, metric.unit, metric.shown) == (Decimal(412700000), "euros", "412.7 million euros")


@pytest.mark.parametrize(
    ("value", "unit"), [("2.7", "million"), ("412.8", "million euros"), ("412.7 billion", "euros")]
)
def test_a_models_figure_that_its_quote_does_not_have_is_refused(value: str, unit: str):
    assert _with(_measure(value, unit)).metrics == ()


def test_a_metric_that_was_kept_with_a_scale_in_its_unit_is_read_without_it():
    kept = {"key": "k", "name": "Revenue", "value": "3.69E+7", "unit": "\u20ac million.", "shown": "\u20ac36.9 million"}
    metric = Metric.model_validate({**kept, "citation": "c"})
    assert (metric.unit, str(metric.value)) == ("\u20ac", "36900000")
    twice = Metric.model_validate({**kept, "value": "36.9", "citation": "c"})
    assert twice.value == Decimal(36900000)


@pytest.mark.parametrize(
    ("unit", "values", "shown", "plotted"),
    [
        ("million euros", ("301.4", "327.9", "350.2"), "million euros", "301.4"),
        ("\u20ac", ("301.4 million", "327.9 million", "350.2 million"), "million \u20ac", "301.4"),
        ("\u20ac million.", ("301.4 million", "327.9 million", "350.2 million"), "\u20ac million", "301.4"),
        ("\u20ac", ("301.4 million", "1.2 billion", "350.2 million"), "\u20ac", "301400000"),
        ("\u20ac million", ("301.4 million", "1.2 billion", "350.2 million"), "\u20ac", "301400000"),
    ],
)
def test_a_series_states_its_scale_once(unit: str, values: tuple[str, ...], shown: str, plotted: str):
    quotes = [f"Revenue was {value} in {2021 + at}." for at, value in enumerate(values)]
    passage = references({"figures.txt": " ".join(quotes)})["figures.txt"]
    points = tuple(
        QuotedPoint(label=str(2021 + at), value=value, identifier=passage.identifier, quote=quotes[at])
        for at, value in enumerate(values)
    )
    data = DataTables(series=(QuotedSeries(title="Revenue", unit=unit, points=points),))
    (series,) = metrics.series(data, QuoteCitations({passage.identifier: passage}, {}))
    assert (series.unit, series.points[0].value) == (shown, Decimal(plotted))
