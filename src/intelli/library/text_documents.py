"""Texts: documents that are plain text, found by their path, read whole and written by an agent, version by version."""

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
    """A document as it stands now."""

    document_id: UUID
    path: str
    version: int
    mime_type: str
    size_bytes: int
    sha256: str

    @property
    def basis(self) -> BaseVersion:
        """What a change of it is based on."""
        return BaseVersion(expected_version=self.version)


def whole_path(path: str) -> str:
    """A path as the library writes it: from the top, with single slashes."""
    return "".join(f"/{step}" for step in names.steps(path))


def insist_on_name(path: str) -> None:
    """Refuse the name of a new text that does not say what kind of text it is."""
    if PurePosixPath(path).suffix.lower() not in _TYPES:
        raise NotText(f"Only text can be written: give a name that ends in {', '.join(_TYPES)}.")


async def hold_path(tx: Tx, path: str) -> None:
    """Let nobody else ask for a change at this path, or make one, before the transaction ends."""
    await store.lock_path(tx, path)


async def insist_on_free(tx: Tx, path: str) -> None:
    """Refuse a path that is taken."""
    if await store.is_taken(tx, path):
        raise NameTaken(f"There is already something at {path}. Choose another name.")


async def find(tx: Tx, path: str) -> CurrentDocument | None:
    """The document at a path; without a folder, the one of that name if there is only one in the library."""
    found = await store.find_at(tx, path)
    if found is not None:
        return _standing(found.document)
    named = await store.named(tx, path[1:], limit=2) if path.count("/") == 1 else []
    return _standing(named[0]) if len(named) == 1 else None


async def load(blobs: Blobs, tenant_id: UUID, standing: CurrentDocument) -> str:
    """The whole text of a document; raises NotText when it is none."""
    if standing.size_bytes > MOST_BYTES:
        raise NotText(f"{standing.path} is too large to be edited here: {MOST_BYTES >> 20} MiB is the most.")
    content = b"".join([piece async for piece in await blobs.get(tenant_id, standing.sha256)])
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise NotText(f"{standing.path} is not plain text and cannot be edited here.")
    return text


async def create(tx: Tx, path: str, received: ReceivedBytes, *, storing: ArtifactStored) -> DocumentWithReading:
    """Add a text where nothing is; its folders are made as needed."""
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
    tx: Tx, standing: CurrentDocument, received: ReceivedBytes, *, storing: ArtifactStored
) -> DocumentWithReading:
    """Give a text new content as its next version, if it is still where and what it was."""
    await folders.enter(tx, None)
    await _insist_on_place(tx, standing)
    kind = standing.mime_type
    return await upload.replace(
        tx,
        standing.document_id,
        received,
        media_type=kind,
        basis=standing.basis,
        storing=storing,
        by=EditBy.AGENT,
    )


async def delete(tx: Tx, standing: CurrentDocument) -> None:
    """Delete a document, if it is still where and what it was."""
    await folders.enter(tx, None)
    await _insist_on_place(tx, standing)
    await documents.delete(tx, standing.document_id, basis=standing.basis)


async def _insist_on_place(tx: Tx, standing: CurrentDocument) -> None:
    """A folder that moves takes its documents along without making versions of them."""
    document = await documents.locked(tx, standing.document_id, basis=standing.basis)
    if document.path != standing.path:
        raise StaleVersion(f"This document is at {document.path} now.", current=document.version)


def _standing(document: Document) -> CurrentDocument:
    return CurrentDocument(
        document.id,
        document.path,
        document.version,
        document.mime_type,
        document.file_size,
        document.artifact_sha256,
    )
