"""Where `intelli add` puts files: a server reached over HTTP, or the installation on this machine."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol
from uuid import UUID

from intelli.cli import remote
from intelli.cli.gather import LocalFile
from intelli.kit.errors import IntelliError, Invalid, NotFound, Unavailable

if TYPE_CHECKING:
    import httpx

    from intelli.app import App
    from intelli.kit.context import System
    from intelli.kit.db import Database
    from intelli.library.wire import Document, SortBy

_PAGE = 200
_PIECE_BYTES = 1 << 20
# A server that is restarted is back within a minute.
_WAITS_S = (0.5, 1, 2, 4, 8, 15, 30)


class NotRead(IntelliError):
    """A file that was there cannot be read, or is there no more."""

    code = "file_not_read"


@dataclass(frozen=True, slots=True)
class LibraryDocument:
    """A document in the library, and how far it is."""

    id: UUID
    path: str
    version: int
    status: str
    reason: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def is_settled(self) -> bool:
        """True when nothing more happens to it by itself."""
        return self.status in {"completed", "failed"}


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A document that was in the library before, and the hash of its bytes."""

    sha256: str
    shelved: LibraryDocument


Contents = Sequence[tuple[LocalFile, bytes]]


class LibraryClient(Protocol):
    """A library that files can be put into."""

    async def known(self) -> dict[str, KnownDocument]:
        """Every document, by its path."""

    async def add(self, file: LocalFile) -> LibraryDocument:
        """Put a file into the library."""

    async def add_all(self, files: Sequence[LocalFile]) -> "list[LibraryDocument | IntelliError]":
        """Put small files into the library together; for each its document, or why there is none."""

    async def look(self, document_id: UUID) -> LibraryDocument:
        """A document as it is now."""

    async def latest(self, wanted: int) -> dict[UUID, LibraryDocument]:
        """The documents that changed last, at least as many as wanted where there are so many."""


class RemoteLibraryClient:
    """The library of a server."""

    def __init__(self, client: "httpx.AsyncClient") -> None:
        self._client = client
        self._has_answered = False

    async def known(self) -> dict[str, KnownDocument]:
        """Every document, by its path."""
        return {each["path"]: KnownDocument(each["sha256"], _shelved(each)) for each in await self.documents()}

    async def documents(self) -> list[dict[str, Any]]:
        """Every document, as the server tells it."""
        return [each async for page in self._pages() for each in page]

    async def below(self, folder: str) -> list[LibraryDocument]:
        """The documents in a folder, at any depth."""
        return [_shelved(each) for each in await self.documents() if str(each["path"]).startswith(f"{folder}/")]

    async def latest(self, wanted: int) -> dict[UUID, LibraryDocument]:
        """The documents that changed last."""
        found: dict[UUID, LibraryDocument] = {}
        async with aclosing(self._pages(sort="-updated_at")) as pages:
            async for page in pages:
                found |= {shelved.id: shelved for shelved in map(_shelved, page)}
                if len(found) >= wanted:
                    break
        return found

    async def _pages(self, **order: str) -> "AsyncGenerator[list[dict[str, Any]], None]":
        cursor: dict[str, str] = {}
        while True:
            ask = partial(self._client.get, "documents", params={"limit": _PAGE, **order, **cursor})
            page = await self._ask(ask)
            yield page["items"]
            if page["next_cursor"] is None:
                return
            cursor = {"cursor": page["next_cursor"]}

    async def add(self, file: LocalFile) -> LibraryDocument:
        """Upload a file."""
        fields = {"folder_path": file.folder, "name": file.name}

        async def send() -> "httpx.Response":
            with file.source.open("rb") as content:
                return await self._client.post("documents", files={"file": (file.name, content)}, data=fields)

        return _shelved(await self._ask(send))

    async def add_all(self, files: Sequence[LocalFile]) -> "list[LibraryDocument | IntelliError]":
        """Upload files in one request."""
        return await _together(files, self._post)

    async def _post(self, files: "Contents") -> "list[LibraryDocument | IntelliError]":
        parts = [("file", (file.path.lstrip("/"), content)) for file, content in files]
        said = await self._ask(lambda: self._client.post("documents/batch", files=parts))
        return [
            _shelved(item["document"]) if item["document"] else remote.refusal(item["problem"])
            for item in said["items"]
        ]

    async def look(self, document_id: UUID) -> LibraryDocument:
        """A document as it is now."""
        return _shelved(await self._ask(lambda: self._client.get(f"documents/{document_id}")))

    async def _ask(self, request: "Callable[[], Awaitable[httpx.Response]]") -> Any:
        """What the server says. One that has answered before may be busy or restarting, and is asked again."""
        import httpx

        for wait_s in _WAITS_S if self._has_answered else ():
            with suppress(httpx.TransportError, Unavailable):
                return remote.answer(await request())
            await asyncio.sleep(wait_s)
        said = remote.answer(await request())
        self._has_answered = True
        return said


