"""Search facts, nodes and episodes of groups, as valid at one time and known at another.

Lexical and semantic scores are combined; no transaction is open while the query is embedded.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from uuid import UUID

from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.memory import as_known, relevance, search_terms, show, term_weights, updates, values
from intelli.memory import wire_read as wire
from intelli.memory.relevance import Relevant
from intelli.memory.search_terms import SearchKind
from intelli.memory.store import history, scores
from intelli.memory.store import recall as store
from intelli.memory.store.scores import FactTime, ScoredQuery
from intelli.memory.tables import Episode
from intelli.memory.term_weights import TermWeights
from intelli.memory.updates import FoundMessage
from intelli.reasoning.ports import Embedder
from intelli.retrieval import analysis, query_vectors
from intelli.retrieval.semantic_shares import QueryVector

Begin = Callable[[], AbstractAsyncContextManager[Tx]]
# In messages, words repeat less than in documents: the semantic score counts for so much more.
_MEANING = 2.8
# Enough scores to see which exceed chance.
_DEPTH = 50


async def search(begin: Begin, request: wire.SearchMemory, *, embedder: Embedder) -> wire.Recollections:
    """Return the facts, nodes and episodes relevant to a query, most relevant first."""
    started = time.perf_counter()
    meaning = await query_vectors.embed_query(request.query, lambda: embedder)
    async with begin() as tx:
        query = await read_query(tx, request.query, list(dict.fromkeys(request.group_ids)), meaning)
        moment, depth = _fact_time(request), max(request.limit, _DEPTH)
        async with scores.without_nested_loops(tx):
            nodes = relevance.from_scores(await scores.nodes(tx, query.for_kind(SearchKind.NODE), moment, limit=depth))
            messages = await find_episodes(tx, query, moment, limit=depth)
            known = await find_facts(tx, query, moment, limit=depth) if moment.known_at is None else []
        return wire.Recollections(
            facts=await _facts(tx, query, moment, known, limit=request.limit),
            nodes=await show.found_nodes(tx, nodes[: request.limit]),
            episodes=await _episodes(tx, query, messages[: request.limit]),
            semantic=meaning is not None,
            elapsed_ms=round((time.perf_counter() - started) * 1000, 2),
        )


@dataclass(frozen=True, slots=True)
class ReadQuery:
    """A query analysed in the languages of its groups, with the counts of items and terms there, and its vector."""

    text: str
    groups: Sequence[str]
    words: list[analysis.QueryWord]
    items: dict[SearchKind, int]
    frequencies: dict[tuple[SearchKind, int], int]
    meaning: QueryVector | None

    def for_kind(self, kind: SearchKind) -> ScoredQuery:
        """Return the query for items of one kind."""
        weights = self.weights(kind)
        meaning = self.meaning
        return ScoredQuery(
            groups=self.groups,
            worth=weights.terms,
            bound=weights.bound,
            heaviest=search_terms.MAX_WEIGHT,
            space=meaning.space if meaning else "",
            vector=meaning.vector if meaning else None,
            weight=_MEANING * meaning.weight if meaning else 0.0,
            background=meaning.background if meaning else 0.0,
        )

    def weights(self, kind: SearchKind) -> TermWeights:
        """Return the weights of its terms among items of one kind."""
        return term_weights.weigh(self.words, kind, items=self.items.get(kind, 0), frequencies=self.frequencies)


async def read_query(tx: Tx, query: str, groups: Sequence[str], meaning: QueryVector | None) -> ReadQuery:
    """Analyse a query in the languages of the groups, and count how many items there have each of its terms."""
    sizes = await scores.sizes(tx, groups)
    found = await asyncio.to_thread(term_weights.read_query, query, sizes.languages)
    terms = sorted({term for word in found for term in word.terms})
    frequencies = await scores.frequencies(tx, groups, terms)
    return ReadQuery(
        text=query,
        groups=groups,
        words=found,
        items={SearchKind(kind): items for kind, items in sizes.items.items()},
        frequencies={(SearchKind(kind), term): items for (kind, term), items in frequencies.items()},
        meaning=meaning,
    )


async def find_episodes(tx: Tx, query: ReadQuery, moment: FactTime, *, limit: int) -> list[Relevant]:
    """Return the episodes relevant to a query, most relevant first."""
    return relevance.from_scores(await scores.episodes(tx, query.for_kind(SearchKind.EPISODE), moment, limit=limit))


async def find_facts(tx: Tx, query: ReadQuery, moment: FactTime, *, limit: int) -> list[Relevant]:
    """Return the facts relevant to a query that are valid at the moment, most relevant first."""
    return relevance.from_scores(await scores.facts(tx, query.for_kind(SearchKind.FACT), moment, limit=limit))


async def find_updates(tx: Tx, query: ReadQuery, found: Sequence[Episode]) -> dict[UUID, UUID]:
    """Return which of the found episodes, given best first, a later one of them corrects: earlier id → later id."""
    claims = await store.claimed_values(tx, [row.id for row in found])
    asked = values.parse_value_query(query.text, query.words, query.weights(SearchKind.EPISODE).terms)
    return await asyncio.to_thread(updates.find_updates, [to_found_message(row) for row in found], asked, claims)


def to_found_message(row: Episode) -> FoundMessage:
    """Convert an episode to the form that updates are found in."""
    return FoundMessage(row.id, row.group_id, row.role_type, (row.valid_at, row.seq), row.content or "")


async def _episodes(tx: Tx, query: ReadQuery, found: Sequence[Relevant]) -> list[wire.FoundEpisode]:
    rows = await history.episodes(tx, [each.id for each in found])
    there = [each for each in found if each.id in rows]
    episodes = [rows[each.id] for each in there]
    updated_by = await find_updates(tx, query, episodes)
    return [
        wire.FoundEpisode(
            **show.episode_to_wire(rows[each.id]).model_dump(),
            relevance=each.relevance,
            updated_by=updated_by.get(each.id),
        )
        for each in updates.order_later_first(there, [to_found_message(row) for row in episodes], updated_by)
    ]


def _fact_time(request: wire.SearchMemory) -> FactTime:
    if request.include_ended and request.as_of is None:
        return FactTime(None, request.known_at, ended=True)
    return FactTime(request.as_of or clock.now(), request.known_at, ended=request.include_ended)


async def _facts(
    tx: Tx, query: ReadQuery, moment: FactTime, known: Sequence[Relevant], *, limit: int
) -> list[wire.FoundFact]:
    if moment.known_at is None:
        return await show.found_facts(tx, known[:limit])
    return await as_known.search_facts(tx, query.for_kind(SearchKind.FACT), moment, limit=limit)
