"""Search: the facts, nodes and episodes of some groups that bear on a query, by what held and what we knew at a time.

Words and meaning are weighed together; no transaction is open while the query is embedded.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.memory import hindsight, relevance, show, words
from intelli.memory import wire_read as wire
from intelli.memory.relevance import Relevant
from intelli.memory.store import history, scores
from intelli.memory.store.scores import Asked, Moment
from intelli.memory.terms import Kind
from intelli.reasoning.ports import Embedder
from intelli.retrieval import analysis
from intelli.retrieval import search as retrieval
from intelli.retrieval.ranking import Meaning

Begin = Callable[[], AbstractAsyncContextManager[Tx]]
# In what people say to each other, words repeat less than in documents: meaning counts for so much more.
_MEANING = 2.8
# Enough to tell what stands out from chance.
_DEPTH = 50


async def search(begin: Begin, request: wire.SearchMemory, *, embedder: Embedder) -> wire.Recollections:
    """What memory has on a query."""
    started = time.perf_counter()
    meaning = await retrieval.read(request.query, lambda: embedder)
    async with begin() as tx:
        query = await _read(tx, request, meaning)
        moment, depth = _moment(request), max(request.limit, _DEPTH)
        async with scores.comparing_all(tx):
            nodes = relevance.of(await scores.nodes(tx, query.of(Kind.NODE), moment, limit=depth))
            said = await find_episodes(tx, query, moment, limit=depth)
        return wire.Recollections(
            facts=await _facts(tx, query, request, moment),
            nodes=await show.found_nodes(tx, nodes[: request.limit]),
            episodes=await show.found_episodes(tx, said[: request.limit]),
            semantic=meaning is not None,
            elapsed_ms=round((time.perf_counter() - started) * 1000, 2),
        )


@dataclass(frozen=True, slots=True)
class ReadQuery:
    """A query as the groups understand it."""

    groups: Sequence[str]
    words: list[analysis.Word]
    items: dict[Kind, int]
    frequencies: dict[tuple[Kind, int], int]
    meaning: Meaning | None

    def of(self, kind: Kind) -> Asked:
        """The query to items of a kind."""
        worth = words.worth(self.words, kind, items=self.items.get(kind, 0), frequencies=self.frequencies)
        meaning = self.meaning
        return Asked(
            groups=self.groups,
            worth=worth.terms,
            bound=worth.bound,
            space=meaning.space if meaning else "",
            vector=meaning.vector if meaning else None,
            weight=_MEANING * meaning.weight if meaning else 0.0,
            background=meaning.background if meaning else 0.0,
        )


async def read_query(tx: Tx, query: str, groups: Sequence[str], meaning: Meaning | None) -> ReadQuery:
    """Read a query in the languages of the groups, and weigh its words by how rare they are there."""
    languages = await history.languages(tx, groups)
    found = await asyncio.to_thread(words.read, query, languages)
    terms = sorted({term for word in found for term in word.terms})
    frequencies = await scores.frequencies(tx, groups, terms)
    return ReadQuery(groups, found, await scores.sizes(tx, groups), frequencies, meaning)


async def find_episodes(tx: Tx, query: ReadQuery, moment: Moment, *, limit: int) -> list[Relevant]:
    """The episodes that bear on a query, most relevant first."""
    return relevance.of(await scores.episodes(tx, query.of(Kind.EPISODE), moment, limit=limit))


async def find_facts(tx: Tx, query: ReadQuery, moment: Moment, *, limit: int) -> list[Relevant]:
    """The facts of a moment that bear on a query, most relevant first."""
    async with scores.comparing_all(tx):
        return relevance.of(await scores.facts(tx, query.of(Kind.FACT), moment, limit=limit))


async def _read(tx: Tx, request: wire.SearchMemory, meaning: Meaning | None) -> ReadQuery:
    return await read_query(tx, request.query, list(dict.fromkeys(request.group_ids)), meaning)


def _moment(request: wire.SearchMemory) -> Moment:
    if request.include_ended and request.as_of is None:
        return Moment(None, request.known_at, ended=True)
    return Moment(request.as_of or clock.now(), request.known_at, ended=request.include_ended)


async def _facts(tx: Tx, query: ReadQuery, request: wire.SearchMemory, moment: Moment) -> list[wire.FoundFact]:
    if moment.known_at is None:
        found = await find_facts(tx, query, moment, limit=max(request.limit, _DEPTH))
        return await show.found_facts(tx, found[: request.limit])
    return await hindsight.found_facts(tx, query.of(Kind.FACT), moment, limit=request.limit)
