"""Queries that write an episode: few statements, each for all rows of its kind."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy import Row, text

from intelli.kit.arrays import Floats, Longs
from intelli.kit.db import Tx
from intelli.reasoning.ports import Vectors

Rows = Sequence[Mapping[str, Any]]
Found = Row[Any]

_BEFORE = """
    with before as materialized (
        select id, seq, role, role_type, content, valid_at from memory_episodes
         where tenant_id = :tenant and group_id = :group_id and {which}
         order by valid_at desc, seq desc limit :limit)
    select b.*, array(select n.name from memory_mentions m
                        join memory_nodes n on n.tenant_id = m.tenant_id and n.id = m.node_id
                       where m.tenant_id = :tenant and m.episode_id = b.id order by n.id limit 20) as names
      from before b order by b.valid_at, b.seq
"""
_RECENT = text(_BEFORE.format(which="source = 'message' and valid_at <= :at and id <> :beside"))
_CHOSEN = text(_BEFORE.format(which="id = any(cast(:ids as uuid[]))"))
_EPISODE = text("""
    select id, seq, group_id, role, role_type, content, valid_at, created_at from memory_episodes
     where tenant_id = :tenant and id = :id
""")
# Whoever changes a group's graph locks its row: the facts of a slot follow from all its claims.
_LOCK = text("""
    insert into memory_groups as g (tenant_id, group_id, episode_count, languages)
    values (:tenant, :group_id, :episodes, cast(:languages as text[]))
        on conflict (tenant_id, group_id) do update
       set episode_count = g.episode_count + :episodes, updated_at = now(),
           languages = case when g.languages @> excluded.languages then g.languages
                            else g.languages || excluded.languages end
    returning clock_timestamp() as now
""")
_NODES = text("""
    select n.id, n.name, n.name_key, r.id as root_id, r.name as root_name, r.labels, r.attributes
      from memory_nodes n
      join memory_nodes r on r.tenant_id = n.tenant_id and r.id = coalesce(n.merged_into, n.id)
     where n.tenant_id = :tenant and n.group_id = :group_id and n.name_key = any(cast(:keys as text[]))
""")
_LIKE = text("""
    select coalesce(n.merged_into, n.id) as root_id, n.name, l.nth, l.is_by_words from (
        (select m.item_id, t.nth, true as is_by_words
           from unnest(cast(:terms as bigint[]), cast(:nths as int[])) as t(term, nth)
           join lateral (select item_id from memory_terms m
                          where m.tenant_id = :tenant and m.group_id = :group_id and m.term = t.term and m.kind = 'node'
                          limit :limit) m on true)
        union all
        (select q.item_id, q.nth, false from (
                select v.item_id, x.nth,
                       1 - (v.embedding <=> (:values)[(x.nth - 1) * :width + 1 : x.nth * :width]::halfvec) as nearness
                  from memory_vectors v cross join generate_series(1, :count) as x(nth)
                 where v.tenant_id = :tenant and v.group_id = :group_id and v.kind = 'node' and v.space = :space) q
          where q.nearness >= :least order by q.nearness desc limit :limit)) l
      join memory_nodes n on n.tenant_id = :tenant and n.id = l.item_id
""")
# Each claim is looked up by itself: joined at once, all facts of the group would be read for it.
_EARLIER = text("""
    select distinct f.id, f.slot, f.subject_id, f.relation, f.object_id, f.object_text, f.value_key, f.statement,
           f.confidence, f.valid_at, c.is_functional
      from jsonb_to_recordset(cast(:sayings as jsonb)) as s(
           subject_id uuid, relation text, object_id uuid, object_text text)
     cross join lateral (
           (select * from memory_facts f
             where f.tenant_id = :tenant and f.group_id = :group_id and f.subject_id = s.subject_id
               and f.object_id = s.object_id and f.relation <> s.relation and f.invalid_at is null
             order by f.valid_at desc nulls last limit :limit)
            union all
           (select * from memory_facts f
             where f.tenant_id = :tenant and f.group_id = :group_id and f.subject_id = s.subject_id
               and f.relation = s.relation and f.invalid_at is null
               and (f.object_id is distinct from s.object_id
                    or f.object_id is null and f.object_text is distinct from s.object_text)
             order by f.valid_at desc nulls last limit :limit)) f
      join lateral (select is_functional from memory_claims c
                     where c.tenant_id = :tenant and c.fact_id = f.id limit 1) c on true
     where f.relation <> s.relation or not c.is_functional
     order by f.valid_at desc nulls last limit :limit
