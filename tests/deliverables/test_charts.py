"""Charts: one spec for every form; a spec from a text can show data and do nothing else."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from tests.deliverables import papers
from tests.support.soak import often

from intelli.deliverables import charts, safe_svg, safe_vega
from intelli.deliverables.brief import Point, Series


def series(*points: tuple[str, str]) -> Series:
    made = tuple(Point(label=label, value=Decimal(value), citation="c") for label, value in points)
    return Series(key="k", title="Sales & <b>more</b>", unit="EUR", points=made)


def words_in(drawn: str) -> set[str]:
    return {(each.text or "").strip() for each in etree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")}


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (("2019", "2020", "2021", "2022"), "line"),
        (("Q1 2024", "Q2 2024", "Q3 2024", "Q4 2024"), "line"),
        (("2023", "2024"), "column"),
        (("North", "South"), "bar"),
        (("2023", "2023", "2024", "2025"), "bar"),
    ],
)
def test_the_labels_decide_how_a_series_is_drawn(labels: tuple[str, ...], kind: str) -> None:
    spec = charts.build_spec(series(*((label, "1") for label in labels)))
    plotted = charts.find_plotted(spec)
    assert charts.kind_of(labels) == kind
    assert plotted is not None
    assert (plotted.kind, plotted.labels) == (kind, labels)


def test_values_are_written_with_the_digits_that_they_have() -> None:
    written = [charts.format_value(Decimal(value)) for value in ("1240", "1240.50", "0.07", "-3", "1E+3")]
    assert written == ["1,240", "1,240.50", "0.07", "-3", "1,000"]


@pytest.mark.parametrize(("language", "said", "unsaid"), [("en", "300,000", "300000"), ("de", "300000", "300,000")])
def test_an_axis_has_no_comma_that_its_language_reads_as_a_decimal_one(language: str, said: str, unsaid: str) -> None:
    years = series(("2021", "301200"), ("2022", "315800"), ("2023", "328100"), ("2024", "339400"))
    drawn = words_in(charts.draw_svg(charts.build_spec(years, language)))
    assert said in drawn
    assert unsaid not in drawn


def test_a_value_is_also_known_in_digits_that_no_language_reads_otherwise() -> None:
    plotted = charts.find_plotted(
        charts.build_spec(series(("2021", "10230"), ("2022", "2.345"), ("2023", "-2.6")), "de")
    )
    assert plotted is not None
    assert plotted.plain == ("10230", "2.3450", "-2.6")


def test_a_drawing_shows_labels_values_and_titles_as_text() -> None:
    words = words_in(charts.draw_svg(charts.build_spec(series(("North", "1240"), ("<script>", "-3.5")))))
    assert {"North", "<script>", "1,240", "-3.5", "Sales & <b>more</b>", "EUR"} <= words


def test_a_drawing_has_nothing_that_runs_loads_or_styles() -> None:
    root = etree.fromstring(charts.draw_svg(charts.build_spec(papers.DELIVERIES)))
    names = {etree.QName(each).localname for each in root.iter()}
    attributes = {key for each in root.iter() for key in each.attrib}
    assert names <= {"svg", "g", "path", "rect", "text", "defs", "clipPath", "line", "title"}
    assert not {key for key in attributes if key in {"style", "href"} or key.startswith(("on", "{"))}


def test_what_a_drawing_must_not_have_is_taken_out() -> None:
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="x()">'
        '<script>x()</script><a xlink:href="javascript:x()"><text>kept?</text></a><image href="http://e/x.png"/>'
        '<foreignObject/><rect fill="url(http://e/x)" style="a:b" width="1"/><text>kept</text></svg>'
    )
    assert (
        safe_svg.sanitize(drawn) == '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1"/><text>kept</text></svg>'
    )


def test_our_own_specs_are_safe_as_they_are() -> None:
    for each in (papers.DELIVERIES, papers.DEPOTS, series(("2023", "1"), ("2024", "2"))):
        spec = charts.build_spec(each)
        assert safe_vega.sanitize(spec) == spec


def test_the_same_picture_comes_out_each_time() -> None:
    spec = charts.build_spec(papers.DEPOTS)
    assert charts.draw_png(spec) == charts.draw_png(spec)
    assert charts.draw_png(spec).startswith(b"\x89PNG")


DATA = {"values": [{"a": 1, "b": "x"}]}
BAR = {"encoding": {"x": {"field": "a", "type": "quantitative"}}, "mark": "bar"}


@pytest.mark.parametrize(
    "spec",
    [
        {"data": {"url": "http://evil.example/x.json"}, **BAR},
        {"data": {"values": "a,b"}, **BAR},
        {"data": {"values": []}, **BAR},
        {"data": DATA},
        {"data": DATA, "mark": "image"},
        {"data": DATA, "mark": {"type": {"expr": "1"}}},
        {"data": DATA, "layer": [{"mark": "geoshape"}]},
        {},
    ],
)
def test_a_spec_that_fetches_or_shows_nothing_is_no_chart(spec: dict[str, Any]) -> None:
    assert safe_vega.sanitize(spec) is None


def test_expressions_links_signals_and_own_themes_are_left_out() -> None:
    spec = {
        "data": DATA,
        "mark": {
            "type": "bar",
            "href": "http://e",
            "tooltip": {"signal": "x"},
            "color": "url(http://e)",
            "size": {"expr": "1"},
        },
        "transform": [{"calculate": "1", "as": "z"}],
        "params": [{"name": "p", "expr": "alert(1)"}],
        "config": {"background": "red"},
        "usermeta": {"embedOptions": {"loader": {}}},
        "encoding": {
            "x": {
                "field": "a",
                "type": "quantitative",
                "axis": {"labelExpr": "alert(1)", "title": "kept"},
                "bin": {"step": 1},
            },
            "href": {"field": "b"},
            "url": {"field": "b"},
            "color": {"condition": {"test": "alert(1)", "value": "red"}, "value": "blue"},
        },
    }
    kept = safe_vega.sanitize(spec)
    assert kept is not None
    assert kept["mark"] == {"type": "bar"}
    assert kept["encoding"] == {
        "x": {"field": "a", "type": "quantitative", "axis": {"title": "kept"}},
        "color": {"value": "blue"},
    }
    assert kept.keys() == {"$schema", "config", "autosize", "data", "mark", "encoding", "width"}
    assert kept["config"] == safe_vega.THEME


WORDS = st.sampled_from(["data", "values", "mark", "type", "layer", "encoding", "x", "field", "sort", "scale", "title"])
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["bar", "line", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=often(60, soaking=5000), deadline=None)
@given(mark=JSON, encoding=JSON, rest=st.dictionaries(WORDS, JSON, max_size=4))
def test_no_spec_is_too_odd_to_be_looked_at(mark: object, encoding: object, rest: dict[str, object]) -> None:
    spec = safe_vega.sanitize({**rest, "data": {"values": [{"a": 1}]}, "mark": mark, "encoding": encoding})
    assert spec is None or json.dumps(spec, allow_nan=False)
    assert safe_vega.sanitize(rest) is None or json.dumps(safe_vega.sanitize(rest), allow_nan=False)


def test_what_cannot_be_drawn_says_so() -> None:
    odd = {
        "data": DATA,
        "mark": "bar",
        "encoding": {"x": {"field": "a", "type": "quantitative", "timeUnit": "nonsense"}},
    }
    spec = safe_vega.sanitize(odd)
    assert spec is not None
    assert charts.draw_svg(spec).startswith("<svg")
    broken = {**spec, "encoding": {"x": {"field": "a", "type": "nosuch", "scale": {"type": "nosuch"}}}}
    assert charts.draw_png(broken).startswith(b"\x89PNG")
