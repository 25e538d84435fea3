"""Versions of a document: listing them, and restoring the content of an earlier one."""

from uuid import UUID

from intelli.content import artifacts
from intelli.kit import pagination
from intelli.kit.db import Tx
from intelli.kit.wire import Page
from intelli.library import documents, upload, wire
from intelli.library.errors import VersionNotFound
from intelli.library.optimistic_lock import BaseVersion
from intelli.library.store import documents as store
from intelli.library.store.documents import DocumentWithReading
from intelli.library.tables import DocumentVersion
from intelli.library.upload import StoredContent
from intelli.library.wire import ChangeKind


async def list_versions(tx: Tx, document_id: UUID, *, cursor: str | None, limit: int) -> Page[wire.DocumentVersion]:
    """Return a page of the versions of a document, newest first."""
    await documents.get(tx, document_id)
    rows = await store.list_versions(tx, document_id, before=pagination.decode_number(cursor), limit=limit + 1)
    return pagination.page(rows, limit, item=_answer, key=lambda row: row.version)


async def get(tx: Tx, document_id: UUID, version: int | None) -> DocumentVersion:
    """Return a version of a document (None: the newest). Raises VersionNotFound."""
    document = (await documents.get(tx, document_id)).document
    found = await store.find_version(tx, document_id, version or document.version)
    if found is None:
        raise VersionNotFound(f"The document has no version {version}. It is at version {document.version}.")
    return found


async def restore(tx: Tx, document_id: UUID, version: int, *, basis: BaseVersion) -> DocumentWithReading:
    """Add a version with the content of an earlier one; name and folder stay. No version is added for equal bytes."""
    document = await documents.get_locked(tx, document_id, basis=basis)
    earlier = await get(tx, document_id, version)
    if earlier.artifact_sha256 == document.artifact_sha256:
        return await documents.get(tx, document_id)
    await artifacts.lock_hashes(tx, [earlier.artifact_sha256])
    content = StoredContent(earlier.artifact_sha256, earlier.file_size, earlier.mime_type)
    return await upload.write_version(tx, document, content, ChangeKind.RESTORED)


def _answer(row: DocumentVersion) -> wire.DocumentVersion:
    return wire.DocumentVersion(
        version=row.version,
        name=row.name,
        path=row.path,
        sha256=row.artifact_sha256,
        file_size=row.file_size,
        mime_type=row.mime_type,
        change=ChangeKind(row.change),
        edit_by=wire.EditBy(row.edit_by),
        created_by=row.created_by,
        created_at=row.created_at,
    )
