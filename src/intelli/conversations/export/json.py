"""JSON: the conversation and every message of every branch, as the API tells them."""

from intelli.conversations.export.format import ConversationExport, ConversationFormat
from intelli.conversations.wire import ExportedConversation, WrittenAs


def write(export: ConversationExport) -> str:
    """All there is."""
    exported = ExportedConversation(conversation=export.conversation, messages=list(export.messages))
    return exported.model_dump_json(indent=2) + "\n"


FORM = ConversationFormat(WrittenAs.JSON, "application/json", "json", write)
