"""What is written on a chart can be read, in every form and in a narrow pane."""

from decimal import Decimal
from itertools import pairwise

import pytest
from lxml import etree

from intelli.deliverables import charts
from intelli.deliverables.brief import Point, Series
from intelli.deliverables.kinds import sections

SVG = "{http://www.w3.org/2000/svg}"
CHARACTER = 6.0
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def series(labels: list[str], title: str = "Revenue", unit: str = "EUR million") -> Series:
    points = tuple(
        Point(label=label, value=Decimal(str(number + 100.5)), citation="c") for number, label in enumerate(labels)
    )
    return Series(key="k", title=title, unit=unit, points=points)


def axis(labels: list[str]) -> list[str]:
    values = charts.build_spec(series(labels))["encoding"]["x"]["axis"]["values"]
    assert isinstance(values, list)
    return values


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        (
            [f"{year}-Q{quarter}" for year in range(2021, 2025) for quarter in range(1, 5)],
            ["2021-Q1", "2022-Q1", "2023-Q1", "2024-Q1"],
        ),
        (
            [f"Q{quarter} {year}" for year in range(2021, 2024) for quarter in (3, 4, 1, 2)],
            ["Q1 2021", "Q1 2022", "Q1 2023"],
        ),
        (
            [f"{month} {year}" for year in (2023, 2024) for month in MONTHS],
            ["Jan 2023", "Jul 2023", "Jan 2024", "Jul 2024"],
        ),
        ([str(year) for year in range(2019, 2025)], [str(year) for year in range(2019, 2025)]),
        ([str(year) for year in range(2000, 2024)], ["2000", "2005", "2010", "2015", "2020"]),
        (["2023", "2024"], ["2023", "2024"]),
    ],
)
def test_labels_of_time_stand_at_even_distances_and_begin_years(labels: list[str], shown: list[str]) -> None:
    assert axis(labels) == shown


@pytest.mark.parametrize("width", [320, 600])
@pytest.mark.parametrize("count", [4, 8, 16, 24])
def test_no_label_of_an_axis_is_written_over_another(width: int, count: int) -> None:
    labels = [f"{2010 + number // 4}-Q{number % 4 + 1}" for number in range(count)]
    drawn = etree.fromstring(charts.draw_svg({**charts.build_spec(series(labels)), "width": width}))
    spans = []
    for each in drawn.iter(f"{SVG}text"):
        if (each.text or "") in labels:
            at = float(each.get("transform").removeprefix("translate(").partition(",")[0])
            half = len(each.text) * CHARACTER / 2
            spans.append((at - half, at + half))
    assert len(spans) > 1
    assert all(one[1] < other[0] for one, other in pairwise(spans))


@pytest.mark.parametrize("values", [("18.0", "112.0"), ("-12.5", "112.0"), ("-3", "-112.0"), ("0", "0")])
@pytest.mark.parametrize("width", [300, 600])
def test_what_is_written_at_the_end_of_a_bar_is_not_cut_off(values: tuple[str, ...], width: int) -> None:
    points = tuple(Point(label=f"Thing {each}", value=Decimal(each), citation="c") for each in values)
    spec = charts.build_spec(Series(key="k", title="Impact", unit="", points=points))
    drawn = etree.fromstring(charts.draw_svg({**spec, "width": width}))
    whole = float(drawn.get("viewBox").split()[2])
    root = next(drawn.iter(f"{SVG}g"))
    padding = float(root.get("transform").removeprefix("translate(").partition(",")[0])
    for value in values:
        text = next(each for each in drawn.iter(f"{SVG}text") if each.text == charts.format_value(Decimal(value)))
        at = padding + float(text.get("transform").removeprefix("translate(").partition(",")[0])
        ends = at + len(text.text) * CHARACTER * (-1 if text.get("text-anchor") == "end" else 1)
        assert min(at, ends) >= 0
        assert max(at, ends) <= whole


@pytest.mark.parametrize(
    ("title", "caption"),
    [
        ("Revenue (EUR million)", "Revenue, 2023\u20132024 (EUR million)"),
        ("Revenue [in EUR million]", "Revenue, 2023\u20132024 (EUR million)"),
        ("Revenue", "Revenue, 2023\u20132024 (EUR million)"),
        ("(EUR million)", "(EUR million), 2023\u20132024 (EUR million)"),
    ],
)
def test_a_unit_is_said_once(title: str, caption: str) -> None:
    assert sections.chart(series(["2023", "2024"], title)).caption == caption
