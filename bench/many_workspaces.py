"""What do thousands of workspaces, each with an index of vectors, cost one of them?

Two databases side by side, one with a single workspace, searched and written to in turns. The indexes are small, made
so for the purpose: what may grow is what all workspaces share, the catalogue and the plans.
`python -m bench.many_workspaces [workspaces]`.
"""

import argparse
import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from statistics import median
from uuid import UUID

import numpy as np
import psycopg

from bench import vector_rows
from bench.figures import Comparison, Size
from bench.scratch import SECRET, Scratch, scratch
from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.reasoning.ports import Vectors
from intelli.retrieval import vector_builds
from intelli.retrieval.store import vectors
from intelli.retrieval.store.lexical import ReadingFilter

QUESTION = "What do 2,000 workspaces with an index each cost one of them, beside one alone? Times: more is slower."
_WORKSPACES, _VECTORS = 2_000, 60
_ROUNDS, _WARM_UPS = 400, 50
_WRITTEN = 5
_LIMIT = 20


@dataclass
class _Place:
    """A database of so many workspaces; its measured transactions go from one workspace to the next."""

    scratch: Scratch
    database: Database
    readings: dict[UUID, list[int]] = field(default_factory=dict)
    turn: "count[int]" = field(default_factory=count)

    async def fill(self, clusters: vector_rows.Clusters) -> None:
        for number, workspace in enumerate(self.scratch.workspaces):
            with psycopg.connect(self.scratch.admin_url) as connection:
                vector_rows.add_space(connection, workspace, "bench")
                name = f"{number}"
                self.readings[workspace] = vector_rows.fill(
                    connection, workspace, _VECTORS, clusters=clusters, name=name
                )
            await vector_builds.build(partial(self.database.begin, System(workspace)), vector_rows.SPACE)
        with psycopg.connect(self.scratch.admin_url, autocommit=True) as connection:
            connection.execute("truncate vectors")
            connection.execute("vacuum analyze")

    async def search(self, vector: Vectors) -> float:
        """Milliseconds of a search by meaning, in a transaction of its own."""
        workspace = self.scratch.workspaces[next(self.turn) % min(len(self.scratch.workspaces), 50)]
        begun = time.perf_counter()
        async with self.database.begin(System(workspace), is_snapshot=True) as tx:
            space = await vectors.find_number(tx, vector_rows.SPACE)
            assert space is not None
            found = await vectors.find_nearest(tx, space, vector, ReadingFilter(), limit=_LIMIT, is_exact=False)
        assert len(found) == _LIMIT
        return (time.perf_counter() - begun) * 1000

    async def write(self, drawn: Vectors) -> float:
        """Milliseconds of a transaction that writes the vectors of a few more chunks."""
        turn = next(self.turn)
        workspace = self.scratch.workspaces[turn % min(len(self.scratch.workspaces), 50)]
        places = [(self.readings[workspace][0], 1_000 + turn * _WRITTEN + each) for each in range(_WRITTEN)]
        begun = time.perf_counter()
        async with self.database.begin(System(workspace)) as tx:
            await vectors.lock_spaces_shared(tx)
            space = await vectors.find_number(tx, vector_rows.SPACE)
            assert space is not None
            await vectors.add(tx, space, places, drawn)
        return (time.perf_counter() - begun) * 1000


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """One workspace beside 2,000, and a few that show that every line runs."""
    return await beside(size.of(_WORKSPACES, 3), rounds=size.of(_ROUNDS, 2), warm_ups=size.of(_WARM_UPS, 0))


async def beside(workspaces: int, *, rounds: int = _ROUNDS, warm_ups: int = _WARM_UPS) -> list[Comparison]:
    """Measure a search and a write in a database of one workspace and in one of many, in turns."""
    clusters = vector_rows.Clusters()
    with scratch(workspaces=1) as one, scratch(workspaces=workspaces) as many:
        places = [_Place(each, Database(each.app_url, secret=SECRET, pool_size=2)) for each in (one, many)]
        for place in places:
            await place.fill(clusters)
        searches, writes = [
            await _times(places, way, clusters, rounds=rounds, warm_ups=warm_ups) for way in ("search", "write")
        ]
        for place in places:
            await place.database.close()
    names = ("1 workspace", f"{workspaces:,} workspaces")
    return [
        Comparison(f"{name}, median", "ms", dict(zip(names, (median(each) for each in times), strict=True)))
        for name, times in (("search by meaning", searches), (f"write {_WRITTEN} vectors", writes))
    ]


async def _times(
    places: Sequence[_Place], way: str, clusters: vector_rows.Clusters, *, rounds: int, warm_ups: int
) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in places]
    for number in range(rounds + warm_ups):
        drawn = clusters.draw(_WRITTEN)
        for place, taken in zip(places, times, strict=True):
            took = await (place.search(np.asarray(drawn[0])) if way == "search" else place.write(drawn))
            if number >= warm_ups:
                taken.append(took)
    return times


def main() -> None:
    from bench.figures import show

    parser = argparse.ArgumentParser(prog="python -m bench.many_workspaces", description=__doc__)
    parser.add_argument("workspaces", nargs="?", type=int, default=_WORKSPACES)
    show(QUESTION, asyncio.run(beside(parser.parse_args().workspaces)))


if __name__ == "__main__":
    main()
