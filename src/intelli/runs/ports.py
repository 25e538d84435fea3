"""Ports of runs: the reasoners, and access to the library and memory. The composition root fills them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol
from uuid import UUID

from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.kit.context import System
from intelli.kit.db import Tx
from intelli.library.table_wire import DocumentTables, TableQuery, TableResult
from intelli.memory.recall import Recollection
from intelli.reasoning.document_answers.source_document import SourceDocument
from intelli.reasoning.reasoners import ReasonerFinder, ReasonerPair
from intelli.reasoning.table_answers.source_table import SourceTable


@dataclass(frozen=True, slots=True)
class RunReasoners:
    """The reasoners of runs, found for the workspace when a run is claimed. A part of the app."""

    finder: ReasonerFinder

    async def find(self, tx: Tx) -> ReasonerPair:
        """Return the reasoners for one run, from its claim to its end."""
        return await self.finder.find(tx)


class SuspectRunLock(asyncio.Lock):
    """Lock held while this process executes a run under which a worker died. A part of the app."""


@dataclass(frozen=True, slots=True)
class SearchScope:
    """Where to search: these documents and everything below these folders; everywhere when both are empty."""

    document_ids: tuple[UUID, ...] = ()
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extract:
    """Part of a document's text."""

    document_id: UUID
    title: str
    span: Span
    text: str
    total_chars: int


@dataclass(frozen=True, slots=True)
class FolderItem:
    """A folder or document in a folder."""

    name: str
    path: str
    is_folder: bool
    document_id: UUID | None = None
    mime_type: str | None = None


class SearchLibrary(Protocol):
    """Finds passages, with the rights of the person who asked."""

    async def __call__(self, who: System, query: str, *, limit: int, scope: SearchScope) -> list[Passage]:
        """Return passages, best first."""


class ReadDocument(Protocol):
    """Reads the text of a document, with the rights of the person who asked."""

    async def __call__(self, who: System, document_id: UUID, *, start: int, end: int) -> Extract:
        """Return the text from character `start` up to `end`."""


class ListFolder(Protocol):
    """Lists a folder, with the rights of the person who asked."""

    async def __call__(self, who: System, path: str, *, limit: int) -> list[FolderItem]:
        """List the contents of the folder at a path."""


class ListTables(Protocol):
    """Lists the tables of a document, with the rights of the person who asked."""

    async def __call__(self, who: System, document_id: UUID) -> DocumentTables:
        """Return the tables of the newest text of a document, without their cells."""


class QueryTable(Protocol):
    """Asks tables of documents, with the rights of the person who asked."""

    async def __call__(self, who: System, query: TableQuery, *, scope: SearchScope) -> TableResult:
        """Answer a query over tables of documents in the scope."""


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table of a document with its values, and the document that its rows are cited from."""

    table: SourceTable
    document: Passage
    head: str

    def passage(self, start: int, end: int) -> Passage:
        """The characters from `start` up to `end` of the document as a passage, with the names of the columns."""
        span = Span(self.document.sha256, start, end)
        header = self.head if start > self.table.start else ""
        return replace(self.document, span=span, text=self.document.text[start:end], header=header)


class ReadTables(Protocol):
    """Reads tables with their values, with the rights of the person who asked."""

    async def __call__(self, who: System, document_ids: Sequence[UUID], *, scope: SearchScope) -> list[ReadTable]:
        """Return the tables of some documents, and of those that the scope names."""


@dataclass(frozen=True, slots=True)
class ReadSource:
    """A document with its values, and as one passage that its parts are cited from."""

    values: SourceDocument
    document: Passage

    def passage(self, start: int, end: int) -> Passage:
        """The characters from `start` up to `end` of the document as a passage, with the names of a table's columns."""
        columns = next(
            (each.columns for each in self.values.pieces if each.columns and each.start < start < each.end), ()
        )
        return replace(
            self.document,
            span=Span(self.document.sha256, start, end),
            text=self.document.text[start:end],
            header="\t".join(columns),
        )


class ReadSources(Protocol):
    """Reads documents with their facts and pieces, with the rights of the person who asked."""

    async def __call__(self, who: System, document_ids: Sequence[UUID], *, scope: SearchScope) -> list[ReadSource]:
        """Return some documents, and those that the scope names."""


async def _read_no_sources(who: System, document_ids: Sequence[UUID], *, scope: SearchScope) -> list[ReadSource]:
    return []


async def _read_no_tables(who: System, document_ids: Sequence[UUID], *, scope: SearchScope) -> list[ReadTable]:
    return []


async def _list_no_tables(who: System, document_id: UUID) -> DocumentTables:
    raise LookupError(f"there is no document {document_id}")


async def _query_nothing(who: System, query: TableQuery, *, scope: SearchScope) -> TableResult:
    raise LookupError(f"there is no document {query.table.document_id}")


@dataclass(frozen=True, slots=True)
class LibraryAccess:
    """Access to the library, as one part of the app."""

    search: SearchLibrary
    read: ReadDocument
    list: ListFolder
    list_tables: ListTables = _list_no_tables
    query_table: QueryTable = _query_nothing
    read_tables: ReadTables = _read_no_tables
    read_sources: ReadSources = _read_no_sources


class RecallMemory(Protocol):
    """Searches memory, with the rights of the person who asked."""

    async def __call__(self, who: System, query: str, *, limit: int) -> list[Recollection]:
        """Return passages of episodes with their records, best first."""


@dataclass(frozen=True, slots=True)
class MemoryAccess:
    """Access to memory, as one part of the app."""

    recall: RecallMemory


async def _recall_nothing(who: System, query: str, *, limit: int) -> list[Recollection]:
    return []


EMPTY_MEMORY = MemoryAccess(recall=_recall_nothing)


async def _search_nothing(who: System, query: str, *, limit: int, scope: SearchScope) -> list[Passage]:
    return []


async def _read_nothing(who: System, document_id: UUID, *, start: int, end: int) -> Extract:
    raise LookupError(f"there is no document {document_id}")


async def _list_nothing(who: System, path: str, *, limit: int) -> list[FolderItem]:
    return []


EMPTY_LIBRARY = LibraryAccess(search=_search_nothing, read=_read_nothing, list=_list_nothing)
