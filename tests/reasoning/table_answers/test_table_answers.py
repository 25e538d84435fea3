"""Answers from tables: each operation, times, several documents of one form, and what no cell answers."""

import pytest
from tests.reasoning.table_answers.made_tables import ask, make_table, told

STORES = make_table(
    """
    Site | Country | #Pallet places | @Opened | Tenure
    Aarhus | Denmark | 12000 | 1998 | owned
    Turku | Finland | 45000 | 2011 | leased
    Pori | Finland | 8000 | 2019 | leased
    Lund | Sweden | | 2021 | owned
    = Total | | 65000 | |
    """,
    document="stores.xlsx",
    around="Cold stores of Fjordfrost",
)
PARTS = make_table(
    """
    Article | #In stock | #Minimum | #Unit price EUR
    Hose clamp | 3 | 10 | 1.50
    Drain valve | 12 | 4 | 20.25
    Gasket | 5 | 5 | 0.80
    """,
    around="Spare parts",
)
LOG = make_table(
    """
    @date | #flow_m3 | #turbidity
    2024-05-01 | 100 | 0.2
    2024-05-02 | 140 | 0.3
    2024-06-01 | 90 | 0.9
    """,
    document="log.csv",
)
BOATS = make_table(
    """
    Name | Bootsart | @Baujahr | #Anschaffung Euro
    Reiher | Einer | 2001 | 4.000
    Ente | Zweier | 2010 | 7500
    Gans | Einer | 2015 | 5000
    """,
    around="Boote des Vereins",
)

SITES = make_table(
    """
    Standort | #Umsatz (TEUR) | #Mitarbeiter
    Kiel | 1.204,5 | 48
    Bonn | 998,0 | 112
    Jena | 1.450,2 | 73
    """,
    around="Standorte",
)
MONTHS = make_table(
    """
    @Month | #Deficiencies | #Inspections
    2025-01 | 14 | 120
    2025-02 | 9 | 131
    2025-03 | 41 | 98
    2025-04 | 27 | 140
    = Total | 91 | 489
    """,
    document="deficiencies.csv",
)
REGIONS = make_table(
    """
    @Year | Region | #Revenue
    2023 | North | 90
    2023 | South | 40
    2024 | North | 50
    2024 | South | 60
    """,
    document="regions.csv",
)
WATER = make_table(
    """
    Water (l) | #2021 | #2022 | #2023 | #2024
    Site A | 10,230 | 9,870 | 9,115 | 8,420
    Site B | 15,900 | 14,750 | 13,480 | 12,300
    """,
    around="Water statement 2024",
)
ORDERS = make_table(
    """
    Order | Buyer | #Pieces | Status
    SO-8 | Buyer number 8 | 17 | open
    SO-9 | Buyer number 9 | 3 | open
    """,
    document="orders.csv",
)
SEGMENTS = make_table(
    """
    Segment | #Sales 2023 | #Sales 2024
    Pumps | 31.4 | 33.1
    Valves | 58.0 | 61.7
    """,
    around="Segments",
)
QUARTERS = make_table(
    """
    @Quarter | #Revenue (EUR million) | #Largest order
    2021-Q1 | 31.5 | 4
    2021-Q2 | 32.5 | 9
    2021-Q3 | 33.5 | 1
    """,
    document="quarters.csv",
    around="Kite AG",
)


def division(name: str, revenue: tuple[str, str], people: tuple[str, str]):
    return make_table(
        f"""
        Measure | #2024 | #2023
        Revenue (EUR million) | {revenue[0]} | {revenue[1]}
        Employees | {people[0]} | {people[1]}
        """,
        document=f"{name.lower()}_2024.md",
        around=f"Table 1: Key figures of {name}\n# Division report 2024: {name}",
    )


DIVISIONS = (
    division("Axles", ("40.5", "38.0"), ("210", "200")),
    division("Gears", ("61.0", "66.0"), ("0", "320")),
    division("Springs", ("12.5", "12.0"), ("95", "101")),
)


def invoice(number: str, customer: str, amount: str, *, days: str):
    return make_table(
        f"""
        Article | #Quantity | #Price EUR | #Amount EUR
        Training | {days} | 1000 | {days}000
        = Total | | | {amount}
        """,
        document=f"invoice_{number.replace('-', '_')}.pdf",
        around=f"Invoice {number}",
        opening=f"To: {customer}",
    )


