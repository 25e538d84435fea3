"""What a form of export is, and what it is made from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from intelli.conversations.wire import Conversation, Message, WrittenAs


@dataclass(frozen=True, slots=True)
class ConversationExport:
    """A conversation to write down: all its messages, and those of the branch that is read."""

    conversation: Conversation
    messages: Sequence[Message]
    branch: Sequence[Message]

    @property
    def title(self) -> str:
        """What to write above it."""
        return self.conversation.title or "Conversation"


@dataclass(frozen=True, slots=True)
class ConversationFormat:
    """A form of export: how it is written, and what the file is."""

    format: WrittenAs
    media_type: str
    extension: str
    write: Callable[[ConversationExport], str]
