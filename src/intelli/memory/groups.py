"""Groups: their names and owners, their queued and failed messages, and the types their graphs may contain."""

import re
from uuid import UUID

from intelli.kit.db import Tx
from intelli.memory import schema as schemas
from intelli.memory import wire
from intelli.memory.errors import GroupNameInvalid, GroupNotFound, GroupNotYours
from intelli.memory.schema import Schema
from intelli.memory.store import groups as store

_PERSONAL = "user:"
_FORM = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}")


def personal_id(user_id: UUID) -> str:
    """Return the id of the group that only this user sees."""
    return f"{_PERSONAL}{user_id}"


def is_personal(group_id: str) -> bool:
    """Return True for a group that only one user sees."""
    return group_id.startswith(_PERSONAL)


def check_name(group_id: str) -> None:
    """Raise GroupNameInvalid unless a group can have this name."""
    if not _FORM.fullmatch(group_id):
        raise GroupNameInvalid(
            "A group's name has up to 128 letters, digits and the marks _ . : @ -, and begins with a letter or digit."
        )


def check_owner(tx: Tx, group_id: str) -> None:
    """Raise GroupNotYours when this is the personal group of another user."""
    if group_id.startswith(_PERSONAL) and tx.user_id is not None and group_id != personal_id(tx.user_id):
        raise GroupNotYours("This group belongs to another person. Use your own, or one of the workspace.")


async def list_groups(tx: Tx) -> list[wire.ListedGroup]:
    """Return all groups that the caller sees, by name."""
    return [wire.ListedGroup.model_validate(row) for row in await store.list_groups(tx)]


async def get(tx: Tx, group_id: str) -> wire.MemoryGroup:
    """Return a group with its count of queued messages and its dead letters. Raise GroupNotFound."""
    row = await store.find(tx, group_id)
    if row is None:
        raise GroupNotFound("There is no such group. One comes to be with its first message.")
    return wire.MemoryGroup(
        group_id=group_id,
        episodes=row.episodes,
        queued=row.queued,
        failed=row.failed,
        updated_at=row.updated_at,
        type_schema=Schema.model_validate(row.schema or {}),
        keep_content=row.keeps_content is not False,
        dead_letters=[wire.DeadLetter.model_validate(each) for each in await store.dead_letters(tx, group_id)],
    )


async def declare(tx: Tx, group_id: str, declared: wire.DeclareGroup) -> wire.MemoryGroup:
    """Set the types of a group, creating it if needed; the graph it has already is not changed."""
    check_name(group_id)
    check_owner(tx, group_id)
    schemas.check(declared)
    types = declared.model_dump(mode="json", include=set(Schema.model_fields))
    await store.set_schema(tx, group_id, types, keeps_content=declared.keep_content)
    return await get(tx, group_id)
