"""Which coefficients of relevance do the sets teach, and how good are they beside those in use?

Relevance is a logistic regression over four features of a chunk, which `intelli.retrieval.fusion` describes. This
learns it again: chunks as the product ranks them, labelled by whether they answer their query, a part of the queries
held back to measure on. Every set counts the same, however many queries it has. The weight of coverage was chosen by
hand, so the rest is learnt once with it as it is and once together with it. Height and lead nearly say the same, so
their sum is well determined, but not how it falls on the two. Nothing of the product is changed.
`python -m bench.learn_fusion [--depth 20] [set …]`.
"""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench import retrieval_sets
from bench.bulk_library import BulkLibrary
from bench.figures import Comparison, Size
from bench.retrieval_sets import Set
from bench.scratch import SECRET, scratch
from bench.search_quality import CachingEmbedders, _ndcg
from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.settings import EmbeddingSettings
from intelli.retrieval import analysis, fusion, lexical, ranking, spaces
from intelli.retrieval.ranking import Ranked, RankedQuery
from intelli.retrieval.store import lexical as lexical_store
from intelli.retrieval.store import scope
from intelli.retrieval.store.lexical import ReadingFilter
from intelli.retrieval.store.scope import SearchFilter

QUESTION = "Which coefficients of relevance do the sets teach, and how good are they beside those in use?"
# Claims, questions in six languages, and chats. Pages of PDFs are left to measure on.
SETS = ("scifact", "beam", *(f"xquad-{language}" for language in retrieval_sets.LANGUAGES))
NAMES = ("bias", "height", "lead", "deviations", "fullness")
_DEPTH = 20
# Of so many queries, one is held back.
_HELD_BACK = 3
_RIDGE = 1e-6
_STEPS = 40
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """Best chunks of a query: features of each, the item it counts as, and the item's graded relevance."""

    set: str
    features: Numbers
    items: tuple[str, ...]
    grades: dict[str, int]

    @property
    def labels(self) -> Numbers:
        """One for a chunk that answers, none for another."""
        return np.array([item in self.grades for item in self.items], float)


def in_use() -> Numbers:
    """The coefficients of the product."""
    return np.array([fusion._BIAS, fusion._HEIGHT, fusion._LEAD, fusion._DEVIATIONS, fusion._FULLNESS])


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """Learn from all sets; from one at the smallest size."""
    return await learn(size.of(SETS, ("scifact",)), depth=_DEPTH)


async def learn(names: tuple[str, ...], *, depth: int) -> list[Comparison]:
    """Print the coefficients and how good each of them are on the queries that were held back."""
    judged = await gather(names, depth=depth)
    train = [each for number, each in enumerate(judged) if number % _HELD_BACK]
    test = judged[::_HELD_BACK]
    found = {
        "in use": in_use(),
        "learnt, coverage as it is": fit(train, fullness=float(in_use()[-1])),
        "all learnt": fit(train),
    }
    print(f"{len(train)} queries to learn from, {len(test)} held back; their {depth} best chunks each")
    print(f"{'':<28}" + "".join(f"{name:>12}" for name in NAMES) + f"{'log loss':>12}{'nDCG@10':>10}")
    for way, weights in found.items():
        figures = "".join(f"{weight:12.3f}" for weight in weights)
        print(f"{way:<28}{figures}{loss(test, weights):12.4f}{gain(test, weights):10.4f}")
    return [
        Comparison("log loss on queries held back", "", {way: loss(test, each) for way, each in found.items()}),
        Comparison("nDCG@10 in the order of relevance", "", {way: gain(test, each) for way, each in found.items()}),
    ]


async def gather(names: tuple[str, ...], *, depth: int) -> list[Judged]:
    """What the product's ranking sees of the sets' queries."""
    judged: list[Judged] = []
    with scratch(workspaces=len(names)) as place:
        database = Database(place.app_url, secret=SECRET, pool_size=4, timeout_s=3600)
        for each, workspace in zip(retrieval_sets.load(names), place.workspaces, strict=False):
            embedders = CachingEmbedders(EmbeddingSettings(name=EmbeddingName.STATIC))
            library = BulkLibrary(database, place.admin_url, workspace, embedders)
            await library.fill(each.documents)
            judged += [await _judge(each, library, query, depth=depth) for query in each.queries]
        await database.close()
    return [each for each in judged if each.items]


