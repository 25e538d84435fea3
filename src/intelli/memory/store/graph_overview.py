"""Queries of a whole group: its graph and its timeline."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import Uuid

from intelli.kit.db import Tx

_HELD = """
    select id, subject_id, object_id, relation, statement, valid_at, invalid_at from memory_facts
     where tenant_id = :tenant and group_id = :group_id and object_id is not null
       and (valid_at is null or valid_at <= :as_of) and (invalid_at is null or invalid_at > :as_of)
"""
_NODES = text(f"""
    with held as ({_HELD}),
    degrees as (
        select node_id, count(*) as degree
          from (select subject_id as node_id from held union all select object_id from held) ends group by 1)
    select n.id, n.name, n.labels, coalesce(d.degree, 0) as degree, m.community_id as community
      from memory_nodes n
      left join degrees d on d.node_id = n.id
      left join memory_community_members m on m.tenant_id = n.tenant_id and m.node_id = n.id
     where n.tenant_id = :tenant and n.group_id = :group_id and n.merged_into is null
       and (d.degree is not null or exists (
            select from memory_mentions s join memory_episodes e on e.tenant_id = s.tenant_id and e.id = s.episode_id
             where s.tenant_id = :tenant and s.node_id = n.id and e.valid_at <= :as_of))
     order by degree desc, n.name, n.id limit :limit
""")  # noqa: S608  # what is put in is ours
_EDGES = text(f"""
    select h.id, h.subject_id as source, h.object_id as target, h.relation, h.statement, h.valid_at, h.invalid_at
      from ({_HELD}) h
      join unnest(:ids) as s(id) on s.id = h.subject_id
      join unnest(:ids) as o(id) on o.id = h.object_id
     order by h.valid_at nulls first, h.id limit :limit
""").bindparams(bindparam("ids", type_=ARRAY(Uuid)))  # noqa: S608  # likewise
_MOMENTS = """
    with moments as (
        select valid_at as at, 'begins' as kind, id, subject_id, object_id from memory_facts
         where tenant_id = :tenant and group_id = :group_id and valid_at is not null
           and (invalid_at is null or invalid_at > valid_at)
        union all
        select invalid_at, 'ends', id, subject_id, object_id from memory_facts
         where tenant_id = :tenant and group_id = :group_id and invalid_at is not null
           and invalid_at > coalesce(valid_at, timestamptz '0002-01-01 00:00+00'))
"""
_TIMELINE = """
    {moments}
    select at, kind, id from moments
     where (cast(:node_id as uuid) is null or subject_id = :node_id or object_id = :node_id)
       and (cast(:earliest as timestamptz) is null or at >= :earliest)
       and (cast(:latest as timestamptz) is null or at < :latest)
       and (cast(:after_at as timestamptz) is null
            or (at, kind, id) {beyond} (:after_at, :after_kind, cast(:after_id as uuid)))
     order by at {order}, kind {order}, id {order} limit :limit
"""
_FORWARD = text(_TIMELINE.format(moments=_MOMENTS, beyond=">", order="asc"))
_BACKWARD = text(_TIMELINE.format(moments=_MOMENTS, beyond="<", order="desc"))
_EXTENT = text(f"""
    {_MOMENTS}, ends as (select min(at) as first, max(at) as last from moments)
    select e.first, e.last, w.bucket, count(*) as moments, min(m.at) as at
      from ends e join moments m on m.at >= e.first
      cross join lateral (select width_bucket(extract(epoch from m.at), extract(epoch from e.first),
                                              extract(epoch from e.last) + 1, :buckets) as bucket) w
     group by 1, 2, 3 order by 3
""")  # noqa: S608  # likewise


async def nodes(tx: Tx, group_id: str, *, as_of: datetime, limit: int) -> Sequence[Row[Any]]:
    """Return the nodes of a group with their number of facts to other nodes, the greatest first."""
    given = {"tenant": tx.tenant_id, "group_id": group_id, "as_of": as_of, "limit": limit}
    return (await tx.session.execute(_NODES, given)).all()


async def labels_and_communities(tx: Tx, ids: Sequence[UUID]) -> tuple[dict[UUID, list[str]], dict[UUID, UUID]]:
    """Return the labels of nodes, and the communities of those that belong to one, both by node id."""
    query = text("""
        select n.id, n.labels, m.community_id from memory_nodes n
          left join memory_community_members m on m.tenant_id = n.tenant_id and m.node_id = n.id
         where n.tenant_id = :tenant and n.id = any(:ids)
    """).bindparams(bindparam("ids", type_=ARRAY(Uuid)))
    rows = (await tx.session.execute(query, {"tenant": tx.tenant_id, "ids": list(ids)})).all()
    return {row.id: row.labels for row in rows}, {row.id: row.community_id for row in rows if row.community_id}


async def edges(tx: Tx, group_id: str, ids: Sequence[UUID], *, as_of: datetime, limit: int) -> Sequence[Row[Any]]:
    """Return the facts between these nodes that are valid at a time, in order of time."""
    given = {"tenant": tx.tenant_id, "group_id": group_id, "ids": list(ids), "as_of": as_of, "limit": limit}
    return (await tx.session.execute(_EDGES, given)).all()


async def moments(
    tx: Tx,
    group_id: str,
    *,
    node_id: UUID | None,
    between: tuple[datetime | None, datetime | None],
    after: tuple[datetime, str, UUID] | None,
    is_newest_first: bool,
    limit: int,
) -> Sequence[Row[Any]]:
    """Return when facts of a group begin and end, in order of time or reversed, after the given place."""
    at, kind, fact_id = after or (None, None, None)
    given = {"tenant": tx.tenant_id, "group_id": group_id, "node_id": node_id, "limit": limit}
    span = {"earliest": between[0], "latest": between[1]}
    place = {"after_at": at, "after_kind": kind, "after_id": fact_id}
    statement = _BACKWARD if is_newest_first else _FORWARD
    return (await tx.session.execute(statement, {**given, **span, **place})).all()


async def extent(tx: Tx, group_id: str, *, buckets: int) -> Sequence[Row[Any]]:
    """Count the moments in each bucket of a group's time; each row has the first and last moment of all."""
    given = {"tenant": tx.tenant_id, "group_id": group_id, "buckets": buckets}
    return (await tx.session.execute(_EXTENT, given)).all()
