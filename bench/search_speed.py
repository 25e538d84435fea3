"""How long does a search take, and how does that grow with what is indexed, beside named peers in the same run?

Real sentences, recombined into passages; real claims as queries. Every figure stands beside that of the size before.
Ours gives whole answers out of PostgreSQL, under its policies; the peers hold their index in their own memory and give
ten passages. `python -m bench.search_speed [--alone] [chunks …]`.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from statistics import quantiles

import psycopg
from sqlalchemy import event

from bench import data, peers
from bench.bulk_library import BulkLibrary, by_space
from bench.effort import Effort
from bench.figures import Comparison, Size
from bench.peers import Searched
from bench.retrieval_sets import Document, Passage, rows
from bench.scratch import SECRET, scratch
from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.library.sources import SOURCES, Sources
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.settings import EmbeddingSettings
from intelli.retrieval import postings, search, semantic_shares, spaces, wire
from intelli.retrieval.rerank import Rerankers
from intelli.retrieval.settings import SearchSettings
from intelli.retrieval.store import scope, vectors
from intelli.retrieval.store.scope import SearchFilter

QUESTION = "How long does a search take, and how does that grow with what is indexed? Beside named peers."
_SIZES = (1_000, 10_000, 100_000)
_FEW = (20, 40)
_PER_DOCUMENT = 20
_FOLDERS = 5
_QUERIES = 150
_WARM_UPS = 20
_RECALL_QUERIES = 50
Way = Callable[[str], Awaitable[object]]


@dataclass(frozen=True)
class Figures:
    """Milliseconds of every search at a size, by way of searching, and what else is worth knowing."""

    chunks: int
    times: Mapping[str, Sequence[float]]
    note: str


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """All sizes beside the peers; two small ones by ourselves."""
    return await speed(size.of(_SIZES, _FEW), is_alone=size is Size.SMALLEST)


async def speed(sizes: Sequence[int], *, is_alone: bool) -> list[Comparison]:
    """Print all figures, ours and then the peers', from the smallest size to the largest."""
    queries = [str(row["text"]) for row in rows(data.folder() / "scifact" / "queries.jsonl")][:_QUERIES]
    with tempfile.TemporaryDirectory() as folder:
        texts, asked = Path(folder) / "passages.jsonl", Path(folder) / "queries.json"
        _write_texts(texts, max(sizes))
        asked.write_text(json.dumps(queries), encoding="utf-8")
        found = await _ours(texts, queries, sizes)
        for peer in () if is_alone else peers.PEERS:
            theirs = peers.search(peer, texts, asked, Path(folder) / peer, sizes=sizes)
            _show_peer(theirs)
            _compare(found[-1], theirs[-1])
    return [
        Comparison(f"{way}, median", "ms", {f"{each.chunks:,} chunks": _cuts(each.times[way])[0] for each in found})
        for way in found[0].times
    ]


async def _ours(texts: Path, queries: Sequence[str], sizes: Sequence[int]) -> list[Figures]:
    """A workspace of each size, all searched in turns, so that a slow moment of the machine falls on every size."""
    with scratch(workspaces=len(sizes)) as place:
        database = Database(place.app_url, secret=SECRET, pool_size=4, timeout_s=3600)
        embedders = Embedders(EmbeddingSettings(name=EmbeddingName.STATIC))
        libraries = [BulkLibrary(database, place.admin_url, workspace, embedders) for workspace in place.workspaces]
        for size, library in zip(sizes, libraries, strict=True):
            await library.fill(_documents(texts, size))
        with Effort(os.getpid()) as effort:
            times = await _times([_ways(library) for library in libraries], queries)
        found: list[Figures] = []
        for size, library, taken in zip(sizes, libraries, times, strict=True):
            recalls = [await _recall(library, queries, folder) for folder in (None, "/f0")]
            found.append(Figures(size, taken, "recall@10 of exact {:.3f}, in a folder {:.3f}".format(*recalls)))
            _show("Intelli", found)
        for name, way in _ways(libraries[-1]).items():
            print(f"  {name:<20} {await _count_statements(database, way, queries[0])} statements")
        stored = ", ".join(f"{name} {size_bytes / 1e6:.0f} MB" for name, size_bytes in _sizes(place.admin_url))
        print(f"\nIntelli, all of these: {effort.peak_bytes / 1e6:.0f} MB of memory; on disk {stored}")
        await database.close()
    return found


def _ways(library: BulkLibrary) -> dict[str, Way]:
    begin = partial(library.database.begin, System(library.tenant_id))
    sources = Sources(SOURCES)
    # What ranking anew takes is bounded by a setting, and does not grow with what is indexed.
    reranker = Rerankers(library.embedders, SearchSettings(rerank_ms=0)).interactive

    async def whole(query: str, **more: str) -> object:
        request = wire.Search(query=query, **more)
        return await search.search(begin, request, embedders=library.embedders, reranker=reranker, sources=sources)

    async def words(query: str) -> object:
        return await library.rank(query, None)

    async def meaning(query: str) -> object:
        return await library.rank("", await library.meaning(query))

    in_folder = partial(whole, folder="/f0")
    return {"hybrid": whole, "hybrid, in a folder": in_folder, "words alone": words, "meaning alone": meaning}


