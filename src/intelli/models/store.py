"""SQL queries of models, endpoints and tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from intelli.kit.db import Tx
from intelli.models.tables import ModelEndpoint, ModelTest, WorkspaceModel

Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class StoredModel:
    """A model with its endpoint."""

    model: WorkspaceModel
    endpoint: ModelEndpoint


async def list_endpoints(tx: Tx) -> Sequence[ModelEndpoint]:
    """List the endpoints of the workspace, oldest first."""
    mine = select(ModelEndpoint).where(ModelEndpoint.tenant_id == tx.tenant_id)
    return (await tx.session.scalars(mine.order_by(ModelEndpoint.created_at, ModelEndpoint.id))).all()


async def find_endpoint(tx: Tx, endpoint_id: UUID, *, locked: bool = False) -> ModelEndpoint | None:
    """Load an endpoint; None when the workspace has none of this id."""
    mine = select(ModelEndpoint).where(ModelEndpoint.tenant_id == tx.tenant_id, ModelEndpoint.id == endpoint_id)
    mine = mine.with_for_update() if locked else mine
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def insert_endpoint(tx: Tx, values: Values) -> None:
    """Insert an endpoint."""
    await tx.session.execute(insert(ModelEndpoint).values(tenant_id=tx.tenant_id, **values))


async def update_endpoint(tx: Tx, endpoint_id: UUID, **values: object) -> None:
    """Update columns of an endpoint, and count its version up."""
    mine = update(ModelEndpoint).where(ModelEndpoint.tenant_id == tx.tenant_id, ModelEndpoint.id == endpoint_id)
    await tx.session.execute(mine.values(**values, version=ModelEndpoint.version + 1, updated_at=func.now()))


async def delete_endpoint(tx: Tx, endpoint_id: UUID) -> None:
    """Delete an endpoint with its models."""
    mine = delete(ModelEndpoint).where(ModelEndpoint.tenant_id == tx.tenant_id, ModelEndpoint.id == endpoint_id)
    await tx.session.execute(mine)


async def list_models(tx: Tx, *, endpoint_id: UUID | None = None) -> list[StoredModel]:
    """List the models of the workspace, or of one of its endpoints, with their endpoints, oldest first."""
    found = _models(tx).order_by(WorkspaceModel.created_at, WorkspaceModel.id)
    if endpoint_id is not None:
        found = found.where(WorkspaceModel.endpoint_id == endpoint_id)
    return [StoredModel(model, endpoint) for model, endpoint in await tx.session.execute(found)]


async def list_chosen(tx: Tx) -> dict[str, StoredModel]:
    """List the models that have a role, by role."""
    chosen = await tx.session.execute(_models(tx).where(WorkspaceModel.role.is_not(None)))
    return {str(model.role): StoredModel(model, endpoint) for model, endpoint in chosen}


async def find_model(tx: Tx, model_id: UUID, *, locked: bool = False) -> StoredModel | None:
    """Load a model with its endpoint; None when the workspace has none of this id."""
    wanted = _models(tx).where(WorkspaceModel.id == model_id)
    wanted = wanted.with_for_update(of=WorkspaceModel) if locked else wanted
    row = (await tx.session.execute(wanted.execution_options(populate_existing=True))).one_or_none()
    return StoredModel(*row) if row is not None else None


async def insert_model(tx: Tx, values: Values) -> bool:
    """Insert a model; return False when its endpoint has one of this name."""
    added = insert(WorkspaceModel).values(tenant_id=tx.tenant_id, **values)
    added = added.on_conflict_do_nothing(index_elements=["tenant_id", "endpoint_id", "name"])
    return await tx.session.scalar(added.returning(WorkspaceModel.id)) is not None


async def update_model(tx: Tx, model_id: UUID, **values: object) -> None:
    """Update columns of a model, and count its version up."""
    mine = update(WorkspaceModel).where(WorkspaceModel.tenant_id == tx.tenant_id, WorkspaceModel.id == model_id)
    await tx.session.execute(mine.values(**values, version=WorkspaceModel.version + 1, updated_at=func.now()))


async def release_role(tx: Tx, role: str, *, keep: UUID | None) -> None:
    """Take a role from the model that has it, unless that is `keep`."""
    await tx.session.execute(
        update(WorkspaceModel)
        .where(WorkspaceModel.tenant_id == tx.tenant_id, WorkspaceModel.role == role, WorkspaceModel.id != keep)
        .values(role=None, version=WorkspaceModel.version + 1, updated_at=func.now())
    )


async def delete_model(tx: Tx, model_id: UUID) -> None:
    """Delete a model."""
    mine = delete(WorkspaceModel).where(WorkspaceModel.tenant_id == tx.tenant_id, WorkspaceModel.id == model_id)
    await tx.session.execute(mine)


async def list_tests(tx: Tx) -> dict[tuple[str, str], ModelTest]:
    """List the tests of the workspace by address and name of the model."""
    mine = select(ModelTest).where(ModelTest.tenant_id == tx.tenant_id)
    found = await tx.session.scalars(mine.execution_options(populate_existing=True))
    return {(row.base_url, row.name): row for row in found}


async def insert_test(tx: Tx, base_url: str, name: str, abilities: list[Values]) -> bool:
    """Insert a test that waits; return False when the model has one."""
    values = {"tenant_id": tx.tenant_id, "base_url": base_url, "name": name, "abilities": abilities}
    added = insert(ModelTest).values(**values).on_conflict_do_nothing()
    return await tx.session.scalar(added.returning(ModelTest.name)) is not None


async def restart_test(tx: Tx, base_url: str, name: str, abilities: list[Values], *, started_at: datetime) -> None:
    """Begin the test of a model again; the shape that its last test showed stays."""
    begun = {"started_at": started_at, "finished_at": None, "abilities": abilities, "problem": None}
    key = {"tenant_id": tx.tenant_id, "base_url": base_url, "name": name}
    added = insert(ModelTest).values(**key, **begun)
    await tx.session.execute(added.on_conflict_do_update(index_elements=["tenant_id", "base_url", "name"], set_=begun))


async def update_test(tx: Tx, base_url: str, name: str, values: Values) -> None:
    """Update columns of a test."""
    mine = update(ModelTest).where(
        ModelTest.tenant_id == tx.tenant_id, ModelTest.base_url == base_url, ModelTest.name == name
    )
    await tx.session.execute(mine.values(**values))


def _models(tx: Tx) -> Select[WorkspaceModel, ModelEndpoint]:
    joined = (ModelEndpoint.tenant_id == WorkspaceModel.tenant_id) & (ModelEndpoint.id == WorkspaceModel.endpoint_id)
    return (
        select(WorkspaceModel, ModelEndpoint)
        .join(ModelEndpoint, joined)
        .where(WorkspaceModel.tenant_id == tx.tenant_id)
    )
