"""Ownership of content: the workspace or a person. The same bytes of two owners are two artifacts and one blob.

Name, reference count and lifetime are separate for each owner: no upload, name or count reveals that somebody else has
the same bytes.
"""

from dataclasses import dataclass
from uuid import UUID

from intelli.kit.db import Tx


@dataclass(frozen=True, slots=True)
class ContentOwner:
    """Owner of a person's content: a conversation, else a run, else the person alone.

    Others can read the content while its conversation is shared.
    """

    user_id: UUID
    conversation_id: UUID | None = None
    run_id: UUID | None = None

    @property
    def id(self) -> UUID:
        """The id that is part of every key."""
        return self.conversation_id or self.run_id or self.user_id


def get_owner_id(tx: Tx, owner: ContentOwner | None) -> UUID:
    """Return the id of an owner; None stands for the workspace."""
    return owner.id if owner else tx.tenant_id


def columns(tx: Tx, owner: ContentOwner | None) -> dict[str, object]:
    """Return the column values that name the owner of an artifact or manifest."""
    return {"owner_id": get_owner_id(tx, owner), "user_id": owner.user_id if owner else None}


def pointer_columns(owner: ContentOwner | None) -> dict[str, object]:
    """Return the column values that name the owner of a pointer.

    A pointer is deleted with its conversation, or with its run where there is no conversation.
    """
    if owner is None:
        return {}
    run_id = owner.run_id if owner.conversation_id is None else None
    return {"user_id": owner.user_id, "conversation_id": owner.conversation_id, "run_id": run_id}
