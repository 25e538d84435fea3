"""Packs the structure of a document for storage, and reads it back. What a child wrote is checked as it is read.

Format: a mark with the version, then zlib-compressed JSON: the columns of the pieces, and the tables.
"""

import json
import zlib
from collections.abc import Sequence
from itertools import accumulate

from intelli.language.notation import Decimals
from intelli.library.extraction import untrusted
from intelli.library.extraction.model import BlockLocation, PieceKind
from intelli.library.extraction.sandbox import transfer
from intelli.library.structure.document_structure import MOST_PIECES, DocumentStructure
from intelli.library.structure.document_table import (
    ColumnType,
    ColumnUnit,
    DocumentTable,
    RowKind,
    TableBand,
    TableColumn,
)
from intelli.library.structure.find_tables import MOST_COLUMNS, MOST_PLACED_CELLS, MOST_TABLES
from intelli.library.structure.pieces import Piece

_MARK = b"intelli-structure-1\n"
_MOST_BYTES = 128 << 20
_LEVELS = 16
_MOST_ROWS = 4_000_000
_MOST_BANDS = 400_000
_NAME_CHARS = 1000
_SCALES = 30
_LEFT = 20_000
_KINDS = tuple(PieceKind)
_ROW_KINDS = tuple(RowKind)
_TYPES = tuple(ColumnType)


class DamagedStructure(ValueError):
    """The bytes are not the structure of this text, or of a later version."""


def pack(structure: DocumentStructure) -> bytes:
    """Pack a structure for storage."""
    pieces = structure.pieces
    header = {
        "starts": _steps([piece.start for piece in pieces]),
        "lengths": [piece.end - piece.start for piece in pieces],
        "kinds": [_KINDS.index(piece.kind) for piece in pieces],
        "levels": [piece.level for piece in pieces],
        "headings": [piece.heading for piece in pieces],
        "continues": [at for at, piece in enumerate(pieces) if piece.continues],
        "tables": [_pack_table(table) for table in structure.tables],
    }
    return _MARK + zlib.compress(json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode(), 6)


def unpack(packed: bytes, *, chars: int) -> DocumentStructure:
    """Read the structure of a text with `chars` characters. Raises DamagedStructure when the bytes are not one."""
    if not packed.startswith(_MARK):
        raise DamagedStructure("these bytes are not a structure that this version reads")
    try:
        header = untrusted.check_object(_parse(packed[len(_MARK) :]), ("starts", "tables"))
        return DocumentStructure(_pieces(header, chars), _tables(header["tables"], chars))
    except (zlib.error, ValueError, TypeError, KeyError, IndexError) as error:
        raise DamagedStructure("the structure is damaged") from error


def _parse(compressed: bytes) -> object:
    stream = zlib.decompressobj()
    body = stream.decompress(compressed, _MOST_BYTES)
    if not stream.eof or stream.unused_data:
        raise ValueError("it does not end where it should")
    return untrusted.parse(body, most_bytes=_MOST_BYTES)


def _steps(places: Sequence[int]) -> list[int]:
    return [after - before for before, after in zip([0, *places], places, strict=False)]


def _pieces(header: dict[str, object], chars: int) -> list[Piece]:
    columns = [_ints(header[name], MOST_PIECES) for name in ("starts", "lengths", "kinds", "levels", "headings")]
    steps, lengths, kinds, levels, headings = columns
    if min(map(min, filter(None, (steps, lengths, kinds, levels))), default=0) < 0:
        raise ValueError("a piece is not what it must be")
    continued = set(_ints(header["continues"], MOST_PIECES))
    found = []
    at_least = 0
    rows = zip(accumulate(steps), lengths, kinds, levels, headings, strict=True)
    for index, (start, length, kind, level, heading) in enumerate(rows):
        if start < at_least or start + length > chars or level > _LEVELS or not -1 <= heading < index:
            raise ValueError("a piece is not what it must be")
        at_least = start + length
        found.append(Piece(start, start + length, _KINDS[kind], level, heading, index in continued))
    return found


def _ints(value: object, most: int) -> list[int]:
    found = untrusted.check_list(value, most)
    if any(type(each) is not int for each in found):
        raise ValueError("a number is not what it must be")
    return found  # type: ignore[return-value]  # each was checked


