"""What weights of relevance do the sets teach, and how true are the probabilities on queries that were held back?

Relevance is a logistic regression over the numbers that `intelli.retrieval.relevance` describes. Here they are learnt
from passages as the product ranks them, labelled by whether they answer the query: in libraries of ten passages, of 240
and whole; with the answer there and taken away; for queries as they are and cut to their longest words, as people type
them. Every second query is held back and reported. All sets, sizes and kinds count the same.
`python -m bench.learn_relevance [--queries 100] [--write] [set …]`.
"""

import argparse
import asyncio
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench import logistic, retrieval_sets
from bench.bulk_library import BulkLibrary
from bench.figures import Comparison, Size
from bench.logistic import Numbers
from bench.retrieval_sets import Set
from bench.scratch import SECRET, scratch
from intelli.kit.db import Database
from intelli.language import function_words
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.settings import EmbeddingSettings
from intelli.retrieval import postings, relevance
from intelli.retrieval.ranking import Ranked
from intelli.retrieval.rerank import DEPTH, Rerankers
from intelli.retrieval.settings import SearchSettings

QUESTION = "What weights of relevance do the sets teach, and how true are the probabilities on queries held back?"
SETS = ("scifact", *(f"xquad-{language}" for language in retrieval_sets.LANGUAGES))
_SIZES = (10, 240, None)
_EMBEDDINGS = (EmbeddingName.MINILM, EmbeddingName.STATIC)
# Words that a query is cut to, and which of the queries are.
_KEYWORDS, _CUT = 3, 3
# Features that are the same for all passages of a query.
_OF_QUERIES = ("words", "fit")
_NO_BUDGET = SearchSettings(rerank_ms=60_000)
_FILE = Path(relevance.__file__).with_name("relevance.toml")
_SOURCE = """# Weights of relevance, which bench/learn_relevance.py learnt on the claims of SciFact (Wadden et al. 2020,
# CC BY 4.0) and the questions of XQuAD in six languages (Artetxe et al. 2020, CC BY-SA 4.0).
"""


@dataclass(frozen=True)
class Trial:
    """One query in one library: features of its best passages, and which of them answer it."""

    kind: tuple[str, str, str]
    is_held_back: bool
    words: Numbers
    tokens: Numbers | None
    labels: Numbers


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """Learn from all sets; from one at the smallest size."""
    return await learn(size.of(SETS, ("xquad-en",)), queries=size.of(100, 4), write=False)


async def learn(names: tuple[str, ...], *, queries: int, write: bool) -> list[Comparison]:
    """Learn both regressions, print how good they are, and write them if that is wanted."""
    trials, model = await gather(names, queries=queries)
    found: dict[str, tuple[tuple[str, ...], Numbers]] = {}
    compared = []
    for name, features, part in (
        ("words", relevance.WORD_FEATURES, trials),
        (model, relevance.TOKEN_FEATURES, [each for each in trials if each.tokens is not None]),
    ):
        if not part:
            continue
        weights = fit([each for each in part if not each.is_held_back], is_tokens=name != "words")
        found[name] = (features, weights)
        compared.append(report(name, part, weights))
    if write:
        _FILE.write_text(logistic.to_toml(_SOURCE, found), encoding="utf-8")
    return compared


async def gather(names: tuple[str, ...], *, queries: int) -> tuple[list[Trial], str]:
    """Return what the product's ranking knows in all libraries, and the name of the encoder."""
    trials: list[Trial] = []
    model = ""
    with scratch(workspaces=len(names) * len(_EMBEDDINGS)) as place:
        database = Database(place.app_url, secret=SECRET, pool_size=4, timeout_s=3600)
        workspaces = iter(place.workspaces)
        for each in retrieval_sets.load(names):
            for embedding in _EMBEDDINGS:
                embedders = Embedders(EmbeddingSettings(name=embedding))
                reader = embedders.reader if embedding is EmbeddingName.MINILM else None
                model = model or (reader.name if reader else "")
                library = BulkLibrary(database, place.admin_url, next(workspaces), embedders)
                await library.fill(each.documents)
                rerankers = Rerankers(embedders, _NO_BUDGET) if reader else None
                trials += [trial async for trial in _trials(each, library, rerankers, queries=queries)]
                print(f"{each.name}, {embedding}: {len(trials)} trials", flush=True)
                await embedders.close()
        await database.close()
    return trials, model


async def _trials(
    each: Set, library: BulkLibrary, rerankers: Rerankers | None, *, queries: int
) -> AsyncIterator[Trial]:
    chance = random.Random(each.name)
    held = _readings_by_item(library)
    names = sorted(each.queries)
    for number, query in enumerate(chance.sample(names, min(queries, len(names)))):
        text = cut(each.queries[query]) if number // 2 % _CUT == 0 else each.queries[query]
        meaning = await library.meaning(text)
        for size in _SIZES:
            for is_there in (True, False):
                if size is not None and size > len(held):
                    continue
                readings = _library(held, each.relevant[query], size, is_there=is_there, chance=chance)
                ranked = await library.rank(text, meaning, readings=readings)
                kind = (each.name, str(size or "all"), "there" if is_there else "away")
                trial = await _judge(library, ranked, text, relevant=each.relevant[query], rerankers=rerankers)
                if trial is not None:
                    yield replace(trial, kind=kind, is_held_back=bool(number % 2))