async def _times(libraries: Sequence[dict[str, Way]], queries: Sequence[str]) -> list[dict[str, list[float]]]:
    taken: list[dict[str, list[float]]] = [{name: [] for name in ways} for ways in libraries]
    warm_ups = queries[:_WARM_UPS]
    for number, query in enumerate((*warm_ups, *queries)):
        for ways, times in zip(libraries, taken, strict=True):
            for name, way in ways.items():
                begun = time.perf_counter()
                await way(query)
                if number >= len(warm_ups):
                    times[name].append((time.perf_counter() - begun) * 1000)
    return taken


async def _count_statements(database: Database, way: Way, query: str) -> int:
    """Statements of one search, with that which begins its transaction."""
    said: list[object] = []

    def count(*given: object) -> None:
        said.append(given[2])

    event.listen(database.engine.sync_engine, "before_cursor_execute", count)
    await way(query)
    event.remove(database.engine.sync_engine, "before_cursor_execute", count)
    return len(said)


async def _recall(library: BulkLibrary, queries: Sequence[str], folder: str | None) -> float:
    """Of the ten nearest by comparing with all, the share that a search gets."""
    shares = []
    for query in queries[:_RECALL_QUERIES]:
        meaning = await library.meaning(query)
        assert meaning is not None
        async with library.database.begin(System(library.tenant_id)) as tx:
            space = await spaces.find_active(tx)
            assert space is not None
            looked_at = await scope.load(tx, SearchFilter(folder_path=folder))
            exact = await vectors.find_nearest(tx, space, meaning.vector, looked_at.within, limit=10, is_exact=True)
            asked = semantic_shares.pair([space], by_space(meaning))
            near = (await semantic_shares.find_nearest(tx, asked, looked_at.within, chunks=looked_at.chunks)).shares
        nearest = sorted(near, key=lambda key: -near[key])[:10]
        wanted = {postings.key_of(reading, index) for reading, index, _ in exact}
        shares.append(len(wanted & set(nearest)) / len(wanted))
    return sum(shares) / len(shares)


def _sizes(admin_url: str) -> Sequence[tuple[str, float]]:
    query = "select relname, pg_total_relation_size(oid) from pg_class where relname = any(%s) order by 1"
    with psycopg.connect(admin_url) as connection:
        return connection.execute(
            query, (["postings", "chunk_terms", "frequent_terms", "vectors", "chunks"],)
        ).fetchall()


def _write_texts(path: Path, count: int) -> None:
    random = Random(11)
    sentences = list(_sentences())
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(_text(random, sentences))}\n" for _ in range(count))


def _sentences() -> Iterator[list[str]]:
    """Sentences of texts, a list for each text."""
    for row in rows(data.folder() / "scifact" / "corpus.jsonl"):
        yield [str(sentence) for sentence in row["sentences"]]
    for file in sorted(Path(data.folder() / "beam128k" / "conversations").glob("*.jsonl")):
        for row in rows(file):
            yield str(row["text"]).replace("? ", "? \n").replace(". ", ". \n").split("\n")


def _text(random: Random, sentences: Sequence[list[str]]) -> str:
    """A passage of about a hundred words: neighbours from one text, and a few from others."""
    own = random.choice(sentences)
    at = random.randrange(len(own))
    return " ".join([*own[at : at + 4], *(random.choice(random.choice(sentences)) for _ in range(2))])


def _documents(texts: Path, count: int) -> Iterator[Document]:
    with texts.open(encoding="utf-8") as lines:
        for number in range(count // _PER_DOCUMENT):
            own = tuple(Passage(json.loads(line), None, "") for line in islice(lines, _PER_DOCUMENT))
            yield Document(f"/f{number % _FOLDERS}/{number}", own)


def _show_peer(found: Sequence[Searched]) -> None:
    figures = [
        Figures(
            each.chunks,
            {"search": each.times_ms},
            f"{each.chunks_per_s:.0f} indexed a second; {each.peak_bytes / 1e6:.0f} MB of memory",
        )
        for each in found
    ]
    for count in range(1, len(figures) + 1):
        _show(found[0].name, figures[:count])


def _compare(ours: Figures, theirs: Searched) -> None:
    median, slow = _cuts(theirs.times_ms)
    for way, times in ours.times.items():
        own_median, own_slow = _cuts(times)
        print(f"  ours, {way:<20} p50 {own_median / median:5.2f} x   p95 {own_slow / slow:5.2f} x", flush=True)


def _show(name: str, found: Sequence[Figures]) -> None:
    last, before = found[-1], found[-2] if len(found) > 1 else None
    print(f"\n{name}, {last.chunks:,} chunks: {last.note}")
    for way, times in last.times.items():
        median, slow = _cuts(times)
        growth = f"   p95 {slow / _cuts(before.times[way])[1]:.2f} x that of {before.chunks:,}" if before else ""
        print(f"  {way:<20} p50 {median:7.1f} ms   p95 {slow:7.1f} ms{growth}", flush=True)


def _cuts(times: Sequence[float]) -> tuple[float, float]:
    cuts = quantiles(times, n=20)
    return cuts[9], cuts[18]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.search_speed", description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=_SIZES, metavar="chunks")
    parser.add_argument("--alone", action="store_true", help="leave the peers out")
    given = parser.parse_args()
    asyncio.run(speed(given.sizes, is_alone=given.alone))


if __name__ == "__main__":
    main()
