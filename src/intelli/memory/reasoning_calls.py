"""Thinking for memory: a call that fails for a passing reason is made once more; a lasting one costs its step alone."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import structlog

from intelli.kit.errors import IntelliError, Unavailable
from intelli.memory.ports import MemoryReasoner
from intelli.reasoning.errors import ReasoningFailed
from intelli.reasoning.ports import Vectors
from intelli.reasoning.verbs.extract import ExtractedFacts, ExtractInput
from intelli.reasoning.verbs.resolve import Resolution, ResolveInput
from intelli.reasoning.verbs.verb import Output, VerbInput

Result = TypeVar("Result")
_BACKOFF_S = 0.5
# What may be tried again, and what only one step is lost to.
_PASSING = (Unavailable, TimeoutError, ConnectionError)
_SKIPPED = (ReasoningFailed, *_PASSING)

log = structlog.get_logger()


@dataclass(slots=True)
class ReasoningEffort:
    """What thinking took for one message; never what was thought."""

    calls: int = 0
    retries: int = 0
    skipped: int = 0


async def extract(mind: MemoryReasoner, asked: ExtractInput, effort: ReasoningEffort) -> ExtractedFacts:
    """Things and facts, by the fallback when the reasoner cannot."""
    found = await _try(mind, asked, effort)
    if found is None:
        found, _ = await mind.fallback.do(asked)
    return found


async def resolve(mind: MemoryReasoner, asked: ResolveInput, effort: ReasoningEffort) -> Resolution:
    """What is in doubt; all stays apart when the reasoner cannot tell."""
    return await _try(mind, asked, effort) or Resolution()


async def embed(mind: MemoryReasoner, texts: Sequence[str], effort: ReasoningEffort) -> Vectors | None:
    """Vectors of texts; none when there is nobody to make them."""
    if not texts:
        return None
    try:
        return await _twice(lambda: mind.embedder.embed(texts), effort)
    except IntelliError as error:
        effort.skipped += 1
        log.warning("memory_step_skipped", step="embed", code=error.code)
        return None


async def _try(mind: MemoryReasoner, asked: VerbInput[Output], effort: ReasoningEffort) -> Output | None:
    async def once() -> Output:
        async with mind.turns:
            result, usage = await mind.reasoner.do(asked)
            effort.calls += usage.calls
            return result

    try:
        return await _twice(once, effort)
    except _SKIPPED as error:
        effort.skipped += 1
        log.warning("memory_step_skipped", code=getattr(error, "code", type(error).__name__))
        return None


async def _twice(call: Callable[[], Awaitable[Result]], effort: ReasoningEffort) -> Result:
    try:
        return await call()
    except _PASSING:
        effort.retries += 1
        await asyncio.sleep(_BACKOFF_S * random.uniform(0.5, 1.5))  # noqa: S311  # not in step with others
        return await call()
