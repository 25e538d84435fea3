"""A reasoner that records every step, charges it to the run's budget, and falls back to one without a model.

When the budget does not allow a call, or the model returns nothing usable, the fallback reasoner does the step from
the sources alone. The step then has a problem, which the run reports.
"""

from collections.abc import AsyncIterator, Sequence
from decimal import Decimal

from intelli.citations.resolve import CitationResolver, resolve_citations
from intelli.kit.errors import IntelliError
from intelli.reasoning import verbs
from intelli.reasoning.citation_stream import NO_SOURCE
from intelli.reasoning.errors import ReasoningFailed
from intelli.reasoning.reasoner import Reasoner
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.answer import Answer, AnswerEnd, AnswerInput, Delta
from intelli.reasoning.verbs.verb import Output, ReasonerInput, VerbInput
from intelli.runs.call_progress import OnCall
from intelli.runs.errors import BudgetSpent
from intelli.runs.ledger import Ledger, RecordedStep
from intelli.runs.steps import READ_ON

WITHOUT_MODEL = "This step was done without the model, from the sources' own words."
_BUDGET_SPENT = "The rest was done without the model, from the sources' own words."


class RecordedReasoner:
    """The reasoner of a node; `problems` collects its shortcomings. A step always has the same key."""

    def __init__(self, reasoner: Reasoner, fallback: Reasoner, ledger: Ledger, on_call: OnCall) -> None:
        self._reasoner = reasoner
        self._fallback = fallback
        self._ledger = ledger
        self._on_call = on_call
        self.problems: list[str] = []

    async def step(self, key: str, given: VerbInput[Output]) -> Output:
        """Return the output of a verb: the recorded one when the step was done before."""
        spent: Usage | None = None
        problem: str | None = None
        try:
            recorded = await self._begin(self._reasoner, key, given)
            self._announce(key, given)
            if recorded is not None:
                return verbs.verb_of(given).output.model_validate(recorded.answer)
            result, usage = await self._reasoner.do(given)
        except (ReasoningFailed, BudgetSpent) as error:
            spent, problem = _usage_of(error), _describe(error)
            await self._ledger.begin(key, given, ceiling=_cost(spent), model=self._fallback.name)
            result, usage = await self._fallback.do(given)
        await self._ledger.record(key, RecordedStep(result.model_dump(mode="json"), problem), _add(spent, usage))
        self._note(problem)
        return result

    async def load_step(self, key: str, kind: type[Output]) -> Output:
        """Return the recorded output of an earlier step; raise LookupError when there is none."""
        recorded = await self._ledger.find(key)
        if recorded is None:
            raise LookupError(f"the step {key} comes before this one and was recorded")
        return kind.model_validate(recorded.answer)

    async def answer(self, key: str, given: AnswerInput, *, known: frozenset[str]) -> AsyncIterator[Delta | Answer]:
        """Yield deltas, then the answer. Citations that are not in `known` are removed and reported.

        A recorded answer comes as a single delta.
        """
        spent: Usage | None = None
        problem: str | None = None
        try:
            recorded = await self._begin(self._reasoner, key, given)
            self._announce(key, given)
            parts = (
                _replay_answer(recorded) if recorded else self._stream(key, given, self._reasoner.answer(given), known)
            )
            async for part in parts:
                yield part
        except (ReasoningFailed, BudgetSpent) as error:
            spent, problem = _usage_of(error), _describe(error)
        else:
            return
        await self._ledger.begin(key, given, ceiling=_cost(spent), model=self._fallback.name)
        async for part in self._stream(key, given, self._fallback.answer(given), known, spent=spent, problem=problem):
            yield part

    async def _begin(self, reasoner: Reasoner, key: str, given: ReasonerInput) -> RecordedStep | None:
        """Return the recorded result of the step and collect its problem; None when it is still to be done."""
        recorded = await self._ledger.begin(key, given, ceiling=reasoner.ceiling(given), model=reasoner.name)
        if recorded is not None:
            self._note(recorded.problem)
        return recorded

    async def _stream(
        self,
        key: str,
        given: AnswerInput,
        parts: AsyncIterator[Delta | AnswerEnd],
        known: frozenset[str],
        *,
        spent: Usage | None = None,
        problem: str | None = None,
    ) -> AsyncIterator[Delta | Answer]:
        """Yield the answer as it arrives with resolved citations; it is recorded before its end is yielded."""
        resolver = CitationResolver(known)
        async for part in parts:
            if isinstance(part, Delta):
                if text := resolver.feed(part.text):
                    yield Delta(text=text)
                continue
            if part.answer.wanted:
                await self._record_request(given, part)
                yield part.answer
                return
            if text := resolver.end():
                yield Delta(text=text)
            resolved = resolve_citations(part.answer.text, known)
            answer = part.answer.model_copy(update={"text": resolved.text})
            unknown = _describe_unknown((*part.answer.unknown, *resolved.unknown))
            problem = " ".join(filter(None, (problem, answer.notice, unknown))) or None
            recorded = RecordedStep(answer.model_dump(mode="json"), problem)
            await self._ledger.record(key, recorded, _add(spent, part.usage))
            self._note(problem)
            yield answer

    async def _record_request(self, given: AnswerInput, end: AnswerEnd) -> None:
        """Record a reply that asks to read on as a step of its own: the answer is still to come under its key."""
        await self._ledger.begin(READ_ON, given, ceiling=Decimal(0), model=self._reasoner.name)
        await self._ledger.record(READ_ON, RecordedStep(end.answer.model_dump(mode="json")), end.usage)

    def _announce(self, key: str, given: ReasonerInput) -> None:
        """Emit the event of a call to the model; a verb without a prompt makes none.

        Emitted for a recorded step as well: a worker may have died before the event was stored. Its key makes it one.
        """
        if any(name.partition(".")[0] == given.verb for name in self._reasoner.prompts):
            self._on_call(key, given, self._reasoner.estimate_s(given))

    def _note(self, problem: str | None) -> None:
        if problem is not None and problem not in self.problems:
            self.problems.append(problem)


async def _replay_answer(recorded: RecordedStep) -> AsyncIterator[Delta | Answer]:
    answer = Answer.model_validate(recorded.answer)
    yield Delta(text=answer.text)
    yield answer


def _describe_unknown(identifiers: Sequence[str]) -> str | None:
    if not identifiers:
        return None
    named = ", ".join(dict.fromkeys(each[:80] for each in identifiers[:5]))
    counted = "1 citation" if len(identifiers) == 1 else f"{len(identifiers)} citations"
    return f"{counted} named nothing that was found, and had to be taken out: {named}. {NO_SOURCE} marks the place."


def _usage_of(error: IntelliError) -> Usage | None:
    return error.usage if isinstance(error, ReasoningFailed) else None


def _describe(error: IntelliError) -> str:
    return f"{error.detail} {_BUDGET_SPENT if isinstance(error, BudgetSpent) else WITHOUT_MODEL}"


def _add(spent: Usage | None, usage: Usage) -> Usage:
    """Return the usage of a step with what a failed model took; it is named for what did the step in the end."""
    return usage if spent is None else (spent + usage).model_copy(update={"model": usage.model})


def _cost(spent: Usage | None) -> Decimal:
    return spent.cost if spent is not None else Decimal(0)
