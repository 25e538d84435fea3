"""Importing: a source gives a document, which becomes one of ours and can be brought up to date later."""

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
    """What it takes to bring in a document from a source."""

    sources: Sources
    settings: LibrarySettings
    blobs: Blobs
    storing: ArtifactStored


@dataclass(frozen=True, slots=True)
class ImportedDocument:
    """A document that has arrived from its source, whole."""

    source_type: str
    fetched: FetchedDocument
    received: ReceivedBytes

    @property
    def origin(self) -> DocumentOrigin:
        """Where it is from, as it is kept beside the document."""
        return DocumentOrigin(
            source_type=self.source_type,
            external_id=self.fetched.external_id,
            external_url=self.fetched.external_url,
            external_metadata=self.fetched.metadata,
            synced_at=clock.now(),
        )


async def insist_on_access(db: Database, intake: ImportContext, tenant_id: UUID, source_type: str) -> None:
    """Refuse a source that acts with the installation's own access to a workspace that was not given it."""
    if intake.sources.strategy_of(source_type) is not FetchStrategy.OAUTH_PROXY:
        return
    allowed = frozenset(intake.settings.access(source_type).workspaces)
    if not allowed:
        async with db.begin(WorkspaceLister()) as tx:
            allowed = frozenset((await installation.workspace_ids(tx))[:1])
    if tenant_id not in allowed:
        raise SourceNotAllowed(
            "This source is read with the installation's own access, which this workspace may not use. The operator "
            f"allows it with INTELLI_LIBRARY__{source_type.upper()}__WORKSPACES."
        )


@asynccontextmanager
async def fetch(
    intake: ImportContext, tenant_id: UUID, source_type: str, reference: str
) -> AsyncIterator[ImportedDocument]:
    """Have a source give a document. Call `keep` or `refresh` in a transaction while the block lasts."""
    source = intake.sources.get_ready(source_type, intake.settings)
    if not source.can_import:
        raise SourceGivesNothing(f"{source.title} gives no documents by name. Upload the file instead.")
    async with (
        source.fetch(reference, intake.settings) as fetched,
        artifacts.receive(
            intake.blobs, tenant_id, fetched.chunks, limit_bytes=intake.settings.fetch_limit_bytes
        ) as received,
    ):
        yield ImportedDocument(source_type, fetched, received)


async def keep(
    tx: Tx, imported: ImportedDocument, *, folder_id: UUID | None, storing: ArtifactStored
) -> DocumentWithReading:
    """Make it a document; what was imported before gets a new version, wherever it is now."""
    fetched = imported.fetched
    await folders.enter(tx, folder_id)
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
    """Bring a document up to date with its source."""
    document = await documents.locked(tx, document_id, basis=BaseVersion())
    media_type = imported.fetched.media_type
    content = await upload.keep(tx, imported.received, document.name, media_type, storing=storing)
    return await upload.renew(tx, document, content, origin=imported.origin)


async def get_external(tx: Tx, source_type: str, external_id: str) -> Document:
    """The document of the workspace that a source knows by this id."""
    document = await store.find_external(tx, source_type, external_id)
    if document is None:
        raise DocumentNotFound("There is no such document. Import it first.")
    return document


def reference_of(found: DocumentWithReading) -> tuple[str, str]:
    """The source of a document, and what the source knows it by."""
    document = found.document
    reference = document.external_id
    if reference is None:
        raise SourceGivesNothing(
            "This document was uploaded and has no source to look at. Upload a new version instead."
        )
    return document.source_type, reference
