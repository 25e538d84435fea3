"""Queries of the queue of messages."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text

from intelli.kit.db import Tx
from intelli.kit.ids import uuid7

Waiting = Row[Any]

_ADD = text("""
    insert into memory_arrivals (tenant_id, id, group_id, user_id, message)
    select :tenant, id, :group_id, :user_id, message
      from unnest(cast(:ids as uuid[]), cast(:messages as jsonb[])) with ordinality as m(id, message, n) order by n
""")
# How many others wait is counted up to a limit and in their order, so that no plan scans all rows that waited before:
# with many, nobody needs the exact number. The earlier messages come with it, so that a working worker needs no
# transaction of its own to look for the next.
_PICK_UP = """
    select a.id, a.seq, a.group_id, a.user_id, a.message, coalesce(g.schema, '{{}}') as schema, g.keeps_content,
           coalesce(b.before, '[]') as before,
           (select count(*) from (select from memory_arrivals w
                                   where w.tenant_id = :tenant and w.state = 'queued' {only}
                                   order by w.seq limit 101) w
           ) - 1 as waiting
      from (select * from memory_arrivals w
             where w.tenant_id = :tenant and w.state = 'queued' {only} order by w.seq limit 1) a
      left join memory_groups g on g.tenant_id = :tenant and g.group_id = a.group_id
      left join lateral (
           select jsonb_agg(jsonb_build_object('id', e.id, 'content', e.content, 'day', e.valid_at::date,
                                               'names', n.names) order by e.valid_at, e.seq) as before
             from (select id, seq, content, valid_at from memory_episodes e
                    where e.tenant_id = :tenant and e.group_id = a.group_id and e.source = 'message'
                      and e.valid_at <= (a.message #>> '{{message,timestamp}}')::timestamptz
                    order by valid_at desc, seq desc limit {context}) e
            cross join lateral (
                  select coalesce(jsonb_agg(n.name order by n.id), '[]') as names from memory_mentions m
                    join memory_nodes n on n.tenant_id = m.tenant_id and n.id = m.node_id
                   where m.tenant_id = :tenant and m.episode_id = e.id) n) b on true
"""
# How many earlier messages a message is read with; a literal that a query plan can use.
CONTEXT = 4
_PICK_UP_ANY = text(_PICK_UP.format(only="", context=CONTEXT))
_PICK_UP_OF_GROUP = text(_PICK_UP.format(only="and w.group_id = :group_id", context=CONTEXT))
_LANES = text("""
    select distinct group_id from memory_arrivals
     where tenant_id = :tenant and state = 'queued' and created_at < now() - make_interval(secs => :older_s)
""")
_FAIL = text("""
    update memory_arrivals set state = 'failed', code = :code, reason = :reason, failed_at = now()
     where tenant_id = :tenant and id = :id and state = 'queued'
""")
_REQUEUE = text("""
    with again as (
        update memory_arrivals set state = 'queued', code = null, reason = null, failed_at = null
         where tenant_id = :tenant and group_id = :group_id and state = 'failed' returning id)
    select count(*) from again
""")


async def add(tx: Tx, group_id: str, messages: Sequence[Mapping[str, Any]]) -> None:
    """Insert messages into the queue in their order."""
    ids = [uuid7() for _ in messages]
    packed = [json.dumps(message) for message in messages]
    given = {"tenant": tx.tenant_id, "group_id": group_id, "user_id": tx.user_id, "ids": ids, "messages": packed}
    await tx.session.execute(_ADD, given)


async def find_next(tx: Tx, group_id: str | None) -> Waiting | None:
    """Return the oldest queued message, of one group or (None) of all, with its group's types and earlier messages."""
    statement = _PICK_UP_ANY if group_id is None else _PICK_UP_OF_GROUP
    given = {"tenant": tx.tenant_id, "group_id": group_id}
    return (await tx.session.execute(statement, given)).one_or_none()


async def overdue_groups(tx: Tx, *, older_s: float) -> list[str]:
    """Return the groups with messages that have waited longer than `older_s` seconds."""
    return list(await tx.session.scalars(_LANES, {"tenant": tx.tenant_id, "older_s": older_s}))


async def fail(tx: Tx, arrival_id: UUID, *, code: str, reason: str) -> None:
    """Make a message a dead letter."""
    await tx.session.execute(_FAIL, {"tenant": tx.tenant_id, "id": arrival_id, "code": code, "reason": reason})


async def requeue(tx: Tx, group_id: str) -> int:
    """Queue a group's dead letters again, in their old places; return how many."""
    return await tx.session.scalar(_REQUEUE, {"tenant": tx.tenant_id, "group_id": group_id}) or 0