INVOICES = (
    invoice("2024-0007", "Bergström Freight AB", "2400", days="2"),
    invoice("2024-0008", "Bergström Freight AB", "1200", days="1"),
    invoice("2024-0009", "Quillon Print", "3600", days="3"),
)
TABLES = (STORES, PARTS, LOG, BOATS)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many pallet places does Turku have?", "Turku, Pallet places: 45000 (Cold stores of Fjordfrost)."),
        ("What is the tenure of the store in Pori?", "Pori, Tenure: leased (Cold stores of Fjordfrost)."),
        ("When was the store in Turku opened?", "Turku, Opened: 2011 (Cold stores of Fjordfrost)."),
        ("What was the flow on 2 May 2024?", "2024-05-02, flow_m3: 140."),
        ("Which site has the most pallet places?", "Highest Pallet places: 45000 (Turku)."),
        ("Which store is the oldest?", "Earliest Opened: 1998 (Aarhus)."),
        ("What was the highest turbidity in May 2024?", "Highest turbidity: 0.3 (2024-05-02)."),
        ("What was the total flow in May 2024?", "Sum of flow_m3 (2024-05-01, 2024-05-02): 100 + 140 = 240."),
        ("What was the average flow in May 2024?", "Mean of flow_m3 (2024-05-01, 2024-05-02): 120 (2 values)."),
        ("What share of the pallet places is in Turku?", "Share, Turku, Pallet places: 45000 / 65000 = 69.23 %."),
        ("How many hose clamps are missing to reach the minimum?", "10 (Minimum) \u2212 3 (In stock) = 7"),
        ("What is the stock of drain valves worth?", "12 \u00d7 20.25 = 243.00 EUR"),
        ("Was haben die beiden Einer zusammen gekostet?", "4.000 + 5000 = 9.000"),
        ("Welches Boot ist das älteste?", "Frühester Wert, Baujahr: 2001 (Reiher)."),
        ("Was kostete der Zweier?", "Ente, Zweier, Anschaffung Euro: 7500 (Boote des Vereins)."),
    ],
)
def test_a_question_is_answered_in_a_sentence(question: str, said: str):
    assert said in told(question, *TABLES)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which articles are below their minimum?", ["Hose clamp"]),
        ("Which sites are leased?", ["Turku", "Pori"]),
        ("Which sites have more than 10,000 pallet places?", ["Aarhus", "Turku"]),
        ("Which sites opened since 2011?", ["Turku", "Pori", "Lund"]),
        ("Which sites opened after 2011?", ["Pori", "Lund"]),
        ("Which sites opened before 2011?", ["Aarhus"]),
        ("Welche Boote haben mehr als 4.500 Euro gekostet?", ["Ente", "Gans"]),
    ],
)
def test_rows_are_listed_that_are_as_asked(question: str, first: list[str]):
    found = ask(question, *TABLES)
    assert found is not None
    assert [row.cells[0] for row in found.rows] == first


@pytest.mark.parametrize(
    ("question", "table", "said"),
    [
        ("Which month had the most deficiencies in 2025?", MONTHS, "Highest Deficiencies: 41 (2025-03)."),
        ("Welcher Standort hatte den höchsten Umsatz?", SITES, "1.450,2 (Jena)."),
        ("Welcher Standort hat die meisten Mitarbeiter?", SITES, "112 (Bonn)."),
        # North had more, in another year.
        ("Which region had the highest revenue in 2024?", REGIONS, "Highest Revenue: 60 (2024, South)."),
    ],
)
def test_the_row_that_has_the_most_is_of_the_asked_time_and_adds_up_no_others(question: str, table, said: str):
    assert said in told(question, table)


@pytest.mark.parametrize(
    ("question", "table", "cells"),
    [
        (
            "How did the water of site B develop from 2021 to 2024?",
            WATER,
            [("Site B", "15,900", "14,750", "13,480", "12,300")],
        ),
        ("How did sales of valves develop?", SEGMENTS, [("Valves", "58.0", "61.7")]),
        ("How did revenue develop?", QUARTERS, [("2021-Q1", "31.5"), ("2021-Q2", "32.5"), ("2021-Q3", "33.5")]),
        ("How did the largest order develop?", QUARTERS, [("2021-Q1", "4"), ("2021-Q2", "9"), ("2021-Q3", "1")]),
        (
            "How did the revenue of Kite develop?",
            QUARTERS,
            [("2021-Q1", "31.5"), ("2021-Q2", "32.5"), ("2021-Q3", "33.5")],
        ),
    ],
)
def test_how_something_went_is_told_from_the_first_time_to_the_last(question: str, table, cells: list[tuple[str, ...]]):
    found = ask(question, table)
    assert found is not None
    assert [row.cells for row in found.rows] == cells


def test_a_figure_is_of_the_asked_year():
    assert "13,480" in told("How much water did site B use in 2023?", WATER)


def test_a_number_in_a_name_is_no_figure_of_another_row():
    assert "SO-9" in told("Which orders did Buyer number 9 place?", ORDERS)
    assert told("Which orders did Buyer number 17 place?", ORDERS) == ""


