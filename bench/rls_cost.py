"""What does row-level security cost a query, against a superuser who filters by hand?"""

import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from random import Random
from uuid import UUID

import psycopg
from sqlalchemy import text

from bench.figures import Comparison, Measurement, Size, compare
from bench.scratch import SECRET, Scratch, scratch
from intelli.kit.context import System
from intelli.kit.db import Database, session_options
from intelli.kit.ids import uuid7

QUESTION = "What does row-level security cost? 20 workspaces of 5,000 rows. Times: more is slower."
_WORKSPACES, _ROWS = 20, 5_000
_ROUNDS = 7
_US = 1e6
_ENTER = "select intelli_enter(%s, null, null, null, null, null, null)"


@dataclass(frozen=True)
class _Query:
    """A query with and without an explicit tenant condition; run `many` times in a row."""

    filtered: str
    unfiltered: str
    many: int


_POINT = _Query(
    "select key from effects where tenant_id = cast(:tenant as uuid) and id = cast(:id as uuid)",
    "select key from effects where id = cast(:id as uuid)",
    many=300,
)
_SCAN = _Query(
    "select count(key), max(created_at) from effects where tenant_id = cast(:tenant as uuid)",
    "select count(key), max(created_at) from effects",
    many=20,
)


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """A point query and a scan inside one transaction, and a whole transaction around one point query."""
    async with AsyncExitStack() as stack:
        place = stack.enter_context(scratch(workspaces=size.of(_WORKSPACES, 2)))
        ids = _fill(place, size.of(_ROWS, 10))
        rounds = size.of(_ROUNDS, 1)
        admin = await stack.enter_async_context(await psycopg.AsyncConnection.connect(place.admin_url))
        ours = await psycopg.AsyncConnection.connect(place.app_url, options=session_options())
        await stack.enter_async_context(ours)
        database = Database(place.app_url, secret=SECRET)
        stack.push_async_callback(database.close)
        bench = _Bench(admin, ours, database, place.workspaces[0], ids)
        return [
            await compare("point query", "µs", bench.inside(_POINT), rounds=rounds),
            await compare("scan of a workspace", "µs", bench.inside(_SCAN), rounds=rounds),
            await compare("transaction around one point query", "µs", bench.around(_POINT), rounds=rounds),
        ]


def _fill(place: Scratch, rows: int) -> list[UUID]:
    """Rows of all workspaces; returns the ids of the first one's."""
    ids = [uuid7() for _ in range(rows)]
    with psycopg.connect(place.admin_url) as connection:
        with connection.cursor().copy("copy effects (tenant_id, id, key) from stdin") as copy:
            for number, workspace in enumerate(place.workspaces):
                for row_id in ids if number == 0 else (uuid7() for _ in range(rows)):
                    copy.write_row((workspace, row_id, f"key {row_id}"))
        connection.execute("analyze effects")
    return ids


@dataclass(frozen=True)
class _Bench:
    admin: psycopg.AsyncConnection[tuple[object, ...]]
    ours: psycopg.AsyncConnection[tuple[object, ...]]
    database: Database
    workspace: UUID
    ids: list[UUID]

    def inside(self, query: _Query) -> Mapping[str, Measurement]:
        return {
            "superuser, filter by hand (psycopg)": lambda: self._psycopg(self.admin, query),
            "our role, policy and filter (psycopg)": lambda: self._psycopg(self.ours, query),
            "our role, policy and filter (Database.begin)": lambda: self._tx(query.filtered, query.many),
            "our role, policy alone (Database.begin)": lambda: self._tx(query.unfiltered, query.many),
        }

    def around(self, query: _Query) -> Mapping[str, Measurement]:
        return {
            "superuser, filter by hand (psycopg)": lambda: self._psycopg_transactions(query),
            "our role, policy and filter (Database.begin)": lambda: self._transactions(query),
        }

    async def _psycopg(self, connection: psycopg.AsyncConnection[tuple[object, ...]], query: _Query) -> float:
        statement = _for_psycopg(query.filtered)
        async with connection.transaction():
            if connection is self.ours:
                await connection.execute(_ENTER, (str(self.workspace),))
            begun = time.perf_counter()
            for parameters in self._parameters(query.many):
                await (await connection.execute(statement, parameters)).fetchall()
            return (time.perf_counter() - begun) / query.many * _US

    async def _tx(self, query: str, many: int) -> float:
        statement = text(query)
        async with self.database.begin(System(self.workspace)) as tx:
            begun = time.perf_counter()
            for parameters in self._parameters(many):
                (await tx.session.execute(statement, parameters)).all()
            return (time.perf_counter() - begun) / many * _US

    async def _psycopg_transactions(self, query: _Query) -> float:
        statement = _for_psycopg(query.filtered)
        begun = time.perf_counter()
        for parameters in self._parameters(query.many):
            async with self.admin.transaction():
                await (await self.admin.execute(statement, parameters)).fetchall()
        return (time.perf_counter() - begun) / query.many * _US

    async def _transactions(self, query: _Query) -> float:
        statement = text(query.filtered)
        begun = time.perf_counter()
        for parameters in self._parameters(query.many):
            async with self.database.begin(System(self.workspace)) as tx:
                (await tx.session.execute(statement, parameters)).all()
        return (time.perf_counter() - begun) / query.many * _US

    def _parameters(self, many: int) -> list[dict[str, str]]:
        chosen = Random(many).choices(self.ids, k=many)
        return [{"tenant": str(self.workspace), "id": str(row_id)} for row_id in chosen]


def _for_psycopg(query: str) -> str:
    return query.replace(":tenant", "%(tenant)s").replace(":id", "%(id)s")
