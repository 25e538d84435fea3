"""Port of language models. Callers depend on the port; `reasoning.reasoners` picks the adapter."""

from collections.abc import AsyncIterator, Mapping
from decimal import Decimal
from typing import Protocol

from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.answer import AnswerEnd, AnswerInput, Delta
from intelli.reasoning.verbs.verb import Output, ReasonerInput, VerbInput


class Reasoner(Protocol):
    """Executes verbs. Each call returns its output and usage; a failed one raises a `ReasoningFailed`.

    A call may be repeated after a crash: recording outputs and charging them once is up to the caller.
    """

    @property
    def name(self) -> str:
        """Name of the adapter and its model; recorded with the run."""

    @property
    def prompts(self) -> Mapping[str, str]:
        """Version of the prompt of each verb; recorded with the run. Empty when no prompts are used."""

    def ceiling(self, given: ReasonerInput) -> Decimal:
        """Return the most, in US cents, that this call can cost with its repair and retry. Nothing is sent."""

    def estimate_s(self, given: ReasonerInput) -> float | None:
        """Return the seconds until an answer's first word, or until the whole of another output.

        None while nothing is known from earlier calls, or where there is nothing to wait for.
        """

    async def do(self, given: VerbInput[Output]) -> tuple[Output, Usage]:
        """Execute the verb of the input: a `UnderstandInput` gives a `ResearchPlan`."""

    def answer(self, given: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        """Yield deltas, then exactly one `AnswerEnd`. Raises only before the first delta; later it ends incomplete."""
