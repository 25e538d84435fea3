"""How many commits a second go through `Database.begin`, against a bare psycopg loop?"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from uuid import UUID

import psycopg

from bench.figures import Comparison, Measurement, Size, compare
from bench.scratch import SECRET, Scratch, scratch
from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.kit.ids import uuid7
from intelli.kit.tables import Effect

QUESTION = "How many commits a second? Rates: more is faster. Every commit is durable (fsync on)."
_AT_ONCE = 8
_ROUNDS = 3
_SPAN_S = 1.0
_INSERT = "insert into effects (tenant_id, id, key) values (%s, %s, %s)"
Commit = Callable[[UUID], Awaitable[None]]


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """One writer; eight writers in eight workspaces; eight writers who share one workspace and so its audit chain."""
    span_s = size.of(_SPAN_S, 0.05)
    with scratch(workspaces=_AT_ONCE) as place:
        database = Database(place.app_url, secret=SECRET, pool_size=_AT_ONCE)
        try:
            writers = {
                "1 writer": place.workspaces[:1],
                "8 writers, a workspace each": place.workspaces,
                "8 writers in one workspace": place.workspaces[:1] * _AT_ONCE,
            }
            return [
                await compare(name, "commits/s", _ways(place, database, workspaces, span_s), rounds=size.of(_ROUNDS, 1))
                for name, workspaces in writers.items()
            ]
        finally:
            await database.close()


def _ways(place: Scratch, database: Database, workspaces: Sequence[UUID], span_s: float) -> Mapping[str, Measurement]:
    async def insert(workspace: UUID) -> None:
        async with database.begin(System(workspace)) as tx:
            tx.session.add(_effect(workspace))

    async def insert_and_record(workspace: UUID) -> None:
        async with database.begin(System(workspace)) as tx:
            tx.session.add(_effect(workspace))
            await record(tx, EventType.COMPLETION, entity=("effect", workspace))

    return {
        "insert (bare psycopg)": lambda: _bare(place, workspaces, span_s),
        "insert (Database.begin)": lambda: _rate([insert] * len(workspaces), workspaces, span_s),
        "insert and audit entry (Database.begin)": lambda: _rate(
            [insert_and_record] * len(workspaces), workspaces, span_s
        ),
    }


async def _bare(place: Scratch, workspaces: Sequence[UUID], span_s: float) -> float:
    connections = [await psycopg.AsyncConnection.connect(place.admin_url) for _ in workspaces]
    try:
        return await _rate([_bare_commit(connection) for connection in connections], workspaces, span_s)
    finally:
        for connection in connections:
            await connection.close()


def _bare_commit(connection: psycopg.AsyncConnection[tuple[object, ...]]) -> Commit:
    async def insert(workspace: UUID) -> None:
        effect_id = uuid7()
        await connection.execute(_INSERT, (workspace, effect_id, str(effect_id)))
        await connection.commit()

    return insert


async def _rate(commits: Sequence[Commit], workspaces: Sequence[UUID], span_s: float) -> float:
    """Commits a second of writers that all write as fast as they can for a while."""
    begun = time.perf_counter()

    async def write(commit: Commit, workspace: UUID) -> int:
        done = 0
        while time.perf_counter() - begun < span_s:
            await commit(workspace)
            done += 1
        return done

    counts = await asyncio.gather(*(write(*pair) for pair in zip(commits, workspaces, strict=True)))
    return sum(counts) / (time.perf_counter() - begun)


def _effect(workspace: UUID) -> Effect:
    effect_id = uuid7()
    return Effect(tenant_id=workspace, id=effect_id, key=str(effect_id))
