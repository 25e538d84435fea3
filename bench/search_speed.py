"""How long does a search take, and how does that grow with what is indexed?

Real sentences, recombined into passages; real claims as queries. One workspace grows; every figure of a size stands
beside that of the size before. `python -m bench.search_speed [chunks …]`.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import quantiles

import psycopg

from bench.retrieval_sets import DATA, Document, Passage, rows
from bench.scratch import scratch
from bench.shelf import Shelf
from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.library.sources import SOURCES, Sources
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.settings import EmbeddingSettings
from intelli.retrieval import search, spaces, wire
from intelli.retrieval.store import vectors
from intelli.retrieval.store.lexical import Within

_SIZES = (1_000, 10_000, 100_000)
_PER_DOCUMENT = 20
_QUERIES = 150
_RECALL_QUERIES = 50


@dataclass(frozen=True)
class Figures:
    """Milliseconds at a size, by way of searching: median and the 95th percentile."""

    chunks: int
    times: dict[str, tuple[float, float]]
    recall: float
    megabytes: dict[str, float]
    chunks_per_s: float


async def measure(sizes: Sequence[int] = _SIZES) -> list[Figures]:
    """All figures, from the smallest size to the largest."""
    random = Random(11)
    sentences = list(_sentences())
    queries = [str(row["text"]) for row in rows(DATA / "scifact" / "queries.jsonl")][:_QUERIES]
    found: list[Figures] = []
    with scratch(workspaces=1) as place:
        database = Database(place.app_url, pool_size=4, timeout_s=3600)
        shelf = Shelf(database, place.admin_url, place.workspaces[0], Embedders(EmbeddingSettings()))
        filled = 0
        for size in sizes:
            begun = time.perf_counter()
            await shelf.fill(_documents(random, sentences, filled // _PER_DOCUMENT, size // _PER_DOCUMENT))
            rate = (size - filled) / (time.perf_counter() - begun)
            filled = size
            times = {name: await _times(way, queries) for name, way in _ways(shelf).items()}
            found.append(Figures(size, times, await _recall(shelf, queries), _megabytes(place.admin_url), rate))
            _show(found)
        await database.close()
    return found


def _ways(shelf: Shelf) -> dict[str, Callable[[str], Awaitable[object]]]:
    begin = partial(shelf.database.begin, System(shelf.tenant_id))
    sources = Sources(SOURCES)

    async def whole(query: str) -> object:
        return await search.search(begin, wire.Search(query=query), embedders=shelf.embedders, sources=sources)

    async def words(query: str) -> object:
        return await shelf.rank(query, None)

    async def meaning(query: str) -> object:
        return await shelf.rank("", await shelf.meaning(query))

    return {"hybrid, whole answer": whole, "lexical leg": words, "vector leg": meaning}


async def _times(way: Callable[[str], Awaitable[object]], queries: Sequence[str]) -> tuple[float, float]:
    taken = []
    for query in (*queries[:20], *queries):
        begun = time.perf_counter()
        await way(query)
        taken.append((time.perf_counter() - begun) * 1000)
    cuts = quantiles(taken[20:], n=20)
    return cuts[9], cuts[18]


async def _recall(shelf: Shelf, queries: Sequence[str]) -> float:
    """Of the ten nearest by comparing with all, the share that the index gives."""
    shares = []
    for query in queries[:_RECALL_QUERIES]:
        meaning = await shelf.meaning(query)
        assert meaning is not None
        async with shelf.database.begin(System(shelf.tenant_id)) as tx:
            space = await spaces.find_active(tx)
            assert space is not None
            exact = await vectors.nearest(tx, space, meaning.vector, Within(), limit=10, is_exact=True)
            near = await vectors.nearest(tx, space, meaning.vector, Within(), limit=100, is_exact=not space.is_built)
        wanted = {place[:2] for place in exact}
        shares.append(len(wanted & {place[:2] for place in near[:10]}) / len(wanted))
    return sum(shares) / len(shares)


def _megabytes(admin_url: str) -> dict[str, float]:
    query = "select relname, pg_total_relation_size(oid) / 1e6 from pg_class where relname = any(%s)"
    with psycopg.connect(admin_url) as connection:
        found = connection.execute(query, (["postings", "vectors", "chunks"],)).fetchall()
    return {name: float(size) for name, size in found}


def _sentences() -> Iterator[list[str]]:
    """Sentences of texts, a list for each text."""
    for row in rows(DATA / "scifact" / "corpus.jsonl"):
        yield [str(sentence) for sentence in row["sentences"]]  # type: ignore[attr-defined]
    for file in sorted(Path(DATA / "beam128k" / "conversations").glob("*.jsonl")):
        for row in rows(file):
            yield str(row["text"]).replace("? ", "? \n").replace(". ", ". \n").split("\n")


def _documents(random: Random, sentences: Sequence[list[str]], start: int, end: int) -> list[Document]:
    return [
        Document(f"/{number}", tuple(Passage(_text(random, sentences), None, "") for _ in range(_PER_DOCUMENT)))
        for number in range(start, end)
    ]


def _text(random: Random, sentences: Sequence[list[str]]) -> str:
    """A passage of about a hundred words: neighbours from one text, and a few from others."""
    own = random.choice(sentences)
    at = random.randrange(len(own))
    return " ".join([*own[at : at + 4], *(random.choice(random.choice(sentences)) for _ in range(2))])


def _show(found: Sequence[Figures]) -> None:
    last, before = found[-1], found[-2] if len(found) > 1 else None
    sizes = ", ".join(f"{name} {size:.0f} MB" for name, size in last.megabytes.items())
    print(f"\n{last.chunks:,} chunks; {last.chunks_per_s:.0f} indexed a second; {sizes}; recall@10 {last.recall:.3f}")
    for name, (median, slow) in last.times.items():
        growth = f"   p95 {slow / before.times[name][1]:.2f} x that of {before.chunks:,}" if before else ""
        print(f"  {name:<24} p50 {median:7.1f} ms   p95 {slow:7.1f} ms{growth}", flush=True)


if __name__ == "__main__":
    asyncio.run(measure([int(size) for size in sys.argv[1:]] or _SIZES))
