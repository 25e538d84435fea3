"""What the product asks of language models. Callers depend on the port; `reasoning.reasoners` picks the adapter."""

from collections.abc import AsyncIterator, Mapping
from decimal import Decimal
from typing import Protocol

from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.answer import AnswerEnd, AnswerInput, Delta
from intelli.reasoning.verbs.verb import Output, ReasonerInput, VerbInput


class Reasoner(Protocol):
    """Does the verbs. Each call gives its output and what it took; a failed one raises a `ReasoningFailed`.

    A call may be made again after a crash: keeping outputs and charging them once is the caller's part.
    """

    @property
    def name(self) -> str:
        """Names the adapter and its model; kept with the run."""

    @property
    def prompts(self) -> Mapping[str, str]:
        """Version of the prompt of each verb; kept with the run. Empty where none are used."""

    def ceiling(self, given: ReasonerInput) -> Decimal:
        """The most, in US cents, that this call can cost with its repair and retry. Nothing is sent."""

    async def do(self, given: VerbInput[Output]) -> tuple[Output, Usage]:
        """The output of the input's verb: a `PlanInput` gives a `Plan`."""

    def answer(self, given: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        """Deltas, then exactly one `AnswerEnd`. Fails only before the first delta; later it ends incomplete."""
