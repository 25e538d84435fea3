"""Queries of groups: their state, their dead letters and their types."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, text

from intelli.kit.db import Tx

_GROUPS = """
    with waiting as (
        select group_id, count(*) filter (where state = 'queued') as queued,
               count(*) filter (where state = 'failed') as failed
          from memory_arrivals where tenant_id = :tenant {only} group by 1)
    select coalesce(g.group_id, w.group_id) as group_id, coalesce(g.episode_count, 0) as episodes,
           coalesce(w.queued, 0) as queued, coalesce(w.failed, 0) as failed, g.updated_at, g.schema, g.keeps_content
      from (select * from memory_groups where tenant_id = :tenant {only}) g
      full join waiting w on w.group_id = g.group_id
     order by 1
"""
_ALL = text(_GROUPS.format(only=""))
_ONE = text(_GROUPS.format(only="and group_id = :group_id"))
_DEAD = text("""
    select id, code, reason, created_at as arrived_at, failed_at from memory_arrivals
     where tenant_id = :tenant and group_id = :group_id and state = 'failed' order by seq limit 200
""")
_DECLARE = text("""
    insert into memory_groups as g (tenant_id, group_id, schema, keeps_content)
    values (:tenant, :group_id, cast(:schema as jsonb), coalesce(cast(:keeps_content as boolean), true))
        on conflict (tenant_id, group_id) do update
       set schema = excluded.schema, updated_at = now(),
           keeps_content = coalesce(cast(:keeps_content as boolean), g.keeps_content)
""")


async def list_groups(tx: Tx) -> Sequence[Row[Any]]:
    """Return all groups that the caller sees, by id, with their counts."""
    return (await tx.session.execute(_ALL, {"tenant": tx.tenant_id})).all()


async def find(tx: Tx, group_id: str) -> Row[Any] | None:
    """Return a group that exists or has queued or failed messages; None otherwise."""
    found = await tx.session.execute(_ONE, {"tenant": tx.tenant_id, "group_id": group_id})
    return found.one_or_none()


async def dead_letters(tx: Tx, group_id: str) -> Sequence[Row[Any]]:
    """Return the 200 oldest dead letters of a group."""
    return (await tx.session.execute(_DEAD, {"tenant": tx.tenant_id, "group_id": group_id})).all()


async def set_schema(tx: Tx, group_id: str, schema: Mapping[str, Any], *, keeps_content: bool | None) -> None:
    """Insert or update a group's types and whether it keeps raw content; None leaves the latter unchanged."""
    given = {"tenant": tx.tenant_id, "group_id": group_id, "schema": json.dumps(schema)}
    await tx.session.execute(_DECLARE, {**given, "keeps_content": keeps_content})