class LocalLibraryClient:
    """The library of this machine's installation."""

    def __init__(self, app: "App", who: "System") -> None:
        self._app = app
        self._who = who

    async def known(self) -> dict[str, KnownDocument]:
        """Every document, by its path."""
        from intelli.library.wire import SortBy

        return {
            each.path: KnownDocument(each.sha256, _local(each))
            async for page in self._pages(SortBy.NAME)
            for each in page
        }

    async def latest(self, wanted: int) -> dict[UUID, LibraryDocument]:
        """The documents that changed last."""
        from intelli.library.wire import SortBy

        found: dict[UUID, LibraryDocument] = {}
        async with aclosing(self._pages(SortBy.NEWEST)) as pages:
            async for page in pages:
                found |= {each.id: _local(each) for each in page}
                if len(found) >= wanted:
                    break
        return found

    async def _pages(self, sort: "SortBy") -> "AsyncGenerator[Sequence[Document], None]":
        from intelli.library import list_documents

        cursor = None
        while True:
            async with self._app.db.begin(self._who) as tx:
                page = await list_documents.list_documents(
                    tx, list_documents.DocumentFilter(sort=sort), cursor=cursor, limit=_PAGE, sources=self._app.sources
                )
            yield page.items
            cursor = page.next_cursor
            if cursor is None:
                return

    async def add(self, file: LocalFile) -> LibraryDocument:
        """Put a file into the library by the same two steps as an upload."""
        from intelli.content import artifacts
        from intelli.library import documents, upload

        app = self._app
        limit_bytes = app.settings.content.upload_limit_bytes
        receiving = artifacts.receive(app.blobs, self._who.tenant_id, _pieces(file), limit_bytes=limit_bytes)
        async with receiving as received, app.db.begin(self._who) as tx:
            arrival = upload.UploadedFile(filename=file.name, name=file.name, folder_path=file.folder)
            added = await upload.add(tx, received, arrival, storing=app.storing)
            return _local(documents.answer(added.found, app.sources))

    async def add_all(self, files: Sequence[LocalFile]) -> "list[LibraryDocument | IntelliError]":
        """The same for small files, all in one transaction."""
        return await _together(files, self._make)

    async def _make(self, files: "Contents") -> "list[LibraryDocument | IntelliError]":
        from intelli.content import artifacts
        from intelli.library import batch, documents, upload

        app = self._app
        received = [artifacts.made(app.blobs, self._who.tenant_id, content) for _, content in files]
        await artifacts.place_all(received)
        arrivals = [
            upload.UploadedFile(filename=file.name, name=file.name, folder_path=file.folder) for file, _ in files
        ]
        async with app.db.begin(self._who) as tx:
            added = await batch.add(tx, list(zip(received, arrivals, strict=True)), storing=app.storing)
            return [
                each if isinstance(each, IntelliError) else _local(documents.answer(each.found, app.sources))
                for each in added
            ]

    async def look(self, document_id: UUID) -> LibraryDocument:
        """A document as it is now."""
        from intelli.library import documents

        async with self._app.db.begin(self._who) as tx:
            return _local(documents.answer(await documents.get(tx, document_id), self._app.sources))


@asynccontextmanager
async def on_server(url: str, key: str) -> AsyncIterator[RemoteLibraryClient]:
    """The library of a server."""
    async with remote.connected(url, key) as client:
        yield RemoteLibraryClient(client)


async def workspace(app: "App", *, email: str | None, workspace_id: UUID | None) -> "System":
    """As whom to work on this machine: in the account's workspace, or in the only one there is."""
    return await standing(app.db, email=email, workspace_id=workspace_id)


async def standing(db: "Database", *, email: str | None, workspace_id: UUID | None) -> "System":
    """The same, for who has no more than the database."""
    from intelli.identity import installation, operator
    from intelli.kit.context import System, WorkspaceLister

    if email is not None:
        async with db.begin(operator.at_the_door(email)) as tx:
            standing = await operator.enter(tx, email, workspace_id=workspace_id)
        return System(standing.workspace_id, standing.user_id)
    async with db.begin(WorkspaceLister()) as tx:
        found = list(await installation.workspace_ids(tx))
    if workspace_id is not None:
        found = [each for each in found if each == workspace_id]
    if not found:
        raise NotFound("There is no such workspace yet. Run `intelli serve` and create an account first.")
    if len(found) > 1:
        raise Invalid("There are several workspaces. Name an account with --email, or a workspace with --workspace.")
    return System(found[0])


async def _together(
    files: Sequence[LocalFile], put: "Callable[[Contents], Awaitable[list[LibraryDocument | IntelliError]]]"
) -> "list[LibraryDocument | IntelliError]":
    """Put in what can be read; a file that cannot be is told of by itself."""
    contents = await asyncio.to_thread(lambda: [_content(file) for file in files])
    there = [(file, content) for file, content in zip(files, contents, strict=True) if isinstance(content, bytes)]
    outcomes = iter(await put(there) if there else [])
    return [next(outcomes) if isinstance(content, bytes) else content for content in contents]


def _content(file: LocalFile) -> bytes | NotRead:
    try:
        return file.source.read_bytes()
    except OSError as error:
        return NotRead(f"It could not be read: {error.strerror or error}.")


async def _pieces(file: LocalFile) -> AsyncIterator[bytes]:
    with file.source.open("rb") as content:
        while piece := await asyncio.to_thread(content.read, _PIECE_BYTES):
            yield piece


def _local(document: "Document") -> LibraryDocument:
    error = document.indexing_error
    return LibraryDocument(
        document.id,
        document.path,
        document.version,
        document.indexing_status,
        error.reason if error else None,
        tuple(document.warnings),
    )


def _shelved(said: dict[str, object]) -> LibraryDocument:
    error = said["indexing_error"]
    reason = str(error["reason"]) if isinstance(error, dict) else None
    warnings = said.get("warnings")  # a server of an earlier version tells none
    return LibraryDocument(
        UUID(str(said["id"])),
        str(said["path"]),
        int(str(said["version"])),
        str(said["indexing_status"]),
        reason,
        tuple(map(str, warnings)) if isinstance(warnings, list) else (),
    )
