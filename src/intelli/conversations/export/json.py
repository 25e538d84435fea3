"""JSON export: the conversation and every message of every branch, in the API's models."""

from intelli.conversations.export.format import ConversationExport, ConversationFormat
from intelli.conversations.wire import ExportedConversation, WrittenAs


def write(export: ConversationExport) -> str:
    """Serialise the conversation with all messages."""
    exported = ExportedConversation(conversation=export.conversation, messages=list(export.messages))
    return exported.model_dump_json(indent=2) + "\n"


FORM = ConversationFormat(WrittenAs.JSON, "application/json", "json", write)
