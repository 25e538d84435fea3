"""Tables of JSON and JSON lines: a row for each object, a column for each key, and cells that lead to their values."""

import json
from datetime import date
from decimal import Decimal

from tests.library.extraction.reading import read

from intelli.library.extraction.model import PieceKind
from intelli.library.structure import document_structure, packed_structure, table_rows
from intelli.library.structure.document_table import ColumnType

__all__ = ["read"]
_ALARMS = [
    {"time": "2024-07-02T18:22:00", "unit": "UV 1", "minutes": 95, "by": {"name": "Ada"}, "tags": ["a", "b"]},
    {"time": "2024-07-05T04:10:00", "unit": 'the "new" UV', "minutes": 40.5, "by": {"name": None}, "tags": []},
    {"time": "2024-07-09T13:37:00", "minutes": 25, "by": {"name": "Bo"}, "unit": "P4"},
]


def tables_of(read, content, name):
    extraction = read(content, name)
    structure = document_structure.build(extraction)
    packed = packed_structure.pack(structure)
    assert packed_structure.unpack(packed, chars=len(extraction.text)).tables == structure.tables
    for table in structure.tables:
        for row in table_rows.read_rows(extraction.text, table):
            assert all(extraction.text[cell.start : cell.end] == cell.text for cell in row.cells)
    return extraction, structure


def values(extraction, table):
    return [{cell.column: cell.value for cell in row.cells} for row in table_rows.read_rows(extraction.text, table)]


def test_objects_with_the_same_keys_are_rows_under_the_key_they_stand_in(read):
    source = {"plant": "North", "alarms": _ALARMS, "units": ["UV 1", "UV 2"]}
    extraction, structure = tables_of(read, json.dumps(source), "a.json")
    assert extraction.text == json.dumps(source, indent=2)
    (table,) = structure.tables
    assert [(column.name, column.type) for column in table.columns] == [
        ("time", ColumnType.DATE),
        ("unit", ColumnType.TEXT),
        ("minutes", ColumnType.NUMBER),
        ("by.name", ColumnType.TEXT),
    ]
    assert extraction.text[slice(*table.caption)] == "alarms"
    assert values(extraction, table) == [
        {0: date(2024, 7, 2), 1: "UV 1", 2: 95, 3: "Ada"},
        {0: date(2024, 7, 5), 1: r"the \"new\" UV", 2: Decimal("40.5"), 3: None},
        {0: date(2024, 7, 9), 1: "P4", 2: 25, 3: "Bo"},
    ]
    rows = list(table_rows.read_rows(extraction.text, table))
    assert extraction.text.splitlines()[rows[1].place.line - 1].strip() == "{"
    assert [piece.kind for piece in structure.pieces] == [PieceKind.CODE, PieceKind.TABLE, PieceKind.CODE]


def test_records_over_many_blocks_are_one_table(read):
    extraction, structure = tables_of(read, json.dumps([{"n": n, "square": n * n} for n in range(300)]), "a.json")
    (table,) = structure.tables
    assert (table.row_count, len(extraction.blocks) > 3) == (300, True)
    assert values(extraction, table)[-1] == {0: 299, 1: 299 * 299}
    kinds = {structure.place_of(band.start, band.end).piece.kind for band in table.bands}
    assert kinds == {PieceKind.TABLE}


def test_records_of_json_lines_are_rows_at_their_lines(read):
    records = [{"time": "2024-01-02", "who": {"name": "Ada"}, "text": "one\ntwo"}, {}, {"time": "2024-01-03", "n": 3}]
    records += [{"time": "2024-01-04", "who": {"name": "Bo"}, "text": "three"}] * 30
    extraction, structure = tables_of(read, "\n".join(map(json.dumps, records)), "a.jsonl")
    (table,) = structure.tables
    assert [column.name for column in table.columns] == ["time", "who.name", "text"]
    assert values(extraction, table)[0] == {0: date(2024, 1, 2), 1: "Ada", 2: "one\ntwo"}
    assert [band.place.line for band in table.bands][:3] == [1, 3, 4]


def test_lists_inside_objects_are_tables_where_the_objects_are_none(read):
    orders = [{"items": [{"article": "pump", "pieces": n}, {"article": "hose", "pieces": 2}]} for n in range(2)]
    _, structure = tables_of(read, json.dumps({"orders": orders}), "a.json")
    assert [(table.row_count, len(table.columns)) for table in structure.tables] == [(2, 2), (2, 2)]


def test_mixed_lists_and_texts_in_fields_are_no_tables(read):
    for value in (
        [{"a": 1, "b": 2}, 3],
        [{"a": 1, "b": 2}],
        [{"a": 1}, {"b": 2}, {"c": 3}],
        [{"title": "A", "text": "lorem " * 100}, {"title": "B", "text": "ipsum " * 100}],
        {"a": [[1, 2], [3, 4]], "b": ["{", "["]},
    ):
        assert tables_of(read, json.dumps(value), "a.json")[1].tables == []
    texts = [{"title": "A", "text": "lorem " * 100}, {"title": "B", "text": "ipsum " * 100}]
    assert tables_of(read, "\n".join(map(json.dumps, texts)), "a.jsonl")[1].tables == []


def test_a_text_that_is_cut_keeps_the_records_before_it(read):
    content = json.dumps([{"n": n, "name": f"name {n}"} for n in range(100)], separators=(",", ":"))
    extraction = read(content, "a.json", max_chars=len(content) + 50)
    (table,) = document_structure.build(extraction).tables
    assert 2 < table.row_count < 100
    assert all(extraction.text[each.start : each.end] == each.text for each in _cells(extraction, table))


def _cells(extraction, table):
    return [cell for row in table_rows.read_rows(extraction.text, table) for cell in row.cells]
