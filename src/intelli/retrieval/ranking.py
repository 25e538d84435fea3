"""Hybrid ranking: collect candidates by words, vectors and literals, and score each by all of them."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from intelli.kit.db import Tx
from intelli.language import function_words
from intelli.reasoning.late_interaction import TokenMatch
from intelli.retrieval import (
    analysis,
    forward,
    fusion,
    lexical,
    literals,
    postings,
    relevance,
    semantic_shares,
)
from intelli.retrieval.analysis import QueryWord
from intelli.retrieval.chunk_terms import NO_CHUNKS, ChunkTerms
from intelli.retrieval.fusion import RankSignals
from intelli.retrieval.lexical import Candidates, LexicalRanking
from intelli.retrieval.literals import LiteralMatches
from intelli.retrieval.postings import Floats, Keys
from intelli.retrieval.relevance import ChunkSignals, Places, QuerySignals
from intelli.retrieval.semantic_shares import QueryVector, SemanticShares
from intelli.retrieval.store.scope import IndexScope
from intelli.retrieval.tables import Space

_BEST_WORDS = 100
# Copies differ in their scores by rounding only.
_ALIKE = 1e-6
_NO_KEYS = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Chunks by key, best first, with the relevance of each; `worth` is the weight of each term of the query.

    `scores` are what they are ranked by, `query` and `chunks` what is known of the query and of each chunk.
    """

    keys: Keys
    relevance: Floats
    scores: Floats
    worth: Mapping[int, float]
    query: QuerySignals
    chunks: ChunkSignals

    @property
    def readings(self) -> list[int]:
        """The readings of the chunks, without duplicates, that of the best chunk first."""
        return list(dict.fromkeys(postings.readings_of_keys(self.keys).tolist()))

    def above(self, threshold: float) -> "Ranked":
        """Return the chunks with at least this relevance."""
        return self._at(self.relevance >= threshold)

    def without(self, readings: Sequence[int]) -> "Ranked":
        """Return the ranking without the chunks of certain readings."""
        return self._at(~np.isin(postings.readings_of_keys(self.keys), np.asarray(readings, np.int64)))

    def anew(self, matches: Sequence[TokenMatch], *, model: str) -> "Ranked":
        """Return the chunks ranked by how an encoder matched the tokens of the first of them, too."""
        if not matches:
            return self
        chances = relevance.by_tokens(self.query, self.chunks, matches, model=model)
        ranked = replace(self, relevance=chances)._at(fusion.rank_anew(self.scores, matches))
        return replace(ranked, relevance=relevance.falling(ranked.relevance))

    def _at(self, places: Places) -> "Ranked":
        return replace(
            self,
            keys=self.keys[places],
            relevance=self.relevance[places],
            scores=self.scores[places],
            chunks=self.chunks.at(places),
        )


NOTHING = Ranked(
    _NO_KEYS,
    np.empty(0),
    np.empty(0),
    {},
    QuerySignals(),
    ChunkSignals(np.empty(0), np.empty(0), np.empty(0), np.empty(0), np.empty(0, bool)),
)


@dataclass(frozen=True, slots=True)
class _Scored:
    """Chunks by key, best first, with their scores, lexical and semantic shares, and coverage of the query's words."""

    keys: Keys
    scores: Floats
    lexical: Floats
    semantic: Floats
    coverage: Floats
    weight: float


@dataclass(frozen=True, slots=True)
class RankedQuery:
    """A query with its embeddings by space, and the scope to search."""

    text: str
    meanings: Mapping[str, QueryVector]
    scope: IndexScope


async def rank(tx: Tx, question: RankedQuery, spaces: Sequence[Space]) -> Ranked:
    """Return the best chunks for a query. `spaces` are those that are searched, the active one first."""
    scope = question.scope
    asked = semantic_shares.pair(spaces, question.meanings)
    near = await semantic_shares.find_nearest(tx, asked, scope.within, chunks=scope.chunks)
    text = function_words.without_function_words(question.text)
    words = await asyncio.to_thread(analysis.parse_query, text, scope.languages)
    candidates, chunks = await _find_by_words(tx, question, words)
    literal = await literals.find(tx, question.text, scope, candidates.hits)
    also = np.union1d(np.fromiter(near.shares, np.int64, len(near.shares)), literal.keys)
    looked_at = np.union1d(candidates.keys, also)
    chunks = (await forward.complete(tx, chunks, looked_at)).only(looked_at)
    found = await asyncio.to_thread(lexical.score, candidates, chunks)
    keys = np.union1d(found.best(_BEST_WORDS), np.intersect1d(also, found.keys))
    near = await semantic_shares.add_others(tx, asked, near, keys.tolist())
    scored = await asyncio.to_thread(_fuse, keys, found, near)
    is_copy = await asyncio.to_thread(_find_copies, scored, chunks)
    return await asyncio.to_thread(partial(_judge, scored, found, is_copy, literal, words=len(words)))


async def _find_by_words(tx: Tx, question: RankedQuery, words: Sequence[QueryWord]) -> tuple[Candidates, ChunkTerms]:
    """Find candidates by words: within few chunks by their own terms, otherwise by postings."""
    scope = question.scope
    also = literals.terms_of(question.text, scope.languages)
    chunks = await forward.load_narrow(tx, scope) if scope.is_narrow else None
    if chunks is not None:
        return await asyncio.to_thread(partial(lexical.scan, words, scope, chunks, also=also)), chunks
    return await lexical.find_candidates(tx, words, scope, also=also), NO_CHUNKS


def _fuse(keys: Keys, found: LexicalRanking, near: SemanticShares) -> _Scored:
    place = np.searchsorted(found.keys, keys)
    shares, semantic = found.scores[place], np.array([near.shares.get(key, 0.0) for key in keys.tolist()], np.float64)
    scores = fusion.fuse(RankSignals(shares, semantic, near.weight))
    order = np.lexsort((keys, -scores))
    coverage = found.coverage[place][order]
    return _Scored(keys[order], scores[order], shares[order], semantic[order], coverage, near.weight)


def _find_copies(scored: _Scored, chunks: ChunkTerms) -> NDArray[np.bool_]:
    """Return which chunks have the text of one before them; only chunks with equal scores are compared."""
    is_alike = np.concatenate([[False], np.abs(np.diff(scored.scores)) < _ALIKE])[: len(scored.keys)]
    digests = dict(zip(chunks.keys.tolist(), chunks.digests.tolist(), strict=True))
    is_copy = np.zeros(len(scored.keys), bool)
    seen = set[int]()
    for at, key in enumerate(scored.keys.tolist()):
        seen = seen if is_alike[at] else set()
        is_copy[at] = digests[key] in seen
        seen.add(digests[key])
    return is_copy


def _judge(
    scored: _Scored, found: LexicalRanking, is_copy: NDArray[np.bool_], literal: LiteralMatches, *, words: int
) -> Ranked:
    query = QuerySignals(words, scored.weight, found.telling, literal.weight)
    held = literal.shares_of(scored.keys)
    chunks = ChunkSignals(scored.lexical, scored.semantic, scored.coverage, held, is_copy)
    # Squared: a quotation in a long question is one of many words, and not what decides.
    scores = (1 + scored.weight) * (scored.scores + literal.weight**2 * held)
    chances = relevance.by_words(query, chunks)
    ranked = Ranked(scored.keys, chances, scores, found.worth, query, chunks)._at(np.argsort(-scores, kind="stable"))
    return replace(ranked, relevance=relevance.falling(ranked.relevance))
