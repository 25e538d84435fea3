"""Reuses databases between tests: emptied when only rows changed, dropped when anything else did."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, LiteralString
from uuid import uuid4

import psycopg
from psycopg import Connection, sql

# More than this is left to a new database: what was deleted slows the tests after it.
_MOST_ROWS = 5000
_END_MS = 10_000

_CATALOGUES = (
    "pg_class", "pg_attribute", "pg_attrdef", "pg_constraint", "pg_index", "pg_proc", "pg_trigger", "pg_policy",
    "pg_type", "pg_namespace", "pg_extension", "pg_rewrite", "pg_default_acl",
)  # fmt: skip
# An approximate index still meets what was deleted, and then finds less; only a B-tree is as good as new.
_TABLES = """
select quote_ident(n.nspname) || '.' || quote_ident(c.relname),
       exists (select from pg_index i join pg_class k on k.oid = i.indexrelid join pg_am a on a.oid = k.relam
               where i.indrelid = c.oid and a.amname <> 'btree')
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
"""
_REWIND = """
select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
from pg_sequences where last_value is not null
"""
_END_OTHERS = """
select pg_terminate_backend(pid, %s) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
"""


@dataclass(frozen=True)
class State:
    """State of a new copy: its empty tables, and a fingerprint of everything but rows."""

    empty: tuple[str, ...]
    lasting: frozenset[str]
    asking: str
    sign: str

    @classmethod
    def of(cls, connection: Connection[Any]) -> "State":
        """Record the state of an unused database."""
        tables = dict(connection.execute(_TABLES).fetchall())
        filled = _filled(connection, tuple(tables))
        empty = tuple(table for table in tables if table not in filled)
        lasting = frozenset(table for table, is_approximate in tables.items() if is_approximate)
        changes = [f"(select count(*) || '/' || max(xmin::text::bigint) from {it})" for it in (*_CATALOGUES, *filled)]
        asking = f"select concat_ws(' ', {', '.join(changes)})"
        return cls(empty, lasting, asking, _told(connection, asking))

    def restore(self, connection: Connection[Any]) -> bool:
        """Delete the rows of a test; False when more than rows changed, or too many of them."""
        connection.execute(_END_OTHERS, [_END_MS])
        if _told(connection, self.asking) != self.sign:
            return False
        filled = _filled(connection, self.empty)
        if self.lasting.intersection(filled):
            return False
        connection.execute("set session_replication_role = replica")
        rows = sum(connection.execute(f"delete from {table}").rowcount for table in filled)  # type: ignore[arg-type]
        connection.execute(_REWIND)
        return rows <= _MOST_ROWS


class Spares:
    """Pool of one process's reusable databases."""

    def __init__(self, maintenance_url: str, template: str) -> None:
        self._maintenance_url = maintenance_url
        self._template = template
        self._state: State | None = None
        self._waiting: list[str] = []

    @contextmanager
    def use(self) -> Iterator[str]:
        """The name of a database that looks new."""
        name = self._waiting.pop() if self._waiting else self._copy()
        if self._state is None:
            with self._inside(name) as connection:
                self._state = State.of(connection)
        try:
            yield name
        finally:
            self._take_back(name, self._state)

    def _take_back(self, name: str, state: State) -> None:
        with self._inside(name) as connection:
            is_restored = state.restore(connection)
        if is_restored:
            self._waiting.append(name)
        else:
            self._execute("drop database {} with (force)", name)

    def _copy(self) -> str:
        name = f"test_{uuid4().hex}"
        self._execute("create database {} template {}", name, self._template)
        return name

    def _execute(self, statement: LiteralString, *names: str) -> None:
        with psycopg.connect(self._maintenance_url, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

    def _inside(self, name: str) -> Connection[Any]:
        return psycopg.connect(self._maintenance_url, dbname=name, autocommit=True)


def _told(connection: Connection[Any], asking: str) -> str:
    [answer] = connection.execute(asking).fetchone() or ("",)  # type: ignore[arg-type]  # names from the catalogue
    return str(answer)


def _filled(connection: Connection[Any], tables: tuple[str, ...]) -> list[str]:
    """Return the tables that have rows."""
    asked = " union all ".join(f"select '{table}' where exists (select from {table})" for table in tables)
    return [table for (table,) in connection.execute(asked)]  # type: ignore[arg-type]  # names from the catalogue
