"""Queries of corrections by hand: order of arrival, retracted claims, merged and split nodes."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import Uuid

from intelli.kit.db import Tx
from intelli.kit.ids import uuid7

_TAKE_SEQ = text("""
    insert into memory_arrivals (tenant_id, id, group_id, message) values (:tenant, :id, :group_id, '{}') returning seq
""")
_GIVE_BACK = text("delete from memory_arrivals where tenant_id = :tenant and id = :id")
_RETRACT = text("""
    update memory_claims set retracted_at = :now, retracted_by = :episode_id
     where tenant_id = :tenant and id = any(:ids) and retracted_at is null
""").bindparams(bindparam("ids", type_=ARRAY(Uuid)))
_BEHIND = text("""
    select * from memory_claims where tenant_id = :tenant and fact_id = :fact_id and retracted_at is null
     order by at, seq, position
""")
_LINK = text("""
    insert into memory_duplicates (tenant_id, id, group_id, node_id, duplicate_of, episode_id, reason)
    values (:tenant, :id, :group_id, :node_id, :duplicate_of, :episode_id, :reason)
""")
_JOIN = text("""
    update memory_nodes set merged_into = :keep, updated_at = now()
     where tenant_id = :tenant and (id = :node_id or merged_into = :node_id) returning id
""")
# Nodes that were merged into this one before it was merged itself go with it.
_PART = text("""
    with recursive own as (
        select cast(:node_id as uuid) as id
        union
        select d.node_id from memory_duplicates d join own on d.duplicate_of = own.id where d.tenant_id = :tenant)
    update memory_nodes n set merged_into = nullif(cast(:node_id as uuid), n.id), updated_at = now()
      from own where n.tenant_id = :tenant and n.id = own.id returning n.id
""")
_UNLINK = text("delete from memory_duplicates where tenant_id = :tenant and node_id = :node_id")
_REMENTION = text("""
    update memory_mentions m set node_id = :to_id
     where m.tenant_id = :tenant and m.node_id = :from_id and m.episode_id = any(:ids)
       and not exists (select from memory_mentions o
                        where o.tenant_id = m.tenant_id and o.episode_id = m.episode_id and o.node_id = :to_id)
""").bindparams(bindparam("ids", type_=ARRAY(Uuid)))


async def next_seq(tx: Tx, group_id: str) -> int:
    """Return a new number in the order of arrival of messages, by inserting and deleting a row."""
    given = {"tenant": tx.tenant_id, "id": uuid7(), "group_id": group_id}
    seq: int = (await tx.session.execute(_TAKE_SEQ, given)).scalar_one()
    await tx.session.execute(_GIVE_BACK, {"tenant": tx.tenant_id, "id": given["id"]})
    return seq


async def claims_behind(tx: Tx, fact_id: UUID) -> Sequence[Row[Any]]:
    """Return the claims that support a fact or its end, in order of time; retracted claims are left out."""
    return (await tx.session.execute(_BEHIND, {"tenant": tx.tenant_id, "fact_id": fact_id})).all()


async def retract(tx: Tx, ids: Sequence[UUID], *, episode_id: UUID, now: datetime) -> None:
    """Mark claims as retracted by an episode: they count no more, but remain for views of earlier knowledge."""
    given = {"tenant": tx.tenant_id, "ids": list(ids), "episode_id": episode_id, "now": now}
    await tx.session.execute(_RETRACT, given)


async def merge_node(tx: Tx, link: Mapping[str, object]) -> list[UUID]:
    """Make a node and its aliases aliases of another; return the ids of all of them."""
    await tx.session.execute(_LINK, {"tenant": tx.tenant_id, "id": uuid7(), **link})
    given = {"tenant": tx.tenant_id, "keep": link["duplicate_of"], "node_id": link["node_id"]}
    return list((await tx.session.execute(_JOIN, given)).scalars())


async def split_node(tx: Tx, node_id: UUID) -> list[UUID]:
    """Make an alias a separate node again, with the aliases it had before; return the ids of all of them."""
    given = {"tenant": tx.tenant_id, "node_id": node_id}
    await tx.session.execute(_UNLINK, given)
    return list((await tx.session.execute(_PART, given)).scalars())


async def move_mentions(tx: Tx, episodes: Sequence[UUID], *, from_id: UUID, to_id: UUID) -> None:
    """Move the mentions of episodes from one node to another; those that mention both keep them."""
    given = {"tenant": tx.tenant_id, "ids": list(episodes), "from_id": from_id, "to_id": to_id}
    await tx.session.execute(_REMENTION, given)
