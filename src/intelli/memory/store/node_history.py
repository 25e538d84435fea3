"""Queries of nodes with their aliases and the episodes that name them."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from sqlalchemy import Row, and_, func, or_, select

from intelli.kit.db import Tx
from intelli.memory.tables import Duplicate, Episode, Mention, Node


async def find(tx: Tx, node_id: UUID) -> Node | None:
    """Return a node, merged or not, freshly read; None when there is none."""
    mine = select(Node).where(Node.tenant_id == tx.tenant_id, Node.id == node_id)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def find_root(tx: Tx, node_id: UUID) -> Node | None:
    """Return the node or the root that it was merged into; None when there is none."""
    found = await find(tx, node_id)
    return found if found is None or found.merged_into is None else await find(tx, found.merged_into)


async def by_id(tx: Tx, ids: Iterable[UUID]) -> dict[UUID, Node]:
    """Return nodes by id."""
    mine = select(Node).where(Node.tenant_id == tx.tenant_id, Node.id.in_(list(ids)))
    return {row.id: row for row in await tx.session.scalars(mine)}


async def aliases(tx: Tx, node_id: UUID) -> Sequence[Row[UUID, str, str, UUID | None]]:
    """Return the nodes that were merged into a node, by name, with the reason and the episode of the merge."""
    merged = and_(Duplicate.tenant_id == Node.tenant_id, Duplicate.node_id == Node.id)
    mine = (
        select(Node.id, Node.name, func.coalesce(Duplicate.reason, "").label("reason"), Duplicate.episode_id)
        .outerjoin(Duplicate, merged)
        .where(Node.tenant_id == tx.tenant_id, Node.merged_into == node_id)
    )
    return (await tx.session.execute(mine.order_by(Node.name, Node.id))).all()


async def episodes(tx: Tx, node_id: UUID, *, limit: int) -> Sequence[Episode]:
    """Return the newest episodes that mention a node or one of its aliases, newest first."""
    mine = (
        select(Episode)
        .join(Mention, and_(Mention.tenant_id == Episode.tenant_id, Mention.episode_id == Episode.id))
        .join(Node, and_(Node.tenant_id == Mention.tenant_id, Node.id == Mention.node_id))
        .where(Episode.tenant_id == tx.tenant_id, or_(Node.id == node_id, Node.merged_into == node_id))
        .distinct()
    )
    return (await tx.session.scalars(mine.order_by(Episode.valid_at.desc(), Episode.seq.desc()).limit(limit))).all()