async def _judge(each: Set, library: BulkLibrary, query: str, *, depth: int) -> Judged:
    """Rank as `ranking.rank` does, but for what stands as it is written, which is judged after relevance."""
    text = each.queries[query]
    meaning = await library.meaning(text)
    async with library.database.begin(System(library.tenant_id)) as tx:
        space = await spaces.find_active(tx)
        folder = each.folders.get(query)
        within = ReadingFilter(await scope.list_readings(tx, SearchFilter(folder_path=folder)) if folder else None)
        question = RankedQuery(text, meaning, within, await lexical_store.load_sizes(tx, within))
        assert space is not None, "the library made one"
        near = await ranking.nearest(tx, question, space, meaning) if meaning and meaning.weight > 0 else {}
        words = analysis.parse_query(text, [size.language for size in question.sizes])
        also = np.fromiter(sorted(near), np.int64, len(near))
        found = await lexical.rank(tx, words, question.sizes, within, also=also)
        keys = np.union1d(found.best(ranking._BEST_WORDS), also)
        if meaning and near:
            meaning = ranking._reduce_weight(meaning, near)
            near |= await ranking._load_cosines(tx, space, meaning, [key for key in keys.tolist() if key not in near])
        scored = ranking._fuse(keys, found, near, meaning if near else None)
        is_copy = await ranking._copies(tx, scored)
    features = signs(scored.scores, scored.coverage, is_copy)
    relevance = fusion.relevance(scored.scores, scored.coverage, is_copy)
    assert np.allclose(np.minimum.accumulate(chance(features, in_use())), relevance), "the features are the product's"
    items = library.items_of(Ranked(scored.keys, relevance, found.worth), limit=depth)
    return Judged(each.name, features[:depth], tuple(items), each.relevant[query])


def signs(scores: Numbers, coverage: Numbers, is_copy: NDArray[np.bool_]) -> Numbers:
    """The features of chunks by their scores in falling order, as relevance sees them; the first is always one."""
    others = fusion._by_chance(is_copy)
    level = min(fusion._mean(scores[others], fusion._USUAL_LEVEL), fusion._HIGHEST_LEVEL)
    spread = max(fusion._spread(scores[others]), fusion._LEAST_SPREAD)
    lead = scores - level
    usual = fusion._mean(coverage[others], fusion._USUAL_COVERAGE)
    fullness = np.clip((coverage - usual - fusion._SOME) / (1 - fusion._SOME), 0, 1)
    deviations = np.minimum(lead / spread, fusion._MOST_DEVIATIONS)
    return np.column_stack([np.ones(len(scores)), scores, lead, deviations, fullness])


def fit(judged: Sequence[Judged], *, fullness: float | None = None) -> Numbers:
    """Logistic regression by Newton's method, with just enough ridge to be solvable; `fullness` is kept if given."""
    features, labels = np.vstack([each.features for each in judged]), np.concatenate([each.labels for each in judged])
    worth = _worth(judged)
    free = len(NAMES) - (fullness is not None)
    fixed = features[:, -1] * fullness if fullness is not None else np.zeros(len(labels))
    rows, weights = features[:, :free], np.zeros(free)
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-(rows @ weights + fixed)))
        curvature = (rows * (worth * expected * (1 - expected))[:, None]).T @ rows + _RIDGE * np.eye(free)
        weights -= np.linalg.solve(curvature, rows.T @ (worth * (expected - labels)) + _RIDGE * weights)
    return weights if fullness is None else np.append(weights, fullness)


def chance(features: Numbers, weights: Numbers) -> Numbers:
    """How likely chunks are to answer, each by itself."""
    return np.asarray(1 / (1 + np.exp(-(features @ weights))))


def loss(judged: Sequence[Judged], weights: Numbers) -> float:
    """How far the chances are from what is true, every set counting the same."""
    expected = np.clip(np.concatenate([chance(each.features, weights) for each in judged]), 1e-9, 1 - 1e-9)
    labels = np.concatenate([each.labels for each in judged])
    worth = _worth(judged)
    return float(-(worth * (labels * np.log(expected) + (1 - labels) * np.log(1 - expected))).sum() / worth.sum())


def gain(judged: Sequence[Judged], weights: Numbers) -> float:
    """nDCG@10 if chunks stood in the order of their chances. The product orders them by their fused scores instead."""
    gains = []
    for each in judged:
        order = np.argsort(-chance(each.features, weights), kind="stable")
        gains.append(_ndcg(list(dict.fromkeys(each.items[at] for at in order)), each.grades))
    return sum(gains) / len(gains)


def _worth(judged: Sequence[Judged]) -> Numbers:
    """What each chunk counts, so that all sets count the same."""
    sizes: dict[str, int] = {}
    for each in judged:
        sizes[each.set] = sizes.get(each.set, 0) + len(each.items)
    mean = sum(sizes.values()) / len(sizes)
    return np.concatenate([np.full(len(each.items), mean / sizes[each.set]) for each in judged])


def main() -> None:
    """Learn as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m bench.learn_fusion", description=__doc__)
    parser.add_argument("sets", nargs="*", help="sets to learn from; all unless named")
    parser.add_argument("--depth", type=int, default=_DEPTH, help="chunks of each query")
    given = parser.parse_args()
    asyncio.run(learn(tuple(given.sets) or SETS, depth=given.depth))


if __name__ == "__main__":
    main()
