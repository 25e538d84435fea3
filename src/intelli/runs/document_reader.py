"""Reads documents as values: their names, facts and pieces, of those that were found or that a run is about."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from uuid import UUID

from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.kit.blobs import Blobs
from intelli.kit.context import System
from intelli.kit.db import Database, Tx
from intelli.library import authorship, document_facts, document_text, list_documents
from intelli.library.extraction.model import PieceKind
from intelli.library.fact_wire import DocumentFactsView, FactValue
from intelli.library.structure import table_rows
from intelli.library.structure.document_structure import DocumentStructure
from intelli.library.structure.document_table import DocumentTable, RowKind, TableRow
from intelli.library.structure.pieces import Piece
from intelli.library.structure.told_words import FactOrigin
from intelli.reasoning import evidence_rules
from intelli.reasoning.document_answers.source_document import (
    MOST_DOCUMENTS,
    PieceRole,
    SourceDocument,
    SourceFact,
    SourcePiece,
    ToldLine,
)
from intelli.runs.ports import ReadSource, SearchScope

# Rows of a table, and characters of a cell, that are told.
_MOST_ROWS, _MOST_CELL_CHARS = 2_000, 80
_MOST_CELLS = 8
_LONGEST_FACT = 80
_ROLES = {
    PieceKind.TITLE: PieceRole.TITLE,
    PieceKind.HEADING: PieceRole.HEADING,
    PieceKind.PARAGRAPH: PieceRole.PROSE,
    PieceKind.LIST_ITEM: PieceRole.ITEM,
    PieceKind.TABLE: PieceRole.TABLE,
    PieceKind.CONTENTS: PieceRole.CONTENTS,
}
_TOLD = frozenset({RowKind.BODY, RowKind.TOTAL})


class DocumentReader:
    """Reads documents of the library."""

    def __init__(self, db: Database, blobs: Blobs) -> None:
        self._db = db
        self._blobs = blobs

    async def read_sources(self, who: System, document_ids: Sequence[UUID], *, scope: SearchScope) -> list[ReadSource]:
        """Return some documents and those of a scope, of all where it names none; those without a text are left out."""
        async with self._db.begin(who) as tx:
            inside = await _list_inside(tx, scope)
            ours = await authorship.find_agent_documents(tx, focus=scope.document_ids, question="")
            ids = list(dict.fromkeys([*scope.document_ids, *document_ids, *inside]))[:MOST_DOCUMENTS]
            found = {each.document.id: each for each in await list_documents.list_of(tx, ids)}
        sources: list[ReadSource] = []
        for document_id in ids:
            each = found.get(document_id)
            reading = each.reading if each is not None else None
            if each is None or reading is None or reading.text_sha256 is None or reading.structure_sha256 is None:
                continue
            text = await document_text.load_text(self._blobs, who.tenant_id, reading.text_sha256)
            structure = await document_text.load_structure(
                self._blobs, who.tenant_id, reading.structure_sha256, chars=len(text)
            )
            facts = document_facts.show(each.document, reading)
            values = await asyncio.to_thread(source_document, each.document.name, text, structure, facts)
            passage = Passage(
                span=Span(reading.sha256, 0, len(text)),
                text=text,
                title=each.document.name,
                path=each.document.path,
                mime_type=each.document.mime_type,
                score=1.0,
                document_id=document_id,
                dated=_day(facts),
                origin=evidence_rules.AGENT if document_id in ours.others | ours.in_focus else evidence_rules.SOURCE,
            )
            sources.append(ReadSource(values, passage))
        return sources


async def _list_inside(tx: Tx, scope: SearchScope) -> list[UUID]:
    """List what is in the folders of a scope, in the whole library where it names neither folder nor document."""
    paths: Iterable[str] = scope.folders or (() if scope.document_ids else ("/",))
    return [each for path in paths for each in await list_documents.list_ids_below(tx, path, limit=MOST_DOCUMENTS)]


def source_document(name: str, text: str, structure: DocumentStructure, facts: DocumentFactsView) -> SourceDocument:
    """Return a document as values."""
    tables = {table.start: table for table in structure.tables}
    return SourceDocument(
        name=name,
        text=text,
        pieces=tuple(_piece(piece, text, tables) for piece in structure.pieces),
        kind=_fact(facts.kind),
        date=_fact(facts.date),
        day=_day(facts),
        period=_period(facts.period),
        parties=tuple(told for each in facts.parties if (told := _fact(each)) is not None),
    )


def _day(facts: DocumentFactsView) -> date | None:
    """Return the date of a document; that of the metadata is of the file only."""
    told = _fact(facts.date)
    return date.fromisoformat(facts.date.value) if told and facts.date and facts.date.value else None


def _fact(told: FactValue | None) -> SourceFact | None:
    if told is None or told.origin is FactOrigin.METADATA:
        return None
    said = " ".join(told.words.split())
    return SourceFact(said, told.start, told.end) if 0 < len(said) <= _LONGEST_FACT else None


def _period(told: FactValue | None) -> SourceFact | None:
    """Return a period; one of the columns of a table has no words that tell it."""
    fact = _fact(told)
    return fact if fact is not None and told is not None and told.value[:4] in fact.words else None


def _piece(piece: Piece, text: str, tables: Mapping[int, DocumentTable]) -> SourcePiece:
    role = _ROLES.get(piece.kind, PieceRole.OTHER)
    table = None
    if role is PieceRole.TABLE:
        table = next((found for at, found in tables.items() if piece.start <= at < piece.end), None)
    return SourcePiece(
        start=piece.start,
        end=piece.end,
        role=role,
        heading=piece.heading,
        continues=piece.continues,
        lines=tuple(_lines(text, table)) if table else (),
        columns=tuple(column.name for column in table.columns) if table else (),
    )


def _lines(text: str, table: DocumentTable) -> Iterable[ToldLine]:
    for row in table_rows.read_rows(text, table, limit=_MOST_ROWS):
        if row.kind in _TOLD and row.cells:
            yield ToldLine(_row(row, table), row.cells[0].start, row.cells[-1].end)


def _row(row: TableRow, table: DocumentTable) -> str:
    """Return a row in words: what its first cell says, and the others below the names of their columns."""
    first, *others = [cell for cell in row.cells if cell.text.strip()][:_MOST_CELLS] or row.cells[:1]
    if len(others) == 1:
        return f"{_short(first.text)}: {_short(others[0].text)}"
    named = (f"{table.columns[cell.column].name}: {_short(cell.text)}".strip(": ") for cell in others)
    return f"{_short(first.text)}, {', '.join(named)}" if others else _short(first.text)


def _short(words: str) -> str:
    told = " ".join(words.split())
    return told if len(told) <= _MOST_CELL_CHARS else f"{told[:_MOST_CELL_CHARS].rstrip()} …"
