"""How long does it take to build the index of a large workspace, beside the way of the release before, and who waits?

The way before: one `create index` on the rows of a workspace in the table of all, in 256 MB, which locks that table
against writing. The vectors are synthetic, around a thousand centres.
`python -m bench.index_build [vectors]`.
"""

import argparse
import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from statistics import quantiles
from uuid import UUID

import psycopg

from bench import vector_rows
from bench.figures import Comparison, Size
from bench.scratch import SECRET, Scratch, scratch
from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.settings import EmbeddingSettings
from intelli.retrieval import index, spaces, vector_builds
from intelli.retrieval.ports import ChunkPiece, ReadingLanguage

QUESTION = "How long to build the index of a large workspace, and how long do uploads take meanwhile? Less is better."
_VECTORS = 100_000
_UPLOADS = 300
_CHUNKS = 5
_TIMEOUT_S = 7200
_BEFORE = """
    create index on vectors using hnsw ((embedding::halfvec({dimensions})) halfvec_cosine_ops)
     where tenant_id = '{workspace}' and space = {space}
"""


@dataclass(frozen=True)
class _Reading:
    number: int
    language: str | None = "en"


@dataclass(frozen=True)
class _Chunk:
    body: str
    section: str | None = None


@dataclass
class _Bench:
    place: Scratch
    database: Database
    embedders: Embedders
    turn: "count[int]" = field(default_factory=count)

    @property
    def workspace(self) -> UUID:
        return self.place.workspaces[0]

    def begin(self) -> vector_builds.Begin:
        return partial(self.database.begin, System(self.workspace), timeout_s=_TIMEOUT_S)

    async def prepare(self, size: int) -> None:
        async with self.begin()() as tx:
            await spaces.ensure_active(tx, self.embedders.chosen)
        await asyncio.to_thread(self._fill, size)

    def build_as_before(self) -> float:
        """Seconds that the release before takes; the index is dropped again."""
        statement = _BEFORE.format(dimensions=vector_rows.DIMENSIONS, workspace=self.workspace, space=vector_rows.SPACE)
        with psycopg.connect(self.place.admin_url) as connection:
            connection.execute("set maintenance_work_mem = '256MB'")
            begun = time.perf_counter()
            connection.execute(statement)  # type: ignore[arg-type]  # names of ours
            taken = time.perf_counter() - begun
            connection.rollback()
        return taken

    async def build(self) -> float:
        """Seconds until searches use the new table, and what it replaces is gone."""
        begun = time.perf_counter()
        await vector_builds.build(self.begin(), vector_rows.SPACE)
        taken = time.perf_counter() - begun
        await vector_builds.remove_left(self.begin())
        return taken

    async def upload(self) -> float:
        """Milliseconds until a text that was read is found by its words and its vectors."""
        number = await asyncio.to_thread(self._add_reading)
        chunks: Sequence[ChunkPiece] = [_Chunk(f"Upload {number} tells of matter {each}.") for each in range(_CHUNKS)]
        reading: ReadingLanguage = _Reading(number)
        begun = time.perf_counter()
        await index.add(self.begin(), reading, chunks, embedders=self.embedders)
        return (time.perf_counter() - begun) * 1000

    async def uploads(self, least: int, until: "asyncio.Task[float] | None" = None) -> list[float]:
        """Upload one after the other, until a task has ended."""
        taken: list[float] = []
        while len(taken) < least if until is None else not until.done():
            taken.append(await self.upload())
        return taken

    def _fill(self, size: int) -> None:
        with psycopg.connect(self.place.admin_url) as connection:
            vector_rows.fill(connection, self.workspace, size, clusters=vector_rows.Clusters(), name="filled")
        with psycopg.connect(self.place.admin_url, autocommit=True) as connection:
            connection.execute("vacuum analyze vectors, readings, indexed")

    def _add_reading(self) -> int:
        with psycopg.connect(self.place.admin_url) as connection:
            name = f"upload {next(self.turn)}"
            return vector_rows.add_readings(connection, self.workspace, name, 1, chunks=_CHUNKS)[0]


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """The usual number of vectors, and a few that show that every line runs."""
    return await building(size.of(_VECTORS, 400), uploads=size.of(_UPLOADS, 3))


async def building(size: int, *, uploads: int = _UPLOADS) -> list[Comparison]:
    """Build as before and as now, alone; then once more while texts are uploaded, beside uploads without."""
    with scratch(workspaces=1) as place:
        database = Database(place.app_url, secret=SECRET, pool_size=6)
        bench = _Bench(place, database, Embedders(EmbeddingSettings(name=EmbeddingName.STATIC)))
        await bench.prepare(size)
        before = await asyncio.to_thread(bench.build_as_before)
        now = await bench.build()
        alone = await bench.uploads(uploads)
        rebuilding = asyncio.create_task(bench.build())
        meanwhile = await bench.uploads(uploads, until=rebuilding)
        await rebuilding
        alone += await bench.uploads(uploads)
        await database.close()
    built = {"the release before": before, "now": now}
    waits = {"while nothing is built": _p99(alone), f"while it is built again ({len(meanwhile)})": _p99(meanwhile)}
    return [
        Comparison(f"index of {size:,} vectors", "s", built),
        Comparison("upload of a text, 99th percentile", "ms", waits),
    ]


def _p99(times: Sequence[float]) -> float:
    return quantiles(times, n=100)[98] if len(times) > 1 else 0.0


def main() -> None:
    from bench.figures import show

    parser = argparse.ArgumentParser(prog="python -m bench.index_build", description=__doc__)
    parser.add_argument("vectors", nargs="?", type=int, default=_VECTORS)
    show(QUESTION, asyncio.run(building(parser.parse_args().vectors)))


if __name__ == "__main__":
    main()
