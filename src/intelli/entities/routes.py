"""HTTP routes of entities."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response

from intelli.entities import entities, wire
from intelli.entities.entity_types import EntityType
from intelli.kit.http import Cursor, Db, Limit, OnceOnly, Reader, Writer
from intelli.kit.wire import Page

router = APIRouter(tags=["entities"])
OfRun = Annotated[UUID | None, Query(description="Only those of a run.")]
OfMessage = Annotated[UUID | None, Query(description="Only those of a message.")]


@router.post("/entities", status_code=201)
async def create_entity(
    body: wire.CreateEntity, who: Writer, once: OnceOnly, db: Db, request: Request, response: Response
) -> wire.Entity:
    """Make an entity of something that is there."""
    async with db.begin(who) as tx:
        entity = await once.answer(tx, wire.Entity, lambda: entities.create(tx, body))
    response.headers["Location"] = f"{request.url.path}/{entity.root.id}"
    return entity


@router.get("/entities")
async def list_entities(
    who: Reader,
    db: Db,
    run_id: OfRun = None,
    message_id: OfMessage = None,
    entity_type: EntityType | None = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[wire.Entity]:
    """What was found, made or asked."""
    async with db.begin(who) as tx:
        return await entities.list_entities(
            tx, run_id=run_id, message_id=message_id, entity_type=entity_type, cursor=cursor, limit=limit
        )


@router.get("/entities/{entity_id}")
async def show_entity(entity_id: UUID, who: Reader, db: Db) -> wire.Entity:
    """One entity."""
    async with db.begin(who) as tx:
        return await entities.get_visible(tx, entity_id)


@router.patch("/entities/{entity_id}")
async def change_entity(entity_id: UUID, body: wire.ChangeEntity, who: Writer, db: Db) -> wire.Entity:
    """Change the title or the metadata of an entity."""
    async with db.begin(who) as tx:
        return await entities.change(tx, entity_id, body)


@router.delete("/entities/{entity_id}", status_code=204)
async def delete_entity(entity_id: UUID, who: Writer, db: Db) -> None:
    """Remove an entity. What cites it keeps what it knows of it."""
    async with db.begin(who) as tx:
        await entities.delete(tx, entity_id)
