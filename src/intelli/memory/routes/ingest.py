"""Routes that add messages, declare groups and show their queues."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path

from intelli.kit.http import Db, OnceOnly, Reader, Writer, part
from intelli.memory import enqueue, groups, jobs, wire
from intelli.memory.settings import MemorySettings

router = APIRouter(prefix="/memory", tags=["memory"])
Settings = Annotated[MemorySettings, Depends(part(MemorySettings))]
GroupId = Annotated[
    str, Path(pattern=r"^[^\x00]{1,1000}$", json_schema_extra={"format": "external"}, description="Your own id.")
]


@router.post("/messages", status_code=202)
async def add_messages(
    body: wire.AddMessages, who: Writer, once: OnceOnly, db: Db, settings: Settings
) -> wire.MessagesAdded:
    """Have messages remembered. They wait in their order, and are remembered one after the other."""

    async def add() -> wire.MessagesAdded:
        await enqueue.add_messages(
            tx,
            body.group_id,
            body.messages,
            job=jobs.REMEMBER,
            handling=body.handling,
            in_one_queue=settings.in_one_queue,
        )
        return wire.MessagesAdded()

    async with db.begin(who) as tx:
        return await once.answer(tx, wire.MessagesAdded, add)


@router.get("/groups")
async def list_memory_groups(who: Reader, db: Db) -> list[wire.ListedGroup]:
    """The groups that the caller sees, with how many messages wait for each and how many failed."""
    async with db.begin(who) as tx:
        return await groups.list_groups(tx)


@router.get("/groups/{group_id}")
async def show_memory_group(group_id: GroupId, who: Reader, db: Db) -> wire.MemoryGroup:
    """A group: its declared types, how many messages wait, and those that failed, with the reasons."""
    async with db.begin(who) as tx:
        return await groups.get(tx, group_id)


@router.put("/groups/{group_id}/schema")
async def declare_memory_types(group_id: GroupId, body: wire.DeclareGroup, who: Writer, db: Db) -> wire.MemoryGroup:
    """Declare what a group's graph may hold, in place of what was declared before, and whether it keeps raw content."""
    async with db.begin(who) as tx:
        return await groups.declare(tx, group_id, body)


@router.post("/groups/{group_id}/retry")
async def retry_memory_messages(group_id: GroupId, who: Writer, db: Db, settings: Settings) -> wire.Retried:
    """Have the messages that failed remembered after all, in the order they came."""
    async with db.begin(who) as tx:
        return await enqueue.retry(tx, group_id, job=jobs.REMEMBER, in_one_queue=settings.in_one_queue)
