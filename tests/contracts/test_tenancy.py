"""Isolation as the database sees it: no table without its guard, and the guard alone keeps workspaces apart."""

from uuid import UUID

import psycopg
from sqlalchemy import exc, text
from tests.contracts.catalogue import PROTECTED_WITHOUT_TENANT, SHARED, WITHOUT_TENANT, Catalogue, Table
from tests.contracts.conftest import Household

from intelli.app import App
from intelli.kit.context import Actor, Anonymous, System
from intelli.kit.db import APP_ROLE, session_options

_TENANT, _PERSON = "intelli.tenant_id", "intelli.user_id"
_WITH_OWNERS_RIGHTS = {
    "retrieval_unbuild",
    "spaces_drop_tables",
    "vector_table_create",
    "vector_table_drop",
    "vector_table_index",
    "vector_table_indexed",
    "vector_tables_sweep",
}
_REFUSED_BY_POLICY = "42501"
_REFUSED_BY_KEY = "23503"


def test_every_table_has_a_tenant_or_a_reason_not_to(catalogue: Catalogue):
    without = {name for name, table in catalogue.tables().items() if not table.is_tenant}
    assert without == set(WITHOUT_TENANT)


def test_row_security_is_enabled_and_forced_on_every_protected_table(catalogue: Catalogue):
    tables = catalogue.tables()
    open_ones = [
        name
        for name, table in tables.items()
        if (table.is_tenant or name in PROTECTED_WITHOUT_TENANT) and not (table.is_enabled and table.is_forced)
    ]
    assert open_ones == []


def test_every_protected_table_has_a_policy_that_names_the_tenant_or_the_person(catalogue: Catalogue):
    policies = catalogue.rows("select schemaname || '.' || tablename as name, cmd, qual, with_check from pg_policies")
    shared = {policy.name.removeprefix("public.") for policy in policies if policy.cmd == "SELECT"}
    assert shared == SHARED
    assert [policy.name for policy in policies if policy.cmd not in {"ALL", "SELECT"}] == []
    for policy in policies:
        for condition in (policy.qual,) if policy.cmd == "SELECT" else (policy.qual, policy.with_check):
            assert condition, f"{policy.name} lets everything through"
            assert _TENANT in condition or _PERSON in condition, f"{policy.name} names neither tenant nor person"
    assert {policy.name for policy in policies} == set(catalogue.tenant_tables()) | PROTECTED_WITHOUT_TENANT


def test_every_tenant_table_has_a_key_that_begins_with_the_tenant(catalogue: Catalogue):
    wrong = {name: table.primary_key for name, table in catalogue.tenant_tables().items() if not _begins(table)}
    assert wrong == {}


def test_every_reference_between_tenant_tables_carries_the_tenant_on_both_sides(catalogue: Catalogue):
    tenant_tables = set(catalogue.tenant_tables())
    references = catalogue.rows("""
        select k.conname, sn.nspname || '.' || s.relname as source, tn.nspname || '.' || t.relname as target,
               array(select (a.attname, b.attname)::text from unnest(k.conkey, k.confkey) as pair(mine, other)
                       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = mine
                       join pg_attribute b on b.attrelid = k.confrelid and b.attnum = other) as pairs
          from pg_constraint k
          join pg_class s on s.oid = k.conrelid join pg_namespace sn on sn.oid = s.relnamespace
          join pg_class t on t.oid = k.confrelid join pg_namespace tn on tn.oid = t.relnamespace
         where k.contype = 'f'
    """)
    between = [row for row in references if row.source in tenant_tables and row.target in tenant_tables]
    assert between, "there are such references"
    assert [row.conname for row in between if "(tenant_id,tenant_id)" not in row.pairs] == []


def test_every_tenant_row_goes_with_its_workspace(catalogue: Catalogue):
    """Straight, or through another tenant table: erasing a workspace leaves nothing."""
    arrows = catalogue.rows("""
        select conrelid::regclass::text as source, confrelid::regclass::text as target
          from pg_constraint where contype = 'f' and confdeltype = 'c'
    """)
    gone = {"workspaces"}
    while more := {row.source for row in arrows if row.target in gone} - gone:
        gone |= more
    assert {name.removeprefix("public.") for name in catalogue.tenant_tables()} <= gone


async def test_a_table_that_one_workspace_has_for_itself_is_protected_like_those_of_all(ours: Household, app: App):
    """Such tables are made as a workspace grows, so the schema of a new database has none to look at."""
    async with app.db.begin(System(tenant_id=ours.id)) as tx:
        await tx.session.execute(text("update spaces set building = vector_table_create(number)"))
        (seen,) = await tx.session.execute(text(_OWN_TABLE), {"name": f"vectors_{ours.id.hex}_1_1"})
    assert (seen.relrowsecurity, seen.relforcerowsecurity, seen.key) == (True, True, "tenant_id")
    assert _TENANT in seen.qual
    assert _TENANT in seen.with_check
    assert str(ours.id) in seen.pinned
    assert set(seen.grants) == {"SELECT", "INSERT", "UPDATE", "DELETE"}
    assert seen.is_owned is False


