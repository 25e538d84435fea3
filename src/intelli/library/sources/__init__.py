"""Sources that documents are imported from: one module for each, and one line in `SOURCES`."""

from intelli.library.sources import blob_storage, email, onedrive, sharepoint, web
from intelli.library.sources.port import DocumentSource
from intelli.library.sources.registry import Sources

SOURCES: tuple[DocumentSource, ...] = (
    blob_storage.SOURCE,
    web.SOURCE,
    sharepoint.SOURCE,
    onedrive.SOURCE,
    email.SOURCE,
)

__all__ = ["SOURCES", "DocumentSource", "Sources"]
