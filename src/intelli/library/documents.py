"""Documents: files with a name, a folder and versions. Every change adds a version; no version is lost."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from intelli.audit.record import AuditEvent, record, record_all
from intelli.audit.wire import Detail, EventType
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.library import (
    change_channel,
    document_facts,
    extract,
    folders,
    media_types,
    names,
    status_wire,
    sweep,
    thumbnails,
    wire,
)
from intelli.library.errors import DocumentNotFound, NameTaken
from intelli.library.optimistic_lock import BaseVersion
from intelli.library.ports import EvidencePort
from intelli.library.sources import Sources
from intelli.library.store import documents as store
from intelli.library.store.documents import DocumentWithReading
from intelli.library.tables import Document, Reading
from intelli.library.wire import ChangeKind, EditBy, IndexingStatus

# Columns that go over the wire unchanged, under the same name.
_ANSWERED = tuple(name for name in wire.Document.model_fields if name in Document.__table__.columns)


async def get(tx: Tx, document_id: UUID) -> DocumentWithReading:
    """Return a document with its reading. Raises DocumentNotFound."""
    found = await store.find(tx, document_id)
    if found is None:
        raise _missing()
    return found


async def find_existing(tx: Tx, ids: Collection[UUID]) -> set[UUID]:
    """Return those of the ids that are documents which the caller may read."""
    return await store.find_existing(tx, ids) if ids else set()


@dataclass(frozen=True, slots=True)
class KnownOrigin:
    """Where a document comes from: its source, its address there, and when it was last fetched or added."""

    source_type: str
    external_url: str | None
    retrieved_at: datetime


async def find_origins(tx: Tx, ids: Collection[UUID]) -> dict[UUID, KnownOrigin]:
    """Return the origins of those of the documents that are there."""
    return {
        row.id: KnownOrigin(row.source_type, row.external_url, row.last_synced_at or row.created_at)
        for row in (await store.list_by_id(tx, ids) if ids else ())
    }


async def get_locked(tx: Tx, document_id: UUID, *, basis: BaseVersion) -> Document:
    """Return a document, locked until the transaction ends. Raises StaleVersion unless `basis` fits its version."""
    document = await store.lock(tx, document_id)
    if document is None:
        raise _missing()
    basis.check(document.version)
    return document


async def change(tx: Tx, document_id: UUID, request: wire.ChangeDocument, *, basis: BaseVersion) -> DocumentWithReading:
    """Rename or move a document, which adds a version; correct its facts, which adds none. Raises NameTaken."""
    is_moved = "folder_id" in request.model_fields_set
    before = (await get(tx, document_id)).document
    folder = await folders.lock_folder(tx, request.folder_id if is_moved else before.folder_id)
    name = request.name or before.name
    path = names.join_path(folder.path if folder else None, name)
    await store.lock_path(tx, path)
    document = await get_locked(tx, document_id, basis=basis)
    if request.facts is not None:
        await document_facts.correct(tx, document, request.facts)
    if path == document.path:
        return await get(tx, document_id)
    if await store.is_taken(tx, path, except_id=document_id):
        raise NameTaken("There is already something of this name here. Choose another name.")
    kind = ChangeKind.RENAMED if (folder.id if folder else None) == document.folder_id else ChangeKind.MOVED
    document.name, document.path, document.folder_id = name, path, folder.id if folder else None
    return await save(tx, document, kind)


async def delete(tx: Tx, document_id: UUID, *, basis: BaseVersion, evidence: EvidencePort) -> wire.DeletedDocuments:
    """Delete a document with its versions.

    Its readings are swept when no other document has the same content and no evidence rests on them.
    """
    document = await get_locked(tx, document_id, basis=basis)
    released = await evidence.release(tx, [document_id])
    await store.remove(tx, document_id)
    await sweep.enqueue(tx)
    await change_channel.notify(tx)
    entity = ("document", document_id)
    kept = released.evidence.value
    await record(
        tx, EventType.FILE_MODIFICATION, entity=entity, action="delete", version=document.version, evidence=kept
    )
    return released


async def retry(tx: Tx, document_id: UUID) -> DocumentWithReading:
    """Enqueue another reading of a document whose reading failed. Raises NotFailed when it did not."""
    found = await get(tx, document_id)
    await extract.retry_reading(tx, found.document.artifact_sha256, size_bytes=found.document.file_size)
    return await get(tx, document_id)


async def save(
    tx: Tx, document: Document, change: ChangeKind, *, by: EditBy = EditBy.USER, after: Sequence[AuditEvent] = ()
) -> DocumentWithReading:
    """Write a changed document as its next version; the audit log gets the events `after`, then the change itself."""
    document.version += 1
    document.last_edit_by = by
    document.updated_at = clock.now()
    await store.flush(tx)
    found = await get(tx, document.id)
    await record_version(tx, document, change, by=by, after=after)
    return found


async def record_version(
    tx: Tx, document: Document, change: ChangeKind, *, by: EditBy = EditBy.USER, after: Sequence[AuditEvent] = ()
) -> None:
    """Insert a version row for the document as it is, notify followers, and audit the events `after` and the change."""
    await store.add_versions(tx, [version_row(tx, document, change, by=by)])
    await change_channel.notify(tx)
    await record_all(tx, [*after, change_event(document, change)])


def version_row(tx: Tx, document: Document, change: ChangeKind, *, by: EditBy = EditBy.USER) -> Mapping[str, object]:
    """Build the version row of a document as it is now."""
    return {
        "document_id": document.id,
        "version": document.version,
        "name": document.name,
        "path": document.path,
        "artifact_sha256": document.artifact_sha256,
        "file_size": document.file_size,
        "mime_type": document.mime_type,
        "change": change,
        "edit_by": by,
        "created_by": tx.user_id,
    }


def change_event(document: Document, change: ChangeKind) -> AuditEvent:
    """Build the audit event of a changed document."""
    details: dict[str, Detail] = {"action": change.value, "version": document.version}
    return AuditEvent(EventType.FILE_MODIFICATION, entity=("document", document.id), details=details)


def answer(found: DocumentWithReading, sources: Sources) -> wire.Document:
    """Build the wire model of a document."""
    document, reading = found.document, found.reading
    state = progress(found)
    stored = {name: getattr(document, name) for name in _ANSWERED}
    computed = {
        "fetch_strategy": sources.strategy_of(document.source_type),
        "mime_type": state.mime_type,
        "sha256": document.artifact_sha256,
        "indexing_status": state.indexing_status,
        "indexing_error": state.indexing_error,
        "progress": state.progress,
        "warnings": state.warnings,
        "page_count": state.page_count,
        "title": reading.title if reading else None,
        "language": reading.language if reading else None,
        "facts": document_facts.show(document, reading),
        "is_image": state.mime_type.startswith("image/"),
        "has_thumbnail": state.has_thumbnail,
    }
    return wire.Document.model_validate(stored | computed)


def progress(found: DocumentWithReading) -> status_wire.DocumentProgress:
    """Build the wire model of a document's indexing progress."""
    reading = found.reading
    if reading is None:
        return status_wire.DocumentProgress(
            id=found.document.id,
            indexing_status=IndexingStatus.PENDING,
            indexing_error=None,
            progress=wire.Progress(done=0, total=None),
            mime_type=found.document.mime_type,
            warnings=[],
            page_count=None,
            has_thumbnail=False,
        )
    return status_wire.DocumentProgress(
        id=found.document.id,
        indexing_status=IndexingStatus(reading.status),
        indexing_error=_error(reading),
        progress=wire.Progress(done=reading.chunks_done, total=reading.chunk_count),
        mime_type=media_types.resolve(found.document.mime_type, reading.media_type),
        warnings=reading.warnings,
        page_count=reading.page_count,
        has_thumbnail=thumbnails.has_thumbnail(reading),
    )


def _error(reading: Reading) -> wire.IndexingError | None:
    if reading.refusal is None:
        return None
    return wire.IndexingError(code=reading.refusal, reason=reading.reason or "")


def _missing() -> DocumentNotFound:
    return DocumentNotFound("There is no such document.")