def test_the_application_role_has_no_powers_and_owns_nothing(catalogue: Catalogue):
    (role,) = catalogue.rows("select * from pg_roles where rolname = %(role)s", role=APP_ROLE)
    powers = (role.rolsuper, role.rolbypassrls, role.rolcreaterole, role.rolcreatedb, role.rolreplication)
    assert not any(powers)
    (owned,) = catalogue.rows(
        """
        select (select count(*) from pg_class where relowner = role.oid)
             + (select count(*) from pg_proc where proowner = role.oid)
             + (select count(*) from pg_namespace where nspowner = role.oid)
             + (select count(*) from pg_database where datdba = role.oid) as things
          from pg_roles role where rolname = %(role)s
        """,
        role=APP_ROLE,
    )
    assert owned.things == 0
    assert (
        catalogue.rows(
            "select from pg_auth_members m join pg_roles r on r.oid = m.member where rolname = 'intelli_app'"
        )
        == []
    )


def test_the_application_can_create_nothing_in_the_database(catalogue: Catalogue):
    (may,) = catalogue.rows(
        "select has_schema_privilege(%(role)s, 'public', 'create') or has_schema_privilege(%(role)s, 'jobs', 'create')"
        " or has_database_privilege(%(role)s, current_database(), 'create') as create_things",
        role=APP_ROLE,
    )
    assert may.create_things is False


def test_the_audit_log_can_only_be_added_to_and_read(catalogue: Catalogue):
    query = "select privilege_type from information_schema.role_table_grants where grantee = %(role)s"
    grants = catalogue.rows(query + " and table_name = 'audit_log_entries'", role=APP_ROLE)
    assert {grant.privilege_type for grant in grants} == {"INSERT", "SELECT"}


def test_no_table_can_be_emptied_or_watched_around_its_policy(catalogue: Catalogue):
    """TRUNCATE ignores row security; a trigger or a reference could read around it."""
    query = "select * from information_schema.role_table_grants where grantee in (%(role)s, 'PUBLIC')"
    dangerous = [
        (row.table_name, row.privilege_type)
        for row in catalogue.rows(query + " and table_schema in ('public', 'jobs')", role=APP_ROLE)
        if row.privilege_type in {"TRUNCATE", "TRIGGER", "REFERENCES"}
    ]
    assert dangerous == []


def test_views_read_with_the_rights_of_their_reader(catalogue: Catalogue):
    views = catalogue.rows("""
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('v', 'm') and n.nspname in ('public', 'jobs')
           and not coalesce(c.reloptions::text, '') like '%%security_invoker=true%%'
    """)
    assert views == []


def test_only_building_an_index_runs_with_its_owners_rights(catalogue: Catalogue):
    """They touch tables and indexes of the bound workspace, or of none, and read no row on the caller's behalf."""
    query = "select proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace"
    found = catalogue.rows(query + " where prosecdef and nspname in ('public', 'jobs')")
    assert {row.proname for row in found} == _WITH_OWNERS_RIGHTS


async def test_a_connection_that_is_bound_to_nobody_sees_nothing(
    ours: Household, theirs: Household, catalogue: Catalogue, database_url: str
):
    protected = [*catalogue.tenant_tables(), *PROTECTED_WITHOUT_TENANT]
    with psycopg.connect(database_url, options=session_options()) as connection:
        seen = {name: _count(connection, name) for name in protected}
    assert seen == dict.fromkeys(protected, 0)


async def test_both_workspaces_have_a_row_in_every_tenant_table(
    ours: Household, theirs: Household, catalogue: Catalogue
):
    """Else the tests below would prove nothing for a new table: fill it in `conftest._settle`."""
    for name in catalogue.tenant_tables():
        found = {row.tenant_id for row in catalogue.rows(f"select distinct tenant_id from {name}")}
        assert found == {ours.id, theirs.id}, name


async def test_without_any_filter_a_query_shows_none_of_their_rows(
    ours: Household, theirs: Household, catalogue: Catalogue, app: App
):
    for who in _actors(ours):
        async with app.db.begin(who) as tx:
            for name in catalogue.tenant_tables():
                tenants = set((await tx.session.scalars(text(f"select tenant_id from {name}"))).all())
                assert tenants <= {ours.id}, (who, name)


