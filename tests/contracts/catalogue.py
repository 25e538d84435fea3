"""What PostgreSQL itself says about a migrated database."""

from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import namedtuple_row

# What each table without a tenant is, and why that is right.
WITHOUT_TENANT = {
    "public.alembic_version": "one row: the schema's revision",
    "public.installation": "one row: who owns the installation",
    "public.users": "an account belongs to a person, who may be in many workspaces; its policies name the person",
    "public.workspaces": "the tenant itself; its policies name its id",
    "public.throttles": "attempts of people who are not signed in, under hashed names",
    "public.familiar_networks": "that an account was signed in to from a network, under a hash of both",
    "langgraph.checkpoint_migrations": "which version of the graph library's tables these are",
    "langgraph.checkpoints": "the graph library's own; its policy reads the workspace from the thread's name",
    "langgraph.checkpoint_blobs": "likewise",
    "langgraph.checkpoint_writes": "likewise",
    "jobs.procrastinate_events": "the queue's own; workers serve all workspaces",
    "jobs.procrastinate_jobs": "the queue's own; arguments are ids, and each job binds itself to its workspace",
    "jobs.procrastinate_periodic_defers": "the queue's own; the clock belongs to no workspace",
    "jobs.procrastinate_workers": "the queue's own; signs of life",
}
# Of those, the ones that hold what one person or workspace may see and another may not.
PROTECTED_WITHOUT_TENANT = {
    "public.users",
    "public.workspaces",
    "langgraph.checkpoints",
    "langgraph.checkpoint_blobs",
    "langgraph.checkpoint_writes",
}
# What others of the workspace may read, and never write, once its person shares the conversation it belongs to.
SHARED = {"conversations", "messages", "entities", "message_citations", "message_evidence", "deliverables"}
SHARED |= {"agent_interactions", "artifacts", "manifests", "pointers"}
_OURS = "n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')"


@dataclass(frozen=True)
class Table:
    """A table, with what isolation depends on."""

    name: str
    columns: dict[str, str]
    primary_key: tuple[str, ...]
    unique: frozenset[str]
    is_enabled: bool
    is_forced: bool

    @property
    def is_tenant(self) -> bool:
        return "tenant_id" in self.columns


class Catalogue:
    """Reads as superuser, so that nothing is hidden."""

    def __init__(self, admin_url: str) -> None:
        self._connection = psycopg.connect(admin_url, autocommit=True, row_factory=namedtuple_row)

    def close(self) -> None:
        self._connection.close()

    def rows(self, query: str, **parameters: Any) -> list[Any]:
        return self._connection.execute(query, parameters).fetchall()

    def tables(self) -> dict[str, Table]:
        found = self.rows(f"""
            select n.nspname || '.' || c.relname as name, c.oid, c.relrowsecurity, c.relforcerowsecurity
              from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where c.relkind in ('r', 'p') and {_OURS} order by 1
        """)
        return {
            row.name: Table(
                row.name,
                self._columns(row.oid),
                self._primary_key(row.oid),
                self._unique(row.oid),
                row.relrowsecurity,
                row.relforcerowsecurity,
            )
            for row in found
        }

    def tenant_tables(self) -> dict[str, Table]:
        return {name: table for name, table in self.tables().items() if table.is_tenant}

    def _columns(self, oid: int) -> dict[str, str]:
        """Those that are written; what the database computes from them is left out."""
        query = """
            select attname, atttypid::regtype::text as kind from pg_attribute
             where attrelid = %(oid)s and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
        """
        return {row.attname: row.kind for row in self.rows(query, oid=oid)}

    def _primary_key(self, oid: int) -> tuple[str, ...]:
        query = """
            select a.attname from pg_index i
              cross join unnest(i.indkey) with ordinality as k(attnum, position)
              join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
             where i.indrelid = %(oid)s and i.indisprimary order by k.position
        """
        return tuple(row.attname for row in self.rows(query, oid=oid))

    def _unique(self, oid: int) -> frozenset[str]:
        """Columns that some unique index holds."""
        query = """
            select a.attname from pg_index i
              join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
             where i.indrelid = %(oid)s and i.indisunique
        """
        return frozenset(row.attname for row in self.rows(query, oid=oid))
