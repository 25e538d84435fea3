"""Check that a PostgreSQL is usable: reachable, new enough, and our role cannot bypass row-level security."""

from dataclasses import dataclass

import psycopg
from psycopg.rows import class_row

from intelli.kit.db import DatabaseUnavailable, session_options

OLDEST_VERSION = 16
_CONNECT_S = 10
_INSPECT = """
    select current_setting('server_version_num')::int / 10000 as version,
           current_setting('server_version') as version_text,
           current_user as role,
           role.rolsuper as is_superuser,
           role.rolbypassrls as bypasses_rls,
           exists (select from pg_class where relowner = role.oid and relkind in ('r', 'p')) as owns_tables,
           lower('Ä') = 'ä' as folds_case,
           exists (select from pg_available_extensions where name = 'vector') as has_vector
      from pg_roles role where role.rolname = current_user
"""


@dataclass(frozen=True, slots=True)
class PostgresState:
    """Properties of a database and of the role that we connect as."""

    version: int
    version_text: str
    role: str
    is_superuser: bool
    bypasses_rls: bool
    owns_tables: bool
    folds_case: bool
    has_vector: bool


def inspect_database(url: str, *, as_application: bool = True) -> PostgresState:
    """Query the properties, in the application's role or as the user of the URL. Raise DatabaseUnavailable."""
    options = session_options() if as_application else ""
    try:
        with psycopg.connect(
            url, options=options, connect_timeout=_CONNECT_S, row_factory=class_row(PostgresState)
        ) as connection:
            found = connection.execute(_INSPECT).fetchone()
    except psycopg.OperationalError as error:
        reason = str(error).strip().splitlines()[0]
        raise DatabaseUnavailable(f"The database cannot be reached: {reason}") from error
    assert found is not None, "the current role is in pg_roles"
    return found


def find_faults(state: PostgresState) -> list[str]:
    """List the reasons why the database cannot be used, each with its remedy."""
    found = []
    if state.version < OLDEST_VERSION:
        found.append(
            f"The server is PostgreSQL {state.version_text}. Use {OLDEST_VERSION} or later, with a UTF-8 database."
        )
    if state.is_superuser:
        found.append(f"The role {state.role} is a superuser. Run: alter role {state.role} nosuperuser")
    if state.bypasses_rls:
        found.append(f"The role {state.role} may bypass row-level security. Run: alter role {state.role} nobypassrls")
    if state.owns_tables:
        found.append(
            f"The role {state.role} owns tables and could lift their protection. "
            "Give them to the role that migrates: reassign owned by intelli_app to …"
        )
    if not state.folds_case:
        found.append(
            "The database does not fold letters beyond ASCII: lower('Ä') is not 'ä'. "
            "Create it anew with encoding UTF8 and a UTF-8 locale, such as C.UTF-8."
        )
    return found
