"""Clients of a library for `intelli add` and `research`: of a server over HTTP, or of this machine's installation."""

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
_RETRY_DELAYS_S = (0.5, 1, 2, 4, 8, 15, 30)


class NotRead(IntelliError):
    """A file that was there cannot be read, or is there no more."""

    code = "file_not_read"


@dataclass(frozen=True, slots=True)
class LibraryDocument:
    """A document in the library and the status of its indexing."""

    id: UUID
    path: str
    version: int
    status: str
    reason: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def is_settled(self) -> bool:
        """True when its indexing has ended, with or without success."""
        return self.status in {"completed", "failed"}


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A document that is in the library already, and the hash of its bytes."""

    sha256: str
    document: LibraryDocument


Contents = Sequence[tuple[LocalFile, bytes]]


class LibraryClient(Protocol):
    """A library to add files to."""

    async def list_known(self) -> dict[str, KnownDocument]:
        """List all documents by path."""

    async def add(self, file: LocalFile) -> LibraryDocument:
        """Add a file as a document or a new version; raise IntelliError or OSError when it cannot be."""

    async def add_all(self, files: Sequence[LocalFile]) -> "list[LibraryDocument | IntelliError]":
        """Add small files together; return for each its document or the error, in the order of `files`."""

    async def get(self, document_id: UUID) -> LibraryDocument:
        """Read the current state of a document; raise NotFound when it was deleted."""

    async def list_latest(self, wanted: int) -> dict[UUID, LibraryDocument]:
        """Return the documents that changed last by id: at least `wanted`, if there are so many."""


class RemoteLibraryClient:
    """Library of a server, over HTTP."""

    def __init__(self, client: "httpx.AsyncClient") -> None:
        self._client = client
        self._has_answered = False

    async def list_known(self) -> dict[str, KnownDocument]:
        """List all documents by path."""
        return {each["path"]: KnownDocument(each["sha256"], _from_json(each)) for each in await self.list_documents()}

    async def list_documents(self) -> list[dict[str, Any]]:
        """List all documents as JSON objects of the API."""
        return [each async for page in self._pages() for each in page]

    async def list_below(self, folder: str) -> list[LibraryDocument]:
        """List the documents in a folder, at any depth."""
        return [_from_json(each) for each in await self.list_documents() if str(each["path"]).startswith(f"{folder}/")]

    async def list_latest(self, wanted: int) -> dict[UUID, LibraryDocument]:
        """Return the documents that changed last, by id."""
        found: dict[UUID, LibraryDocument] = {}
        async with aclosing(self._pages(sort="-updated_at")) as pages:
            async for page in pages:
                found |= {document.id: document for document in map(_from_json, page)}
                if len(found) >= wanted:
                    break
        return found

    async def _pages(self, **order: str) -> "AsyncGenerator[list[dict[str, Any]], None]":
        cursor: dict[str, str] = {}
        while True:
            request = partial(self._client.get, "documents", params={"limit": _PAGE, **order, **cursor})
            page = await self._send(request)
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

        return _from_json(await self._send(send))

    async def add_all(self, files: Sequence[LocalFile]) -> "list[LibraryDocument | IntelliError]":
        """Upload files in one request."""
        return await _add_readable(files, self._post)

    async def _post(self, files: "Contents") -> "list[LibraryDocument | IntelliError]":
        parts = [("file", (file.path.lstrip("/"), content)) for file, content in files]
        answer = await self._send(lambda: self._client.post("documents/batch", files=parts))
        return [
            _from_json(item["document"]) if item["document"] else remote.error_of(item["problem"])
            for item in answer["items"]
        ]

    async def get(self, document_id: UUID) -> LibraryDocument:
        """Read the current state of a document; raise NotFound when it was deleted."""
        return _from_json(await self._send(lambda: self._client.get(f"documents/{document_id}")))

    async def _send(self, request: "Callable[[], Awaitable[httpx.Response]]") -> Any:
        """Send a request and parse the response; retry a server that answered before, as it may be restarting."""
        import httpx

        for wait_s in _RETRY_DELAYS_S if self._has_answered else ():
            with suppress(httpx.TransportError, Unavailable):
                return remote.parse_response(await request())
            await asyncio.sleep(wait_s)
        answer = remote.parse_response(await request())
        self._has_answered = True
        return answer


class LocalLibraryClient:
    """Library of this machine's installation, through its database."""

    def __init__(self, app: "App", who: "System") -> None:
        self._app = app
        self._who = who

    async def list_known(self) -> dict[str, KnownDocument]:
        """List all documents by path."""
        from intelli.library.wire import SortBy

        return {
            each.path: KnownDocument(each.sha256, _from_wire(each))
            async for page in self._pages(SortBy.NAME)
            for each in page
        }

    async def list_latest(self, wanted: int) -> dict[UUID, LibraryDocument]:
        """Return the documents that changed last, by id."""
        from intelli.library.wire import SortBy

        found: dict[UUID, LibraryDocument] = {}
        async with aclosing(self._pages(SortBy.NEWEST)) as pages:
            async for page in pages:
                found |= {each.id: _from_wire(each) for each in page}
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
        """Add a file by the two steps of an upload: receive the bytes, then insert the document."""
        from intelli.content import artifacts
        from intelli.library import documents, upload

        app = self._app
        limit_bytes = app.settings.content.upload_limit_bytes
        receiving = artifacts.receive(app.blobs, self._who.tenant_id, _read_pieces(file), limit_bytes=limit_bytes)
        async with receiving as received, app.db.begin(self._who) as tx:
            arrival = upload.UploadedFile(filename=file.name, name=file.name, folder_path=file.folder)
            added = await upload.add(tx, received, arrival, storing=app.storing)
            return _from_wire(documents.answer(added.found, app.sources))

    async def add_all(self, files: Sequence[LocalFile]) -> "list[LibraryDocument | IntelliError]":
        """Add small files, all in one transaction."""
        return await _add_readable(files, self._insert)

    async def _insert(self, files: "Contents") -> "list[LibraryDocument | IntelliError]":
        from intelli.content import artifacts
        from intelli.library import batch, documents, upload

        app = self._app
        received = [artifacts.draft_generated(app.blobs, self._who.tenant_id, content) for _, content in files]
        await artifacts.place_all(received)
        arrivals = [
            upload.UploadedFile(filename=file.name, name=file.name, folder_path=file.folder) for file, _ in files
        ]
        async with app.db.begin(self._who) as tx:
            added = await batch.add(tx, list(zip(received, arrivals, strict=True)), storing=app.storing)
            return [
                each if isinstance(each, IntelliError) else _from_wire(documents.answer(each.found, app.sources))
                for each in added
            ]

    async def get(self, document_id: UUID) -> LibraryDocument:
        """Read the current state of a document; raise NotFound when it was deleted."""
        from intelli.library import documents

        async with self._app.db.begin(self._who) as tx:
            return _from_wire(documents.answer(await documents.get(tx, document_id), self._app.sources))


