"""Folders: a tree in which each folder stores its full path, updated on every move."""

from collections.abc import Iterable
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.kit import pagination
from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.kit.ids import uuid7
from intelli.kit.wire import Page
from intelli.library import names, sweep, wire
from intelli.library.errors import FolderNotEmpty, FolderNotFound, IntoItself, NameTaken, PlaceChanged
from intelli.library.optimistic_lock import BaseVersion
from intelli.library.ports import EvidencePort
from intelli.library.store import documents as document_store
from intelli.library.store import folders as store
from intelli.library.store.folders import CountedFolder
from intelli.library.tables import Folder


async def create(tx: Tx, request: wire.CreateFolder) -> wire.Folder:
    """Create a folder. Raises NameTaken, or FolderNotFound for its parent."""
    await store.lock_tree(tx)
    parent = await _parent(tx, request.parent_folder_id)
    folder = await _make(tx, parent, request.name, scope_id=request.scope_id)
    await record(tx, EventType.FILE_MODIFICATION, entity=("folder", folder.id), action="create")
    return await answer(tx, folder)


async def list_folders(tx: Tx, *, parent_id: UUID | None, cursor: str | None, limit: int) -> Page[wire.Folder]:
    """Return a page of folders in the order of their paths; with a parent, only its direct children."""
    after = pagination.decode_place(cursor)
    rows = await store.list_folders(tx, parent_id=parent_id, after=after, limit=limit + 1)
    return pagination.place_page(rows, limit, item=_answer, place=lambda row: (row.folder.path, row.folder.id))


async def get(tx: Tx, folder_id: UUID) -> Folder:
    """Return a folder. Raises FolderNotFound."""
    folder = await store.find(tx, folder_id)
    if folder is None:
        raise _missing()
    return folder


async def change(tx: Tx, folder_id: UUID, request: wire.ChangeFolder, *, basis: BaseVersion) -> wire.Folder:
    """Rename or move a folder with everything below it."""
    await store.lock_tree(tx)
    folder = await get(tx, folder_id)
    basis.check(folder.version, what="folder")
    is_moved = "parent_folder_id" in request.model_fields_set
    parent = await _parent(tx, request.parent_folder_id if is_moved else folder.parent_folder_id)
    if parent is not None and f"{parent.path}/".startswith(f"{folder.path}/"):
        raise IntoItself("A folder cannot be moved into itself or into a folder that it holds.")
    path = names.join_path(parent.path if parent else None, request.name or folder.name)
    if path == folder.path:
        return await answer(tx, folder)
    await _insist_on_place(tx, path, except_id=folder.id)
    await _insist_on_length(tx, folder.path, path)
    folder.name = request.name or folder.name
    folder.parent_folder_id = parent.id if parent else None
    await store.move(tx, folder, path=path)
    await record(tx, EventType.FILE_MODIFICATION, entity=("folder", folder.id), action="move")
    return await answer(tx, folder)


async def delete(
    tx: Tx, folder_id: UUID, *, recursive: bool, basis: BaseVersion, evidence: EvidencePort
) -> wire.DeletedDocuments:
    """Delete a folder; with `recursive` also its content, otherwise FolderNotEmpty is raised when it has any."""
    await store.lock_tree(tx)
    folder = await get(tx, folder_id)
    basis.check(folder.version, what="folder")
    if not recursive and await store.has_content(tx, folder_id):
        raise FolderNotEmpty("The folder is not empty. Delete what it holds first, or delete it with `recursive=true`.")
    released = await evidence.release(tx, await store.list_documents_below(tx, folder.path))
    documents = await store.remove_documents_below(tx, folder.path)
    folders = await store.remove_with_below(tx, folder.path)
    if documents:
        await sweep.enqueue(tx)
    await record(
        tx,
        EventType.FILE_MODIFICATION,
        entity=("folder", folder_id),
        action="delete",
        documents=documents,
        folders=folders,
        evidence=released.evidence.value,
    )
    return released


