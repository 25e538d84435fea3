"""Import a document from a source, and bring it up to date with the source later."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from intelli.content import artifacts, file_names
from intelli.content.artifacts import ReceivedBytes
from intelli.content.ports import ArtifactStored
from intelli.identity import installation
from intelli.kit import clock
from intelli.kit.blobs import Blobs
from intelli.kit.context import WorkspaceLister
from intelli.kit.db import Database, Tx
from intelli.library import documents, folders, upload
from intelli.library.errors import DocumentNotFound, SourceGivesNothing, SourceNotAllowed
from intelli.library.optimistic_lock import BaseVersion
from intelli.library.settings import LibrarySettings
from intelli.library.sources import Sources
from intelli.library.sources.port import FetchedDocument
from intelli.library.store import documents as store
from intelli.library.store.documents import DocumentWithReading
from intelli.library.tables import Document
from intelli.library.upload import DocumentOrigin, UploadedFile
from intelli.library.wire import FetchStrategy, OnConflict


@dataclass(frozen=True, slots=True)
class ImportContext:
    """Parts of the app that an import needs."""

    sources: Sources
    settings: LibrarySettings
    blobs: Blobs
    storing: ArtifactStored


@dataclass(frozen=True, slots=True)
class ImportedDocument:
    """A document that was fetched from its source completely."""

    source_type: str
    fetched: FetchedDocument
    received: ReceivedBytes

    @property
    def origin(self) -> DocumentOrigin:
        """Its origin, as stored with the document, with the current time as the time of the sync."""
        return DocumentOrigin(
            source_type=self.source_type,
            external_id=self.fetched.external_id,
            external_url=self.fetched.external_url,
            external_metadata=self.fetched.metadata,
            synced_at=clock.now(),
        )


async def check_access(db: Database, context: ImportContext, tenant_id: UUID, source_type: str) -> None:
    """Raise SourceNotAllowed when a source uses the installation's credentials and the workspace may not use them."""
    if context.sources.strategy_of(source_type) is not FetchStrategy.OAUTH_PROXY:
        return
    allowed = frozenset(context.settings.access(source_type).workspaces)
    if not allowed:
        async with db.begin(WorkspaceLister()) as tx:
            allowed = frozenset((await installation.list_workspace_ids(tx))[:1])
    if tenant_id not in allowed:
        raise SourceNotAllowed(
            "This source is read with the installation's own access, which this workspace may not use. The operator "
            f"allows it with INTELLI_LIBRARY__{source_type.upper()}__WORKSPACES."
        )


@asynccontextmanager
async def fetch(
    context: ImportContext, tenant_id: UUID, source_type: str, reference: str
) -> AsyncIterator[ImportedDocument]:
    """Fetch a document from a source. Call `save` or `refresh` in a transaction while the block lasts."""
    source = context.sources.get_ready(source_type, context.settings)
    if not source.can_import:
        raise SourceGivesNothing(f"{source.title} gives no documents by name. Upload the file instead.")
    async with (
        source.fetch(reference, context.settings) as fetched,
        artifacts.receive(
            context.blobs, tenant_id, fetched.chunks, limit_bytes=context.settings.fetch_limit_bytes
        ) as received,
    ):
        yield ImportedDocument(source_type, fetched, received)


async def save(
    tx: Tx, imported: ImportedDocument, *, folder_id: UUID | None, storing: ArtifactStored
) -> DocumentWithReading:
    """Add the imported document; one that was imported before gets a new version, wherever it is now."""
    fetched = imported.fetched
    await folders.lock_folder(tx, folder_id)
    await store.lock_path(tx, f"{imported.source_type}:{fetched.external_id}")
    known = await store.find_external(tx, imported.source_type, fetched.external_id)
    if known is not None:
        return await refresh(tx, known.id, imported, storing=storing)
    arrival = UploadedFile(
        filename=file_names.clean(fetched.name),
        media_type=fetched.media_type,
        folder_id=folder_id,
        on_conflict=OnConflict.RENAME,
        origin=imported.origin,
    )
    return (await upload.add(tx, imported.received, arrival, storing=storing)).found


async def refresh(
    tx: Tx, document_id: UUID, imported: ImportedDocument, *, storing: ArtifactStored
) -> DocumentWithReading:
    """Bring a document up to date with its source; a new version is added when the bytes changed."""
    document = await documents.get_locked(tx, document_id, basis=BaseVersion())
    media_type = imported.fetched.media_type
    content = await upload.store_content(tx, imported.received, document.name, media_type, storing=storing)
    return await upload.update_content(tx, document, content, origin=imported.origin)


async def get_external(tx: Tx, source_type: str, external_id: str) -> Document:
    """Return the document that a source knows by this id. Raises DocumentNotFound."""
    document = await store.find_external(tx, source_type, external_id)
    if document is None:
        raise DocumentNotFound("There is no such document. Import it first.")
    return document


def get_reference(found: DocumentWithReading) -> tuple[str, str]:
    """Return (source type, external id) of a document. Raises SourceGivesNothing for an uploaded one."""
    document = found.document
    reference = document.external_id
    if reference is None:
        raise SourceGivesNothing(
            "This document was uploaded and has no source to look at. Upload a new version instead."
        )
    return document.source_type, reference