@asynccontextmanager
async def connect(url: str, key: str) -> AsyncIterator[RemoteLibraryClient]:
    """Open a client of a server's library."""
    async with remote.connect(url, key) as client:
        yield RemoteLibraryClient(client)


async def choose_context(db: "Database", *, email: str | None, workspace_id: UUID | None) -> "System":
    """Return the context to work in on this machine: the account's workspace, or the only one there is.

    Raise NotFound when there is no such workspace, and Invalid when there are several to choose from.
    """
    from intelli.identity import installation, operator
    from intelli.kit.context import System, WorkspaceLister

    if email is not None:
        async with db.begin(operator.context_for_account(email)) as tx:
            account = await operator.enter_workspace(tx, email, workspace_id=workspace_id)
        return System(account.workspace_id, account.user_id)
    async with db.begin(WorkspaceLister()) as tx:
        found = list(await installation.list_workspace_ids(tx))
    if workspace_id is not None:
        found = [each for each in found if each == workspace_id]
    if not found:
        raise NotFound("There is no such workspace yet. Run `intelli serve` and create an account first.")
    if len(found) > 1:
        raise Invalid("There are several workspaces. Name an account with --email, or a workspace with --workspace.")
    return System(found[0])


async def _add_readable(
    files: Sequence[LocalFile], put: "Callable[[Contents], Awaitable[list[LibraryDocument | IntelliError]]]"
) -> "list[LibraryDocument | IntelliError]":
    """Read the files and pass the readable ones to `put`; an unreadable file gets a NotRead of its own."""
    contents = await asyncio.to_thread(lambda: [_read(file) for file in files])
    there = [(file, content) for file, content in zip(files, contents, strict=True) if isinstance(content, bytes)]
    outcomes = iter(await put(there) if there else [])
    return [next(outcomes) if isinstance(content, bytes) else content for content in contents]


def _read(file: LocalFile) -> bytes | NotRead:
    try:
        return file.source.read_bytes()
    except OSError as error:
        return NotRead(f"It could not be read: {error.strerror or error}.")


async def _read_pieces(file: LocalFile) -> AsyncIterator[bytes]:
    with file.source.open("rb") as content:
        while piece := await asyncio.to_thread(content.read, _PIECE_BYTES):
            yield piece


def _from_wire(document: "Document") -> LibraryDocument:
    error = document.indexing_error
    return LibraryDocument(
        document.id,
        document.path,
        document.version,
        document.indexing_status,
        error.reason if error else None,
        tuple(document.warnings),
    )


def _from_json(item: dict[str, object]) -> LibraryDocument:
    error = item["indexing_error"]
    reason = str(error["reason"]) if isinstance(error, dict) else None
    warnings = item.get("warnings")  # missing in answers of an earlier version
    return LibraryDocument(
        UUID(str(item["id"])),
        str(item["path"]),
        int(str(item["version"])),
        str(item["indexing_status"]),
        reason,
        tuple(map(str, warnings)) if isinstance(warnings, list) else (),
    )
