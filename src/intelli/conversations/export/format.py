"""Types of an export: its input, and an output format."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from intelli.conversations.wire import Conversation, Message, WrittenAs


@dataclass(frozen=True, slots=True)
class ConversationExport:
    """Conversation to export: all its messages, and those of the branch to read."""

    conversation: Conversation
    messages: Sequence[Message]
    branch: Sequence[Message]

    @property
    def title(self) -> str:
        """Heading of the export."""
        return self.conversation.title or "Conversation"


@dataclass(frozen=True, slots=True)
class ConversationFormat:
    """Output format: writer, media type and file extension."""

    format: WrittenAs
    media_type: str
    extension: str
    write: Callable[[ConversationExport], str]
