"""Reads the best passages of a search token by token, as many as its CPU time allows, and compares them with the query.

Passages are read in the order of their rank, a few at a time, until the next would cost more than is left. What was
read stays in memory for the next search.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog

from intelli.kit.errors import IntelliError
from intelli.reasoning import late_interaction
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.late_interaction import QueryTokens, TokenMatch
from intelli.reasoning.ports import TokenEncoder
from intelli.retrieval import token_cache
from intelli.retrieval.settings import SearchSettings
from intelli.retrieval.token_cache import PackedStates, PassageKey, TokenCache

# Passages that are ranked anew.
DEPTH = 20
# Passages that are read at the same time: each keeps one thread busy.
_AT_ONCE = 4
# CPU milliseconds that reading a character takes, before any was measured, and the weight of a new measurement.
_USUAL_MS, _NEW = 0.02, 0.3
_OFF = "Ranking anew is switched off."
_MISSING = "The encoder that passages would be ranked anew with is not installed."

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class PassageMatches:
    """How well the first passages match the query by an encoder, in their order.

    `reason` says why not all of them were read.
    """

    model: str = ""
    matches: Sequence[TokenMatch] = ()
    cpu_ms: float = 0.0
    reason: str | None = None


class Reranker:
    """Reads passages within a budget of CPU time for each search."""

    def __init__(self, embedders: Embedders, cache: TokenCache, *, budget_ms: float) -> None:
        self._embedders = embedders
        self._cache = cache
        self._budget_ms = budget_ms
        self._ms_per_character = _USUAL_MS

    async def match(self, query: str, passages: Sequence[str], *, tenant_id: UUID) -> PassageMatches:
        """Compare the first passages with a query; none when the encoder is missing or fails."""
        if self._budget_ms <= 0:
            return PassageMatches(reason=_OFF)
        encoder = self._embedders.reader
        if encoder is None:
            return PassageMatches(reason=_MISSING)
        try:
            return await self._match(encoder, query, passages, tenant_id)
        except IntelliError as error:
            log.warning("search_not_reranked", error=type(error).__name__, reason=str(error))
            return PassageMatches(reason=str(error))

    async def _match(
        self, encoder: TokenEncoder, query: str, passages: Sequence[str], tenant_id: UUID
    ) -> PassageMatches:
        tokens, spent_s = await late_interaction.read_query(encoder, query)
        spent_ms = spent_s * 1000
        keys = [token_cache.key_of(tenant_id, model=encoder.name, text=text) for text in passages]
        matches: list[TokenMatch] = []
        while len(matches) < len(passages):
            start = len(matches)
            end = self._affordable(keys, passages, start, left_ms=self._budget_ms - spent_ms)
            if end == start:
                break
            states, read_ms = await self._load(encoder, keys[start:end], passages[start:end])
            found, compared_ms = await asyncio.to_thread(_compare, tokens, states)
            matches += found
            spent_ms += read_ms + compared_ms
        is_whole = len(matches) == len(passages)
        reason = None if is_whole else self._used_up(len(matches), len(passages))
        return PassageMatches(encoder.name, matches, spent_ms, reason)

    def _affordable(self, keys: Sequence[PassageKey], passages: Sequence[str], start: int, *, left_ms: float) -> int:
        """Return the end of the next passages to read together: known ones cost next to nothing."""
        unread, end = 0, start
        while end < len(passages) and left_ms > 0:
            if keys[end] not in self._cache:
                left_ms -= len(passages[end]) * self._ms_per_character
                unread += 1
                if left_ms < 0 or unread > _AT_ONCE:
                    break
            end += 1
        return end

    async def _load(
        self, encoder: TokenEncoder, keys: Sequence[PassageKey], passages: Sequence[str]
    ) -> tuple[list[PackedStates], float]:
        """Return the states of passages, and the CPU milliseconds that it took to read those that were not kept."""
        known = {key: found for key in keys if (found := self._cache.find(key)) is not None}
        unread = {key: text for key, text in zip(keys, passages, strict=True) if key not in known}
        spent_ms = 0.0
        for key, read in zip(unread, await encoder.read(list(unread.values())), strict=True):
            known[key] = token_cache.pack(read.states)
            self._cache.add(key, known[key])
            spent_ms += read.cpu_s * 1000
        if unread:
            rate = spent_ms / max(1, sum(map(len, unread.values())))
            self._ms_per_character += _NEW * (rate - self._ms_per_character)
        return [known[key] for key in keys], spent_ms

    def _used_up(self, read: int, passages: int) -> str:
        return f"The {self._budget_ms:g} ms of CPU time for it sufficed for {read} of {passages} passages."


def _compare(tokens: QueryTokens, passages: Sequence[PackedStates]) -> tuple[list[TokenMatch], float]:
    """Compare passages with a query; return the CPU milliseconds too."""
    started = time.thread_time()
    found = [late_interaction.match(tokens, token_cache.unpack(each)) for each in passages]
    return found, (time.thread_time() - started) * 1000


class Rerankers:
    """The rerankers of a process, which keep what they read together: one for people, one for work nobody waits for."""

    def __init__(self, embedders: Embedders, settings: SearchSettings) -> None:
        cache = TokenCache(settings.rerank_cache_mb * 1024 * 1024)
        self.interactive = Reranker(embedders, cache, budget_ms=settings.rerank_ms)
        self.research = Reranker(embedders, cache, budget_ms=settings.research_rerank_ms)
