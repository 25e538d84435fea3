"""Routes of the folder tree."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from intelli.kit.etag import etag
from intelli.kit.http import Db, IfMatch, Limit, OnceOnly, PlaceCursor, Reader, Writer
from intelli.kit.wire import Page
from intelli.library import folders, wire
from intelli.library.routes.dependencies import BasedOn, CitedEvidence, basis

router = APIRouter(prefix="/folders", tags=["folders"])

# A folder may hold a hundred thousand documents, and all of them go along.
_LARGE_S = 300


@router.get("")
async def list_folders(
    who: Reader,
    db: Db,
    parent_id: Annotated[UUID | None, Query(description="Only folders right in this one.")] = None,
    cursor: PlaceCursor = None,
    limit: Limit = 50,
) -> Page[wire.Folder]:
    """Folders in the order of their paths; all of them, or those right in one."""
    async with db.begin(who) as tx:
        return await folders.list_folders(tx, parent_id=parent_id, cursor=cursor, limit=limit)


@router.post("", status_code=201)
async def create_folder(body: wire.CreateFolder, who: Writer, db: Db, once: OnceOnly) -> wire.Folder:
    """Make a folder, at the top or in another."""
    async with db.begin(who) as tx:
        return await once.answer(tx, wire.Folder, lambda: folders.create(tx, body))


@router.get("/{folder_id}")
async def show_folder(folder_id: UUID, who: Reader, db: Db, response: Response) -> wire.Folder:
    """A folder."""
    async with db.begin(who) as tx:
        folder = await folders.answer(tx, await folders.get(tx, folder_id))
    response.headers["ETag"] = etag(folder.version)
    return folder


@router.patch("/{folder_id}")
async def change_folder(
    folder_id: UUID, body: wire.ChangeFolder, who: Writer, db: Db, response: Response, if_match: IfMatch = None
) -> wire.Folder:
    """Rename a folder or move it; everything below it goes along."""
    async with db.begin(who, timeout_s=_LARGE_S) as tx:
        folder = await folders.change(tx, folder_id, body, basis=basis(if_match, body))
    response.headers["ETag"] = etag(folder.version)
    return folder


@router.delete("/{folder_id}")
async def delete_folder(
    folder_id: UUID,
    who: Writer,
    db: Db,
    based_on: BasedOn,
    evidence: CitedEvidence,
    recursive: Annotated[bool, Query(description="Delete what the folder holds as well.")] = False,
) -> wire.DeletedDocuments:
    """Delete a folder, or with `recursive` a folder and everything in it."""
    async with db.begin(who, timeout_s=_LARGE_S) as tx:
        return await folders.delete(tx, folder_id, recursive=recursive, basis=based_on, evidence=evidence)
