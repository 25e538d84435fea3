"""JSON: the conversation and every message of every branch, as the API tells them."""

from intelli.conversations.export.form import Export, Form
from intelli.conversations.wire import ExportedConversation, WrittenAs


def write(export: Export) -> str:
    """All there is."""
    exported = ExportedConversation(conversation=export.conversation, messages=list(export.messages))
    return exported.model_dump_json(indent=2) + "\n"


FORM = Form(WrittenAs.JSON, "application/json", "json", write)
