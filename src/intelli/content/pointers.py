"""Pointers: names that move by compare-and-swap, and a history that tells every move.

The workspace's are everyone's to move. Those that runs make for a person are named after their conversation or run.
"""

import re

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.content import ownership, store, wire
from intelli.content.errors import ManifestNotFound, NotInHistory, PointerMoved, PointerNotFound
from intelli.content.ownership import ContentOwner
from intelli.content.tables import Pointer, PointerMove
from intelli.kit import clock, pagination
from intelli.kit.db import Tx
from intelli.kit.etag import check_if_match
from intelli.kit.ids import uuid7
from intelli.kit.wire import Page

_DELETED = "deleted"
_RESERVED = re.compile(r"(conversation|run)-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")


def namespace_of(owner: ContentOwner) -> str:
    """Where the pointers of a person's own content are: nobody makes others there."""
    return f"conversation-{owner.conversation_id}" if owner.conversation_id else f"run-{owner.id}"


async def move(tx: Tx, namespace: str, name: str, request: wire.MovePointer, *, if_match: str | None = None) -> Pointer:
    """Move a pointer from where the caller expects it; make it when it is new, or again when it was deleted."""
    pointer = await store.lock_pointer(tx, namespace, name)
    if pointer is None:
        if _RESERVED.match(namespace):
            raise _missing()
        pointer = await _make(tx, namespace, name, None)
    check_if_match(if_match, pointer.version)
    return await _move(tx, pointer, request)


async def move_own(tx: Tx, owner: ContentOwner, name: str, request: wire.MovePointer) -> Pointer:
    """The same for a pointer to a person's own content."""
    return await _move(tx, await _make(tx, namespace_of(owner), name, owner), request)


async def find_own(tx: Tx, owner: ContentOwner, name: str) -> Pointer | None:
    """The pointer of a name to a person's own content, unless it is deleted."""
    pointer = await store.find_pointer(tx, namespace_of(owner), name, owner_id=owner.id)
    return pointer if pointer is not None and pointer.deleted_at is None else None


async def _make(tx: Tx, namespace: str, name: str, owner: ContentOwner | None) -> Pointer:
    """A pointer of an owner, locked; one that points nowhere when it is new."""
    fresh = {"id": uuid7(), "pointer_type": wire.PointerType.BUNDLE, "description": "", "meta": {}}
    of = ownership.pointer_columns(owner)
    await store.ensure_pointer(tx, {"namespace": namespace, "name": name, **of, **fresh})
    pointer = await store.lock_pointer(tx, namespace, name, owner_id=ownership.id_of(tx, owner))
    if pointer is None:
        raise _missing()
    return pointer


async def _move(tx: Tx, pointer: Pointer, request: wire.MovePointer) -> Pointer:
    if await store.hold_manifest(tx, request.manifest_sha256, owner_id=pointer.owner_id) is None:
        raise ManifestNotFound("There is no such manifest. Store it first.")
    _expect(pointer, request.expected)
    _describe(pointer, request)
    return await _go(tx, pointer, request.manifest_sha256, reason=request.reason)


async def reset(tx: Tx, namespace: str, name: str, request: wire.ResetPointer) -> Pointer:
    """Move a pointer back to a manifest of its history; a deleted pointer is there again."""
    pointer = await _locked(tx, namespace, name)
    if not await store.was_at(tx, pointer.id, request.manifest_sha256):
        raise NotInHistory("The pointer was never at this manifest. Its history lists where it was.")
    _expect(pointer, request.expected)
    return await _go(tx, pointer, request.manifest_sha256, reason=request.reason)


async def delete(tx: Tx, namespace: str, name: str, *, if_match: str | None = None) -> None:
    """Delete a pointer. It can be brought back for a while; then its history goes, and what only it had led to."""
    pointer = _living(await _locked(tx, namespace, name))
    check_if_match(if_match, pointer.version)
    await _go(tx, pointer, None, reason=_DELETED)


async def get(tx: Tx, namespace: str, name: str) -> Pointer:
    """The pointer of a name."""
    return _living(await store.find_pointer(tx, namespace, name))


async def list_pointers(tx: Tx, *, namespace: str | None, cursor: str | None, limit: int) -> Page[wire.Pointer]:
    """Pointers, newest first."""
    rows = await store.pointers(tx, namespace=namespace, after=pagination.decode_id(cursor), limit=limit + 1)
    return pagination.page(rows, limit, item=wire.Pointer.model_validate, key=lambda row: row.id)


async def history(tx: Tx, namespace: str, name: str, *, cursor: str | None, limit: int) -> Page[wire.PointerMove]:
    """The moves of a pointer, newest first; those of a deleted one too."""
    pointer = await store.find_pointer(tx, namespace, name)
    if pointer is None:
        raise _missing()
    rows = await store.moves(tx, pointer.id, before=pagination.decode_number(cursor), limit=limit + 1)
    return pagination.page(rows, limit, item=wire.PointerMove.model_validate, key=lambda row: row.version)


async def _go(tx: Tx, pointer: Pointer, to_sha256: str | None, *, reason: str) -> Pointer:
    step = PointerMove(
        tenant_id=tx.tenant_id,
        id=uuid7(),
        pointer_id=pointer.id,
        owner_id=pointer.owner_id,
        version=pointer.version + 1,
        from_sha256=pointer.manifest_sha256,
        to_sha256=to_sha256,
        reason=reason,
        changed_by=tx.user_id,
    )
    pointer.manifest_sha256 = to_sha256
    pointer.version = step.version
    pointer.updated_at = clock.now()
    pointer.deleted_at = clock.now() if to_sha256 is None else None
    moved = await store.save_move(tx, pointer, step)
    # The hash of a person's own words lets whoever reads the log try out guesses.
    is_told = pointer.user_id is None
    await record(
        tx,
        EventType.FILE_MODIFICATION,
        entity=("pointer", pointer.id),
        action="delete" if to_sha256 is None else "move",
        reason=reason,
        from_sha256=step.from_sha256 if is_told else None,
        to_sha256=to_sha256 if is_told else None,
    )
    return moved


async def _locked(tx: Tx, namespace: str, name: str) -> Pointer:
    pointer = await store.lock_pointer(tx, namespace, name)
    if pointer is None:
        raise _missing()
    return pointer


def _living(pointer: Pointer | None) -> Pointer:
    if pointer is None or pointer.deleted_at is not None:
        raise _missing()
    return pointer


def _expect(pointer: Pointer, expected: str | None) -> None:
    if pointer.manifest_sha256 != expected:
        raise PointerMoved(
            "The pointer is elsewhere by now. Look at `current` and decide again.", current=pointer.manifest_sha256
        )


def _describe(pointer: Pointer, request: wire.MovePointer) -> None:
    if request.pointer_type is not None:
        pointer.pointer_type = request.pointer_type
    if request.description is not None:
        pointer.description = request.description
    if request.meta is not None:
        pointer.meta = request.meta


def _missing() -> PointerNotFound:
    return PointerNotFound("There is no such pointer.")
