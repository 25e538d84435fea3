"""Upload: store received bytes as a new document, or as the next version of the document at that path."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from pydantic import JsonValue

from intelli.audit.record import AuditEvent, record_all
from intelli.content import artifacts, media_types
from intelli.content.artifacts import ArtifactInfo, ReceivedBytes
from intelli.content.ports import ArtifactStored
from intelli.content.wire import PlatformType
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.library import documents, extract, folders, names
from intelli.library.errors import NameTaken
from intelli.library.optimistic_lock import BaseVersion
from intelli.library.store import documents as store
from intelli.library.store.documents import DocumentWithReading
from intelli.library.tables import Document, Folder
from intelli.library.wire import ChangeKind, EditBy, OnConflict

_UNTITLED = "untitled"
_NAMES = 1000


@dataclass(frozen=True, slots=True)
class DocumentOrigin:
    """Origin of a document as reported by its source. The default is an uploaded file."""

    source_type: str = "blob_storage"
    external_id: str | None = None
    external_url: str | None = None
    external_metadata: dict[str, JsonValue] = field(default_factory=dict)
    synced_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """Metadata of an uploaded file: its name, target folder, origin, and what to do when the name is taken."""

    filename: str | None
    media_type: str | None = None
    name: str | None = None
    folder_id: UUID | None = None
    folder_path: str | None = None
    on_conflict: OnConflict = OnConflict.VERSION
    origin: DocumentOrigin = DocumentOrigin()
    by: EditBy = EditBy.USER
    metadata: dict[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredContent:
    """A stored artifact with its media type. `is_new` when this transaction added it to the workspace."""

    sha256: str
    size_bytes: int
    media_type: str
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class AddedDocument:
    """The document that an upload created (`is_new`), or whose path it was uploaded to."""

    found: DocumentWithReading
    content: StoredContent
    is_new: bool


async def add(tx: Tx, received: ReceivedBytes, arrival: UploadedFile, *, storing: ArtifactStored) -> AddedDocument:
    """Add a document with received bytes. A taken name gets a new version, unless `on_conflict` says otherwise.

    Locks are taken in the lock order of the library: tree, path, document, content, and the audit log last.
    """
    folder = await _get_folder(tx, arrival)
    name = choose_name(arrival)
    if arrival.on_conflict is OnConflict.RENAME:
        name = await _free_name(tx, folder, name)
    document = await _lock_path(tx, folder, name)
    if document is not None and arrival.on_conflict is OnConflict.REFUSE:
        raise NameTaken("There is already a document of this name here. Choose another name, or add a version.")
    content = await store_content(tx, received, name, arrival.media_type, storing=storing, metadata=arrival.metadata)
    if document is not None:
        renewed = await update_content(tx, document, content, origin=arrival.origin, by=arrival.by)
        return AddedDocument(renewed, content, is_new=False)
    return AddedDocument(
        await _insert(tx, build_row(tx, folder, name, content, arrival=arrival), content), content, is_new=True
    )


def choose_name(arrival: UploadedFile) -> str:
    """Return the name for an uploaded file: the given one, else that of the file. Raises InvalidName."""
    return (
        names.require_valid(arrival.name) if arrival.name else names.from_filename(arrival.filename or "") or _UNTITLED
    )


async def replace(
    tx: Tx,
    document_id: UUID,
    received: ReceivedBytes,
    *,
    media_type: str | None,
    basis: BaseVersion,
    storing: ArtifactStored,
    by: EditBy = EditBy.USER,
) -> DocumentWithReading:
    """Replace the content of a document. Raises StaleVersion unless `basis` fits its version."""
    document = await documents.get_locked(tx, document_id, basis=basis)
    content = await store_content(tx, received, document.name, media_type, storing=storing)
    return await update_content(tx, document, content, by=by)


async def update_content(
    tx: Tx,
    document: Document,
    content: StoredContent,
    *,
    origin: DocumentOrigin | None = None,
    by: EditBy = EditBy.USER,
) -> DocumentWithReading:
    """Return the document with this content: as a new version, or unchanged when it had the same bytes."""
    if origin is not None and origin.synced_at is not None:
        document.last_synced_at = origin.synced_at
        document.external_metadata = dict(origin.external_metadata)
    if document.artifact_sha256 == content.sha256:
        await extract.ensure_reading(tx, content.sha256, size_bytes=content.size_bytes)
        found = await documents.get(tx, document.id)
        if content.is_new:
            await record_all(tx, _upload_events(content))
        return found
    return await write_version(tx, document, content, ChangeKind.CONTENT, by=by)


async def write_version(
    tx: Tx, document: Document, content: StoredContent, change: ChangeKind, *, by: EditBy = EditBy.USER
) -> DocumentWithReading:
    """Write content as a document's next version. The caller holds the content's lock."""
    document.artifact_sha256 = content.sha256
    document.file_size = content.size_bytes
    document.mime_type = content.media_type
    await extract.ensure_reading(tx, content.sha256, size_bytes=content.size_bytes)
    return await documents.save(tx, document, change, by=by, after=_upload_events(content))


async def store_content(
    tx: Tx,
    received: ReceivedBytes,
    name: str,
    media_type: str | None,
    *,
    storing: ArtifactStored,
    metadata: Mapping[str, JsonValue] = {},
) -> StoredContent:
    """Store received bytes as an artifact. The caller audits it last, since that takes the log's lock."""
    info = ArtifactInfo(PlatformType.KNOWLEDGE, dict(metadata), filename=name, media_type=media_type)
    artifact, is_new = await artifacts.save_without_audit(tx, received, info, storing=storing)
    return StoredContent(
        artifact.sha256, artifact.size_bytes, media_types.decide(media_type, name, received.head), is_new
    )


