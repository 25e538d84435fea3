"""What runs need from outside: someone to think, and ways to look into the library and memory. The root fills them."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from intelli.kit.context import System
from intelli.reasoning.reasoner import Reasoner


@dataclass(frozen=True, slots=True)
class Minds:
    """Who thinks for runs: the reasoner that was chosen, and the one that needs nobody. A part of the app."""

    reasoner: Reasoner
    fallback: Reasoner


class Suspects(asyncio.Lock):
    """Held while this process works on a run under which a worker died. A part of the app."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look: in these documents and below these folders; without either, everywhere."""

    document_ids: tuple[UUID, ...] = ()
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage of a document that search found: a span of its text, and where it stands.

    `header` is the line that names the columns of a table which the passage begins in the middle of; one that `is_cut`
    ends in the middle of a table.
    """

    document_id: UUID
    title: str
    path: str
    mime_type: str
    sha256: str
    text: str
    start: int
    end: int
    score: float
    page: int | None = None
    section: str | None = None
    header: str = ""
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Extract:
    """A stretch of a document's text."""

    document_id: UUID
    title: str
    mime_type: str
    sha256: str
    text: str
    start: int
    end: int
    total_chars: int


@dataclass(frozen=True, slots=True)
class Place:
    """Something in a folder."""

    name: str
    path: str
    is_folder: bool
    document_id: UUID | None = None
    mime_type: str | None = None


class Searching(Protocol):
    """Finds passages, with the rights of the person who asked."""

    async def __call__(self, who: System, query: str, *, limit: int, scope: Scope) -> list[Hit]:
        """Passages, best first."""


class Reading(Protocol):
    """Reads the text of a document, with the rights of the person who asked."""

    async def __call__(self, who: System, document_id: UUID, *, start: int, end: int) -> Extract:
        """The text from one character up to another."""


class Listing(Protocol):
    """Lists a folder, with the rights of the person who asked."""

    async def __call__(self, who: System, path: str, *, limit: int) -> list[Place]:
        """What is in the folder at a path."""


@dataclass(frozen=True, slots=True)
class Library:
    """The ways into the library, as one part of the app."""

    search: Searching
    read: Reading
    list: Listing


@dataclass(frozen=True, slots=True)
class Recollection:
    """A stretch of an episode that memory gave: `text` stands in `whole`, the episode's record, from start to end.

    `is_personal` when it is in a memory that only the person who asked can see.
    """

    episode_id: UUID
    group_id: str
    title: str
    said_at: datetime
    sha256: str
    whole: str
    start: int
    end: int
    score: float
    is_personal: bool

    @property
    def text(self) -> str:
        """The words of the stretch."""
        return self.whole[self.start : self.end]


class Recalling(Protocol):
    """Finds what was said before, with the rights of the person who asked."""

    async def __call__(self, who: System, query: str, *, limit: int) -> list[Recollection]:
        """Stretches of episodes, best first."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The way into memory, as one part of the app."""

    recall: Recalling


async def _recall_nothing(who: System, query: str, *, limit: int) -> list[Recollection]:
    return []


EMPTY_MEMORY = Memory(recall=_recall_nothing)


async def _search_nothing(who: System, query: str, *, limit: int, scope: Scope) -> list[Hit]:
    return []


async def _read_nothing(who: System, document_id: UUID, *, start: int, end: int) -> Extract:
    raise LookupError(f"there is no document {document_id}")


async def _list_nothing(who: System, path: str, *, limit: int) -> list[Place]:
    return []


EMPTY_LIBRARY = Library(search=_search_nothing, read=_read_nothing, list=_list_nothing)
