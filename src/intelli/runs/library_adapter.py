"""Adapter of the library for runs: search, read and list folders, with the rights of the person who asked."""

from dataclasses import replace
from uuid import UUID

from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.kit.blobs import Blobs
from intelli.kit.context import System
from intelli.kit.db import Database, Tx
from intelli.language import grids
from intelli.library import authorship, document_facts, document_tables, document_text, folders, list_documents
from intelli.library.authorship import AgentDocuments
from intelli.library.errors import DocumentNotFound, FolderNotFound
from intelli.library.sources import Sources
from intelli.library.structure.document_structure import DocumentStructure
from intelli.library.structure.pieces import STATEMENT_KINDS
from intelli.library.table_wire import DocumentTables, TableQuery, TableResult
from intelli.library.wire import Folder
from intelli.reasoning import evidence_rules
from intelli.reasoning.embedders import Embedders
from intelli.retrieval import search
from intelli.retrieval import wire as retrieval_wire
from intelli.retrieval.rerank import Reranker
from intelli.runs.document_reader import DocumentReader
from intelli.runs.ports import Extract, FolderItem, LibraryAccess, SearchScope
from intelli.runs.table_reader import TableReader

_FOLDERS_AT_ONCE = 200


def build_library_access(
    db: Database, blobs: Blobs, *, embedders: Embedders, reranker: Reranker, sources: Sources
) -> LibraryAccess:
    """Build the library access of this installation."""
    adapter = _LibraryAdapter(db, blobs, embedders=embedders, reranker=reranker, sources=sources)
    return LibraryAccess(
        search=adapter.search,
        read=adapter.read,
        list=adapter.list,
        list_tables=adapter.list_tables,
        query_table=adapter.query_table,
        read_tables=TableReader(db, blobs).read_tables,
        read_sources=DocumentReader(db, blobs).read_sources,
    )


class _LibraryAdapter:
    def __init__(
        self, db: Database, blobs: Blobs, *, embedders: Embedders, reranker: Reranker, sources: Sources
    ) -> None:
        self._db = db
        self._blobs = blobs
        self._embedders = embedders
        self._reranker = reranker
        self._sources = sources

    async def search(self, who: System, query: str, *, limit: int, scope: SearchScope) -> list[Passage]:
        """Return the best passages for a query, best first; none for a query without letters or digits.

        What our agent wrote is left out unless the question puts it in focus; its sources are looked for as well then.
        """
        if not any(character.isalnum() for character in query):
            return []
        async with self._db.begin(who) as tx:
            ours = await authorship.find_agent_documents(tx, focus=scope.document_ids, question=query)
        found: dict[Span, Passage] = {}
        for folder, documents in _places(scope, ours):
            request = retrieval_wire.Search(
                query=query[: retrieval_wire.MAX_QUERY], limit=limit, folder=folder, document_ids=documents
            )
            for passage in await self._search(who, request, without=ours.others):
                is_ours = passage.document_id in ours.in_focus
                found.setdefault(passage.span, replace(passage, origin=evidence_rules.AGENT) if is_ours else passage)
        best = sorted(found.values(), key=lambda passage: -passage.score)[:limit]
        completed = await self._with_table_headers(who, [passage for passage in best if _is_in_table(passage.text)])
        whole = [completed.get(passage.span, passage) for passage in best]
        return await self._with_asides(who, await self._with_dates(who, whole))

    async def _with_dates(self, who: System, passages: "list[Passage]") -> "list[Passage]":
        """Return the passages with the dates of their documents, and what these amend."""
        ids = list(dict.fromkeys(passage.document_id for passage in passages if passage.document_id))
        async with self._db.begin(who) as tx:
            dates, amended = await document_facts.find_dates(tx, ids), await document_facts.find_amended(tx, ids)
        return [
            replace(each, dated=dates.get(each.document_id), amends=amended.get(each.document_id, ()))
            if each.document_id
            else each
            for each in passages
        ]

    async def _with_asides(self, who: System, passages: "list[Passage]") -> "list[Passage]":
        """Return the passages with the stretches that are no statements, where the structure of a document tells."""
        found: dict[Span, Passage] = {}
        for document_id in dict.fromkeys(each.document_id for each in passages if each.document_id):
            async with self._db.begin(who) as tx:
                read = await document_text.get(tx, document_id, None)
            mine = [each for each in passages if each.document_id == document_id and each.sha256 == read.reading.sha256]
            sha256, chars = read.reading.structure_sha256, read.reading.char_count
            if sha256 is None or chars is None or not mine:
                continue
            structure = await document_text.load_structure(self._blobs, who.tenant_id, sha256, chars=chars)
            found |= {each.span: replace(each, asides=_asides(structure, each.span)) for each in mine}
        return [found.get(each.span, each) for each in passages]

    async def _with_table_headers(self, who: System, parts: "list[Passage]") -> dict[Span, Passage]:
        """Return passages inside tables with the column names above them and whether the table goes on."""
        found: dict[Span, Passage] = {}
        for document_id in dict.fromkeys(part.document_id for part in parts if part.document_id):
            async with self._db.begin(who) as tx:
                read = await document_text.get(tx, document_id, None)
            whole = await document_text.load_text(self._blobs, who.tenant_id, read.text_sha256)
            mine = [part for part in parts if part.document_id == document_id and part.sha256 == read.reading.sha256]
            for part in mine:
                header = grids.header_over(whole, part.span.start) if _begins_in_table(part.text) else ""
                is_cut = grids.goes_on(whole, part.span.end)
                found[part.span] = replace(part, header=header, is_cut=is_cut)
        return found

    async def _search(
        self, who: System, request: retrieval_wire.Search, *, without: frozenset[UUID]
    ) -> "list[Passage]":
        found = await search.find(
            lambda: self._db.begin(who, is_snapshot=True),
            request,
            embedders=self._embedders,
            reranker=self._reranker,
            without=without,
        )
        return [passage for group in found.groups for passage in group.passages]

    async def read(self, who: System, document_id: UUID, *, start: int, end: int) -> Extract:
        """Read part of the newest text of a document."""
        async with self._db.begin(who) as tx:
            read = await document_text.get(tx, document_id, None)
        whole = await document_text.load_text(self._blobs, who.tenant_id, read.text_sha256)
        stretch = whole[start:end]
        return Extract(
            document_id=document_id,
            title=read.version.name,
            span=Span(read.reading.sha256, start, start + len(stretch)),
            text=stretch,
            total_chars=len(whole),
        )

    async def list_tables(self, who: System, document_id: UUID) -> DocumentTables:
        """Return the tables of the newest text of a document."""
        async with self._db.begin(who) as tx:
            read = await document_tables.get(tx, document_id)
        return await document_tables.show_tables(self._blobs, who.tenant_id, read)

    async def query_table(self, who: System, query: TableQuery, *, scope: SearchScope) -> TableResult:
        """Answer a query over tables of documents in the scope. Raises DocumentNotFound for others."""
        async with self._db.begin(who) as tx:
            asked = await document_tables.get_asked(tx, query)
        for read in asked:
            if not _is_in_scope(scope, read.version.document_id, read.version.path):
                raise DocumentNotFound(f"{read.version.name} is not among the documents that this question is about.")
        return await document_tables.answer(self._blobs, who.tenant_id, query, asked)

    async def list(self, who: System, path: str, *, limit: int) -> "list[FolderItem]":
        """List a folder: folders first, then documents."""
        async with self._db.begin(who) as tx:
            all_folders = await _list_all_folders(tx)
            parent = _get_folder(all_folders, path)
            inside = [each for each in all_folders if each.parent_folder_id == (parent.id if parent else None)]
            wanted = list_documents.DocumentFilter(folder_id=parent.id if parent else None, top=parent is None)
            page = await list_documents.list_documents(tx, wanted, cursor=None, limit=limit, sources=self._sources)
        places = [FolderItem(folder.name, folder.path, is_folder=True) for folder in inside]
        places += [
            FolderItem(each.name, each.path, is_folder=False, document_id=each.id, mime_type=each.mime_type)
            for each in page.items
        ]
        return places[:limit]


