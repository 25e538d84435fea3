"""How good is search? nDCG@10 and recall of each leg, of both, and ranked anew, beside bm25s and the embedding alone.

Every set goes through the product's own reading, chunking and indexing into a PostgreSQL of its own; the peers see the
same texts. Below each set: how often passages of a relevance were right, among all passages and in libraries of ten,
and how far function words that are added to a query move the relevance of its best passage.
`python -m bench.search_quality [--embedding minilm] [set …]`.
"""

import argparse
import asyncio
import logging
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import bm25s
import numpy as np
import Stemmer

from bench import retrieval_sets
from bench.bulk_library import BulkLibrary
from bench.figures import Comparison, Size
from bench.retrieval_sets import Set
from bench.scratch import SECRET, scratch
from intelli.kit.db import Database
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.ports import Embedder, Vectors
from intelli.reasoning.settings import EmbeddingSettings
from intelli.retrieval import analysis, stemmers
from intelli.retrieval.ranking import Ranked
from intelli.retrieval.rerank import Reranker, Rerankers
from intelli.retrieval.settings import SearchSettings

QUESTION = (
    "How good is search? nDCG@10 and recall of each leg, of both and ranked anew, beside bm25s and the embedding."
)
_KS = (5, 10, 20)
_DEPTH = 20
_ALL_OF_THEM = SearchSettings(rerank_ms=60_000)
_BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9)
# Documents of the small libraries that relevance is also measured in, and every how many queries.
_FEW, _EVERY = 10, 5
# Questions with the words of a query, which mean the same: what is added must not move relevance.
_ASKED = {
    "en": (
        "what is {}",
        "how much {} was there",
        "tell me about {}",
        "please find all of the {}",
        "{} and what was it",
    ),
    "de": ("was ist {}", "wie viel {} war es", "bitte zeige mir alle {}", "{} und wie war das"),
}
Run = dict[str, list[str]]


@dataclass(frozen=True)
class Scores:
    """Means over the queries."""

    ndcg: float
    recall: tuple[float, ...]


@dataclass
class Reliability:
    """How often passages of a relevance answered the query, by bins of relevance."""

    counts: np.ndarray = field(default_factory=lambda: np.zeros(len(_BINS)))
    answers: np.ndarray = field(default_factory=lambda: np.zeros(len(_BINS)))
    sums: np.ndarray = field(default_factory=lambda: np.zeros(len(_BINS)))

    def add(self, relevance: float, is_answer: bool) -> None:
        number = int(np.searchsorted(_BINS, relevance, side="right")) - 1
        self.counts[number] += 1
        self.sums[number] += relevance
        self.answers[number] += is_answer

    def __add__(self, other: "Reliability") -> "Reliability":
        return Reliability(self.counts + other.counts, self.answers + other.answers, self.sums + other.sums)

    @property
    def error(self) -> float:
        """The expected calibration error, with each bin's mean relevance."""
        return float(np.abs(self.sums - self.answers).sum() / max(self.counts.sum(), 1))

    def __str__(self) -> str:
        shown = zip(_BINS, self.counts, self.answers, strict=True)
        told = "  ".join(f"{low:.1f}+ {answers / max(count, 1):.2f} of {count:.0f}" for low, count, answers in shown)
        return f"relevance, and how often it was right (calibration error {self.error:.3f}): {told}"