def test_nothing_tells_that_figures_are_of_somebody_who_is_not_named_over_them():
    assert told("How did Acme's revenue develop?", QUARTERS) == ""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was the revenue of Gears in 2024?", "Revenue (EUR million), 2024: 61.0"),
        ("What was the revenue of Axles and Springs together in 2024?", "(Axles, Springs): 40.5 + 12.5 = 53.0."),
        ("Which division had the highest revenue in 2024?", "Highest Revenue (EUR million), 2024: 61.0 (Gears)."),
        ("Which division had no employees in 2024?", "Employees, 2024, Gears: 0."),
        (
            "By how much did the revenue of Axles rise from 2023 to 2024?",
            "40.5 (2024) \u2212 38.0 (2023) = 2.5 (+6.6 %)",
        ),
        ("By how many people did Springs shrink from 2023 to 2024?", "101 (2023) \u2212 95 (2024) = 6 (\u22125.9 %)"),
        ("Compare the revenue of Axles and Gears in 2024.", "Revenue (EUR million), 2024: 40.5 (Axles), 61.0 (Gears)."),
    ],
)
def test_documents_of_one_form_are_told_apart_by_their_headings(question: str, said: str):
    assert said in told(question, *DIVISIONS)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the total of invoice 2024-0008?", "Amount EUR 1200 (Invoice 2024-0008)"),
        ("How much has Bergström Freight been invoiced in total?", "(2024-0007, 2024-0008): 2400 + 1200 = 3,600."),
        ("Which of the invoices is the highest?", "3600 (2024-0009)"),
        ("How many days of training were invoiced in all three invoices?", "2 + 1 + 3 = 6."),
    ],
)
def test_totals_of_several_documents_are_added_and_compared(question: str, said: str):
    assert said in told(question, *INVOICES)


@pytest.mark.parametrize(
    "question",
    [
        # The asked cell is empty.
        "How many pallet places does Lund have?",
        # Another year, an unknown name, something like it, a measure that is not told.
        "What was the flow on 2 May 2023?",
        "How many pallet places does Odense have?",
        "What is the revenue of the store in Turku?",
        "What is the occupancy of Turku?",
        # What no cell answers.
        "Why was the store in Turku leased?",
        "Is the store in Turku leased?",
        "How long does a gasket last?",
        "Wie lange hält der Reiher?",
    ],
)
def test_what_no_cell_answers_is_not_answered(question: str):
    assert told(question, *TABLES) == ""


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue in 2024?",
        "What was the revenue of Bearings in 2024?",
        "What was the revenue of Gears in 2022?",
        "What revenue margin did Gears reach in 2024?",
    ],
)
def test_one_of_several_documents_is_not_guessed(question: str):
    assert told(question, *DIVISIONS) == ""


def test_without_a_time_the_table_that_counts_and_is_newest_is_taken():
    lines = "Member | #Fee EUR\nAdults | {0}\nYouths | {1}"
    tables = [
        make_table(lines.format(200, 80), document="fees_2019.md", around="Fees from 2019"),
        make_table(lines.format(240, 90), document="fees_2024.md", around="Fees from 2024"),
        make_table(lines.format(300, 99), document="fees_draft.md", around="Draft of the fees from 2024"),
    ]
    assert "Fee EUR: 240" in told("What fee do adults pay?", *tables)
    assert "Fee EUR: 200" in told("What fee did adults pay in 2019?", *tables)


def test_a_contents_heading_is_no_context():
    table = make_table("Part | #Length mm\nBolt | 40\nPin | 12", around="Contents")
    assert told("What is the length of the bolt?", table) == "Bolt, Length mm: 40."


def test_a_language_without_words_of_its_own_is_told_in_english():
    found = ask("Which sites are leased?", STORES)
    assert found is not None
    assert found.text == "From the table \u201cCold stores of Fjordfrost\u201d:"


QUARTERS = make_table(
    """
    Service | #Q1 EUR | #Q2 EUR | #Q3 EUR
    Hosting | 200 | 230 | 260
    Backup | 40 | 41 | 39
    = Total | 240 | 271 | 299
    """,
    around="Running costs 2024",
)
PRICES = make_table(
    """
    @Month | #Diesel
    2024-04 | 602
    2024-05 | 588
    2024-06 | 579
    """,
    document="fuel.csv",
)


def test_where_no_part_of_the_year_is_named_all_parts_of_the_row_are_told() -> None:
    found = ask("What does hosting cost?", QUARTERS)

    assert found is not None
    assert found.rows[0].cells == ("Hosting", "200", "230", "260")


def test_a_span_of_columns_takes_those_between_its_ends() -> None:
    assert "200 + 230 + 260 = 690" in told("hosting Q1 to Q3 in total", QUARTERS)


def test_the_course_of_a_year_goes_through_its_quarters() -> None:
    assert "(+30.0 %)" in told("Development of hosting over the year", QUARTERS)


def test_a_course_since_a_month_goes_on_to_the_last() -> None:
    sentence = told("How has diesel developed since May 2024?", PRICES)

    assert "588" in sentence
    assert "579" in sentence
    assert "602" not in sentence


def test_the_kind_of_thing_that_is_chosen_may_be_called_otherwise_in_the_table() -> None:
    assert "Turku" in told("Which warehouse has the most pallet places?", STORES)


def test_words_side_by_side_are_no_comparison_of_figures() -> None:
    crews = make_table("Ship | Kind | Master\nDora | Bulk | Hviid\nFreya | Bulk | Roth", around="Ships")

    assert told("How did bulk do compared to last year?", crews) == ""
