"""Queries about documents and their versions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, delete, func, insert, literal, select, text, tuple_

from intelli.kit.bulk_insert import Values, bind_rows, build_insert
from intelli.kit.db import Tx
from intelli.kit.sql_in import in_values
from intelli.library.store.folders import is_below
from intelli.library.tables import Document, DocumentVersion, Folder, Reading

_LOCK_PATH = text("select pg_advisory_xact_lock(hashtextextended('library:' || :tenant || ':' || :path, 0))")

_BY_AGENT = text("""
    select d.id, d.path from documents d
     where d.tenant_id = :tenant
       and d.id in (select document_id from document_versions where tenant_id = :tenant and edit_by = 'agent')
       and not exists (
           select from document_versions v
            where v.tenant_id = d.tenant_id and v.document_id = d.id
              and v.edit_by = 'user' and v.change in ('created', 'content'))
""")
_LOCK_PATHS = text("""
    select pg_advisory_xact_lock(hashtextextended('library:' || :tenant || ':' || path, 0))
      from unnest(cast(:paths as text[])) as path
""")


@dataclass(frozen=True, slots=True)
class DocumentWithReading:
    """A document with the reading of its content."""

    document: Document
    reading: Reading | None

    @property
    def changed_at(self) -> datetime:
        """Time of the last change of either."""
        changed_at = self.document.updated_at
        return changed_at if self.reading is None else max(changed_at, self.reading.updated_at)


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """Filter of a document list; None means any. `below` is the path of a folder and includes all folders below it."""

    folder_id: UUID | None = None
    is_top: bool = False
    below: str | None = None
    status: str | None = None
    source_type: str | None = None
    name: str | None = None


async def find(tx: Tx, document_id: UUID) -> DocumentWithReading | None:
    """Return a document with its reading; None when there is none."""
    return await _one(tx, _with_reading(tx).where(Document.id == document_id))


async def find_all_with_readings(tx: Tx, ids: Iterable[UUID]) -> Sequence[DocumentWithReading]:
    """Return documents with their readings, as far as they exist."""
    return await _all(tx, _with_reading(tx).where(in_values(Document.id, ids)))


async def find_existing(tx: Tx, ids: Iterable[UUID]) -> set[UUID]:
    """Return those of the ids that are documents in the workspace."""
    mine = select(Document.id).where(Document.tenant_id == tx.tenant_id, in_values(Document.id, ids))
    return set((await tx.session.scalars(mine)).all())


async def list_by_id(tx: Tx, ids: Iterable[UUID]) -> Sequence[Document]:
    """Return the documents of these ids that are there."""
    mine = select(Document).where(Document.tenant_id == tx.tenant_id, in_values(Document.id, ids))
    return (await tx.session.scalars(mine)).all()


async def find_at(tx: Tx, path: str) -> DocumentWithReading | None:
    """Return the document at a path; None when there is none."""
    return await _one(tx, _with_reading(tx).where(Document.path == path))


async def list_named(tx: Tx, name: str, *, limit: int) -> Sequence[Document]:
    """Return documents with exactly this name, in any folder."""
    mine = select(Document).where(Document.tenant_id == tx.tenant_id, Document.name == name)
    return (await tx.session.scalars(mine.order_by(Document.id).limit(limit))).all()


async def find_external(tx: Tx, source_type: str, external_id: str) -> Document | None:
    """Return the oldest document that a source knows by this id; None when there is none."""
    mine = (Document.tenant_id == tx.tenant_id, Document.source_type == source_type)
    found = select(Document).where(*mine, Document.external_id == external_id).order_by(Document.id).limit(1)
    return await tx.session.scalar(found)


async def lock(tx: Tx, document_id: UUID) -> Document | None:
    """Return a document, locked until the transaction ends; None when there is none."""
    mine = select(Document).where(Document.tenant_id == tx.tenant_id, Document.id == document_id)
    return await tx.session.scalar(mine.with_for_update().execution_options(populate_existing=True))


async def lock_at(tx: Tx, path: str) -> Document | None:
    """Return the document at a path, locked until the transaction ends; None when there is none."""
    mine = select(Document).where(Document.tenant_id == tx.tenant_id, Document.path == path)
    return await tx.session.scalar(mine.with_for_update().execution_options(populate_existing=True))


async def lock_path(tx: Tx, path: str) -> None:
    """Lock a path until the transaction ends, so that nobody else can put anything there."""
    await tx.session.execute(_LOCK_PATH, {"tenant": str(tx.tenant_id), "path": path})


async def lock_paths(tx: Tx, paths: Sequence[str]) -> dict[str, Document]:
    """Lock paths in the given order and return the documents that are at them, by path, locked too."""
    await tx.session.execute(_LOCK_PATHS, {"tenant": str(tx.tenant_id), "paths": list(paths)})
    mine = (
        select(Document)
        .where(Document.tenant_id == tx.tenant_id, in_values(Document.path, paths))
        .order_by(Document.path)
    )
    locked = await tx.session.scalars(mine.with_for_update().execution_options(populate_existing=True))
    return {document.path: document for document in locked}


async def find_folders_at(tx: Tx, paths: Sequence[str]) -> set[str]:
    """Return those of the paths that are folders."""
    mine = select(Folder.path).where(Folder.tenant_id == tx.tenant_id, in_values(Folder.path, paths))
    return set((await tx.session.scalars(mine)).all())


async def add_all(tx: Tx, rows: Sequence[Values]) -> dict[str, Document]:
    """Insert documents at paths that are locked and free; return them by path."""
    added = select(Document).from_statement(build_insert(Document, tuple(rows[0])).returning(Document.__table__))
    return {document.path: document for document in await tx.session.scalars(added, bind_rows(tx.tenant_id, rows))}


async def add_versions(tx: Tx, rows: Sequence[Values]) -> None:
    """Insert versions of documents in one statement; a trigger counts the artifacts that they reference."""
    await tx.session.execute(build_insert(DocumentVersion, tuple(rows[0])), bind_rows(tx.tenant_id, rows))


async def add(tx: Tx, values: Values) -> Document:
    """Insert a document at a path that is locked and free."""
    added = insert(Document).values(tenant_id=tx.tenant_id, **values).returning(Document)
    return (await tx.session.scalars(added)).one()


async def flush(tx: Tx) -> None:
    """Flush changed documents to the database."""
    await tx.session.flush()


async def is_taken(tx: Tx, path: str, *, except_id: UUID | None = None) -> bool:
    """True when a folder, or a document other than the given one, is at a path."""
    folders = select(Folder.id).where(Folder.tenant_id == tx.tenant_id, Folder.path == path)
    documents = select(Document.id).where(Document.tenant_id == tx.tenant_id, Document.path == path)
    found = (await tx.session.scalars(folders.union_all(documents))).all()
    return any(taken_by != except_id for taken_by in found)


async def remove(tx: Tx, document_id: UUID) -> None:
    """Delete a document with its versions."""
    await tx.session.execute(delete(Document).where(Document.tenant_id == tx.tenant_id, Document.id == document_id))


async def list_by_name(
    tx: Tx, which: DocumentQuery, *, after: tuple[str, UUID] | None, limit: int
) -> Sequence[DocumentWithReading]:
    """Return documents that match, ordered by name without regard to case."""
    key = func.lower(Document.name)
    found = _matching(tx, which).order_by(key, Document.id).limit(limit)
    if after is not None:
        found = found.where(tuple_(key, Document.id) > tuple_(func.lower(after[0]), literal(after[1])))
    return await _all(tx, found)


async def list_newest_first(
    tx: Tx, which: DocumentQuery, *, after: tuple[datetime, UUID] | None, limit: int
) -> Sequence[DocumentWithReading]:
    """Return documents that match, the last changed first."""
    found = _matching(tx, which).order_by(Document.updated_at.desc(), Document.id.desc()).limit(limit)
    if after is not None:
        found = found.where(tuple_(Document.updated_at, Document.id) < tuple_(literal(after[0]), literal(after[1])))
    return await _all(tx, found)


async def find_version(tx: Tx, document_id: UUID, version: int) -> DocumentVersion | None:
    """Return a version of a document; None when there is none."""
    return await tx.session.get(DocumentVersion, (tx.tenant_id, document_id, version))


async def list_written_by_agent(tx: Tx) -> Sequence[tuple[UUID, str]]:
    """Return id and path of each document that only our agent gave a content to."""
    rows = await tx.session.execute(_BY_AGENT, {"tenant": tx.tenant_id})
    return [(row.id, row.path) for row in rows]


async def list_versions(tx: Tx, document_id: UUID, *, before: int | None, limit: int) -> Sequence[DocumentVersion]:
    """Return versions of a document, newest first; with `before`, only those with a lower number."""
    mine = [DocumentVersion.tenant_id == tx.tenant_id, DocumentVersion.document_id == document_id]
    if before is not None:
        mine.append(DocumentVersion.version < before)
    found = select(DocumentVersion).where(*mine).order_by(DocumentVersion.version.desc()).limit(limit)
    return (await tx.session.scalars(found)).all()


def _with_reading(tx: Tx) -> Select[Document, Reading]:
    same = and_(Reading.tenant_id == Document.tenant_id, Reading.sha256 == Document.artifact_sha256)
    return select(Document, Reading).outerjoin(Reading, same).where(Document.tenant_id == tx.tenant_id)


def _matching(tx: Tx, which: DocumentQuery) -> Select[Document, Reading]:
    conditions: list[ColumnElement[bool]] = []
    if which.is_top:
        conditions.append(Document.folder_id.is_(None))
    if which.folder_id is not None:
        conditions.append(Document.folder_id == which.folder_id)
    if which.below is not None:
        conditions.append(is_below(Document.path, which.below))
    if which.status is not None:
        conditions.append(Reading.status == which.status)
    if which.source_type is not None:
        conditions.append(Document.source_type == which.source_type)
    if which.name is not None:
        conditions.append(func.lower(Document.name).contains(which.name.lower(), autoescape=True))
    return _with_reading(tx).where(*conditions)


async def _one(tx: Tx, found: Select[Document, Reading]) -> DocumentWithReading | None:
    row = (await tx.session.execute(found.execution_options(populate_existing=True))).one_or_none()
    return DocumentWithReading(row[0], row[1]) if row else None


async def _all(tx: Tx, found: Select[Document, Reading]) -> Sequence[DocumentWithReading]:
    return [DocumentWithReading(document, reading) for document, reading in await tx.session.execute(found)]
