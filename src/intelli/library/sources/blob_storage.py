"""Source of uploaded files: stored in our own blob store, never fetched from elsewhere."""

from contextlib import AbstractAsyncContextManager

from intelli.library.errors import SourceGivesNothing
from intelli.library.settings import LibrarySettings
from intelli.library.sources.port import FetchedDocument
from intelli.library.wire import FetchStrategy


class BlobStorage:
    """Source type of uploaded files; nothing can be imported from it."""

    source_type = "blob_storage"
    title = "Uploaded files"
    fetch_strategy = FetchStrategy.INTERNAL_API
    can_import = False

    def missing(self, settings: LibrarySettings) -> list[str]:
        """Return nothing: it needs no settings."""
        return []

    def fetch(self, reference: str, settings: LibrarySettings) -> AbstractAsyncContextManager[FetchedDocument]:
        """Raise SourceGivesNothing: an uploaded file exists only here."""
        raise SourceGivesNothing("An uploaded file cannot be fetched again. Upload a new version instead.")

    def url_of(self, external_id: str, settings: LibrarySettings) -> str | None:
        """Return None: there is no address outside."""
        return None


SOURCE = BlobStorage()
