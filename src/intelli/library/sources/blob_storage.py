"""Files that people upload: kept in our own blob store, fetched from nowhere else."""

from contextlib import AbstractAsyncContextManager

from intelli.library.errors import SourceGivesNothing
from intelli.library.settings import LibrarySettings
from intelli.library.sources.port import FetchedDocument
from intelli.library.wire import FetchStrategy


class BlobStorage:
    """Uploaded files."""

    source_type = "blob_storage"
    title = "Uploaded files"
    fetch_strategy = FetchStrategy.INTERNAL_API
    can_import = False

    def missing(self, settings: LibrarySettings) -> list[str]:
        """Nothing: it always works."""
        return []

    def fetch(self, reference: str, settings: LibrarySettings) -> AbstractAsyncContextManager[FetchedDocument]:
        """Refused: an upload has no other place to come from."""
        raise SourceGivesNothing("An uploaded file cannot be fetched again. Upload a new version instead.")

    def url_of(self, external_id: str, settings: LibrarySettings) -> str | None:
        """Nowhere but here."""
        return None


SOURCE = BlobStorage()