""")
_CLAIMED = text("""
    select slot, value_key, says, at from memory_claims where tenant_id = :tenant and episode_id = :episode_id
""")
# Updated rows are also named by their keys: a planner that expects a hundred rows would scan the whole table for them.
_WRITE_GRAPH = text("""
    with episode as (
        insert into memory_episodes (tenant_id, id, created_at, seq, group_id, user_id, name, source,
                                     source_description, role_type, role, content, content_sha256, valid_at)
        select :tenant, e.id, e.created_at, e.seq, :group_id, e.user_id, e.name, e.source, e.source_description,
               e.role_type, e.role, e.content, e.content_sha256, e.valid_at
          from jsonb_to_recordset(cast(:episodes as jsonb)) as e(
               id uuid, created_at timestamptz, seq bigint, user_id uuid, name text, source text,
               source_description text, role_type text, role text, content text, content_sha256 text,
               valid_at timestamptz)),
    added as (
        insert into memory_nodes (tenant_id, id, group_id, name, name_key, labels, attributes, merged_into)
        select :tenant, n.id, :group_id, n.name, n.name_key, n.labels, n.attributes, n.merged_into
          from jsonb_to_recordset(cast(:nodes as jsonb)) as n(
               id uuid, name text, name_key text, labels text[], attributes jsonb, merged_into uuid)),
    changed as (
        update memory_nodes n set labels = c.labels, attributes = c.attributes, updated_at = now()
          from jsonb_to_recordset(cast(:changed as jsonb)) as c(id uuid, labels text[], attributes jsonb)
         where n.tenant_id = :tenant and n.id = c.id and n.id = any(cast(:changed_ids as uuid[]))),
    linked as (
        insert into memory_duplicates (tenant_id, id, group_id, node_id, duplicate_of, episode_id, reason)
        select :tenant, d.id, :group_id, d.node_id, d.duplicate_of, :episode_id, d.reason
          from jsonb_to_recordset(cast(:duplicates as jsonb)) as d(
               id uuid, node_id uuid, duplicate_of uuid, reason text))
    insert into memory_mentions (tenant_id, group_id, episode_id, node_id, said)
    select :tenant, :group_id, :episode_id, m.node_id, m.said
      from jsonb_to_recordset(cast(:mentions as jsonb)) as m(node_id uuid, said jsonb)
        on conflict do nothing
""")
_WRITE_SEARCH = text("""
    with terms as (
        insert into memory_terms (tenant_id, group_id, term, kind, item_id, weight)
        select :tenant, :group_id, t.term, (cast(:kinds as text[]))[t.nth], (cast(:items as uuid[]))[t.nth], t.weight
          from unnest(:terms, :nths, :weights) as t(term, nth, weight)
            on conflict do nothing),
    vectors as (
        insert into memory_vectors (tenant_id, group_id, item_id, kind, space, embedding)
        select :tenant, :group_id, v.item_id, v.kind, :space, (:values)[(v.n - 1) * :width + 1 : v.n * :width]::halfvec
          from unnest(cast(:items as uuid[]), cast(:kinds as text[])) with ordinality as v(item_id, kind, n)
         where :width > 0
            on conflict (tenant_id, item_id) do update set embedding = excluded.embedding, space = excluded.space)
    delete from memory_arrivals where tenant_id = :tenant and id = :arrival_id
