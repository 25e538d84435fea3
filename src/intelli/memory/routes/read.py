"""Routes that search and show memory."""

from functools import partial
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query
from pydantic import AwareDatetime

from intelli.kit.http import Cursor, Db, Limit, Reader, part
from intelli.kit.wire import Page
from intelli.memory import graph, search, show, timeline
from intelli.memory import wire_read as wire
from intelli.memory.ports import MemoryReasoners

router = APIRouter(prefix="/memory", tags=["memory"])
Reasoners = Annotated[MemoryReasoners, Depends(part(MemoryReasoners))]
GroupQuery = Annotated[str, Query(max_length=200, description="The group to look at.")]
AsOf = Annotated[AwareDatetime | None, Query(description="What held at this time; now, if not given.")]
KnownAt = Annotated[AwareDatetime | None, Query(description="By what was known at this time; now, if not given.")]


@router.post("/search")
async def search_memory(body: wire.SearchMemory, who: Reader, db: Db, reasoners: Reasoners) -> wire.Recollections:
    """Find the facts, nodes and episodes that bear on a query, as they held and were known at a time.

    Facts that hold are found, with the episodes that prove them; such as ended only on request. Groups that the caller
    does not see have nothing.
    """
    return await search.search(partial(db.begin, who), body, embedder=reasoners.embedder)


@router.get("/nodes/{node_id}")
async def show_memory_node(node_id: UUID, who: Reader, db: Db) -> wire.NodeHistory:
    """A node with its other names, all facts it ever had, and the newest episodes that name it."""
    async with db.begin(who) as tx:
        return await show.get_node(tx, node_id)


@router.get("/facts/{fact_id}")
async def show_memory_fact(fact_id: UUID, who: Reader, db: Db) -> wire.Provenance:
    """A fact with the episodes that say it and its end, word for word, and what held before and after."""
    async with db.begin(who) as tx:
        return await show.get_fact(tx, fact_id)


@router.get("/episodes/{episode_id}")
async def show_memory_episode(episode_id: UUID, who: Reader, db: Db) -> wire.ToldEpisode:
    """An episode with the facts that rest on it."""
    async with db.begin(who) as tx:
        return await show.get_episode(tx, episode_id)


@router.get("/graph")
async def show_memory_graph(
    group_id: GroupQuery,
    who: Reader,
    db: Db,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Annotated[int, Query(ge=1, le=5000, description="Most nodes of the picture.")] = 500,
) -> wire.Graph:
    """The picture of a group: the nodes with most facts, and the facts between them."""
    async with db.begin(who) as tx:
        return await graph.build_graph(tx, group_id, as_of=as_of, known_at=known_at, limit=limit)


@router.get("/timeline")
async def list_memory_moments(
    group_id: GroupQuery,
    who: Reader,
    db: Db,
    earliest: Annotated[AwareDatetime | None, Query(alias="from")] = None,
    latest: Annotated[AwareDatetime | None, Query(alias="to")] = None,
    node_id: UUID | None = None,
    newest_first: bool = False,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[wire.TimelineMoment]:
    """When facts of a group, or of one of its nodes, begin and end, in the order of time."""
    wanted = timeline.TimelineFilter(group_id, node_id, earliest, latest, is_newest_first=newest_first)
    async with db.begin(who) as tx:
        return await timeline.list_moments(tx, wanted, cursor=cursor, limit=limit)


@router.get("/timeline/extent")
async def show_memory_extent(group_id: GroupQuery, who: Reader, db: Db) -> wire.TimelineExtent:
    """From when to when something is known of a group, and how much when."""
    async with db.begin(who) as tx:
        return await timeline.get_extent(tx, group_id)
