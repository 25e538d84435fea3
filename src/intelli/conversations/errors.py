"""Errors of conversations."""

from intelli.kit.errors import Forbidden, Invalid, NotFound


class ConversationNotFound(NotFound):
    """There is no such conversation, or it is another person's and not shared."""

    code = "conversation_not_found"


class MessageNotFound(NotFound):
    """There is no such message in a conversation that the caller may read."""

    code = "message_not_found"


class NotYourConversation(Forbidden):
    """The conversation is shared for reading; only the person who began it goes on with it."""

    code = "not_your_conversation"


class NothingReferredTo(Invalid):
    """A context reference does not say which document or folder it means."""

    code = "nothing_referred_to"
