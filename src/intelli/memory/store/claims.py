"""Queries of claims, and of the facts derived from them."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text

from intelli.kit.db import Tx

Rows = Sequence[Mapping[str, Any]]
Found = Row[Any]

# For each new claim: the last claim before it that concerns its value, with that claim's fact, and whether any follow.
_TAILS = text("""
    select x.n, b.says, b.value_key, b.fact_id, f.valid_at, f.known_at, f.invalid_at, f.confidence,
           exists (select from memory_claims a where a.tenant_id = :tenant and a.slot = x.slot
                      and (a.at, a.seq, a.position) > (x.at, x.seq, x.position) and a.retracted_at is null) as is_late
      from jsonb_to_recordset(cast(:claims as jsonb)) as x(
           n int, slot uuid, value_key text, at timestamptz, seq bigint, position int)
      left join lateral (
           select c.says, c.value_key, c.fact_id from memory_claims c
            where c.tenant_id = :tenant and c.slot = x.slot and (c.at, c.seq, c.position) < (x.at, x.seq, x.position)
              and c.retracted_at is null and (c.says = 'holds' or c.value_key = x.value_key)
            order by c.at desc, c.seq desc, c.position desc limit 1) b on true
      left join memory_facts f on f.tenant_id = :tenant and f.id = b.fact_id
     order by x.n
""")
# The facts that end are also named by their keys, so that no plan reads all facts for them.
_WRITE = text("""
    with closed as (
        update memory_facts f
           set invalid_at = c.invalid_at, expired_at = c.expired_at, end_reason = c.end_reason,
               ended_by_fact = c.ended_by_fact, ended_by_episode = c.ended_by_episode
          from jsonb_to_recordset(cast(:closed as jsonb)) as c(
               id uuid, invalid_at timestamptz, expired_at timestamptz, end_reason text, ended_by_fact uuid,
               ended_by_episode uuid)
         where f.tenant_id = :tenant and f.id = c.id and f.id = any(cast(:closed_ids as uuid[]))),
    added as (
        insert into memory_facts (tenant_id, id, group_id, slot, subject_id, relation, object_id, object_text,
                                  value_key, statement, confidence, valid_at, invalid_at, known_at, expired_at,
                                  end_reason, ended_by_fact, ended_by_episode)
        select :tenant, f.id, :group_id, f.slot, f.subject_id, f.relation, f.object_id, f.object_text, f.value_key,
               f.statement, f.confidence, f.valid_at, f.invalid_at, f.known_at, f.expired_at, f.end_reason,
               f.ended_by_fact, f.ended_by_episode
          from jsonb_to_recordset(cast(:facts as jsonb)) as f(
               id uuid, slot uuid, subject_id uuid, relation text, object_id uuid, object_text text, value_key text,
               statement text, confidence float8, valid_at timestamptz, invalid_at timestamptz, known_at timestamptz,
               expired_at timestamptz, end_reason text, ended_by_fact uuid, ended_by_episode uuid))
    insert into memory_claims (tenant_id, id, group_id, episode_id, fact_id, slot, is_functional, says, subject_id,
                               relation, object_id, object_text, value_key, statement, confidence, at, seq, position,
                               reason, known_at, quote_start, quote_end)
    select :tenant, c.id, :group_id, c.episode_id, c.fact_id, c.slot, c.is_functional, c.says, c.subject_id, c.relation,
           c.object_id, c.object_text, c.value_key, c.statement, c.confidence, c.at, c.seq, c.position, c.reason,
           c.known_at, c.quote_start, c.quote_end
      from jsonb_to_recordset(cast(:claims as jsonb)) as c(
           id uuid, episode_id uuid, fact_id uuid, slot uuid, is_functional boolean, says text, subject_id uuid,
           relation text, object_id uuid, object_text text, value_key text, statement text, confidence float8,
           at timestamptz, seq bigint, position int, reason text, known_at timestamptz, quote_start int, quote_end int)