""")


async def recent_messages(tx: Tx, group_id: str, *, at: datetime, beside: UUID, limit: int) -> Sequence[Found]:
    """Return the last messages up to a time, without episode `beside`, oldest first, with the names they mention."""
    given = {"tenant": tx.tenant_id, "group_id": group_id, "at": at, "beside": beside, "limit": limit}
    return (await tx.session.execute(_RECENT, given)).all()


async def episodes_by_id(tx: Tx, group_id: str, ids: Sequence[UUID]) -> Sequence[Found]:
    """Return episodes of a group by their ids, oldest first, with the names they mention."""
    given = {"tenant": tx.tenant_id, "group_id": group_id, "ids": list(ids), "limit": len(ids)}
    return (await tx.session.execute(_CHOSEN, given)).all()


async def find_episode(tx: Tx, episode_id: UUID) -> Found | None:
    """Return an episode; None when there is none."""
    return (await tx.session.execute(_EPISODE, {"tenant": tx.tenant_id, "id": episode_id})).one_or_none()


async def lock_group(tx: Tx, group_id: str, *, episodes: int = 0, languages: Sequence[str] = ()) -> datetime:
    """Lock a group until the transaction ends, inserting it if needed, and add to its counts; return the time now."""
    given = {"tenant": tx.tenant_id, "group_id": group_id, "episodes": episodes, "languages": list(languages)}
    now: datetime = (await tx.session.execute(_LOCK, given)).scalar_one()
    return now


async def nodes_by_key(tx: Tx, group_id: str, keys: Sequence[str]) -> Sequence[Found]:
    """Return the nodes with these name keys, each with the root that it is merged into, or itself."""
    given = {"tenant": tx.tenant_id, "group_id": group_id, "keys": list(keys)}
    return (await tx.session.execute(_NODES, given)).all()


async def similar_nodes(  # one for each part of the statement
    tx: Tx,
    group_id: str,
    *,
    terms: Sequence[tuple[int, int]],
    vectors: Vectors | None,
    space: str,
    least: float,
    limit: int,
) -> Sequence[Found]:
    """Return nodes that share a term with a name, or whose vectors are at least `least` similar.

    Each term is paired with the number of its name, from 1; `vectors` has one row for each name.
    """
    given = {"tenant": tx.tenant_id, "group_id": group_id, "space": space, "least": least, "limit": limit}
    given |= {"terms": [term for term, _ in terms], "nths": [nth for _, nth in terms]}
    given |= {
        "values": Floats(np.zeros(0, np.float32) if vectors is None else vectors),
        "width": 0 if vectors is None else vectors.shape[1],
        "count": 0 if vectors is None else vectors.shape[0],
    }
    return (await tx.session.execute(_LIKE, given)).all()


async def rival_facts(tx: Tx, group_id: str, claims: Rows, *, limit: int) -> Sequence[Found]:
    """Return the newest open facts that claims may contradict.

    They are about the same two nodes with another relation, or have another value of the same subject and relation.
    """
    given = {"tenant": tx.tenant_id, "group_id": group_id, "sayings": _json(claims), "limit": limit}
    return (await tx.session.execute(_EARLIER, given)).all()


async def claim_keys(tx: Tx, episode_id: UUID) -> set[tuple[UUID, str, str, datetime]]:
    """Return the stored claims of an episode as (slot, value key, effect, time)."""
    rows = await tx.session.execute(_CLAIMED, {"tenant": tx.tenant_id, "episode_id": episode_id})
    return {(row.slot, row.value_key, row.says, row.at) for row in rows}


async def write_graph(tx: Tx, group_id: str, episode_id: UUID, **rows: Rows) -> None:
    """Insert `episodes`, `nodes`, `duplicates` and the `mentions` of an episode, and update `changed` nodes."""
    kinds = ("episodes", "nodes", "changed", "duplicates", "mentions")
    packed = {name: _json(rows.get(name, ())) for name in kinds}
    given = {"tenant": tx.tenant_id, "group_id": group_id, "episode_id": episode_id}
    changed = [row["id"] for row in rows.get("changed", ())]
    await tx.session.execute(_WRITE_GRAPH, {**given, **packed, "changed_ids": changed})


async def write_search(  # one for each part of the statement
    tx: Tx,
    group_id: str,
    *,
    items: Sequence[tuple[UUID, str]],
    terms: Sequence[tuple[int, int, float]],
    vectors: Vectors | None,
    space: str,
    arrival_id: UUID | None = None,
) -> bool:
    """Insert the terms (each with the number of its item, from 1) and vectors of items, and dequeue the message.

    Return False when there is no such message.
    """
    width = 0 if vectors is None else vectors.shape[1]
    given = {
        "tenant": tx.tenant_id,
        "group_id": group_id,
        "items": [item for item, _ in items],
        "kinds": [kind for _, kind in items],
        "terms": Longs(np.array([term for term, _, _ in terms], np.int64)),
        "nths": Longs(np.array([nth for _, nth, _ in terms], np.int64)),
        "weights": Floats(np.array([weight for _, _, weight in terms], np.float32)),
        "values": Floats(np.zeros(0, np.float32) if vectors is None else vectors),
        "width": width,
        "space": space,
        "arrival_id": arrival_id,
    }
    done = await tx.session.execute(_WRITE_SEARCH, given)
    return bool(getattr(done, "rowcount", 0))


def stack(vectors: Sequence[Vectors]) -> Vectors | None:
    """Return vectors as the rows of one array; None when there are none."""
    return np.stack(vectors) if vectors else None


def _json(rows: Rows) -> str:
    return json.dumps(list(rows), default=_plain)


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