def _pack_table(table: DocumentTable) -> dict[str, object]:
    return {
        "bands": [[band.start, band.end, _pack_place(band.place), band.left] for band in table.bands],
        "columns": [
            [column.name, _TYPES.index(column.type), _pack_unit(column.unit), column.is_key, column.is_total]
            for column in table.columns
        ],
        "kinds": [[at, _ROW_KINDS.index(kind)] for at, kind in table.kinds.items()],
        "rows": table.row_count,
        "piped": table.is_piped,
        "decimals": table.decimals,
        "unit": _pack_unit(table.unit),
        "caption": table.caption,
        "placed": table.columns_of,
        "records": table.is_of_records,
    }


def _pack_place(place: BlockLocation) -> dict[str, object]:
    return {name: value for name in BlockLocation.__slots__ if (value := getattr(place, name)) is not None}


def _pack_unit(unit: ColumnUnit | None) -> list[object] | None:
    return None if unit is None else [unit.name, unit.scale, unit.written]


def _tables(value: object, chars: int) -> list[DocumentTable]:
    cells_left = MOST_PLACED_CELLS
    found = []
    for each in untrusted.check_list(value, MOST_TABLES):
        table = _table(untrusted.check_object(each, ("bands", "columns", "kinds", "rows")), chars)
        cells_left -= sum(map(len, table.columns_of or ()))
        if cells_left < 0:
            raise ValueError("there is more than may be")
        found.append(table)
    return found


def _table(fields: dict[str, object], chars: int) -> DocumentTable:
    rows = untrusted.check_int(fields["rows"], 0, _MOST_ROWS)
    bands = tuple(_band(each, chars) for each in untrusted.check_list(fields["bands"], _MOST_BANDS))
    if not bands:
        raise ValueError("a table has no place")
    caption = fields["caption"]
    return DocumentTable(
        bands=bands,
        columns=tuple(_column(each) for each in untrusted.check_list(fields["columns"], MOST_COLUMNS)),
        kinds=dict(_row_kind(each, rows) for each in untrusted.check_list(fields["kinds"], _MOST_ROWS)),
        row_count=rows,
        is_piped=_flag(fields["piped"]),
        decimals=None if fields["decimals"] is None else Decimals(untrusted.check_text(fields["decimals"], 1)),
        unit=_unit(fields["unit"]),
        caption=None if caption is None else _span(caption, chars),
        columns_of=_columns_of(fields["placed"]),
        is_of_records=_flag(fields.get("records", False)),  # a structure of before tells none
    )


def _band(value: object, chars: int) -> TableBand:
    start, end, place, left = untrusted.check_row(value, 4)
    span = untrusted.check_span(start, end, chars)
    return TableBand(*span, transfer.check_location(place), untrusted.check_int(left, 0, _LEFT))


def _column(value: object) -> TableColumn:
    name, kind, unit, is_key, is_total = untrusted.check_row(value, 5)
    words = untrusted.check_text(name, _NAME_CHARS)
    return TableColumn(
        words, _TYPES[untrusted.check_int(kind, 0, len(_TYPES) - 1)], _unit(unit), _flag(is_key), _flag(is_total)
    )


def _row_kind(value: object, rows: int) -> tuple[int, RowKind]:
    at, kind = untrusted.check_row(value, 2)
    return untrusted.check_int(at, 0, rows), _ROW_KINDS[untrusted.check_int(kind, 0, len(_ROW_KINDS) - 1)]


def _unit(value: object) -> ColumnUnit | None:
    if value is None:
        return None
    name, scale, written = untrusted.check_row(value, 3)
    return ColumnUnit(
        untrusted.check_text(name, _NAME_CHARS),
        untrusted.check_int(scale, 0, _SCALES),
        untrusted.check_text(written, _NAME_CHARS),
    )


def _columns_of(value: object) -> tuple[tuple[int, ...], ...] | None:
    if value is None:
        return None
    rows = untrusted.check_list(value, _MOST_ROWS)
    return tuple(
        tuple(untrusted.check_int(each, 0, MOST_COLUMNS) for each in untrusted.check_list(row, MOST_COLUMNS))
        for row in rows
    )


def _span(value: object, chars: int) -> tuple[int, int]:
    start, end = untrusted.check_row(value, 2)
    return untrusted.check_span(start, end, chars)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("a flag is not what it must be")  # noqa: TRY004  # as for all that a child wrote
    return value
