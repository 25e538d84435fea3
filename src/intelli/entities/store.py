"""SQL queries of entities."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, literal, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert

from intelli.entities.tables import Entity
from intelli.kit.db import Tx

Values = Mapping[str, object]
_BATCH = 500


@dataclass(frozen=True, slots=True)
class EntityFilter:
    """Filter of a list of entities; None means any."""

    run_id: UUID | None = None
    message_id: UUID | None = None
    entity_type: str | None = None


async def add(tx: Tx, rows: Sequence[Values]) -> None:
    """Insert entities; existing entities of a run stay unchanged."""
    for at in range(0, len(rows), _BATCH):
        values = [{"tenant_id": tx.tenant_id, **_columns(row)} for row in rows[at : at + _BATCH]]
        await tx.session.execute(insert(Entity).values(values).on_conflict_do_nothing())


async def find(tx: Tx, entity_id: UUID) -> Entity | None:
    """Return the entity with this id if the caller may see it; else None."""
    mine = select(Entity).where(Entity.tenant_id == tx.tenant_id, Entity.id == entity_id)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def list_page(tx: Tx, which: EntityFilter, *, after: tuple[int, UUID] | None, limit: int) -> Sequence[Entity]:
    """Return entities ordered by their position in the run, after a position and id."""
    conditions: list[ColumnElement[bool]] = [Entity.tenant_id == tx.tenant_id]
    if which.run_id is not None:
        conditions.append(Entity.run_id == which.run_id)
    if which.message_id is not None:
        conditions.append(Entity.message_id == which.message_id)
    if which.entity_type is not None:
        conditions.append(Entity.entity_type == which.entity_type)
    if after is not None:
        conditions.append(tuple_(Entity.position, Entity.id) > tuple_(literal(after[0]), literal(after[1])))
    found = select(Entity).where(*conditions).order_by(Entity.position, Entity.id).limit(limit)
    return (await tx.session.scalars(found)).all()


async def list_for_messages(tx: Tx, message_ids: Iterable[UUID], types: Iterable[str]) -> Sequence[Entity]:
    """Return the entities of these types that belong to the messages, ordered by position."""
    mine = select(Entity).where(
        Entity.tenant_id == tx.tenant_id, Entity.message_id.in_(list(message_ids)), Entity.entity_type.in_(list(types))
    )
    return (await tx.session.scalars(mine.order_by(Entity.position, Entity.id))).all()


async def load_identifiers(tx: Tx, run_id: UUID) -> dict[str, UUID]:
    """Return the ids of a run's entities by identifier."""
    mine = select(Entity.identifier, Entity.id).where(Entity.tenant_id == tx.tenant_id, Entity.run_id == run_id)
    return {row.identifier: row.id for row in await tx.session.execute(mine)}


async def change(tx: Tx, entity_id: UUID, values: Values) -> None:
    """Update columns of one of the caller's entities."""
    mine = update(Entity).where(Entity.tenant_id == tx.tenant_id, Entity.id == entity_id)
    await tx.session.execute(mine.values(**values, updated_at=func.now()))


async def remove(tx: Tx, entity_id: UUID) -> bool:
    """Delete one of the caller's entities. False when it is not theirs or missing."""
    mine = delete(Entity).where(Entity.tenant_id == tx.tenant_id, Entity.id == entity_id).returning(Entity.id)
    return await tx.session.scalar(mine) is not None


def _columns(values: Values) -> dict[str, object]:
    """Translate attribute names into column names: the attribute `details` is the column `metadata`."""
    return {getattr(Entity, name).property.columns[0].name: value for name, value in values.items()}
