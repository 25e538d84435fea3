"""Reasoner of two models: a small one takes notes, finds titles and keeps memory, the other one does all else."""

from collections.abc import AsyncIterator, Mapping
from decimal import Decimal

from intelli.reasoning.reasoner import Reasoner
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.answer import AnswerEnd, AnswerInput, Delta
from intelli.reasoning.verbs.verb import Output, ReasonerInput, VerbInput

SMALL_VERBS = frozenset({"note", "title", "extract", "resolve"})


class SplitReasoner:
    """Reasoner that passes each verb to one of two models."""

    def __init__(self, thinking: Reasoner, small: Reasoner) -> None:
        self._thinking = thinking
        self._small = small

    @property
    def name(self) -> str:
        """Name of the model that thinks: it writes what people read."""
        return self._thinking.name

    @property
    def prompts(self) -> Mapping[str, str]:
        """Version of each verb's prompt, of the model that does it."""
        small = {verb: version for verb, version in self._small.prompts.items() if verb in SMALL_VERBS}
        return {**self._thinking.prompts, **small}

    def ceiling(self, given: ReasonerInput) -> Decimal:
        """Return the most that the call can cost with the model that does it."""
        return self._choose(given).ceiling(given)

    def estimate_s(self, given: ReasonerInput) -> float | None:
        """Estimate the wait for the model that does it."""
        return self._choose(given).estimate_s(given)

    async def do(self, given: VerbInput[Output]) -> tuple[Output, Usage]:
        """Execute the verb with the model that does it."""
        return await self._choose(given).do(given)

    def answer(self, given: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        """Stream the answer of the model that thinks."""
        return self._thinking.answer(given)

    def _choose(self, given: ReasonerInput) -> Reasoner:
        return self._small if given.verb in SMALL_VERBS else self._thinking