async def lock_folder(tx: Tx, folder_id: UUID | None) -> Folder | None:
    """Return the folder of an id (None is the top) and keep the tree from changing until the transaction ends."""
    await store.lock_tree_shared(tx)
    return await _parent(tx, folder_id)


async def ensure_path(tx: Tx, path: str) -> Folder | None:
    """Return the folder at a path such as `/a/b`, created as needed, and lock the tree as `lock_folder` does."""
    steps = names.split_path(path)
    whole = "".join(f"/{step}" for step in steps)
    if not steps:
        return await lock_folder(tx, None)
    if await store.find_at(tx, whole) is None:
        await store.lock_tree(tx)
        return await _make_all(tx, steps)
    await store.lock_tree_shared(tx)
    folder = await store.find_at(tx, whole)
    if folder is None:
        raise PlaceChanged("The folder was moved or deleted in the meantime. Try again.")
    return folder


async def ensure_paths(tx: Tx, paths: Iterable[str]) -> dict[str, Folder | IntelliError | None]:
    """Return for each path its folder, created as needed, or the error it was refused with; lock the tree.

    Whether folders are missing is checked first: a shared lock of the tree could not be upgraded later.
    """
    wanted = sorted(set(paths))
    whole = {"/" + "/".join(step for step in path.split("/") if step) for path in wanted} - {"/"}
    if await store.count_at(tx, sorted(whole)) < len(whole):
        await store.lock_tree(tx)
    entered: dict[str, Folder | IntelliError | None] = {}
    for path in wanted:
        try:
            entered[path] = await ensure_path(tx, path)
        except IntelliError as error:
            entered[path] = error
    return entered


async def is_folder(tx: Tx, path: str) -> bool:
    """True when a folder is at a path."""
    return await store.find_at(tx, path) is not None


async def answer(tx: Tx, folder: Folder) -> wire.Folder:
    """Build the wire model of a folder."""
    return _answer(await store.get_counted(tx, folder.id))


async def _make_all(tx: Tx, steps: list[str]) -> Folder | None:
    folder: Folder | None = None
    for step in steps:
        path = names.join_path(folder.path if folder else None, step)
        folder = await store.find_at(tx, path) or await _make(tx, folder, step)
    return folder


async def _make(tx: Tx, parent: Folder | None, name: str, *, scope_id: UUID | None = None) -> Folder:
    path = names.join_path(parent.path if parent else None, name)
    await _insist_on_place(tx, path)
    folder = Folder(
        tenant_id=tx.tenant_id,
        id=uuid7(),
        parent_folder_id=parent.id if parent else None,
        name=name,
        path=path,
        scope_id=scope_id,
        created_by=tx.user_id,
    )
    return await store.add(tx, folder)


async def _parent(tx: Tx, folder_id: UUID | None) -> Folder | None:
    return None if folder_id is None else await get(tx, folder_id)


async def _insist_on_place(tx: Tx, path: str, *, except_id: UUID | None = None) -> None:
    if await document_store.is_taken(tx, path, except_id=except_id):
        raise NameTaken("There is already something of this name here. Choose another name.")


async def _insist_on_length(tx: Tx, before: str, after: str) -> None:
    """Raise TooDeep when the longest path below a folder would be too long after moving it."""
    size_bytes, steps = await store.find_longest_below(tx, before)
    grown = len(after.encode()) - len(before.encode())
    names.check_path_length(size_bytes + grown, steps=steps + after.count("/") - before.count("/"))


def _answer(row: CountedFolder) -> wire.Folder:
    folder = row.folder
    return wire.Folder(
        id=folder.id,
        parent_folder_id=folder.parent_folder_id,
        name=folder.name,
        path=folder.path,
        scope_id=folder.scope_id,
        version=folder.version,
        document_count=row.document_count,
        created_at=folder.created_at,
        updated_at=folder.updated_at,
    )


def _missing() -> FolderNotFound:
    return FolderNotFound("There is no such folder.")
