"""Failures of calls to a model: which may be tried again and when, and what an endpoint says of its refusal."""

import openai

from intelli.reasoning.adapters import endpoints

_LONGEST_WAIT_S = 20.0


class Transient(Exception):
    """Asking again may help, after a wait. A call that was cut off may be billed, one that was refused is not."""

    def __init__(
        self, reason: str, *, wait_s: float | None = None, is_billed: bool = True, is_reached: bool = True
    ) -> None:
        super().__init__(reason)
        self.is_reached = is_reached
        self.wait_s = wait_s
        self.is_billed = is_billed


class EndpointLimit(Exception):
    """The endpoint does not know something that can be said another way; the next try says it so."""


def as_transient(error: Exception) -> Transient:
    """Return a failed call as one that may be made again; whether it was billed depends on how far it came."""
    reason = "no answer in time" if isinstance(error, TimeoutError | openai.APITimeoutError) else type(error).__name__
    has_arrived = endpoints.may_have_arrived(error)
    return Transient(reason, is_billed=has_arrived, is_reached=has_arrived)


def find_wait_s(error: openai.APIStatusError) -> float | None:
    """Return how long the endpoint asks us to wait, in seconds; None when it does not say."""
    try:
        return min(max(float(error.response.headers.get("Retry-After", "")), 0), _LONGEST_WAIT_S)
    except ValueError:
        return None


def error_sentence(error: openai.APIStatusError) -> str:
    """Return the endpoint's message as one short sentence."""
    said = " ".join(str(error.message).split())[:200].rstrip()
    return said if said.endswith((".", "!", "?")) else f"{said}."
