"""The card of a document: what it is, its headings and its key figures, each with its place in the text."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.language import periods
from intelli.library import document_facts, documents
from intelli.library.errors import NotReadYet
from intelli.reasoning.document_answers.source_document import PieceRole, SourceDocument
from intelli.reasoning.document_answers.whole_sentences import shown, title_of
from intelli.reasoning.table_answers.source_table import SourceColumn, SourceTable
from intelli.runs.ports import LibraryAccess, ReadTable, SearchScope
from intelli.runs.wire import CardFigure, CardHeading, DocumentCard

_MOST_HEADINGS, _MOST_FIGURES, _MOST_TABLES = 12, 6, 2
_LONGEST = 120


async def build_card(library: LibraryAccess, db: Database, who: System, document_id: UUID) -> DocumentCard:
    """Build the card of a document from what was read of it. Raise DocumentNotFound, or NotReadYet."""
    async with db.begin(who) as tx:
        found = await documents.get(tx, document_id)
    scope = SearchScope(document_ids=(document_id,))
    read = await library.read_sources(who, [document_id], scope=scope)
    if not read:
        raise NotReadYet("This document has no card yet: it is still being read, or has no text.")
    document = read[0].values
    title = title_of(document)
    return DocumentCard(
        document_id=document_id,
        name=document.name,
        title=_shorten(shown(document.text[title.start : title.end])) if title else None,
        facts=document_facts.show(found.document, found.reading),
        headings=list(_headings(document))[:_MOST_HEADINGS],
        figures=list(_figures(await library.read_tables(who, [document_id], scope=scope)))[:_MOST_FIGURES],
    )


def _headings(document: SourceDocument) -> Iterator[CardHeading]:
    """Yield the chapters of a document, without its title."""
    title = title_of(document)
    for piece in document.pieces:
        words = shown(document.text[piece.start : piece.end])
        if piece.role is PieceRole.HEADING and piece is not title and words:
            yield CardHeading(text=_shorten(words), start=piece.start, end=piece.end)


def _figures(tables: Sequence[ReadTable]) -> Iterator[CardFigure]:
    """Yield a figure for each row of the first tables that adds up, else for their first rows: the newest one."""
    for read in tables[:_MOST_TABLES]:
        table = read.table
        column = _column(table)
        if column is None:
            continue
        at, named = column
        totals = [row for row in table.rows if row.is_total and row.number(at) is not None]
        for row in totals or [row for row in table.rows[:_MOST_FIGURES] if row.number(at) is not None]:
            label = " ".join(row.text(0).split())
            if label:
                name = " ".join(named.name.split())
                yield CardFigure(name=_shorten(f"{label}: {name}"), value=row.text(at), start=row.start, end=row.end)


def _column(table: SourceTable) -> tuple[int, SourceColumn] | None:
    """Return the column of the newest year, else the first of figures; None in a table without figures."""
    columns = [(at, each) for at, each in enumerate(table.columns) if at and each.is_number]
    dated = [(max(years), at, each) for at, each in columns if (years := periods.years_of(each.name))]
    if dated:
        _, at, each = max(dated, key=lambda one: (one[0], -one[1]))
        return at, each
    return columns[0] if columns else None


def _shorten(words: str) -> str:
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST].rpartition(' ')[0]}\u2026"
