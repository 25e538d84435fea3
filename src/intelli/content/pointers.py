"""Pointers: names that are moved by compare-and-swap, with a history of every move.

Everyone in the workspace may move the workspace's pointers. Pointers that runs create for a person are in a namespace
of their conversation or run.
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
    """Return the reserved namespace of pointers to a person's own content; the API creates none in it."""
    return f"conversation-{owner.conversation_id}" if owner.conversation_id else f"run-{owner.id}"


async def move(tx: Tx, namespace: str, name: str, request: wire.MovePointer, *, if_match: str | None = None) -> Pointer:
    """Move a pointer from the expected manifest to another; create it when it is new, restore it when it is deleted.

    Raises PointerMoved when it is not at `expected`, ManifestNotFound, or PointerNotFound in a reserved namespace.
    """
    pointer = await store.lock_pointer(tx, namespace, name)
    if pointer is None:
        if _RESERVED.match(namespace):
            raise _not_found()
        pointer = await _ensure_locked(tx, namespace, name, None)
    check_if_match(if_match, pointer.version)
    return await _move(tx, pointer, request)


async def move_own(tx: Tx, owner: ContentOwner, name: str, request: wire.MovePointer) -> Pointer:
    """Move or create a pointer to a person's own content."""
    return await _move(tx, await _ensure_locked(tx, namespace_of(owner), name, owner), request)


async def find_own(tx: Tx, owner: ContentOwner, name: str) -> Pointer | None:
    """Return a pointer to a person's own content; None when there is none or it is deleted."""
    pointer = await store.find_pointer(tx, namespace_of(owner), name, owner_id=owner.id)
    return pointer if pointer is not None and pointer.deleted_at is None else None


async def _ensure_locked(tx: Tx, namespace: str, name: str, owner: ContentOwner | None) -> Pointer:
    """Create an owner's pointer without a target if it is new, and return it with its row locked."""
    fresh = {
        "id": uuid7(),
        "pointer_type": wire.PointerType.BUNDLE,
        "description": "",
        "meta": {},
        "created_by": tx.user_id,
    }
    owned = ownership.pointer_columns(owner)
    await store.ensure_pointer(tx, {"namespace": namespace, "name": name, **owned, **fresh})
    pointer = await store.lock_pointer(tx, namespace, name, owner_id=ownership.get_owner_id(tx, owner))
    if pointer is None:
        raise _not_found()
    return pointer


async def _move(tx: Tx, pointer: Pointer, request: wire.MovePointer) -> Pointer:
    """Check the expected target, apply the descriptive fields and move the locked pointer."""
    if await store.lock_manifest(tx, request.manifest_sha256, owner_id=pointer.owner_id) is None:
        raise ManifestNotFound("There is no such manifest. Store it first.")
    _check_expected(pointer, request.expected)
    _describe(pointer, request)
    return await _save_move(tx, pointer, request.manifest_sha256, reason=request.reason)


async def reset(tx: Tx, namespace: str, name: str, request: wire.ResetPointer) -> Pointer:
    """Move a pointer back to a manifest of its history, which restores a deleted one. Raises NotInHistory."""
    pointer = await _get_locked(tx, namespace, name)
    if not await store.was_at(tx, pointer.id, request.manifest_sha256):
        raise NotInHistory("The pointer was never at this manifest. Its history lists where it was.")
    _check_expected(pointer, request.expected)
    return await _save_move(tx, pointer, request.manifest_sha256, reason=request.reason)


async def delete(tx: Tx, namespace: str, name: str, *, if_match: str | None = None) -> None:
    """Delete a pointer. It can be restored during the grace period.

    After that its history is deleted, and all content that only it referenced.
    """
    pointer = _require_live(await _get_locked(tx, namespace, name))
    check_if_match(if_match, pointer.version)
    await _save_move(tx, pointer, None, reason=_DELETED)


async def get(tx: Tx, namespace: str, name: str) -> Pointer:
    """Return the pointer with this name. Raises PointerNotFound when it is missing or deleted."""
    return _require_live(await store.find_pointer(tx, namespace, name))


async def list_pointers(tx: Tx, *, namespace: str | None, cursor: str | None, limit: int) -> Page[wire.Pointer]:
    """List pointers that are not deleted, newest first."""
    rows = await store.list_pointers(tx, namespace=namespace, after=pagination.decode_id(cursor), limit=limit + 1)
    return pagination.page(rows, limit, item=wire.Pointer.model_validate, key=lambda row: row.id)


async def list_history(tx: Tx, namespace: str, name: str, *, cursor: str | None, limit: int) -> Page[wire.PointerMove]:
    """List the moves of a pointer, newest first; also those of a deleted one."""
    pointer = await store.find_pointer(tx, namespace, name)
    if pointer is None:
        raise _not_found()
    rows = await store.list_moves(tx, pointer.id, before=pagination.decode_number(cursor), limit=limit + 1)
    return pagination.page(rows, limit, item=wire.PointerMove.model_validate, key=lambda row: row.version)


async def _save_move(tx: Tx, pointer: Pointer, to_sha256: str | None, *, reason: str) -> Pointer:
    """Set the pointer's target (None deletes it), append the move to the history and write the audit entry."""
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
    # A hash of private text would let readers of the log confirm guesses at it.
    is_hash_logged = pointer.user_id is None
    await record(
        tx,
        EventType.FILE_MODIFICATION,
        entity=("pointer", pointer.id),
        action="delete" if to_sha256 is None else "move",
        reason=reason,
        from_sha256=step.from_sha256 if is_hash_logged else None,
        to_sha256=to_sha256 if is_hash_logged else None,
    )
    return moved


async def _get_locked(tx: Tx, namespace: str, name: str) -> Pointer:
    """Return the pointer with its row locked, deleted or not. Raises PointerNotFound."""
    pointer = await store.lock_pointer(tx, namespace, name)
    if pointer is None:
        raise _not_found()
    return pointer


def _require_live(pointer: Pointer | None) -> Pointer:
    """Return the pointer. Raises PointerNotFound when it is missing or deleted."""
    if pointer is None or pointer.deleted_at is not None:
        raise _not_found()
    return pointer


def _check_expected(pointer: Pointer, expected: str | None) -> None:
    """Raise PointerMoved unless the pointer is at the expected manifest."""
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


def _not_found() -> PointerNotFound:
    return PointerNotFound("There is no such pointer.")
