"""Port of a source that documents are imported from."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from intelli.library.settings import LibrarySettings
from intelli.library.wire import FetchStrategy


@dataclass(frozen=True, slots=True)
class FetchedDocument:
    """A document while it is fetched: its bytes as a stream, and its metadata from the source."""

    chunks: AsyncIterator[bytes]
    name: str
    media_type: str | None
    external_id: str
    external_url: str | None = None
    metadata: dict[str, JsonValue] = field(default_factory=dict)


class DocumentSource(Protocol):
    """A source of documents. Adapters are stateless: settings are passed with every call."""

    @property
    def source_type(self) -> str:
        """Its name on the wire and in the database."""

    @property
    def title(self) -> str:
        """Its name for people."""

    @property
    def fetch_strategy(self) -> FetchStrategy:
        """How the bytes of its documents are fetched."""

    @property
    def can_import(self) -> bool:
        """True when documents can be imported by a reference."""

    def missing(self, settings: LibrarySettings) -> list[str]:
        """Return the names of required settings that are empty."""

    def fetch(self, reference: str, settings: LibrarySettings) -> AbstractAsyncContextManager[FetchedDocument]:
        """Open the document of a reference; its bytes can be read while the block lasts."""

    def url_of(self, external_id: str, settings: LibrarySettings) -> str | None:
        """Return the address at which a person can open the document; None when there is none."""