class CachingEmbedder:
    """Embedder with a cache: most whole texts are one chunk, which was embedded for the index already."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}
        self.name, self.dimensions = embedder.name, embedder.dimensions
        self.prior, self.background = embedder.prior, embedder.background
        self.fit, self.embed_query = embedder.fit, embedder.embed_query

    async def embed(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known |= zip(new, await self._embedder.embed(new), strict=True)
        return np.stack([self._known[text] for text in texts])


class CachingEmbedders(Embedders):
    """Embedders, each with a cache."""

    def _make(self, name: EmbeddingName) -> Embedder:
        return CachingEmbedder(super()._make(name))


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """All sets; one of them at the smallest size."""
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    return await quality(size.of((), ("scifact",)), EmbeddingName.STATIC)


async def quality(names: tuple[str, ...], embedding: EmbeddingName, models: Path | None = None) -> list[Comparison]:
    """Print a table, a set at a time, and how true the relevance scores are."""
    print(f"{'set':<10} {'way':<22} {'nDCG@10':>8} " + " ".join(f"{f'recall@{k}':>10}" for k in _KS))
    total = Reliability()
    compared = []
    with scratch(workspaces=len(retrieval_sets.LANGUAGES) + 3) as place:
        database = Database(place.app_url, secret=SECRET, pool_size=4, timeout_s=3600)
        for each, workspace in zip(retrieval_sets.load(names), place.workspaces, strict=False):
            embedders = CachingEmbedders(EmbeddingSettings(name=embedding), models)
            library = BulkLibrary(database, place.admin_url, workspace, embedders)
            await library.fill(each.documents)
            reliability, scores = await _measure_set(each, library)
            total += reliability
            compared.append(Comparison(f"{each.name}: nDCG@10", "", scores))
        await database.close()
    print(f"{'all':<10} {total}")
    return compared


async def _measure_set(each: Set, library: BulkLibrary) -> tuple[Reliability, dict[str, float]]:
    runs: dict[str, Run] = {"bm25s, whole texts": _bm25s(each)}
    runs["embedding, whole texts"] = await _embedding(each, library)
    by_index, anew = Reliability(), Reliability()
    runs |= {"lexical": {}, "vector": {}, "hybrid": {}, "ranked anew": {}}
    reranker = Rerankers(library.embedders, _ALL_OF_THEM).interactive
    for query, text in each.queries.items():
        meaning = await library.meaning(text)
        alone = replace(meaning, weight=1.0) if meaning else None
        rank = partial(library.rank, folder=each.folders.get(query))
        found = list(await asyncio.gather(rank(text, None), rank("", alone), rank(text, meaning)))
        found.append(await library.rank_anew(text, found[-1], reranker))
        for way, ranked in zip(("lexical", "vector", "hybrid", "ranked anew"), found, strict=True):
            runs[way][query] = list(dict.fromkeys(library.items_of(ranked)))[:_DEPTH]
        for reliability, ranked in ((by_index, found[-2]), (anew, found[-1])):
            _add(reliability, library, ranked, each.relevant[query])
    gains: dict[str, float] = {}
    for way, run in runs.items():
        halves = [_score(run, each.relevant, list(each.queries)[half::2]).ndcg for half in (0, 1)]
        scores = _score(run, each.relevant, each.queries)
        gains[way] = scores.ndcg
        recalls = " ".join(f"{r:10.4f}" for r in scores.recall)
        print(f"{each.name:<10} {way:<22} {scores.ndcg:8.4f} {recalls}   halves {halves[0]:.4f} {halves[1]:.4f}")
    print(f"{each.name:<10} by the index: {by_index}")
    print(f"{each.name:<10} ranked anew: {anew}")
    print(f"{each.name:<10} ranked anew, {_FEW} documents: {await _in_small_libraries(each, library, reranker)}")
    print(f"{each.name:<10} {await _drift(each, library, reranker)}\n", flush=True)
    return anew, gains


def _add(reliability: Reliability, library: BulkLibrary, ranked: Ranked, relevant: Mapping[str, int]) -> None:
    for item, relevance in zip(library.items_of(ranked, limit=_DEPTH), ranked.relevance, strict=False):
        reliability.add(float(relevance), item in relevant)


async def _in_small_libraries(each: Set, library: BulkLibrary, reranker: Reranker) -> Reliability:
    """Search among a few documents, every other time without those that answer."""
    chance = random.Random(each.name)
    readings = {passage.item: reading for (reading, _), passage in library.passages.items()}
    reliability = Reliability()
    for number, (query, text) in enumerate(list(each.queries.items())[::_EVERY]):
        answers = {item for item in each.relevant[query] if item in readings}
        others = chance.sample([item for item in readings if item not in answers], min(_FEW, len(readings) // 2))
        chosen = [*others[len(answers) :], *answers] if number % 2 else others
        ranked = await library.rank(text, await library.meaning(text), readings=[readings[item] for item in chosen])
        _add(reliability, library, await library.rank_anew(text, ranked, reranker), each.relevant[query])
    return reliability


async def _drift(each: Set, library: BulkLibrary, reranker: Reranker) -> str:
    """Tell how far added function words move the relevance of the best passage, by the index and ranked anew."""
    patterns = _ASKED.get(each.name.partition("-")[2] or "en", ())
    moved: tuple[list[float], list[float]] = ([], [])
    for query, text in list(each.queries.items())[::_EVERY]:
        rank = partial(library.rank, folder=each.folders.get(query))
        plain = text.rstrip("?.")
        ranked = await rank(plain, await library.meaning(plain))
        anew = await library.rank_anew(plain, ranked, reranker)
        for pattern in patterns if len(ranked.keys) else ():
            asked = pattern.format(plain)
            other = await rank(asked, await library.meaning(asked))
            for index, before, after in (
                (0, ranked, other),
                (1, anew, await library.rank_anew(asked, other, reranker)),
            ):
                moved[index].append(abs(_relevance_of(after, int(before.keys[0])) - float(before.relevance[0])))
    told = (f"mean {np.mean(way):.4f}, most {np.max(way):.4f}" for way in moved if way)
    return "relevance moved by added function words, by the index and ranked anew: " + "; ".join(told)


def _relevance_of(ranked: Ranked, key: int) -> float:
    return float(ranked.relevance[ranked.keys == key].sum())


def _bm25s(each: Set) -> Run:
    """The peer on whole texts, with our tokens, so that the formula alone is compared."""
    language = each.name.partition("-")[2] or "en"
    names = list(each.texts)
    run: Run = {}
    for folder in sorted({each.folders.get(query, "") for query in each.queries}):
        own = [name for name in names if not folder or f"/{name}".startswith(f"{folder}/")]
        peer = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
        peer.index([_tokens(each.texts[name], language) for name in own], show_progress=False)
        for query, text in each.queries.items():
            if each.folders.get(query, "") == folder:
                depth = min(_DEPTH, len(own))
                found, _ = peer.retrieve([sorted(set(_tokens(text, language)))], k=depth, show_progress=False)
                run[query] = [own[place] for place in found[0]]
    return run


def _tokens(text: str, language: str) -> list[str]:
    words, runs = analysis._split(text)
    stemmed = []
    for word in words:
        name = stemmers.stemmer_of(word, language)
        stemmed.append(Stemmer.Stemmer(name).stemWord(word) if name else word)
    return stemmed + [run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))]


async def _embedding(each: Set, library: BulkLibrary) -> Run:
    """Cosines of whole texts, all compared."""
    names, queries = list(each.texts), list(each.queries)
    embedder = library.embedders.chosen
    texts = await embedder.embed([each.texts[name] for name in names])
    asked = await embedder.embed([each.queries[query] for query in queries])
    run: Run = {}
    for query, row in zip(queries, asked @ texts.T, strict=True):
        folder = each.folders.get(query)
        order = np.argsort(-row, kind="stable")
        run[query] = [names[at] for at in order if not folder or f"/{names[at]}".startswith(f"{folder}/")][:_DEPTH]
    return run


def _score(run: Run, relevant: Mapping[str, Mapping[str, int]], queries: Iterable[str]) -> Scores:
    asked = list(queries)
    gains = [_ndcg(run[query], relevant[query]) for query in asked]
    recalls = [[_recall(run[query][:k], relevant[query]) for query in asked] for k in _KS]
    return Scores(sum(gains) / len(asked), tuple(sum(each) / len(asked) for each in recalls))


def _ndcg(ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
    gain = sum(relevant.get(item, 0) / math.log2(place + 2) for place, item in enumerate(ranking[:10]))
    best = sorted(relevant.values(), reverse=True)[:10]
    return gain / sum(grade / math.log2(place + 2) for place, grade in enumerate(best))


def _recall(ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
    return sum(item in relevant for item in ranking) / len(relevant)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.search_quality", description=__doc__)
    parser.add_argument("sets", nargs="*", help="sets to measure; all unless named")
    parser.add_argument("--embedding", type=EmbeddingName, default=EmbeddingName.MINILM)
    parser.add_argument("--models", type=Path, help="directory `models` of a data directory, for `multilingual`")
    given = parser.parse_args()
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    asyncio.run(quality(tuple(given.sets), given.embedding, given.models))


if __name__ == "__main__":
    main()
