"""Queries of facts with their claims, nodes and episodes."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, and_, func, or_, select
from sqlalchemy.orm import aliased

from intelli.kit.db import Tx
from intelli.memory.tables import Claim as ClaimRow
from intelli.memory.tables import ClaimEffect, EndReason, Episode, Fact, Group, Node

_SUBJECT, _OBJECT = aliased(Node), aliased(Node)
# A fact with `subject_name` and `object_name`.
FactRow = Row[Any, Any, Any]


async def languages(tx: Tx, groups: Sequence[str]) -> set[str]:
    """Return the languages that the texts of groups were analysed in."""
    spoken = select(func.unnest(Group.languages)).where(Group.tenant_id == tx.tenant_id, Group.group_id.in_(groups))
    return set(await tx.session.scalars(spoken))


async def facts(tx: Tx, ids: Iterable[UUID]) -> dict[UUID, FactRow]:
    """Return facts with the names of their nodes, by id."""
    rows = await tx.session.execute(_select_facts(tx).where(Fact.id.in_(list(ids))))
    return {row.Fact.id: row for row in rows}


async def facts_of_node(tx: Tx, node_id: UUID) -> Sequence[FactRow]:
    """Return all facts of a node, ended ones too, in order of time."""
    mine = _select_facts(tx).where(or_(Fact.subject_id == node_id, Fact.object_id == node_id))
    return (await tx.session.execute(mine.order_by(Fact.valid_at.nulls_first(), Fact.known_at, Fact.id))).all()


async def facts_of_slot(tx: Tx, slot: UUID) -> Sequence[FactRow]:
    """Return all facts of a slot, in order of time."""
    mine = _select_facts(tx).where(Fact.slot == slot)
    return (await tx.session.execute(mine.order_by(Fact.valid_at.nulls_first(), Fact.known_at, Fact.id))).all()


async def claims_of_facts(tx: Tx, fact_ids: Iterable[UUID]) -> Sequence[Row[UUID, ClaimRow, datetime, str | None]]:
    """Return the claims that state facts or ended them, each with its fact's id and its episode, in order of time."""
    ids = list(fact_ids)
    ended = and_(
        ClaimRow.says == ClaimEffect.ENDS,
        ClaimRow.tenant_id == Fact.tenant_id,
        ClaimRow.slot == Fact.slot,
        ClaimRow.episode_id == Fact.ended_by_episode,
        ClaimRow.value_key == Fact.value_key,
    )
    behind = and_(ClaimRow.tenant_id == Fact.tenant_id, ClaimRow.fact_id == Fact.id, ClaimRow.says == ClaimEffect.HOLDS)
    said = (
        select(Fact.id.label("fact_id"), ClaimRow, Episode.valid_at.label("said_at"), Episode.content)
        .join(ClaimRow, or_(behind, ended))
        .join(Episode, and_(Episode.tenant_id == ClaimRow.tenant_id, Episode.id == ClaimRow.episode_id))
        .where(Fact.tenant_id == tx.tenant_id, Fact.id.in_(ids))
        .where(or_(ClaimRow.retracted_at.is_(None), Fact.end_reason == EndReason.CORRECTED))
    )
    return (await tx.session.execute(said.order_by(Episode.valid_at, ClaimRow.seq, ClaimRow.position))).all()


async def slots(tx: Tx, fact_ids: Sequence[UUID]) -> dict[UUID, UUID]:
    """Return the slot of each fact, by the fact's id."""
    mine = select(Fact.id, Fact.slot).where(Fact.tenant_id == tx.tenant_id, Fact.id.in_(fact_ids))
    return {row.id: row.slot for row in await tx.session.execute(mine)}


async def claims_of_slots(tx: Tx, wanted: Sequence[UUID]) -> dict[UUID, list[ClaimRow]]:
    """Return every claim of slots, retracted ones too, by slot in order of time."""
    mine = select(ClaimRow).where(ClaimRow.tenant_id == tx.tenant_id, ClaimRow.slot.in_(wanted))
    found: dict[UUID, list[ClaimRow]] = {}
    for row in await tx.session.scalars(mine.order_by(ClaimRow.at, ClaimRow.seq, ClaimRow.position)):
        found.setdefault(row.slot, []).append(row)
    return found


async def claims_of_group(tx: Tx, group_id: str, *, known_at: datetime) -> dict[UUID, list[ClaimRow]]:
    """Return every claim of a group that was known at a time, by slot in order of time."""
    mine = select(ClaimRow).where(
        ClaimRow.tenant_id == tx.tenant_id, ClaimRow.group_id == group_id, ClaimRow.known_at <= known_at
    )
    found: dict[UUID, list[ClaimRow]] = {}
    for row in await tx.session.scalars(mine.order_by(ClaimRow.at, ClaimRow.seq, ClaimRow.position)):
        found.setdefault(row.slot, []).append(row)
    return found


async def root_names(tx: Tx, ids: Iterable[UUID]) -> dict[UUID, tuple[UUID, str]]:
    """Return for each node id the root that it is merged into, or itself, as (id, name)."""
    whole = aliased(Node)
    mine = (
        select(Node.id, whole.id.label("whole_id"), whole.name)
        .join(whole, and_(whole.tenant_id == Node.tenant_id, whole.id == func.coalesce(Node.merged_into, Node.id)))
        .where(Node.tenant_id == tx.tenant_id, Node.id.in_(list(ids)))
    )
    return {row.id: (row.whole_id, row.name) for row in await tx.session.execute(mine)}


async def episodes(tx: Tx, ids: Iterable[UUID]) -> dict[UUID, Episode]:
    """Return episodes by id."""
    mine = select(Episode).where(Episode.tenant_id == tx.tenant_id, Episode.id.in_(list(ids)))
    return {row.id: row for row in await tx.session.scalars(mine)}


async def episodes_of_group(tx: Tx, group_id: str) -> Sequence[Episode]:
    """Return all episodes of a group, in order of arrival."""
    mine = select(Episode).where(Episode.tenant_id == tx.tenant_id, Episode.group_id == group_id)
    return (await tx.session.scalars(mine.order_by(Episode.seq))).all()


async def facts_of_episode(tx: Tx, episode_id: UUID) -> Sequence[UUID]:
    """Return the ids of the facts that an episode states or ends."""
    mine = (
        select(ClaimRow.fact_id)
        .distinct()
        .where(ClaimRow.tenant_id == tx.tenant_id, ClaimRow.episode_id == episode_id, ClaimRow.fact_id.is_not(None))
    )
    return [each for each in await tx.session.scalars(mine) if each is not None]


def _select_facts(tx: Tx) -> Select[Any, Any, Any]:
    same = and_(_SUBJECT.tenant_id == Fact.tenant_id, _SUBJECT.id == Fact.subject_id)
    other = and_(_OBJECT.tenant_id == Fact.tenant_id, _OBJECT.id == Fact.object_id)
    shown = select(Fact, _SUBJECT.name.label("subject_name"), _OBJECT.name.label("object_name"))
    return shown.join(_SUBJECT, same).outerjoin(_OBJECT, other).where(Fact.tenant_id == tx.tenant_id)
