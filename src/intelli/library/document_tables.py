"""Tables of documents: what there are, their cells, and answers to questions about them."""

import asyncio
from uuid import UUID

from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx
from intelli.library import document_text, table_view
from intelli.library.document_text import VersionText
from intelli.library.errors import NotReadYet, TableNotFound
from intelli.library.structure.document_structure import DocumentStructure
from intelli.library.table_query.loaded_table import LoadedTable
from intelli.library.table_wire import DocumentTables, TableCells, TableQuery, TableRef, TableResult

_NO_STRUCTURE = "The tables of this document are being read. Try again in a while."


async def get(tx: Tx, document_id: UUID, version: int | None = None) -> VersionText:
    """Return a version of a document whose tables were read. Raises NotReadYet."""
    read = await document_text.get(tx, document_id, version)
    if read.reading.structure_sha256 is None:
        raise NotReadYet(_NO_STRUCTURE)
    return read


async def get_asked(tx: Tx, query: TableQuery) -> list[VersionText]:
    """Return the documents that a query is about, as often as it names them. Raises NotReadYet."""
    refs = [query.table, *([query.join.table] if query.join else [])]
    return [await get(tx, ref.document_id) for ref in refs]


async def show_tables(blobs: Blobs, tenant_id: UUID, read: VersionText) -> DocumentTables:
    """Return the tables of a document, without their cells."""
    text, structure = await _load(blobs, tenant_id, read)
    return DocumentTables(
        document_id=read.version.document_id,
        sha256=read.reading.sha256,
        tables=await asyncio.to_thread(lambda: list(table_view.show_tables(structure, text))),
    )


async def show_cells(
    blobs: Blobs, tenant_id: UUID, read: VersionText, *, number: int, from_row: int, limit: int
) -> TableCells:
    """Return a part of the rows of a table. Raises TableNotFound."""
    text, structure = await _load(blobs, tenant_id, read)
    _check_number(structure, number)
    return await asyncio.to_thread(table_view.show_cells, structure, text, number, from_row=from_row, limit=limit)


async def answer(blobs: Blobs, tenant_id: UUID, query: TableQuery, asked: list[VersionText]) -> TableResult:
    """Answer a query; `asked` are the documents of its tables, in order. Raises what cannot be asked."""
    from intelli.library.table_query.answer import answer as answer_query

    refs = [query.table, *([query.join.table] if query.join else [])]
    loaded = [await _load_table(blobs, tenant_id, ref, read) for ref, read in zip(refs, asked, strict=True)]
    return await asyncio.to_thread(answer_query, query, loaded)


async def _load_table(blobs: Blobs, tenant_id: UUID, ref: TableRef, read: VersionText) -> LoadedTable:
    text, structure = await _load(blobs, tenant_id, read)
    _check_number(structure, ref.table)
    table = structure.tables[ref.table - 1]
    sha256 = read.reading.sha256
    return await asyncio.to_thread(LoadedTable.read, ref.document_id, sha256, number=ref.table, table=table, text=text)


def _check_number(structure: DocumentStructure, number: int) -> None:
    if not 0 < number <= len(structure.tables):
        count = len(structure.tables)
        raise TableNotFound(f"The document has {count} table{'s' * (count != 1)}, and none of the number {number}.")


async def _load(blobs: Blobs, tenant_id: UUID, read: VersionText) -> tuple[str, DocumentStructure]:
    text = await document_text.load_text(blobs, tenant_id, read.text_sha256)
    sha256 = read.reading.structure_sha256
    assert sha256 is not None, "only documents whose tables were read are asked"
    return text, await document_text.load_structure(blobs, tenant_id, sha256, chars=len(text))
