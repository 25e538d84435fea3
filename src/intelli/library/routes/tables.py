"""Routes to the tables of documents, and to ask them."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query

from intelli.content.routes import transfer
from intelli.kit.http import Db, Reader
from intelli.library import document_tables
from intelli.library.routes.dependencies import OfVersion
from intelli.library.table_wire import DocumentTables, TableCells, TableQuery, TableResult

router = APIRouter(tags=["tables"])

Number = Annotated[int, Path(ge=1, le=5000, description="Number of the table in its document, from 1.")]


@router.get("/documents/{document_id}/tables")
async def list_tables(
    document_id: UUID, who: Reader, db: Db, blobs: transfer.BlobStore, version: OfVersion = None
) -> DocumentTables:
    """The tables of a document: where they stand, their captions, columns and units."""
    async with db.begin(who) as tx:
        read = await document_tables.get(tx, document_id, version)
    return await document_tables.show_tables(blobs, who.tenant_id, read)


@router.get("/documents/{document_id}/tables/{number}")
async def show_table(
    document_id: UUID,
    number: Number,
    who: Reader,
    db: Db,
    blobs: transfer.BlobStore,
    version: OfVersion = None,
    from_row: Annotated[int, Query(ge=0, lt=1 << 31, description="`next_row` of the answer before.")] = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="How many rows to show.")] = 100,
) -> TableCells:
    """A table with its cells: words, values, units, spans and addresses."""
    async with db.begin(who) as tx:
        read = await document_tables.get(tx, document_id, version)
    return await document_tables.show_cells(blobs, who.tenant_id, read, number=number, from_row=from_row, limit=limit)


@router.post("/tables/query")
async def query_tables(body: TableQuery, who: Reader, db: Db, blobs: transfer.BlobStore) -> TableResult:
    """Ask tables: filter, join, group, sum, count, mean, extremes, rank, sort. Each figure names its cells."""
    async with db.begin(who) as tx:
        asked = await document_tables.get_asked(tx, body)
    return await document_tables.answer(blobs, who.tenant_id, body, asked)
