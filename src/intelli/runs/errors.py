"""Errors of runs."""

from intelli.kit.errors import Conflict, IntelliError, Invalid, NotFound, Unavailable
from intelli.kit.work import LeaseLost


class RunNotFound(NotFound):
    """There is no such run, or it is another person's."""

    code = "run_not_found"


class NotCancellable(Conflict):
    """The run has already ended."""

    code = "run_not_cancellable"


class NotRetryable(Conflict):
    """Only a run that failed or was cancelled can be tried again."""

    code = "run_not_retryable"


class NotWaiting(Conflict):
    """The run has not asked anything that is still open."""

    code = "run_not_waiting"


class PartOfConversation(Conflict):
    """The run answers a message of a conversation, and is deleted with it."""

    code = "run_in_conversation"


class BudgetTooLarge(Invalid):
    """The run may cost less than was asked for."""

    code = "budget_too_large"


class RunLost(LeaseLost):
    """The run was cancelled, or is worked on by someone else by now."""

    code = "run_lost"


class RunHeld(Unavailable):
    """Another worker holds the run; its lease has not run out yet."""

    code = "run_held"


class BudgetSpent(Conflict):
    """The next step could cost more than is left of the run's budget."""

    code = "budget_spent"


class ToolFailed(IntelliError):
    """A tool could not do what was asked of it."""

    code = "tool_failed"


class NotApproved(ToolFailed):
    """The tool changes something, and a person has rejected it or may not agree to it any more."""

    code = "not_approved"


class InteractionNotFound(NotFound):
    """There is no such interaction, or it is another person's."""

    code = "interaction_not_found"


class NothingToDecide(Conflict):
    """The interaction changes nothing, or its run has ended: nobody waits for a decision on it."""

    code = "nothing_to_decide"


class AlreadyDecided(Conflict):
    """The interaction was decided on before, and otherwise."""

    code = "already_decided"


class NotReplayable(Conflict):
    """The run cannot be replayed: it has not ended, or a step was never recorded."""

    code = "run_not_replayable"