""")
_OF_SLOTS = text("""
    select c.*, coalesce(s.merged_into, s.id) as subject_root, coalesce(o.merged_into, o.id) as object_root
      from memory_claims c
      join memory_nodes s on s.tenant_id = c.tenant_id and s.id = c.subject_id
      left join memory_nodes o on o.tenant_id = c.tenant_id and o.id = c.object_id
     where c.tenant_id = :tenant and c.slot = any(cast(:slots as uuid[]))
     order by c.at, c.seq, c.position
""")
_OF_NODES = text("""
    select c.id, c.group_id, c.slot, c.value_key, c.is_functional, c.relation, c.object_text,
           coalesce(s.merged_into, s.id) as subject_root, coalesce(o.merged_into, o.id) as object_root
      from memory_claims c
      join memory_nodes s on s.tenant_id = c.tenant_id and s.id = c.subject_id
      left join memory_nodes o on o.tenant_id = c.tenant_id and o.id = c.object_id
     where c.tenant_id = :tenant
       and (c.subject_id = any(cast(:nodes as uuid[])) or c.object_id = any(cast(:nodes as uuid[])))
""")
_FACTS = text("select * from memory_facts where tenant_id = :tenant and slot = any(cast(:slots as uuid[]))")
_FACTS_BY_ID = text("select * from memory_facts where tenant_id = :tenant and id = any(cast(:ids as uuid[]))")
_PLACE = text("""
    update memory_claims c set fact_id = p.fact_id
      from jsonb_to_recordset(cast(:places as jsonb)) as p(id uuid, fact_id uuid)
     where c.tenant_id = :tenant and c.id = p.id
""")
_MOVE = text("""
    update memory_claims c set slot = p.slot, value_key = p.value_key
      from jsonb_to_recordset(cast(:places as jsonb)) as p(id uuid, slot uuid, value_key text)
     where c.tenant_id = :tenant and c.id = p.id
""")
_SET = text("""
    insert into memory_facts as f (tenant_id, id, group_id, slot, subject_id, relation, object_id, object_text,
                                   value_key, statement, confidence, valid_at, invalid_at, known_at, expired_at,
                                   end_reason, ended_by_fact, ended_by_episode)
    select :tenant, s.id, s.group_id, s.slot, s.subject_id, s.relation, s.object_id, s.object_text, s.value_key,
           s.statement, s.confidence, s.valid_at, s.invalid_at, s.known_at, s.expired_at, s.end_reason, s.ended_by_fact,
           s.ended_by_episode
      from jsonb_to_recordset(cast(:facts as jsonb)) as s(
           id uuid, group_id text, slot uuid, subject_id uuid, relation text, object_id uuid, object_text text,
           value_key text, statement text, confidence float8, valid_at timestamptz, invalid_at timestamptz,
           known_at timestamptz, expired_at timestamptz, end_reason text, ended_by_fact uuid, ended_by_episode uuid)
        on conflict (tenant_id, id) do update
       set slot = excluded.slot, subject_id = excluded.subject_id, object_id = excluded.object_id,
           value_key = excluded.value_key, valid_at = excluded.valid_at, invalid_at = excluded.invalid_at,
           known_at = excluded.known_at, expired_at = excluded.expired_at, end_reason = excluded.end_reason,
           ended_by_fact = excluded.ended_by_fact, ended_by_episode = excluded.ended_by_episode,
           confidence = excluded.confidence, statement = excluded.statement
""")
_COPY = text("""
    with pairs as (select * from jsonb_to_recordset(cast(:pairs as jsonb)) as p(id uuid, like_id uuid)),
    terms as (
        insert into memory_terms (tenant_id, group_id, term, kind, item_id, weight)
        select t.tenant_id, t.group_id, t.term, t.kind, p.id, t.weight
          from pairs p join memory_terms t on t.tenant_id = :tenant and t.item_id = p.like_id on conflict do nothing)
    insert into memory_vectors (tenant_id, group_id, item_id, kind, space, embedding)
    select v.tenant_id, v.group_id, p.id, v.kind, v.space, v.embedding
      from pairs p join memory_vectors v on v.tenant_id = :tenant and v.item_id = p.like_id on conflict do nothing
