"""Queries about folders, and the advisory lock of the folder tree."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, delete, func, literal, or_, select, text, tuple_
from sqlalchemy.orm import InstrumentedAttribute

from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.kit.sql_in import in_values
from intelli.library.tables import Document, Folder

# The character after the slash: all paths below `/a` are between `/a/` and `/a0`.
_AFTER_SLASH = "0"
_KEY = "hashtextextended('library:' || :tenant, 0)"
_HOLD_TREE = text(f"select pg_advisory_xact_lock_shared({_KEY})")
_CHANGE_TREE = text(f"select pg_advisory_xact_lock({_KEY})")

# One statement, so that nobody ever sees half of a move: the folder, the folders below it and all their documents.
_MOVE = text("""
    with moved as (
        update folders set path = :to || substr(path, length(:from) + 1)
         where tenant_id = :tenant and (path = :from or path >= :first and path < :after)
    ), carried as (
        update documents set path = :to || substr(path, length(:from) + 1)
         where tenant_id = :tenant and path >= :first and path < :after
    )
    select
""")


@dataclass(frozen=True, slots=True)
class CountedFolder:
    """A folder with the number of documents directly in it."""

    folder: Folder
    document_count: int


async def lock_tree_shared(tx: Tx) -> None:
    """Lock the folder tree, shared, until the transaction ends: no folder moves. Take it before any other lock."""
    await tx.session.execute(_HOLD_TREE, {"tenant": str(tx.tenant_id)})


async def lock_tree(tx: Tx) -> None:
    """Lock the folder tree exclusively until the transaction ends. Take it before any other lock."""
    await tx.session.execute(_CHANGE_TREE, {"tenant": str(tx.tenant_id)})


async def find(tx: Tx, folder_id: UUID) -> Folder | None:
    """Return a folder, freshly loaded; None when there is none."""
    return await tx.session.get(Folder, (tx.tenant_id, folder_id), populate_existing=True)


async def count_at(tx: Tx, paths: Sequence[str]) -> int:
    """Count those of the paths that are folders."""
    mine = select(func.count()).where(Folder.tenant_id == tx.tenant_id, in_values(Folder.path, paths))
    return await tx.session.scalar(mine) or 0


async def find_at(tx: Tx, path: str) -> Folder | None:
    """Return the folder at a path; None when there is none."""
    mine = select(Folder).where(Folder.tenant_id == tx.tenant_id, Folder.path == path)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def get_counted(tx: Tx, folder_id: UUID) -> CountedFolder:
    """Return a folder with its number of documents."""
    folder, count = (await tx.session.execute(_counted(tx).where(Folder.id == folder_id))).one()
    return CountedFolder(folder, count)


async def add(tx: Tx, folder: Folder) -> Folder:
    """Insert a folder."""
    tx.session.add(folder)
    await tx.session.flush()
    await tx.session.refresh(folder)
    return folder


async def list_folders(
    tx: Tx, *, parent_id: UUID | None, after: tuple[str, UUID] | None, limit: int
) -> Sequence[CountedFolder]:
    """Return folders in the order of their paths; with a parent, only its direct children."""
    found = _counted(tx).order_by(Folder.path, Folder.id).limit(limit)
    if parent_id is not None:
        found = found.where(Folder.parent_folder_id == parent_id)
    if after is not None:
        key, last_id = after
        found = found.where(tuple_(Folder.path, Folder.id) > tuple_(literal(key), literal(last_id)))
    return [CountedFolder(folder, count) for folder, count in await tx.session.execute(found)]


async def move(tx: Tx, folder: Folder, *, path: str) -> None:
    """Change the path of a folder and of everything below it; the caller has set the folder's name and parent."""
    before = folder.path
    folder.version += 1
    folder.updated_at = clock.now()
    await tx.session.flush()
    below = {"first": f"{before}/", "after": f"{before}{_AFTER_SLASH}"}
    await tx.session.execute(_MOVE, {"tenant": tx.tenant_id, "from": before, "to": path, **below})
    await tx.session.refresh(folder)


async def find_longest_below(tx: Tx, path: str) -> tuple[int, int]:
    """Return the most bytes and the most steps that a path has which is this one or below it."""
    both = [
        select(table.path).where(table.tenant_id == tx.tenant_id, or_(table.path == path, is_below(table.path, path)))
        for table in (Folder, Document)
    ]
    paths = both[0].union_all(both[1]).subquery()
    slashes = func.length(paths.c.path) - func.length(func.replace(paths.c.path, "/", ""))
    found = select(func.max(func.octet_length(paths.c.path)), func.max(slashes))
    size_bytes, steps = (await tx.session.execute(found)).one()
    return size_bytes or 0, steps or 0


async def has_content(tx: Tx, folder_id: UUID) -> bool:
    """True when a folder has folders or documents in it."""
    folders = select(Folder.id).where(Folder.tenant_id == tx.tenant_id, Folder.parent_folder_id == folder_id)
    documents = select(Document.id).where(Document.tenant_id == tx.tenant_id, Document.folder_id == folder_id)
    return await tx.session.scalar(folders.union_all(documents).limit(1)) is not None


async def list_documents_below(tx: Tx, path: str) -> Sequence[UUID]:
    """Return the ids of the documents below a path."""
    found = select(Document.id).where(Document.tenant_id == tx.tenant_id, is_below(Document.path, path))
    return (await tx.session.scalars(found)).all()


async def remove_documents_below(tx: Tx, path: str) -> int:
    """Delete the documents below a path; return their number."""
    gone = delete(Document).where(Document.tenant_id == tx.tenant_id, is_below(Document.path, path))
    return len((await tx.session.execute(gone.returning(Document.id))).all())


async def remove_with_below(tx: Tx, path: str) -> int:
    """Delete the folder at a path and those below it; return their number."""
    is_in = or_(Folder.path == path, is_below(Folder.path, path))
    gone = delete(Folder).where(Folder.tenant_id == tx.tenant_id, is_in)
    return len((await tx.session.execute(gone.returning(Folder.id))).all())


def _counted(tx: Tx) -> Select[Folder, int]:
    mine = (Document.tenant_id == Folder.tenant_id, Document.folder_id == Folder.id)
    count = select(func.count()).select_from(Document).where(*mine).correlate(Folder).scalar_subquery()
    return select(Folder, count).where(Folder.tenant_id == tx.tenant_id)


def is_below(column: InstrumentedAttribute[str], path: str) -> ColumnElement[bool]:
    """Build the condition that a path is below another.

    A range and no LIKE: under row-level security only operators that leak nothing may use the index.
    """
    return and_(column >= f"{path}/", column < f"{path}{_AFTER_SLASH}")
