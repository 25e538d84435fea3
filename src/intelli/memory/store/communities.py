"""Queries of communities, and of the facts between nodes that they are computed from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import and_, func, or_, select, text
from sqlalchemy.orm import aliased

from intelli.kit.db import Tx
from intelli.memory.store.claims import pack
from intelli.memory.tables import Community, CommunityMember, Fact, Node

_DELETE = text("delete from memory_communities where tenant_id = :tenant and group_id = :group_id")
_WRITE = text("""
    with told as (
        select * from jsonb_to_recordset(cast(:rows as jsonb)) as c(id uuid, name text, summary text, members uuid[])),
    added as (
        insert into memory_communities (tenant_id, id, group_id, name, summary)
        select :tenant, id, :group_id, name, summary from told)
    insert into memory_community_members (tenant_id, node_id, community_id, group_id)
    select :tenant, m.node_id, t.id, :group_id from told t cross join unnest(t.members) as m(node_id)
      join memory_nodes n on n.tenant_id = :tenant and n.id = m.node_id
""")


@dataclass(frozen=True, slots=True)
class JoiningFact:
    """A fact between two nodes, with their names."""

    id: UUID
    subject_id: UUID
    object_id: UUID
    subject: str
    object: str
    statement: str


async def facts(tx: Tx, group_id: str) -> list[JoiningFact]:
    """Return the facts between nodes of a group that are valid now, by id."""
    subject, other = aliased(Node), aliased(Node)
    mine = (
        select(Fact.id, Fact.subject_id, Fact.object_id, subject.name.label("subject"), other.name.label("object"))
        .add_columns(Fact.statement)
        .join(subject, and_(subject.tenant_id == Fact.tenant_id, subject.id == Fact.subject_id))
        .join(other, and_(other.tenant_id == Fact.tenant_id, other.id == Fact.object_id))
        .where(Fact.tenant_id == tx.tenant_id, Fact.group_id == group_id)
        .where(or_(Fact.valid_at.is_(None), Fact.valid_at <= func.now()))
        .where(or_(Fact.invalid_at.is_(None), Fact.invalid_at > func.now()))
    )
    rows = await tx.session.execute(mine.order_by(Fact.id))
    return [JoiningFact(*row) for row in rows]


async def communities(tx: Tx, group_id: str) -> Sequence[Community]:
    """Return the communities of a group, by id."""
    mine = select(Community).where(Community.tenant_id == tx.tenant_id, Community.group_id == group_id)
    return (await tx.session.scalars(mine.order_by(Community.id))).all()


async def members(tx: Tx, group_id: str) -> dict[UUID, list[tuple[UUID, str]]]:
    """Return the nodes (id, name) of each community of a group, by the community's id; nodes are sorted by name."""
    mine = (
        select(CommunityMember.community_id, Node.id, Node.name)
        .join(Node, and_(Node.tenant_id == CommunityMember.tenant_id, Node.id == CommunityMember.node_id))
        .where(CommunityMember.tenant_id == tx.tenant_id, CommunityMember.group_id == group_id)
    )
    found: dict[UUID, list[tuple[UUID, str]]] = {}
    for community_id, node_id, name in await tx.session.execute(mine.order_by(Node.name, Node.id)):
        found.setdefault(community_id, []).append((node_id, name))
    return found


async def replace(tx: Tx, group_id: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Delete the communities of a group and insert these. Members that no longer exist are left out."""
    given = {"tenant": tx.tenant_id, "group_id": group_id}
    await tx.session.execute(_DELETE, given)
    await tx.session.execute(_WRITE, {**given, "rows": pack(rows)})