def _asides(structure: DocumentStructure, span: Span) -> tuple[tuple[int, int], ...]:
    """Return the stretches of a passage that are no statements, counted from its beginning."""
    return tuple(
        (max(piece.start, span.start) - span.start, min(piece.end, span.end) - span.start)
        for piece in structure.between(span.start, span.end)
        if piece.kind not in STATEMENT_KINDS
    )


def _is_in_scope(scope: SearchScope, document_id: UUID, path: str) -> bool:
    """Return whether a document is one of those that a run is about; without any named, all are."""
    if not scope.document_ids and not scope.folders:
        return True
    is_below = any(path.startswith(f"/{folder.strip('/')}/".replace("//", "/")) for folder in scope.folders)
    return document_id in scope.document_ids or is_below


def _is_in_table(text: str) -> bool:
    """Return whether a passage begins or ends inside a table."""
    return _begins_in_table(text) or grids.is_row(text.rstrip("\n").rpartition("\n")[2])


def _begins_in_table(text: str) -> bool:
    """Return whether a passage begins with a table row that is no header."""
    line = text.lstrip("\n").partition("\n")[0]
    return grids.is_row(line) and not grids.is_header(line)


def _places(scope: SearchScope, ours: AgentDocuments) -> "list[tuple[str | None, list[UUID] | None]]":
    """List the places to search one by one: a search covers one folder or a list of documents."""
    if not scope.folders and ours.in_focus.issuperset(scope.document_ids):
        return [(None, None)]
    documents = [(None, list(scope.document_ids))] if scope.document_ids else []
    return [*documents, *((folder, None) for folder in scope.folders)]


async def _list_all_folders(tx: Tx) -> list[Folder]:
    found: list[Folder] = []
    cursor = None
    while True:
        page = await folders.list_folders(tx, parent_id=None, cursor=cursor, limit=_FOLDERS_AT_ONCE)
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            return found


def _get_folder(all_folders: list[Folder], path: str) -> Folder | None:
    whole = "/" + path.strip("/")
    if whole == "/":
        return None
    for folder in all_folders:
        if folder.path == whole:
            return folder
    raise FolderNotFound(f"There is no folder {whole}. List / to see the folders there are.")
