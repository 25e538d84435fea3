"""Reasoner of a model that cannot be asked: each call raises the reason, so that callers fall back and tell it."""

from collections.abc import AsyncIterator, Mapping
from decimal import Decimal

from intelli.reasoning.errors import ModelRefused
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.answer import AnswerEnd, AnswerInput, Delta
from intelli.reasoning.verbs.verb import Output, ReasonerInput, VerbInput


class RefusedReasoner:
    """Reasoner that executes nothing."""

    def __init__(self, model: str, reason: str) -> None:
        self.name = f"model:{model}"
        self._model = model
        self._reason = reason

    @property
    def prompts(self) -> Mapping[str, str]:
        """No prompts: what is done is done without a model."""
        return {}

    def ceiling(self, given: ReasonerInput) -> Decimal:
        """Return 0: nothing is sent."""
        return Decimal(0)

    def estimate_s(self, given: ReasonerInput) -> float | None:
        """Return None: there is nothing to wait for."""
        return None

    async def do(self, given: VerbInput[Output]) -> tuple[Output, Usage]:
        """Raise ModelRefused with the reason."""
        raise self._refusal()

    def answer(self, given: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        """Raise ModelRefused with the reason."""
        raise self._refusal()

    def _refusal(self) -> ModelRefused:
        return ModelRefused(self._reason, usage=Usage(model=self._model))
