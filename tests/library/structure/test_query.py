"""Questions to tables: what is calculated is right, and names the cells it was made of."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

import duckdb
import pytest
from tests.library.extraction.reading import read

from intelli.kit.errors import Invalid
from intelli.library.errors import TableColumnUnknown, UnitsDiffer
from intelli.library.structure import document_structure
from intelli.library.table_query import engine
from intelli.library.table_query.answer import answer
from intelli.library.table_query.loaded_table import LoadedTable
from intelli.library.table_wire import TableQuery, TableResult

__all__ = ["read"]

SALES = """Year,Segment,Revenue EURm,EBIT EURm,Employees
2023,Logistics,560.1,30.5,3000
2023,Freight,230.0,12.0,900
2024,Logistics,612.4,41.2,3163
2024,Freight,244.7,-3.1,
Total,,1647.2,80.6,
"""
MANAGERS = "Segment;Head\nlogistics;Ada Byron\nFreight;Tom Berg\n"


@pytest.fixture
def load(read):
    def load(content: str) -> LoadedTable:
        extraction = read(content, "a.csv")
        table = document_structure.build(extraction).tables[0]
        return LoadedTable.read(uuid4(), "0" * 64, number=1, table=table, text=extraction.text)

    return load


def ask(*tables: LoadedTable, **query: Any) -> TableResult:
    named = {"table": {"document_id": str(tables[0].document_id)}, **query}
    return answer(TableQuery.model_validate(named), tables)


def shown(result: TableResult) -> list[list[str | None]]:
    return [[value.text for value in row] for row in result.rows]


def test_groups_are_summed_without_the_rows_of_totals(load):
    found = ask(load(SALES), group_by=["year"], aggregates=[{"function": "sum", "column": "revenue eurm"}])
    assert shown(found) == [["2023", "790.1"], ["2024", "857.1"]]
    assert found.rows[1][1].number == Decimal("857.1")
    assert found.rows[1][1].unit.scale == 6
    assert [cell.place.cells for cell in found.rows[1][1].cells] == ["C4", "C5"]
    assert "without its rows of totals" in found.how


def test_an_extreme_names_the_cell_that_has_it_and_an_empty_cell_is_none(load):
    smallest = {"function": "smallest", "column": "Employees"}
    found = ask(load(SALES), aggregates=[smallest])
    assert [(cell.place.cells, cell.text) for cell in found.rows[0][0].cells] == [("E3", "900")]


def test_rows_are_filtered_sorted_and_cut(load):
    found = ask(
        load(SALES),
        columns=["Segment", "EBIT"],
        where=[{"column": "Year", "value": "2024"}, {"column": "EBIT", "compare": ">", "value": -5}],
        order_by=[{"column": "EBIT EURm", "descending": True}],
        limit=1,
    )
    assert (shown(found), found.row_count) == ([["Logistics", "41.2"]], 2)


def test_rows_are_ranked(load):
    found = ask(load(SALES), columns=["Segment"], rank_by={"column": "Revenue EURm", "descending": True})
    assert shown(found) == [["1", "Logistics"], ["2", "Logistics"], ["3", "Freight"], ["4", "Freight"]]


def test_a_mean_and_a_count_name_their_operands(load):
    found = ask(load(SALES), aggregates=[{"function": "mean", "column": "Employees"}, {"function": "count"}])
    mean, count = found.rows[0]
    assert (mean.number, mean.cell_count, count.number) == (Decimal("2354.3333333333335"), 3, 4)


def test_tables_are_joined_by_key_whatever_its_case(load):
    join = {"table": {"document_id": str(uuid4())}, "column": "Segment", "other_column": "Segment"}
    found = ask(
        load(SALES),
        load(MANAGERS),
        join=join,
        columns=["Head", "Revenue EURm"],
        where=[{"column": "Year", "value": "2024"}],
    )
    assert shown(found) == [["Ada Byron", "612.4"], ["Tom Berg", "244.7"]]
    assert [cell.place.cells for cell in found.rows[0][0].cells] == ["B2"]


def test_cells_of_different_units_are_not_added_up(load):
    table = load("Measure,2023,2024\nRevenue (EUR million),10.5,12.5\nMargin (%),6.5,7.5\n")
    with pytest.raises(UnitsDiffer, match="EUR million"):
        ask(table, aggregates=[{"function": "sum", "column": "2024"}])


def test_words_of_the_caller_are_values_and_never_a_part_of_the_statement(load):
    hostile = "x' or 1=1; copy t0 to '/tmp/stolen'; --"
    table = load(SALES)
    assert ask(table, columns=["Segment"], where=[{"column": "Segment", "value": hostile}]).rows == []
    with pytest.raises(TableColumnUnknown, match="Revenue EURm"):
        ask(table, columns=[hostile])


@pytest.mark.parametrize(
    "query",
    [
        {"aggregates": [{"function": "sum", "column": "Segment"}]},
        {"aggregates": [{"function": "sum"}]},
        {"group_by": ["Year"]},
        {"where": [{"column": "Employees", "compare": "<", "value": "many"}]},
        {"where": [{"column": "Employees", "compare": "<"}]},
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_to_do(load, query):
    with pytest.raises(Invalid):
        ask(load(SALES), **query)


@pytest.mark.parametrize(
    "statement",
    [
        "select * from read_csv('/etc/hostname')",
        "copy (select 1) to '/tmp/x'",
        "set enable_external_access=true",
        "install httpfs",
    ],
)
def test_the_engine_reaches_no_file_and_no_network(statement):
    with engine.open_engine() as opened, pytest.raises((duckdb.PermissionException, duckdb.InvalidInputException)):
        opened.run(statement, ())


def test_headings_without_end_are_read_without_recursion(read):
    extraction = read("Title\n===\n" * 3000, "a.txt")
    assert len(document_structure.build(extraction).pieces) == 3000
