"""Routes for pointers: list, show, move, delete, reset, history."""

from fastapi import APIRouter, Response

from intelli.content import pointers, wire
from intelli.kit.etag import etag
from intelli.kit.http import Cursor, Db, IfMatch, Limit, Reader, Writer
from intelli.kit.wire import Page

router = APIRouter(prefix="/pointers", tags=["pointers"])


@router.get("")
async def list_pointers(
    who: Reader, db: Db, namespace: wire.PointerWord | None = None, cursor: Cursor = None, limit: Limit = 50
) -> Page[wire.Pointer]:
    """The workspace's pointers and the caller's own, newest first."""
    async with db.begin(who) as tx:
        return await pointers.list_pointers(tx, namespace=namespace, cursor=cursor, limit=limit)


@router.get("/{namespace}/{name}")
async def show_pointer(
    namespace: wire.PointerWord, name: wire.PointerWord, who: Reader, response: Response, db: Db
) -> wire.Pointer:
    """A pointer, and the manifest it stands for now."""
    async with db.begin(who) as tx:
        pointer = wire.Pointer.model_validate(await pointers.get(tx, namespace, name))
    response.headers["ETag"] = etag(pointer.version)
    return pointer


@router.put("/{namespace}/{name}")
async def move_pointer(
    namespace: wire.PointerWord,
    name: wire.PointerWord,
    body: wire.MovePointer,
    who: Writer,
    response: Response,
    db: Db,
    if_match: IfMatch = None,
) -> wire.Pointer:
    """Move a pointer, or make it. When it is not at `expected`, 409 tells where it is in `current`."""
    async with db.begin(who) as tx:
        moved = await pointers.move(tx, namespace, name, body, if_match=if_match)
        pointer = wire.Pointer.model_validate(moved)
    response.headers["ETag"] = etag(pointer.version)
    return pointer


@router.delete("/{namespace}/{name}", status_code=204)
async def delete_pointer(
    namespace: wire.PointerWord, name: wire.PointerWord, who: Writer, db: Db, if_match: IfMatch = None
) -> None:
    """Delete a pointer. `reset` brings it back for a while; then its history goes too."""
    async with db.begin(who) as tx:
        await pointers.delete(tx, namespace, name, if_match=if_match)


@router.get("/{namespace}/{name}/history")
async def list_pointer_history(
    namespace: wire.PointerWord,
    name: wire.PointerWord,
    who: Reader,
    db: Db,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[wire.PointerMove]:
    """Every move of a pointer, newest first."""
    async with db.begin(who) as tx:
        return await pointers.list_history(tx, namespace, name, cursor=cursor, limit=limit)


@router.post("/{namespace}/{name}/reset")
async def reset_pointer(
    namespace: wire.PointerWord,
    name: wire.PointerWord,
    body: wire.ResetPointer,
    who: Writer,
    response: Response,
    db: Db,
) -> wire.Pointer:
    """Move a pointer back to a manifest of its history."""
    async with db.begin(who) as tx:
        pointer = wire.Pointer.model_validate(await pointers.reset(tx, namespace, name, body))
    response.headers["ETag"] = etag(pointer.version)
    return pointer
