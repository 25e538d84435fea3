"""Routes that correct and forget: read what may change, embed outside of any transaction, write."""

from collections.abc import Awaitable, Callable
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query

from intelli.kit.context import UserContext
from intelli.kit.db import Database, Tx
from intelli.kit.http import Db, Reader, Writer
from intelli.memory import communities, correct, forget, merge_nodes, show, vectors
from intelli.memory import wire_read as wire
from intelli.memory.forget import ForgetTarget
from intelli.memory.routes.ingest import GroupId
from intelli.memory.routes.read import Reasoners

router = APIRouter(prefix="/memory", tags=["memory"])
DryRun = Annotated[bool, Query(description="Only tell what would be gone.")]


@router.post("/nodes/merge")
async def merge_memory_nodes(body: wire.MergeNodes, who: Writer, db: Db, reasoners: Reasoners) -> wire.NodeHistory:
    """Say that two nodes are the same. It can be taken back by splitting them."""
    async with db.begin(who) as tx:
        texts = await merge_nodes.texts_to_embed(tx, body.keep, body.merge)
    made = await vectors.embed(reasoners.embedder, texts)
    async with db.begin(who) as tx:
        return await show.get_node(tx, await merge_nodes.merge(tx, body, made))


@router.post("/nodes/{node_id}/split")
async def split_memory_node(
    node_id: UUID, body: wire.SplitNode, who: Writer, db: Db, reasoners: Reasoners
) -> wire.NodeHistory:
    """Say that a name is not this node's: it is a node of its own again, which is answered."""
    async with db.begin(who) as tx:
        texts = await merge_nodes.texts_to_embed(tx, node_id, body.alias)
    made = await vectors.embed(reasoners.embedder, texts)
    async with db.begin(who) as tx:
        return await show.get_node(tx, await merge_nodes.split(tx, node_id, body, made))


@router.patch("/facts/{fact_id}")
async def correct_memory_fact(
    fact_id: UUID, body: wire.CorrectFact, who: Writer, db: Db, reasoners: Reasoners
) -> wire.Provenance:
    """Correct what a fact says or when it holds. What was believed before stays in its history."""
    async with db.begin(who) as tx:
        statement = body.statement or (await correct.get_fact(tx, fact_id)).statement
    made = await vectors.embed(reasoners.embedder, [statement])
    async with db.begin(who) as tx:
        return await show.get_fact(tx, await correct.correct(tx, fact_id, body, made))


@router.post("/facts/{fact_id}/invalidate")
async def invalidate_memory_fact(fact_id: UUID, body: wire.InvalidateFact, who: Writer, db: Db) -> wire.Provenance:
    """Say that a fact does not hold from a time on."""
    async with db.begin(who) as tx:
        return await show.get_fact(tx, await correct.invalidate(tx, fact_id, body))


@router.delete("/episodes/{episode_id}")
async def forget_memory_episode(
    episode_id: UUID, who: Writer, db: Db, reasoners: Reasoners, dry_run: DryRun = False
) -> wire.Forgotten:
    """Forget an episode, with the facts and nodes that no other episode speaks of. What it had ended holds again."""
    return await _forget(db, who, reasoners, lambda tx: forget.get_episode_target(tx, episode_id), dry_run=dry_run)


@router.delete("/facts/{fact_id}")
async def forget_memory_fact(
    fact_id: UUID, who: Writer, db: Db, reasoners: Reasoners, dry_run: DryRun = False
) -> wire.Forgotten:
    """Forget a fact, whoever said it. The episodes stay."""
    return await _forget(db, who, reasoners, lambda tx: forget.get_fact_target(tx, fact_id), dry_run=dry_run)


@router.delete("/nodes/{node_id}")
async def forget_memory_node(
    node_id: UUID,
    who: Writer,
    db: Db,
    reasoners: Reasoners,
    with_episodes: Annotated[bool, Query(description="Forget the episodes that name it as well.")] = False,
    dry_run: DryRun = False,
) -> wire.Forgotten:
    """Forget a node under all its names, with every fact of it."""
    found = lambda tx: forget.get_node_target(tx, node_id, with_episodes=with_episodes)  # noqa: E731  # passed on as it is
    return await _forget(db, who, reasoners, found, dry_run=dry_run)


@router.delete("/groups/{group_id}")
async def forget_memory_group(group_id: GroupId, who: Writer, db: Db, dry_run: DryRun = False) -> wire.Forgotten:
    """Forget a group with everything in it, also the messages that wait for it."""
    async with db.begin(who) as tx:
        return await (forget.preview_group(tx, group_id) if dry_run else forget.forget_group(tx, group_id))


@router.post("/groups/{group_id}/communities", status_code=202)
async def find_memory_communities(group_id: GroupId, who: Writer, db: Db) -> wire.CommunitiesAwaited:
    """Have the communities of a group found, or brought up to date."""
    async with db.begin(who) as tx:
        return await communities.request_update(tx, group_id)


@router.get("/groups/{group_id}/communities")
async def list_memory_communities(group_id: GroupId, who: Reader, db: Db) -> list[wire.Community]:
    """The communities of a group, the largest first."""
    async with db.begin(who) as tx:
        return await communities.list_communities(tx, group_id)


async def _forget(
    db: Database,
    who: UserContext,
    reasoners: Reasoners,
    find: Callable[[Tx], Awaitable[ForgetTarget]],
    *,
    dry_run: bool,
) -> wire.Forgotten:
    async with db.begin(who) as tx:
        texts = await forget.texts_to_embed(tx, await find(tx))
    made = await vectors.embed(reasoners.embedder, texts)
    async with db.begin(who) as tx:
        target = await find(tx)
        return await (forget.preview(tx, target) if dry_run else forget.forget(tx, target, made))
