"""Listing documents: filtered by folder, status, source or name, sorted by name or time, page by page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from intelli.kit import pagination
from intelli.kit.db import Tx
from intelli.kit.wire import Page
from intelli.library import documents, folders, wire
from intelli.library.sources import Sources
from intelli.library.store import documents as store
from intelli.library.store.documents import DocumentQuery, DocumentWithReading
from intelli.library.tables import Document
from intelli.library.wire import IndexingStatus, SortBy


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """Filter and order of a document list; None means any. `top` is for documents in no folder."""

    folder_id: UUID | None = None
    top: bool = False
    recursive: bool = False
    status: IndexingStatus | None = None
    source_type: str | None = None
    name: str | None = None
    sort: SortBy = SortBy.NAME


async def list_documents(
    tx: Tx, wanted: DocumentFilter, *, cursor: str | None, limit: int, sources: Sources
) -> Page[wire.Document]:
    """Return a page of documents that match the filter."""
    which, after = await _filter(tx, wanted), pagination.decode_place(cursor)
    if wanted.sort is SortBy.NAME:
        rows = await store.list_by_name(tx, which, after=after, limit=limit + 1)
    else:
        rows = await store.list_newest_first(tx, which, after=_moment(after), limit=limit + 1)
    return pagination.place_page(
        rows,
        limit,
        item=lambda found: documents.answer(found, sources),
        place=lambda found: (_key(found.document, wanted.sort), found.document.id),
    )


async def list_ids_below(tx: Tx, path: str, *, limit: int) -> list[UUID]:
    """Return the ids of the documents below a folder, by name; of all where the path is `/`."""
    below = "/" + path.strip("/")
    which = DocumentQuery(below=None if below == "/" else below)
    return [found.document.id for found in await store.list_by_name(tx, which, after=None, limit=limit)]


async def list_of(tx: Tx, ids: Sequence[UUID]) -> Sequence[DocumentWithReading]:
    """Return documents with their readings, as far as they exist."""
    return await store.find_all_with_readings(tx, ids) if ids else []


async def _filter(tx: Tx, wanted: DocumentFilter) -> DocumentQuery:
    is_below = wanted.folder_id is not None and wanted.recursive
    path = (await folders.get(tx, wanted.folder_id)).path if wanted.folder_id and is_below else None
    return DocumentQuery(
        folder_id=None if is_below else wanted.folder_id,
        is_top=wanted.top and not wanted.recursive,
        below=path,
        status=wanted.status,
        source_type=wanted.source_type,
        name=wanted.name,
    )


def _key(document: Document, sort: SortBy) -> str:
    return document.name if sort is SortBy.NAME else document.updated_at.isoformat()


def _moment(after: tuple[str, UUID] | None) -> tuple[datetime, UUID] | None:
    if after is None:
        return None
    try:
        moment = datetime.fromisoformat(after[0])
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise pagination.InvalidCursor("This cursor is of a list in another order. Leave it out.")
    return moment, after[1]
