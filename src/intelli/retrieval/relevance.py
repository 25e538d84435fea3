"""Relevance: the probability that a passage bears on a query, which means the same from query to query.

Two logistic regressions: one over words and vectors, for any passage, and one that also knows how the query's tokens
are matched, for passages that were read token by token. No number in them depends on the size of the library, and those
of words only on words that say what is wanted. `bench/learn_relevance.py` learns the weights in `relevance.toml`.
"""

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from intelli.reasoning.late_interaction import TokenMatch
from intelli.retrieval.postings import Floats

Places = NDArray[np.intp] | NDArray[np.bool_]
# Chance matches: the ranks they are taken from, and a prior of what they have that counts as so many samples.
_FIRST, _LAST = 10, 50
_USUAL_SCORE, _USUAL_COVERAGE, _USUAL_TOKENS, _USUAL_COUNT = 0.15, 0.3, 0.45, 5
# Many good matches must not be taken for chance.
_HIGHEST_SCORE, _HIGHEST_COVERAGE, _HIGHEST_TOKENS = 0.3, 0.5, 0.6
# How much a literal that is present reduces the doubt, and one that is missing the relevance.
_LITERAL, _RESEMBLING = 0.9, 0.7
WORD_FEATURES = ("lexical", "coverage", "semantic", "lead", "fullness", "share_of_best", "words", "coverage_of_many")
TOKEN_FEATURES = (*WORD_FEATURES, "fit", "content", "worst", "whole", "token_lead")


@dataclass(frozen=True, slots=True)
class QuerySignals:
    """What is known of a query: how many words say what is wanted, and what its vector counts beside them.

    `telling` is how informative its words are, `literals` the share of it that is to be matched exactly.
    """

    words: int = 0
    weight: float = 0.0
    telling: float = 1.0
    literals: float = 0.0


@dataclass(frozen=True, slots=True)
class ChunkSignals:
    """What is known of chunks in the order of their rank, one entry each.

    Lexical and semantic shares, the shares of the query's words and of its literals that they hold, and which of them
    have the text of one before them.
    """

    lexical: Floats
    semantic: Floats
    coverage: Floats
    held: Floats
    is_copy: NDArray[np.bool_]

    def at(self, places: Places) -> "ChunkSignals":
        """Return the entries at places, or those selected by a mask."""
        return ChunkSignals(*(getattr(self, each.name)[places] for each in fields(self)))


@dataclass(frozen=True, slots=True)
class FeatureWeights:
    """Weights of a logistic regression by feature, and the bias."""

    bias: float
    of: Mapping[str, float]

    def chances(self, features: Floats, names: Sequence[str]) -> Floats:
        """Return the probability for each row of features."""
        odds = self.bias + features @ np.array([self.of[name] for name in names])
        return np.asarray(1 / (1 + np.exp(-odds)), np.float64)


def by_words(query: QuerySignals, chunks: ChunkSignals) -> Floats:
    """Return the relevance of chunks by words and vectors."""
    return _judge(query, chunks, _weights()["words"].chances(word_features(query, chunks), WORD_FEATURES))


def by_tokens(query: QuerySignals, chunks: ChunkSignals, matches: Sequence[TokenMatch], *, model: str) -> Floats:
    """Return the relevance of chunks of which the first were compared token by token with an encoder."""
    chances = by_words(query, chunks)
    known = _weights().get(model)
    if known is not None and matches:
        read = chunks.at(np.arange(len(matches)))
        chances[: len(matches)] = _judge(
            query, read, known.chances(token_features(query, chunks, matches), TOKEN_FEATURES)
        )
    return chances


def word_features(query: QuerySignals, chunks: ChunkSignals) -> Floats:
    """Return a row of WORD_FEATURES for each chunk."""
    semantic = query.weight * chunks.semantic
    scores = chunks.lexical + semantic
    others = _by_chance(chunks.is_copy)
    chance = min(_mean(scores[others], _USUAL_SCORE), _HIGHEST_SCORE)
    usual = min(_mean(chunks.coverage[others], _USUAL_COVERAGE), _HIGHEST_COVERAGE)
    words = np.full(len(scores), math.log1p(query.words))
    columns = (
        chunks.lexical,
        chunks.coverage,
        semantic,
        scores - chance,
        np.maximum(chunks.coverage - usual, 0),
        scores / max(float(scores.max(initial=0.0)), 1e-9),
        words,
        chunks.coverage * words,
    )
    return np.column_stack(columns)


def token_features(query: QuerySignals, chunks: ChunkSignals, matches: Sequence[TokenMatch]) -> Floats:
    """Return a row of TOKEN_FEATURES for each of the first chunks. Words that the encoder does not know say nothing."""
    fit = np.array([each.fit for each in matches])
    content = np.array([each.content for each in matches])
    usual = min(_mean(np.sort(content)[: len(content) // 2], _USUAL_TOKENS), _HIGHEST_TOKENS)
    tokens = (
        fit,
        fit * content,
        fit * np.array([each.worst for each in matches]),
        fit * np.array([each.content_whole for each in matches]),
        fit * (content - usual),
    )
    return np.column_stack([word_features(query, chunks)[: len(matches)], *tokens])


def falling(chances: Floats) -> Floats:
    """Return the probabilities so that none exceeds one before it: neighbours that do are averaged."""
    blocks: list[tuple[float, int]] = []
    for chance in chances.tolist():
        mean, count = chance, 1
        while blocks and blocks[-1][0] < mean:
            before, counted = blocks.pop()
            mean, count = (before * counted + mean * count) / (counted + count), counted + count
        blocks.append((mean, count))
    return np.repeat([mean for mean, _ in blocks], [count for _, count in blocks]).astype(np.float64)


def _judge(query: QuerySignals, chunks: ChunkSignals, chances: Floats) -> Floats:
    """Lower the relevance for a query that tells little, and where its literals are missing; raise it where all are.

    A chunk with all of the literals needs no other evidence.
    """
    doubted = chances * query.telling * (1 - _RESEMBLING * query.literals * (1 - chunks.held))
    sure: Floats = 1 - (1 - doubted) * (1 - _LITERAL * query.literals * (chunks.held == 1))
    return sure


def _by_chance(is_copy: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the indexes of chunks that rank low enough to be chance matches. A chunk and its copies count once."""
    apart = np.flatnonzero(~is_copy)
    return apart[min(_FIRST, (len(apart) + 1) // 2) : _LAST]


def _mean(found: Floats, usual: float) -> float:
    """Return the mean of samples, combined with a prior that counts as `_USUAL_COUNT` samples."""
    return float(found.sum() + usual * _USUAL_COUNT) / (len(found) + _USUAL_COUNT)


@cache
def _weights() -> Mapping[str, FeatureWeights]:
    """Return the weights that were learnt, by what they are for: words, or the encoder that tokens are read with."""
    read = tomllib.loads(files("intelli.retrieval").joinpath("relevance.toml").read_text("utf-8"))
    return {
        name: FeatureWeights(each["bias"], each["weights"]) for name, each in read.items() if isinstance(each, dict)
    }
