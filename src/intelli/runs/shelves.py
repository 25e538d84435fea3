"""The library as runs look into it: search, reading and folders, with the rights of the person who asked."""

from dataclasses import replace
from uuid import UUID

from intelli.kit.blobs import Blobs
from intelli.kit.context import System
from intelli.kit.db import Database, Tx
from intelli.library import folders, listing, passages
from intelli.library.errors import FolderNotFound
from intelli.library.sources import Sources
from intelli.library.wire import Folder
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.extractive import grids
from intelli.retrieval import search
from intelli.retrieval import wire as retrieval_wire
from intelli.runs.ports import Extract, Hit, Library, Place, Scope

_FOLDERS_AT_ONCE = 200


def library(db: Database, blobs: Blobs, *, embedders: Embedders, sources: Sources) -> Library:
    """The ways into the library of this installation."""
    shelves = _Shelves(db, blobs, embedders, sources)
    return Library(search=shelves.search, read=shelves.read, list=shelves.list)


class _Shelves:
    def __init__(self, db: Database, blobs: Blobs, embedders: Embedders, sources: Sources) -> None:
        self._db = db
        self._blobs = blobs
        self._embedders = embedders
        self._sources = sources

    async def search(self, who: System, query: str, *, limit: int, scope: Scope) -> list[Hit]:
        """The best passages of the documents that bear on a query."""
        if not any(character.isalnum() for character in query):
            return []
        found: dict[tuple[str, int, int], Hit] = {}
        for folder, documents in _places(scope):
            request = retrieval_wire.Search(
                query=query[: retrieval_wire.MAX_QUERY], limit=limit, folder=folder, document_ids=documents
            )
            for hit in await self._search(who, request):
                found.setdefault((hit.sha256, hit.start, hit.end), hit)
        best = sorted(found.values(), key=lambda hit: -hit.score)[:limit]
        completed = await self._completed(who, [hit for hit in best if _is_in_table(hit.text)])
        return [completed.get((hit.sha256, hit.start, hit.end), hit) for hit in best]

    async def _completed(self, who: System, hits: "list[Hit]") -> dict[tuple[str, int, int], Hit]:
        """Parts of tables with what their texts tell of the whole: the names of the columns, and whether it goes on."""
        found: dict[tuple[str, int, int], Hit] = {}
        for document_id in dict.fromkeys(hit.document_id for hit in hits):
            async with self._db.begin(who) as tx:
                read = await passages.get(tx, document_id, None)
            whole = await passages.load_text(self._blobs, who.tenant_id, read.text_sha256)
            mine = [hit for hit in hits if hit.document_id == document_id and hit.sha256 == read.reading.sha256]
            for hit in mine:
                header = grids.header_over(whole, hit.start) if _begins_in_table(hit.text) else ""
                is_cut = grids.goes_on(whole, hit.end)
                found[hit.sha256, hit.start, hit.end] = replace(hit, header=header, is_cut=is_cut)
        return found

    async def _search(self, who: System, request: retrieval_wire.Search) -> "list[Hit]":
        found = await search.find(lambda: self._db.begin(who, is_snapshot=True), request, embedders=self._embedders)
        return [_hit(group, hit) for group in found.groups for hit in group.hits]

    async def read(self, who: System, document_id: UUID, *, start: int, end: int) -> Extract:
        """A stretch of the newest text of a document."""
        async with self._db.begin(who) as tx:
            read = await passages.get(tx, document_id, None)
        whole = await passages.load_text(self._blobs, who.tenant_id, read.text_sha256)
        stretch = whole[start:end]
        return Extract(
            document_id=document_id,
            title=read.version.name,
            mime_type=read.version.mime_type,
            sha256=read.reading.sha256,
            text=stretch,
            start=start,
            end=start + len(stretch),
            total_chars=len(whole),
        )

    async def list(self, who: System, path: str, *, limit: int) -> "list[Place]":
        """Folders first, then documents."""
        async with self._db.begin(who) as tx:
            all_folders = await _folders(tx)
            parent = _parent(all_folders, path)
            inside = [each for each in all_folders if each.parent_folder_id == (parent.id if parent else None)]
            wanted = listing.Wanted(folder_id=parent.id if parent else None, top=parent is None)
            page = await listing.list_documents(tx, wanted, cursor=None, limit=limit, sources=self._sources)
        places = [Place(folder.name, folder.path, is_folder=True) for folder in inside]
        places += [
            Place(each.name, each.path, is_folder=False, document_id=each.id, mime_type=each.mime_type)
            for each in page.items
        ]
        return places[:limit]


def _is_in_table(text: str) -> bool:
    """Whether a passage begins in a table, or ends in one."""
    return _begins_in_table(text) or grids.is_row(text.rstrip("\n").rpartition("\n")[2])


def _begins_in_table(text: str) -> bool:
    """Whether a passage begins with a row that names no columns."""
    line = text.lstrip("\n").partition("\n")[0]
    return grids.is_row(line) and not grids.is_header(line)


def _places(scope: Scope) -> "list[tuple[str | None, list[UUID] | None]]":
    """Where to search, one place after the other: a search looks below one folder, or in some documents."""
    if not scope.folders and not scope.document_ids:
        return [(None, None)]
    documents = [(None, list(scope.document_ids))] if scope.document_ids else []
    return [*documents, *((folder, None) for folder in scope.folders)]


async def _folders(tx: Tx) -> list[Folder]:
    found: list[Folder] = []
    cursor = None
    while True:
        page = await folders.list_folders(tx, parent_id=None, cursor=cursor, limit=_FOLDERS_AT_ONCE)
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            return found


def _parent(all_folders: list[Folder], path: str) -> Folder | None:
    whole = "/" + path.strip("/")
    if whole == "/":
        return None
    for folder in all_folders:
        if folder.path == whole:
            return folder
    raise FolderNotFound(f"There is no folder {whole}. List / to see the folders there are.")


def _hit(group: search.Group, found: search.Hit) -> Hit:
    document, passage = group.document, found.passage
    return Hit(
        document_id=document.id,
        title=document.name,
        path=document.path,
        mime_type=document.mime_type,
        sha256=document.sha256,
        text=passage.body,
        start=passage.char_start,
        end=passage.char_end,
        score=found.relevance,
        page=found.focused.page,
        section=passage.section,
    )