async def test_without_any_filter_nobody_sees_their_people_or_their_workspace(
    ours: Household, theirs: Household, app: App
):
    for who in _actors(ours):
        async with app.db.begin(who) as tx:
            people = set((await tx.session.scalars(text("select email from users"))).all())
            workspaces = set((await tx.session.scalars(text("select id from workspaces"))).all())
        assert {email for email in people if "theirs" in email} == set()
        assert workspaces <= {ours.id}


async def test_without_any_filter_a_change_touches_none_of_their_rows(
    ours: Household, theirs: Household, catalogue: Catalogue, app: App
):
    for name in catalogue.tenant_tables():
        for statement in (f"update {name} set tenant_id = tenant_id", f"delete from {name}"):
            for who in _actors(ours):
                assert await _touched(app, who, f"{statement} returning tenant_id") <= {ours.id}, (who, statement)


async def test_a_row_cannot_be_put_into_their_workspace(
    ours: Household, theirs: Household, catalogue: Catalogue, app: App
):
    """Neither under one of their people nor under one of ours."""
    for name, table in catalogue.tenant_tables().items():
        query = f"select to_jsonb(t) #>> '{{}}' as row from {name} t where tenant_id = %(tenant)s limit 1"
        row = catalogue.rows(query, tenant=theirs.id)[0].row
        for who in _actors(ours):
            for person in (None, ours.user_id):
                refusal = await _refusal(app, who, _copy(table, user_id=person), row)
                assert refusal in {_REFUSED_BY_POLICY, _REFUSED_BY_KEY}, (who, person, name)


_OWN_TABLE = """
    select c.relrowsecurity, c.relforcerowsecurity, p.qual, p.with_check, pg_get_constraintdef(k.oid) as pinned,
           c.relowner = 'intelli_app'::regrole as is_owned,
           (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
             where i.indrelid = c.oid and i.indisprimary) as key,
           array(select privilege_type::text from information_schema.role_table_grants g
                  where g.table_name = c.relname and g.grantee in ('intelli_app', 'PUBLIC')) as grants
      from pg_class c
      join pg_policies p on p.schemaname = 'vector_tables' and p.tablename = c.relname
      join pg_constraint k on k.conrelid = c.oid and k.contype = 'c'
     where c.relname = :name
"""


def _begins(table: Table) -> bool:
    return len(table.primary_key) > 1 and table.primary_key[0] == "tenant_id"


def _count(connection: psycopg.Connection[tuple[int]], table: str) -> int:
    row = connection.execute(f"select count(*) from {table}").fetchone()
    assert row is not None
    return row[0]


def _actors(ours: Household) -> tuple[Actor, ...]:
    """Everyone that code can act as who is not of their workspace."""
    return (
        ours.who,
        System(tenant_id=ours.id),
        System(tenant_id=ours.id, user_id=ours.user_id),
        Anonymous(proof="nothing", user_id=ours.user_id),
        Anonymous(proof=""),
    )


async def _touched(app: App, who: Actor, statement: str) -> set[UUID]:
    """The workspaces whose rows a change would reach; it is rolled back.

    A change that a key refuses is asked again as a lock, which reaches exactly the rows that the change would.
    """
    try:
        async with app.db.begin(who) as tx:
            touched = set((await tx.session.scalars(text(statement))).all())
            await tx.session.rollback()
            return touched
    except exc.DBAPIError as error:
        match getattr(error.orig, "sqlstate", None):
            case state if state == _REFUSED_BY_POLICY:
                return set()
            case state if state == _REFUSED_BY_KEY and statement.startswith("delete from"):
                table = statement.split()[2]
                return await _touched(app, who, f"select tenant_id from {table} for update")
        raise


def _copy(table: Table, *, user_id: UUID | None) -> str:
    """Insert a row again, with other values wherever a unique key would stop it before isolation does."""
    values = [
        f"'{user_id}'" if name == "user_id" and user_id else _fresh(name, kind) if name in table.unique else name
        for name, kind in table.columns.items()
    ]
    source = f"jsonb_populate_record(null::{table.name}, cast(:row as jsonb))"
    columns = ", ".join(table.columns)
    return f"insert into {table.name} ({columns}) overriding system value select {', '.join(values)} from {source}"


def _fresh(column: str, kind: str) -> str:
    if column in {"tenant_id", "user_id"}:
        return column
    return {"uuid": "gen_random_uuid()", "text": "gen_random_uuid()::text", "bigint": f"{column} + 1000000"}.get(
        kind, column
    )


async def _refusal(app: App, who: Actor, statement: str, row: str) -> str | None:
    try:
        async with app.db.begin(who) as tx:
            await tx.session.execute(text(statement), {"row": row})
            await tx.session.rollback()
    except exc.DBAPIError as error:
        return getattr(error.orig, "sqlstate", None)
    return None