""")
_REMOVE = text("""
    with terms as (delete from memory_terms where tenant_id = :tenant and item_id = any(cast(:ids as uuid[]))),
         vectors as (delete from memory_vectors where tenant_id = :tenant and item_id = any(cast(:ids as uuid[])))
    delete from memory_facts where tenant_id = :tenant and id = any(cast(:ids as uuid[]))
""")


async def predecessors(tx: Tx, claims: Rows) -> Sequence[Found]:
    """Return for each of these claims its predecessor in the slot, and whether later claims exist (`is_late`)."""
    return (await tx.session.execute(_TAILS, {"tenant": tx.tenant_id, "claims": pack(claims)})).all()


async def write(tx: Tx, group_id: str, *, claims: Rows, facts: Rows, closed: Rows) -> None:
    """Insert new claims and new facts, and set the ends of the `closed` facts, in one statement."""
    packed = {"claims": pack(claims), "facts": pack(facts), "closed": pack(closed)}
    given = {"tenant": tx.tenant_id, "group_id": group_id, "closed_ids": [row["id"] for row in closed]}
    await tx.session.execute(_WRITE, {**given, **packed})


async def list_by_slots(tx: Tx, slots: Sequence[UUID]) -> Sequence[Found]:
    """Return all claims of slots in order of time, with the roots that their nodes are merged into."""
    return (await tx.session.execute(_OF_SLOTS, {"tenant": tx.tenant_id, "slots": list(slots)})).all()


async def list_by_nodes(tx: Tx, nodes: Sequence[UUID]) -> Sequence[Found]:
    """Return all claims that name one of these nodes, with the roots that their nodes are merged into."""
    return (await tx.session.execute(_OF_NODES, {"tenant": tx.tenant_id, "nodes": list(nodes)})).all()


async def facts_of_slots(tx: Tx, slots: Sequence[UUID], also: Sequence[UUID] = ()) -> Sequence[Found]:
    """Return all facts of slots, and those with the ids in `also`."""
    found = (await tx.session.execute(_FACTS, {"tenant": tx.tenant_id, "slots": list(slots)})).all()
    if missing := set(also) - {row.id for row in found}:
        more = await tx.session.execute(_FACTS_BY_ID, {"tenant": tx.tenant_id, "ids": list(missing)})
        return [*found, *more.all()]
    return found


async def move(tx: Tx, places: Rows) -> None:
    """Move claims to other slots."""
    await tx.session.execute(_MOVE, {"tenant": tx.tenant_id, "places": pack(places)})


async def write_rebuilt(tx: Tx, *, facts: Rows, places: Rows, alike: Rows, gone: Sequence[UUID]) -> None:
    """Write the result of a rebuild: upsert facts, set the fact of each claim in `places`, delete the facts in `gone`.

    `alike` has pairs of a new fact and an old one with the same statement, whose search entries are copied.
    """
    if facts:
        await tx.session.execute(_SET, {"tenant": tx.tenant_id, "facts": pack(facts)})
    if places:
        await tx.session.execute(_PLACE, {"tenant": tx.tenant_id, "places": pack(places)})
    if alike:
        await tx.session.execute(_COPY, {"tenant": tx.tenant_id, "pairs": pack(alike)})
    if gone:
        await tx.session.execute(_REMOVE, {"tenant": tx.tenant_id, "ids": list(gone)})


def pack(rows: Rows) -> str:
    """Return rows as JSON for `jsonb_to_recordset`."""
    return json.dumps(list(rows), default=_plain)


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
