"""Reads the tables of documents as values: those of documents that were found, and of the places a run is about."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from uuid import UUID

from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.kit.blobs import Blobs
from intelli.kit.context import System
from intelli.kit.db import Database, Tx
from intelli.library import authorship, document_facts, document_text, list_documents
from intelli.library.document_text import VersionText
from intelli.library.errors import DocumentNotFound, NotReadYet
from intelli.library.structure import table_rows
from intelli.library.structure.document_structure import DocumentStructure
from intelli.library.structure.document_table import ColumnType, DocumentTable, RowKind, TableRow
from intelli.reasoning.table_answers.source_table import SourceCell, SourceColumn, SourceRow, SourceTable
from intelli.runs.ports import ReadTable, SearchScope

# Documents whose tables are read for one question, tables of one of them, and cells of a table.
_MOST_DOCUMENTS, _MOST_TABLES, _MOST_CELLS = 40, 40, 100_000
# Characters at the beginning of a document that say whom and when it is about.
_OPENING = 300
# Characters between a table and its caption.
_NEAR = 400
_TIMES = frozenset({ColumnType.DATE, ColumnType.PERIOD})
_PAGES = "application/pdf"
_VALUED = frozenset({RowKind.BODY, RowKind.TOTAL})


class TableReader:
    """Reads tables of the library."""

    def __init__(self, db: Database, blobs: Blobs) -> None:
        self._db = db
        self._blobs = blobs

    async def read_tables(self, who: System, document_ids: Sequence[UUID], *, scope: SearchScope) -> list[ReadTable]:
        """Return the tables of some documents, and of the documents in the folders of a scope."""
        async with self._db.begin(who) as tx:
            ours = (await authorship.find_agent_documents(tx, focus=scope.document_ids, question="")).others
            asked = dict.fromkeys([*document_ids, *scope.document_ids, *await _list_inside(tx, scope.folders)])
            ids = [each for each in asked if each not in ours]
            read = [found for each in ids[:_MOST_DOCUMENTS] if (found := await _find(tx, each)) is not None]
            dates = await document_facts.find_dates(tx, [each.version.document_id for each in read])
        tables: list[ReadTable] = []
        for each in read:
            sha256 = each.reading.structure_sha256
            assert sha256 is not None, "only documents whose tables were read are asked"
            whole = await document_text.load_text(self._blobs, who.tenant_id, each.text_sha256)
            structure = await document_text.load_structure(self._blobs, who.tenant_id, sha256, chars=len(whole))
            document = _document(each, whole, dated=dates.get(each.version.document_id))
            tables += await asyncio.to_thread(_tables, structure, document)
        return tables


async def _list_inside(tx: Tx, paths: Iterable[str]) -> list[UUID]:
    return [each for path in paths for each in await list_documents.list_ids_below(tx, path, limit=_MOST_DOCUMENTS)]


async def _find(tx: Tx, document_id: UUID) -> VersionText | None:
    """Return the newest version of a document whose tables were read; None when there is none."""
    try:
        read = await document_text.get(tx, document_id, None)
    except (DocumentNotFound, NotReadYet):
        return None
    return read if read.reading.structure_sha256 is not None else None


def _document(read: VersionText, whole: str, *, dated: date | None) -> Passage:
    """Return a document as one passage, of which its rows are parts."""
    return Passage(
        span=Span(read.reading.sha256, 0, len(whole)),
        text=whole,
        title=read.version.name,
        path=read.version.path,
        mime_type=read.version.mime_type,
        score=1.0,
        document_id=read.version.document_id,
        dated=dated,
    )


def _tables(structure: DocumentStructure, document: Passage) -> list[ReadTable]:
    found: list[ReadTable] = []
    opening = document.text[: min([_OPENING, *(table.start for table in structure.tables)])]
    for table in structure.tables[:_MOST_TABLES]:
        if table.row_count * max(len(table.columns), 1) > _MOST_CELLS:
            continue
        rows = list(table_rows.read_rows(document.text, table))
        start, end = _stretch(table)
        values = SourceTable(
            document=document.title,
            around=_around(structure, table, document.text),
            opening=opening,
            columns=tuple(_column(table, at) for at in range(len(table.columns))),
            rows=tuple(_rows(rows, is_page=document.mime_type == _PAGES)),
            start=start,
            end=end,
            dated=document.dated,
        )
        heads = [row for row in rows if row.kind is RowKind.HEAD and row.cells]
        head = document.text[heads[-1].cells[0].start : heads[-1].cells[-1].end] if heads else ""
        found.append(ReadTable(values, document, head))
    return found


def _stretch(table: DocumentTable) -> tuple[int, int]:
    """Return where a table stands, with a caption that is near it."""
    start, end = table.caption or (table.start, table.end)
    is_near = start >= table.start - _NEAR and end <= table.end + _NEAR
    return (min(start, table.start), max(end, table.end)) if is_near else (table.start, table.end)


def _around(structure: DocumentStructure, table: DocumentTable, text: str) -> str:
    place = structure.place_of(table.start, table.end)
    headings = [text[each.start : each.end] for each in place.headings] if place else []
    caption = [text[slice(*table.caption)]] if table.caption else []
    return "\n".join(" ".join(each.split()) for each in (*caption, *reversed(headings)))


def _column(table: DocumentTable, at: int) -> SourceColumn:
    column = table.columns[at]
    is_number = column.type is ColumnType.NUMBER
    unit = column.unit or (table.unit if is_number else None)
    return SourceColumn(column.name, unit.written if unit else "", is_number, column.type in _TIMES)


def _rows(rows: Sequence[TableRow], *, is_page: bool) -> list[SourceRow]:
    """Return the rows with values; on a page, lines that go on with cells of the row above are parts of it."""
    found: list[SourceRow] = []
    for row in (_row(each) for each in rows if each.kind in _VALUED and each.cells):
        if found and is_page and _goes_on(found[-1], row):
            found[-1] = _joined(found[-1], row)
        else:
            found.append(row)
    return found


def _goes_on(before: SourceRow, row: SourceRow) -> bool:
    is_words = all(cell.number is None for cell in row.cells.values())
    return (
        is_words
        and 0 not in row.cells
        and len(row.cells) < len(before.cells)
        and row.cells.keys() <= before.cells.keys()
    )


def _joined(before: SourceRow, row: SourceRow) -> SourceRow:
    cells = dict(before.cells)
    for at, cell in row.cells.items():
        above = cells[at].text
        is_broken = above.endswith("-") and cell.text[:1].islower()
        cells[at] = SourceCell(f"{above[:-1]}{cell.text}" if is_broken else f"{above} {cell.text}")
    return SourceRow(cells, before.start, row.end, is_total=before.is_total)


def _row(row: TableRow) -> SourceRow:
    cells = {
        cell.column: SourceCell(cell.text, cell.value if isinstance(cell.value, Decimal) else None)
        for cell in row.cells
        if cell.text
    }
    return SourceRow(cells, row.cells[0].start, row.cells[-1].end, is_total=row.kind is RowKind.TOTAL)
