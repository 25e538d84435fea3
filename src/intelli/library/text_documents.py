"""Plain-text documents as an agent edits them: found by path, loaded whole, written as new versions."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from uuid import UUID

from intelli.content.artifacts import ReceivedBytes
from intelli.content.ports import ArtifactStored
from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx
from intelli.library import documents, folders, names, upload
from intelli.library.errors import NameTaken, NotText, StaleVersion
from intelli.library.optimistic_lock import BaseVersion
from intelli.library.ports import EvidencePort
from intelli.library.store import documents as store
from intelli.library.store.documents import DocumentWithReading
from intelli.library.tables import Document
from intelli.library.upload import UploadedFile
from intelli.library.wire import EditBy, OnConflict

MOST_BYTES = 1 << 20
_TYPES = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".log": "text/plain",
    ".markdown": "text/markdown",
    ".md": "text/markdown",
    ".rst": "text/plain",
    ".tex": "text/plain",
    ".tsv": "text/tab-separated-values",
    ".txt": "text/plain",
    ".yaml": "text/plain",
    ".yml": "text/plain",
}


@dataclass(frozen=True, slots=True)
class CurrentDocument:
    """State of a document when it was looked up: the basis of a later change."""

    document_id: UUID
    path: str
    version: int
    mime_type: str
    size_bytes: int
    sha256: str

    @property
    def basis(self) -> BaseVersion:
        """The version that a change of it is based on."""
        return BaseVersion(expected_version=self.version)


def normalise_path(path: str) -> str:
    """Return a path in the library's form: from the top, with single slashes. `a//b` → `/a/b`."""
    return "".join(f"/{step}" for step in names.split_path(path))


def check_name(path: str) -> None:
    """Raise NotText unless a path ends in the suffix of a known text format."""
    if PurePosixPath(path).suffix.lower() not in _TYPES:
        raise NotText(f"Only text can be written: give a name that ends in {', '.join(_TYPES)}.")


async def lock_path(tx: Tx, path: str) -> None:
    """Lock a path until the transaction ends: nobody else can propose a change there, or make one."""
    await store.lock_path(tx, path)


async def check_free(tx: Tx, path: str) -> None:
    """Raise NameTaken when something is at the path."""
    if await store.is_taken(tx, path):
        raise NameTaken(f"There is already something at {path}. Choose another name.")


async def find(tx: Tx, path: str) -> CurrentDocument | None:
    """Return the document at a path. A path without folder also finds the only document of that name anywhere."""
    found = await store.find_at(tx, path)
    if found is not None:
        return _current(found.document)
    named = await store.list_named(tx, path[1:], limit=2) if path.count("/") == 1 else []
    return _current(named[0]) if len(named) == 1 else None


async def load(blobs: Blobs, tenant_id: UUID, current: CurrentDocument) -> str:
    """Load the whole text of a document. Raises NotText when it is not UTF-8 text, or too large."""
    if current.size_bytes > MOST_BYTES:
        raise NotText(f"{current.path} is too large to be edited here: {MOST_BYTES >> 20} MiB is the most.")
    content = b"".join([piece async for piece in await blobs.get(tenant_id, current.sha256)])
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise NotText(f"{current.path} is not plain text and cannot be edited here.")
    return text


async def create(tx: Tx, path: str, received: ReceivedBytes, *, storing: ArtifactStored) -> DocumentWithReading:
    """Add a text document at a free path; its folders are created as needed."""
    place = PurePosixPath(path)
    arrival = UploadedFile(
        filename=None,
        media_type=_TYPES.get(place.suffix.lower(), "text/plain"),
        name=place.name,
        folder_path=str(place.parent),
        on_conflict=OnConflict.REFUSE,
        by=EditBy.AGENT,
    )
    return (await upload.add(tx, received, arrival, storing=storing)).found


async def update(
    tx: Tx, current: CurrentDocument, received: ReceivedBytes, *, storing: ArtifactStored
) -> DocumentWithReading:
    """Write new content as the next version of a text. Raises StaleVersion when it was changed or moved."""
    await folders.lock_folder(tx, None)
    await _check_unmoved(tx, current)
    kind = current.mime_type
    return await upload.replace(
        tx,
        current.document_id,
        received,
        media_type=kind,
        basis=current.basis,
        storing=storing,
        by=EditBy.AGENT,
    )


async def delete(tx: Tx, current: CurrentDocument, *, evidence: EvidencePort) -> None:
    """Delete a document. Raises StaleVersion when it was changed or moved."""
    await folders.lock_folder(tx, None)
    await _check_unmoved(tx, current)
    await documents.delete(tx, current.document_id, basis=current.basis, evidence=evidence)


async def _check_unmoved(tx: Tx, current: CurrentDocument) -> None:
    """Raise StaleVersion when a document was changed or moved; moving a folder adds no versions of its documents."""
    document = await documents.get_locked(tx, current.document_id, basis=current.basis)
    if document.path != current.path:
        raise StaleVersion(f"This document is at {document.path} now.", current=document.version)


def _current(document: Document) -> CurrentDocument:
    return CurrentDocument(
        document.id,
        document.path,
        document.version,
        document.mime_type,
        document.file_size,
        document.artifact_sha256,
    )
