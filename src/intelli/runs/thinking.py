"""Thinking: a reasoner whose every step is recorded, paid from the run's budget, and done without a model at need.

When the budget does not allow a call, or the model gives nothing usable, the fallback reasoner does the step from the
sources alone. The step then has a problem, which the run tells.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from decimal import Decimal
from typing import TypeVar

from intelli.citations.settle import Settling, settle
from intelli.kit.errors import IntelliError
from intelli.reasoning import changing, thoughts, writing
from intelli.reasoning.asked import Asked
from intelli.reasoning.failures import ReasoningFailed
from intelli.reasoning.ports import Reasoner
from intelli.reasoning.thoughts import Thought, Usage
from intelli.runs.errors import BudgetSpent
from intelli.runs.ledger import Ledger, Recorded

Result = TypeVar("Result", bound=Thought)
Call = Callable[[Reasoner], Awaitable[tuple[Result, Usage]]]
_WITHOUT_MODEL = "This step was done without the model, from the sources' own words."


class Thinking:
    """What a node thinks with. `key` names the step: the same step always has the same key."""

    def __init__(self, reasoner: Reasoner, fallback: Reasoner, ledger: Ledger) -> None:
        self._reasoner = reasoner
        self._fallback = fallback
        self._ledger = ledger
        self.problems: list[str] = []

    async def intent(self, key: str, asked: thoughts.IntentAsked) -> thoughts.Intent:
        """What a message wants done."""
        return await self._step(key, asked, thoughts.Intent, lambda reasoner: reasoner.intent(asked))

    async def plan(self, key: str, asked: thoughts.PlanAsked) -> thoughts.Plan:
        """The tasks that a question falls into."""
        return await self._step(key, asked, thoughts.Plan, lambda reasoner: reasoner.plan(asked))

    async def note(self, key: str, asked: thoughts.NoteAsked) -> thoughts.Notes:
        """Findings from passages."""
        return await self._step(key, asked, thoughts.Notes, lambda reasoner: reasoner.note(asked))

    async def brief(self, key: str, asked: thoughts.BriefAsked) -> thoughts.Brief:
        """What the notes of all tasks come to."""
        return await self._step(key, asked, thoughts.Brief, lambda reasoner: reasoner.brief(asked))

    async def tabulate(self, key: str, asked: thoughts.TabulateAsked) -> thoughts.Tabulated:
        """The data that findings and passages hold."""
        return await self._step(key, asked, thoughts.Tabulated, lambda reasoner: reasoner.tabulate(asked))

    async def write(self, key: str, asked: writing.WriteAsked) -> writing.Section:
        """A section of a report."""
        return await self._step(key, asked, writing.Section, lambda reasoner: reasoner.write(asked))

    async def title(self, key: str, asked: thoughts.TitleAsked) -> thoughts.Title:
        """A name for the conversation."""
        return await self._step(key, asked, thoughts.Title, lambda reasoner: reasoner.title(asked))

    async def change(self, key: str, asked: changing.ChangeAsked) -> changing.Changes:
        """The changes of documents that are asked for."""
        return await self._step(key, asked, changing.Changes, lambda reasoner: reasoner.change(asked))

    async def recall(self, key: str, kind: type[Result]) -> Result:
        """What an earlier step gave."""
        recorded = await self._ledger.find(key)
        if recorded is None:
            raise LookupError(f"the step {key} comes before this one and was recorded")
        return kind.model_validate(recorded.answer)

    async def judge(self, key: str, asked: thoughts.JudgeAsked) -> thoughts.Judgement:
        """Whether a passage supports a statement."""
        return await self._step(key, asked, thoughts.Judgement, lambda reasoner: reasoner.judge(asked))

    async def answer(
        self, key: str, asked: thoughts.AnswerAsked, *, known: frozenset[str]
    ) -> AsyncIterator[thoughts.Delta | thoughts.Answer]:
        """Deltas, then the answer; citations that name none of the `known` are taken out and reported.

        An answer that was recorded comes in one piece.
        """
        spent: Usage | None = None
        problem: str | None = None
        try:
            recorded = await self._begin(self._reasoner, key, asked)
            told = _again(recorded) if recorded else self._told(key, self._reasoner.answer(asked), known)
            async for part in told:
                yield part
        except (ReasoningFailed, BudgetSpent) as error:
            spent, problem = _taken(error), _sentence(error)
        else:
            return
        await self._ledger.begin(key, asked, ceiling=_cost(spent), model=self._fallback.name)
        async for part in self._told(key, self._fallback.answer(asked), known, spent=spent, problem=problem):
            yield part

    async def _begin(self, reasoner: Reasoner, key: str, asked: Asked) -> Recorded | None:
        """What the step gave before, with its problem noted."""
        recorded = await self._ledger.begin(key, asked, ceiling=reasoner.ceiling(asked), model=reasoner.name)
        if recorded is not None:
            self._note(recorded.problem)
        return recorded

    async def _told(
        self,
        key: str,
        parts: AsyncIterator[thoughts.Delta | thoughts.Answered],
        known: frozenset[str],
        *,
        spent: Usage | None = None,
        problem: str | None = None,
    ) -> AsyncIterator[thoughts.Delta | thoughts.Answer]:
        """The answer as it comes, its citations settled; recorded before its end is told."""
        settling = Settling(known)
        async for part in parts:
            if isinstance(part, thoughts.Delta):
                if text := settling.feed(part.text):
                    yield thoughts.Delta(text=text)
                continue
            if text := settling.end():
                yield thoughts.Delta(text=text)
            settled = settle(part.answer.text, known)
            answer = part.answer.model_copy(update={"text": settled.text})
            problem = " ".join(filter(None, (problem, _unknown(settled.unknown)))) or None
            usage = part.usage if spent is None else spent + part.usage
            await self._ledger.record(key, Recorded(answer.model_dump(mode="json"), problem), usage)
            self._note(problem)
            yield answer

    async def _step(self, key: str, asked: Asked, kind: type[Result], call: Call[Result]) -> Result:
        spent: Usage | None = None
        problem: str | None = None
        try:
            recorded = await self._begin(self._reasoner, key, asked)
            if recorded is not None:
                return kind.model_validate(recorded.answer)
            result, usage = await call(self._reasoner)
        except (ReasoningFailed, BudgetSpent) as error:
            spent, problem = _taken(error), _sentence(error)
            await self._ledger.begin(key, asked, ceiling=_cost(spent), model=self._fallback.name)
            result, usage = await call(self._fallback)
        used = usage if spent is None else spent + usage
        await self._ledger.record(key, Recorded(result.model_dump(mode="json"), problem), used)
        self._note(problem)
        return result

    def _note(self, problem: str | None) -> None:
        if problem is not None and problem not in self.problems:
            self.problems.append(problem)


async def _again(recorded: Recorded) -> AsyncIterator[thoughts.Delta | thoughts.Answer]:
    answer = thoughts.Answer.model_validate(recorded.answer)
    yield thoughts.Delta(text=answer.text)
    yield answer


def _unknown(identifiers: Sequence[str]) -> str | None:
    if not identifiers:
        return None
    named = ", ".join(dict.fromkeys(each[:80] for each in identifiers[:5]))
    return f"{len(identifiers)} citations named nothing that was found, and were taken out: {named}."


def _taken(error: IntelliError) -> Usage | None:
    return error.usage if isinstance(error, ReasoningFailed) else None


def _sentence(error: IntelliError) -> str:
    return f"{error.detail} {_WITHOUT_MODEL}"


def _cost(spent: Usage | None) -> Decimal:
    return spent.cost if spent is not None else Decimal(0)