async def _get_folder(tx: Tx, arrival: UploadedFile) -> Folder | None:
    if arrival.folder_path is not None:
        return await folders.ensure_path(tx, arrival.folder_path)
    return await folders.lock_folder(tx, arrival.folder_id)


async def _lock_path(tx: Tx, folder: Folder | None, name: str) -> Document | None:
    """Lock a path for this transaction and return the document that is there already, locked too, if any."""
    path = names.join_path(folder.path if folder else None, name)
    await store.lock_path(tx, path)
    if await folders.is_folder(tx, path):
        raise NameTaken("There is a folder of this name here. Choose another name.")
    return await store.lock_at(tx, path)


async def _free_name(tx: Tx, folder: Folder | None, name: str) -> str:
    for candidate in (name, *(names.with_number(name, number) for number in range(2, _NAMES))):
        path = names.join_path(folder.path if folder else None, candidate)
        await store.lock_path(tx, path)
        if not await store.is_taken(tx, path):
            return candidate
    raise NameTaken("There are too many documents of this name here. Choose another name.")


async def _insert(tx: Tx, values: Mapping[str, object], content: StoredContent) -> DocumentWithReading:
    document = await store.add(tx, values)
    reading = await extract.ensure_reading(tx, content.sha256, size_bytes=content.size_bytes)
    by = EditBy(document.last_edit_by)
    await documents.record_version(tx, document, ChangeKind.CREATED, by=by, after=_upload_events(content))
    return DocumentWithReading(document, reading)


def build_row(
    tx: Tx, folder: Folder | None, name: str, content: StoredContent, *, arrival: UploadedFile
) -> dict[str, object]:
    """Build the row of a new document; columns that are left out have their defaults."""
    origin = arrival.origin
    return {
        "id": uuid7(),
        "folder_id": folder.id if folder else None,
        "name": name,
        "path": names.join_path(folder.path if folder else None, name),
        "artifact_sha256": content.sha256,
        "file_size": content.size_bytes,
        "mime_type": content.media_type,
        "source_type": origin.source_type,
        "external_id": origin.external_id,
        "external_url": origin.external_url,
        "external_metadata": origin.external_metadata,
        "last_synced_at": origin.synced_at,
        "last_edit_by": arrival.by,
        "created_by": tx.user_id,
    }


def _upload_events(content: StoredContent) -> Sequence[AuditEvent]:
    return [artifacts.upload_event(content.sha256, content.size_bytes)] if content.is_new else []
