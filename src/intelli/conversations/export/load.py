"""Loading of a conversation for export."""

from collections.abc import Sequence
from uuid import UUID

from intelli.conversations import conversations, messages, show
from intelli.conversations.export.format import ConversationExport
from intelli.conversations.store import messages as store
from intelli.conversations.wire import Message
from intelli.kit.db import Tx


async def load_export(
    tx: Tx, conversation_id: UUID, *, message_id: UUID | None, keep_excerpts: bool
) -> ConversationExport:
    """Load all messages, and the branch that ends in `message_id` or the newest message. Raises MessageNotFound."""
    conversation = await conversations.to_wire(tx, await conversations.get(tx, conversation_id))
    rows = await store.list_messages(tx, conversation_id)
    whole = await show.attach_details(tx, [show.to_wire(row) for row in rows], keep_excerpts=keep_excerpts)
    end = message_id or (whole[-1].id if whole else None)
    if message_id is not None and message_id not in {message.id for message in whole}:
        raise messages.not_found()
    return ConversationExport(conversation, whole, _branch(whole, end))


def _branch(whole: Sequence[Message], end: UUID | None) -> list[Message]:
    """Return the messages from the first question to `end`."""
    by_id = {message.id: message for message in whole}
    branch: list[Message] = []
    while end is not None:
        branch.append(by_id[end])
        end = by_id[end].parent_message_id
    return branch[::-1]
