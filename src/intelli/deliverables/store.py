"""SQL queries of deliverables."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Text, cast, delete, func, literal, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert

from intelli.deliverables.tables import Deliverable, Export
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7

Values = Mapping[str, object]
_ENDED = ("completed", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class DeliverableFilter:
    """Conditions of a list of deliverables; None means any."""

    conversation_id: UUID | None = None
    run_id: UUID | None = None
    kind: str | None = None
    status: str | None = None
    is_deleted: bool = False


async def insert_deliverable(tx: Tx, values: Values) -> None:
    """Insert a deliverable; an existing row stays as it is."""
    row = insert(Deliverable).values(tenant_id=tx.tenant_id, **values)
    await tx.session.execute(row.on_conflict_do_nothing())


async def find(tx: Tx, deliverable_id: UUID) -> Deliverable | None:
    """Load a deliverable; None when the caller may not see it."""
    mine = select(Deliverable).where(Deliverable.tenant_id == tx.tenant_id, Deliverable.id == deliverable_id)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def find_locked(tx: Tx, deliverable_id: UUID) -> Deliverable | None:
    """Load a deliverable and lock its row until the transaction ends; None when the caller may not see it."""
    mine = select(Deliverable).where(Deliverable.tenant_id == tx.tenant_id, Deliverable.id == deliverable_id)
    held = mine.with_for_update(key_share=True).execution_options(populate_existing=True)
    return await tx.session.scalar(held)


async def update_deliverable(tx: Tx, deliverable_id: UUID, **values: object) -> None:
    """Update columns of a deliverable."""
    mine = update(Deliverable).where(Deliverable.tenant_id == tx.tenant_id, Deliverable.id == deliverable_id)
    await tx.session.execute(mine.values(**values, updated_at=func.now()))


async def list_page(
    tx: Tx, which: DeliverableFilter, *, before: tuple[datetime, str] | None, limit: int
) -> Sequence[Deliverable]:
    """List deliverables, newest first."""
    wanted = {name: value for name, value in asdict(which).items() if value is not None and name != "is_deleted"}
    in_trash = Deliverable.deleted_at.is_not(None) if which.is_deleted else Deliverable.deleted_at.is_(None)
    conditions: list[ColumnElement[bool]] = [Deliverable.tenant_id == tx.tenant_id, in_trash]
    conditions += [getattr(Deliverable, name) == value for name, value in wanted.items()]
    if before is not None:
        place = tuple_(Deliverable.created_at, cast(Deliverable.id, Text))
        conditions.append(place < tuple_(literal(before[0]), literal(before[1])))
    newest = (Deliverable.created_at.desc(), cast(Deliverable.id, Text).desc())
    found = select(Deliverable).where(*conditions).order_by(*newest).limit(limit)
    return (await tx.session.scalars(found)).all()


async def list_versions(tx: Tx, deliverable: Deliverable) -> Sequence[Deliverable]:
    """List completed deliverables of one kind and conversation, or of one run without a conversation, newest first."""
    of = (
        Deliverable.conversation_id == deliverable.conversation_id
        if deliverable.conversation_id is not None
        else Deliverable.run_id == deliverable.run_id
    )
    mine = select(Deliverable).where(
        Deliverable.tenant_id == tx.tenant_id,
        of,
        Deliverable.kind == deliverable.kind,
        Deliverable.status == "completed",
    )
    return (await tx.session.scalars(mine.order_by(Deliverable.version.desc()))).all()


async def delete_trashed(tx: Tx, *, before: datetime) -> Sequence[UUID]:
    """Delete the deliverables that are in the trash since before a moment; return their ids."""
    gone = delete(Deliverable).where(Deliverable.tenant_id == tx.tenant_id, Deliverable.deleted_at < before)
    return (await tx.session.scalars(gone.returning(Deliverable.id))).all()


async def list_unfinished(tx: Tx, run_id: UUID) -> Sequence[Deliverable]:
    """List the deliverables of a run that have not ended."""
    mine = select(Deliverable).where(
        Deliverable.tenant_id == tx.tenant_id, Deliverable.run_id == run_id, Deliverable.status.not_in(_ENDED)
    )
    return (await tx.session.scalars(mine.order_by(Deliverable.id))).all()


async def list_by_run(tx: Tx, run_id: UUID) -> Sequence[Deliverable]:
    """List all deliverables of a run, oldest first."""
    mine = select(Deliverable).where(Deliverable.tenant_id == tx.tenant_id, Deliverable.run_id == run_id)
    return (await tx.session.scalars(mine.order_by(Deliverable.created_at, Deliverable.id))).all()


async def insert_or_lock_export(tx: Tx, deliverable: Deliverable, form: str, edition: str) -> tuple[Export, bool]:
    """Insert the export of a form and edition unless there is one, lock it, and return it and whether it is new."""
    of = {"deliverable_id": deliverable.id, "owner_id": deliverable.owner_id, "format": form, "edition": edition}
    row = insert(Export).values(tenant_id=tx.tenant_id, id=uuid7(), **of)
    added = await tx.session.scalar(row.on_conflict_do_nothing().returning(Export.id))
    mine = select(Export).where(
        Export.tenant_id == tx.tenant_id,
        Export.deliverable_id == deliverable.id,
        Export.format == form,
        Export.edition == edition,
    )
    export = await tx.session.scalar(mine.with_for_update())
    assert export is not None, "it was there or has been added"
    return export, added is not None


async def find_export(tx: Tx, export_id: UUID) -> Export | None:
    """Load an export; None when there is none."""
    mine = select(Export).where(Export.tenant_id == tx.tenant_id, Export.id == export_id)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def list_exports(tx: Tx, deliverable_id: UUID) -> Sequence[Export]:
    """List the exports of a deliverable, oldest first."""
    mine = select(Export).where(Export.tenant_id == tx.tenant_id, Export.deliverable_id == deliverable_id)
    return (await tx.session.scalars(mine.order_by(Export.created_at, Export.id))).all()


async def update_export(tx: Tx, export_id: UUID, **values: object) -> None:
    """Update columns of an export."""
    mine = update(Export).where(Export.tenant_id == tx.tenant_id, Export.id == export_id)
    await tx.session.execute(mine.values(**values, updated_at=func.now()))
