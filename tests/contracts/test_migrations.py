"""The schema: what the models say, what the migrations make, forwards and backwards, and by two at once."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from langgraph.checkpoint.postgres.base import BasePostgresSaver
from procrastinate.schema import SchemaManager
from sqlalchemy import Connection, create_engine, make_url
from sqlalchemy.pool import NullPool
from tests.contracts.catalogue import Catalogue
from tests.support.database import Cluster

from intelli.app import Engine
from intelli.kit.jobs import SCHEMA
from intelli.migrations import schema

_TIMEOUT_S = 60
_UPGRADE = "import sys; from intelli.migrations import schema; schema.upgrade(sys.argv[1])"


@pytest.fixture
def empty(cluster: Cluster) -> Iterator[Engine]:
    """A database that was never migrated."""
    with cluster.copy_of("template1") as engine:
        yield engine


def test_the_models_are_what_the_migrations_make(engine: Engine):
    with _connected(engine) as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True, "include_name": _is_ours}
        )
        assert compare_metadata(context, schema.metadata()) == []


def test_the_models_alone_would_make_the_same_tables(engine: Engine, empty: Engine):
    """Alembic does not compare check constraints or what a reference does on delete; PostgreSQL's own words do."""
    with _connected(empty) as connection:
        schema.metadata().create_all(connection)
        connection.commit()
    assert _tables(empty) == _tables(engine)


def test_every_migration_goes_back_and_forth(empty: Engine):
    """Each is undone and redone on its own, so that the step back of one never leans on another."""
    for revision in _revisions():
        schema.upgrade(empty.admin_url, revision)
        before = _things(empty)
        schema.downgrade(empty.admin_url, "-1")
        schema.upgrade(empty.admin_url, revision)
        assert _things(empty) == before, revision


def test_going_back_to_the_beginning_leaves_nothing_of_ours(empty: Engine):
    schema.upgrade(empty.admin_url)
    schema.downgrade(empty.admin_url, "base")
    assert _things(empty) == {"table public.alembic_version"}


def test_migrations_form_one_line():
    revisions = _revisions()
    assert revisions == sorted(revisions)
    assert revisions[-1] == schema.head_revision()


def test_several_processes_may_migrate_at_once(empty: Engine):
    command = [sys.executable, "-c", _UPGRADE, empty.admin_url]
    racers = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    told = [racer.communicate(timeout=_TIMEOUT_S)[1] for racer in racers]
    assert [racer.returncode for racer in racers] == [0, 0, 0], told
    assert schema.current_revision(empty.admin_url) == schema.head_revision()


def test_the_queues_schema_is_that_of_the_installed_package(engine: Engine, empty: Engine):
    """A newer Procrastinate needs a migration of ours; this is what says so."""
    with _connected(empty) as connection:
        connection.exec_driver_sql(f"create schema {SCHEMA}")
        connection.exec_driver_sql(f"set local search_path = {SCHEMA}")
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.execute(SchemaManager.get_schema())
        connection.commit()
    assert _queue(engine) == _queue(empty)


def test_the_checkpoints_tables_are_those_of_the_installed_package(engine: Engine):
    """A newer LangGraph needs a migration of ours; this is what says so."""
    (row,) = _ask(engine, "select max(v) + 1 as statements from langgraph.checkpoint_migrations")
    assert row.statements == len(BasePostgresSaver.MIGRATIONS)


def _revisions() -> list[str]:
    folder = ScriptDirectory(str(schema.__file__).rpartition("/")[0])
    return [script.revision for script in reversed(list(folder.walk_revisions()))]


def _connected(engine: Engine) -> Connection:
    url = make_url(engine.admin_url).set(drivername="postgresql+psycopg")
    return create_engine(url, poolclass=NullPool).connect()


def _is_ours(name: str | None, kind: str, _parents: object) -> bool:
    return not (kind == "table" and name == "alembic_version")


def _tables(engine: Engine) -> set[str]:
    query = """
        select c.relname || '.' || conname || ': ' || pg_get_constraintdef(k.oid) as thing
          from pg_constraint k join pg_class c on c.oid = conrelid
         where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'u', 'p')
        union all
        select concat_ws(' ', c.relname || '.' || attname || ':', format_type(atttypid, atttypmod),
                         case when attnotnull then 'not null' end, pg_get_expr(adbin, adrelid))
          from pg_attribute a join pg_class c on c.oid = attrelid
          left join pg_attrdef on adrelid = attrelid and adnum = attnum
         where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
        union all
        select indexdef from pg_indexes where schemaname = 'public'
    """
    return {row.thing for row in _ask(engine, query) if "alembic_version" not in row.thing}


def _things(engine: Engine) -> set[str]:
    """Everything in the database that PostgreSQL did not bring, with what isolation says about it."""
    query = """
        select 'table ' || n.nspname || '.' || relname as thing
          from pg_class c join pg_namespace n on n.oid = relnamespace
         where relkind in ('r', 'p', 'v', 'm') and n.nspname !~ '^(pg_|information_schema)'
        union all select 'sequence ' || relname from pg_class c join pg_namespace n on n.oid = relnamespace
         where relkind = 'S'
        union all select 'index ' || indexdef from pg_indexes
         where schemaname !~ '^(pg_|information_schema)' and tablename <> 'alembic_version'
        union all select 'policy ' || policyname || qual || coalesce(with_check, '') from pg_policies
        union all select 'function ' || p.oid::regprocedure::text from pg_proc p
          join pg_namespace n on n.oid = pronamespace
         where n.nspname !~ '^(pg_|information_schema)'
        union all select 'type ' || t.oid::regtype::text from pg_type t join pg_namespace n on n.oid = typnamespace
         where typtype in ('e', 'd', 'r') and n.nspname !~ '^(pg_|information_schema)'
        union all select 'schema ' || nspname from pg_namespace
         where nspname !~ '^(pg_|information_schema|public$)'
        union all select 'extension ' || extname from pg_extension where extname <> 'plpgsql'
    """
    return {row.thing for row in _ask(engine, query)}


def _queue(engine: Engine) -> set[str]:
    query = f"""
        select 'column ' || table_name || '.' || column_name || ' ' || udt_name as thing from information_schema.columns
         where table_schema = '{SCHEMA}'
        union all select pg_get_functiondef(p.oid) from pg_proc p
         where pronamespace = '{SCHEMA}'::regnamespace and prokind = 'f'
        union all select indexdef from pg_indexes where schemaname = '{SCHEMA}' and left(indexname, 7) <> 'intelli'
    """
    return {row.thing for row in _ask(engine, query)}


def _ask(engine: Engine, query: str) -> list[Any]:
    catalogue = Catalogue(engine.admin_url)
    try:
        return catalogue.rows(query)
    finally:
        catalogue.close()
