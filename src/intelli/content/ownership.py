"""Whose content is: the workspace's, or a person's own. The same bytes of two owners are two artifacts and one blob.

What each owner knows of the bytes, how often it holds them and when it lets them go is its own affair: nobody learns
from an upload, a name or a count that somebody else has them too.
"""

from dataclasses import dataclass
from uuid import UUID

from intelli.kit.db import Tx


@dataclass(frozen=True, slots=True)
class ContentOwner:
    """What a person's own content belongs to: a conversation, else a run, else the person alone.

    Others read it while its conversation is shared.
    """

    user_id: UUID
    conversation_id: UUID | None = None
    run_id: UUID | None = None

    @property
    def id(self) -> UUID:
        """The id that is part of every key."""
        return self.conversation_id or self.run_id or self.user_id


def id_of(tx: Tx, owner: ContentOwner | None) -> UUID:
    """The id of an owner; the workspace is the owner where none is named."""
    return owner.id if owner else tx.tenant_id


def columns(tx: Tx, owner: ContentOwner | None) -> dict[str, object]:
    """The columns of a row that say whose it is."""
    return {"owner_id": id_of(tx, owner), "user_id": owner.user_id if owner else None}


def pointer_columns(owner: ContentOwner | None) -> dict[str, object]:
    """The same of a pointer, which goes with its conversation, or with its run where there is none."""
    if owner is None:
        return {}
    run_id = owner.run_id if owner.conversation_id is None else None
    return {"user_id": owner.user_id, "conversation_id": owner.conversation_id, "run_id": run_id}
