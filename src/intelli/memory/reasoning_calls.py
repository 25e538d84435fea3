"""Calls of reasoners and embedder for memory: transient errors are retried once; a lasting one skips only its step."""

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
# Errors that are retried, and errors that only skip a step.
_TRANSIENT = (Unavailable, TimeoutError, ConnectionError)
_SKIPPED = (ReasoningFailed, *_TRANSIENT)

log = structlog.get_logger()


@dataclass(slots=True)
class ReasoningEffort:
    """Counts of the calls made for one message; never any content."""

    calls: int = 0
    retries: int = 0
    skipped: int = 0


async def extract(reasoners: MemoryReasoner, asked: ExtractInput, effort: ReasoningEffort) -> ExtractedFacts:
    """Extract things and facts, with the fallback when the reasoner fails."""
    found = await _try(reasoners, asked, effort)
    if found is None:
        found, _ = await reasoners.fallback.do(asked)
    return found


async def resolve(reasoners: MemoryReasoner, asked: ResolveInput, effort: ReasoningEffort) -> Resolution:
    """Resolve open questions; when the reasoner fails, return an empty answer: nothing is merged or contradicted."""
    return await _try(reasoners, asked, effort) or Resolution()


async def embed(reasoners: MemoryReasoner, texts: Sequence[str], effort: ReasoningEffort) -> Vectors | None:
    """Return the vectors of texts; None when there are no texts or the embedder fails."""
    if not texts:
        return None
    try:
        return await _with_retry(lambda: reasoners.embedder.embed(texts), effort)
    except IntelliError as error:
        effort.skipped += 1
        log.warning("memory_step_skipped", step="embed", code=error.code)
        return None


async def _try(reasoners: MemoryReasoner, asked: VerbInput[Output], effort: ReasoningEffort) -> Output | None:
    """Call the reasoner; None when it fails. Waits for its turn."""

    async def once() -> Output:
        async with reasoners.turns:
            result, usage = await reasoners.reasoner.do(asked)
            effort.calls += usage.calls
            return result

    try:
        return await _with_retry(once, effort)
    except _SKIPPED as error:
        effort.skipped += 1
        log.warning("memory_step_skipped", code=getattr(error, "code", type(error).__name__))
        return None


async def _with_retry(call: Callable[[], Awaitable[Result]], effort: ReasoningEffort) -> Result:
    try:
        return await call()
    except _TRANSIENT:
        effort.retries += 1
        await asyncio.sleep(_BACKOFF_S * random.uniform(0.5, 1.5))  # noqa: S311  # not in step with others
        return await call()
