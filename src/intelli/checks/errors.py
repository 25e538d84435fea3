"""Errors of checks."""

from intelli.kit.errors import Conflict, IntelliError, Invalid, NotFound, TooLarge


class TextCheckNotFound(NotFound):
    """The caller has no check with this id."""

    code = "text_check_not_found"


class NotOneText(Invalid):
    """A check is of a text, a document or a deliverable: one of them, not none and not several."""

    code = "not_one_text"


class TextTooLong(TooLarge):
    """The text has more characters than one check takes."""

    code = "text_too_long"


class CheckHasEnded(Conflict):
    """The check is over, so that there is nothing to cancel."""

    code = "check_has_ended"


class CheckNotReady(Conflict):
    """The check is still at work, so that it cannot be exported."""

    code = "check_not_ready"


class TextNotReadable(IntelliError):
    """What was to be checked has no text."""

    code = "text_not_readable"
