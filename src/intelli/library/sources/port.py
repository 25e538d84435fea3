"""What the library asks of a source of documents."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from intelli.library.settings import LibrarySettings
from intelli.library.wire import FetchStrategy


@dataclass(frozen=True, slots=True)
class FetchedDocument:
    """A document on its way from its source: its bytes as they come, and what the source says about it."""

    chunks: AsyncIterator[bytes]
    name: str
    media_type: str | None
    external_id: str
    external_url: str | None = None
    metadata: dict[str, JsonValue] = field(default_factory=dict)


class DocumentSource(Protocol):
    """Where documents come from. An adapter holds nothing: what it needs of the settings comes with every call."""

    @property
    def source_type(self) -> str:
        """Its name on the wire and in the database."""

    @property
    def title(self) -> str:
        """Its name for people."""

    @property
    def fetch_strategy(self) -> FetchStrategy:
        """Where the reader of a document gets its bytes."""

    @property
    def can_import(self) -> bool:
        """True when a document can be had by naming it."""

    def missing(self, settings: LibrarySettings) -> list[str]:
        """The settings that it still needs."""

    def fetch(self, reference: str, settings: LibrarySettings) -> AbstractAsyncContextManager[FetchedDocument]:
        """The document that the source knows by this reference, while the block lasts."""

    def url_of(self, external_id: str, settings: LibrarySettings) -> str | None:
        """Where a person can open the document."""
