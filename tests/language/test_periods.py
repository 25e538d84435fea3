"""Years and periods of a text."""

import pytest

from intelli.language import periods


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("in 2024 and 1789", [2024, 1789]),
        ("1,999 of 2,024 people", []),
        ("12024 and 20245", []),
        ("in 2024.", [2024]),
        ("by 2030, then 2040", [2030, 2040]),
        ("version 1.2024", []),
        ("in 1066", []),
    ],
)
def test_years_are_those_that_are_no_part_of_another_number(text, years):
    assert periods.years_of(text) == years


def test_a_number_may_be_a_year():
    assert [number for number in (1499, 1500, 2024, 2100, 2101) if periods.is_year(number)] == [1500, 2024, 2100]


@pytest.mark.parametrize(
    ("text", "written", "key"),
    [
        ("Sales in Q3 2024 fell.", "Q3 2024", (2024, 2024, "Q3")),
        ("Sales in Q3/24 fell.", "Q3/24", (2024, 2024, "Q3")),
        ("Sales in 2024 Q3 fell.", "2024 Q3", (2024, 2024, "Q3")),
        ("the third quarter of fiscal 2024", "third quarter of fiscal 2024", (2024, 2024, "Q3")),
        ("im 2. Quartal 2024", "2. Quartal 2024", (2024, 2024, "Q2")),
        ("das zweite Halbjahr 2022", "zweite Halbjahr 2022", (2022, 2022, "H2")),
        ("H1 was better", "H1", (None, None, "H1")),
        ("in FY24", "FY24", (2024, 2024, "")),
        ("fiscal year 1998", "fiscal year 1998", (1998, 1998, "")),
        ("im Gesch\u00e4ftsjahr 2023/24", "2023/24", (2023, 2024, "")),
        ("from 2019 to 2023", "from 2019 to 2023", (2019, 2023, "")),
        ("2019\u20132023", "2019\u20132023", (2019, 2023, "")),
        ("since 2021", "2021", (2021, 2021, "")),
    ],
)
def test_a_period_is_found_as_one_with_its_years_and_its_part(text, written, key):
    assert [(each.written, each.key) for each in periods.periods_of(text)] == [(written, key)]


@pytest.mark.parametrize("text", ["It takes 4 h.", "I half expected it.", "1 t of steel", "3 s later", "12/24 months"])
def test_what_can_be_read_otherwise_is_no_period(text):
    assert periods.periods_of(text) == []


def test_a_period_stands_where_it_says():
    text = "Between Q1 2023 and H2 2024, from 2019 to 2020."
    assert all(text[each.start : each.end] == each.written for each in periods.periods_of(text))


@pytest.mark.parametrize(
    ("text", "month"), [("Q3 2024", 7), ("zweites Halbjahr", 7), ("1er trimestre", 1), ("2024", 0)]
)
def test_a_part_of_a_year_begins_with_a_month(text, month):
    assert periods.first_month(text) == month