async def _judge(
    library: BulkLibrary, ranked: Ranked, text: str, *, relevant: Iterable[str], rerankers: Rerankers | None
) -> Trial | None:
    keys = ranked.keys[:DEPTH].tolist()
    if not keys:
        return None
    wanted = set(relevant)
    labels = np.array([library.passages[postings.place_of(key)].item in wanted for key in keys], float)
    words = relevance.word_features(ranked.query, ranked.chunks)[: len(keys)]
    tokens = None
    if rerankers is not None:
        found = await library.match(text, ranked, rerankers.interactive)
        tokens = relevance.token_features(ranked.query, ranked.chunks, found.matches)
    return Trial(("", "", ""), False, words, tokens, labels)


def cut(query: str) -> str:
    """Cut a query to its longest words, in their order."""
    words = function_words.without_function_words(query).split()
    kept = set(sorted(words, key=len)[-_KEYWORDS:])
    return " ".join(word for word in words if word in kept)


def _readings_by_item(library: BulkLibrary) -> dict[str, set[int]]:
    held: dict[str, set[int]] = defaultdict(set)
    for (reading, _), passage in library.passages.items():
        held[passage.item].add(reading)
    return held


def _library(
    held: dict[str, set[int]], relevant: Iterable[str], size: int | None, *, is_there: bool, chance: random.Random
) -> list[int]:
    """Choose documents: half of them beside the answer, which are mostly about the same, half of them at random."""
    names, answers = list(held), [item for item in relevant if item in held]
    chosen = set(names)
    if size is not None:
        at = names.index(answers[0])
        start = max(0, min(at - size // 4, len(names) - size // 2))
        chosen = {*names[start : start + size // 2], *chance.sample(names, size - size // 2)}
    chosen = (chosen | set(answers)) if is_there else (chosen - set(answers))
    return sorted(reading for name in chosen for reading in held[name])


def fit(trials: Sequence[Trial], *, is_tokens: bool) -> Numbers:
    """Return bias and weights; every kind of trial counts the same.

    More of what speaks for a passage must not lower its relevance: where two features say nearly the same, and one of
    them would count against a passage, it is left out.
    """
    features, labels, worth = _rows(trials, is_tokens=is_tokens)
    names = relevance.TOKEN_FEATURES if is_tokens else relevance.WORD_FEATURES
    kept = list(range(len(names)))
    while True:
        weights = logistic.solve(features[:, kept], labels, worth)
        least = min(
            (at for at, number in enumerate(kept) if names[number] not in _OF_QUERIES),
            key=lambda at: weights[at + 1] * float(features[:, kept[at]].std()),
        )
        if weights[least + 1] >= 0:
            break
        del kept[least]
    whole = np.zeros(len(names) + 1)
    whole[[0, *(number + 1 for number in kept)]] = weights
    return whole


def _rows(trials: Sequence[Trial], *, is_tokens: bool) -> tuple[Numbers, Numbers, Numbers]:
    counts: dict[tuple[str, str, str], int] = defaultdict(int)
    for each in trials:
        counts[each.kind] += len(each.labels)
    features = np.vstack([each.tokens if is_tokens and each.tokens is not None else each.words for each in trials])
    labels = np.concatenate([each.labels for each in trials])
    mean = len(labels) / len(counts)
    worth = np.concatenate([np.full(len(each.labels), mean / counts[each.kind]) for each in trials])
    return features, labels, worth


def report(name: str, trials: Sequence[Trial], weights: Numbers) -> Comparison:
    """Print log loss and calibration error of both halves, and of each set and size of those held back."""
    is_tokens = name != "words"
    figures = {}
    for half, part in (("learnt from", False), ("held back", True)):
        chosen = [each for each in trials if each.is_held_back == part]
        expected, labels = _expected(chosen, weights, is_tokens=is_tokens)
        figures[half] = logistic.calibration_error(expected, labels)
        print(f"{name}, {half}: log loss {logistic.loss(expected, labels):.4f}, calibration error {figures[half]:.4f}")
    groups: dict[tuple[str, str], list[Trial]] = defaultdict(list)
    for each in trials:
        if each.is_held_back:
            groups[each.kind[0], each.kind[1]].append(each)
    for (set_name, size), part in sorted(groups.items()):
        expected, labels = _expected(part, weights, is_tokens=is_tokens)
        first = np.concatenate([_first(each, weights, is_tokens=is_tokens) for each in part])
        of_first = logistic.calibration_error(first[::2], first[1::2])
        error = logistic.calibration_error(expected, labels)
        print(
            f"  {set_name:<10} {size:>4} passages: calibration error {error:.3f}, "
            f"of the most relevant {of_first:.3f}, log loss {logistic.loss(expected, labels):.3f}"
        )
    return Comparison(f"calibration error of {name}", "", figures)


def _first(trial: Trial, weights: Numbers, *, is_tokens: bool) -> Numbers:
    expected, labels = _expected([trial], weights, is_tokens=is_tokens)
    best = int(expected.argmax())
    return np.array([expected[best], labels[best]])


def _expected(trials: Sequence[Trial], weights: Numbers, *, is_tokens: bool) -> tuple[Numbers, Numbers]:
    features, labels, _ = _rows(trials, is_tokens=is_tokens)
    return 1 / (1 + np.exp(-(weights[0] + features @ weights[1:]))), labels


def main() -> None:
    """Learn as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m bench.learn_relevance", description=__doc__)
    parser.add_argument("sets", nargs="*", help="sets to learn from; all unless named")
    parser.add_argument("--queries", type=int, default=100, help="queries of each set")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    given = parser.parse_args()
    asyncio.run(learn(tuple(given.sets) or SETS, queries=given.queries, write=given.write))


if __name__ == "__main__":
    main()
