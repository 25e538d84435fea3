"""Registry of sources by their type."""

from intelli.library.errors import SourceNotConfigured, SourceNotFound
from intelli.library.settings import LibrarySettings
from intelli.library.sources.port import DocumentSource
from intelli.library.wire import FetchStrategy, SourceInfo


class Sources:
    """All sources of the app, by type. A part of the app."""

    def __init__(self, sources: tuple[DocumentSource, ...]) -> None:
        self._sources = {source.source_type: source for source in sources}

    def get(self, source_type: str) -> DocumentSource:
        """Return the source of a type. Raises SourceNotFound."""
        source = self._sources.get(source_type)
        if source is None:
            raise SourceNotFound("There is no such source. `GET /sources` lists them.")
        return source

    def get_ready(self, source_type: str, settings: LibrarySettings) -> DocumentSource:
        """Return the source of a type. Raises SourceNotConfigured while settings are missing."""
        source = self.get(source_type)
        missing = source.missing(settings)
        if missing:
            named = ", ".join(missing)
            raise SourceNotConfigured(f"{source.title} is not connected yet. Set {named}.", missing=missing)
        return source

    def strategy_of(self, source_type: str) -> FetchStrategy:
        """Return how documents of a source are fetched; those of a removed adapter are served from our blob store."""
        source = self._sources.get(source_type)
        return source.fetch_strategy if source else FetchStrategy.INTERNAL_API

    def describe(self, settings: LibrarySettings) -> list[SourceInfo]:
        """Return all sources as wire models, with whether each is configured."""
        return [
            SourceInfo(
                source_type=source.source_type,
                title=source.title,
                fetch_strategy=source.fetch_strategy,
                configured=not source.missing(settings),
                can_import=source.can_import,
                missing=source.missing(settings),
            )
            for source in self._sources.values()
        ]
