"""The timeline of a group: when facts begin and end, in order of time."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from intelli.kit import pagination
from intelli.kit.db import Tx
from intelli.kit.wire import Page
from intelli.memory import groups, show
from intelli.memory import wire_read as wire
from intelli.memory.store import graph_overview as store
from intelli.memory.store import history, node_history

_BUCKETS = 60


@dataclass(frozen=True, slots=True)
class TimelineFilter:
    """Filter of moments: a group or one of its nodes, from `earliest` up to but without `latest`."""

    group_id: str
    node_id: UUID | None = None
    earliest: datetime | None = None
    latest: datetime | None = None
    is_newest_first: bool = False


async def list_moments(tx: Tx, wanted: TimelineFilter, *, cursor: str | None, limit: int) -> Page[wire.TimelineMoment]:
    """Return a page of moments. A fact whose beginning is not known has none here. Raise GroupNotFound."""
    await groups.get(tx, wanted.group_id)
    node = await node_history.find_root(tx, wanted.node_id) if wanted.node_id else None
    rows = await store.moments(
        tx,
        wanted.group_id,
        node_id=node.id if node else wanted.node_id,
        between=(wanted.earliest, wanted.latest),
        after=_decode(cursor),
        is_newest_first=wanted.is_newest_first,
        limit=limit + 1,
    )
    found = await history.facts(tx, {row.id for row in rows[:limit]})
    facts = {each.id: each for each in await show.facts_to_wire(tx, list(found.values()))}
    return pagination.moment_page(
        rows,
        limit,
        item=lambda row: wire.TimelineMoment(at=row.at, kind=row.kind, fact=facts[row.id]),
        moment=lambda row: (row.at, f"{row.kind}:{row.id}"),
    )


async def get_extent(tx: Tx, group_id: str) -> wire.TimelineExtent:
    """Return the first and last moment of a group and its moments counted in 60 buckets. Raise GroupNotFound."""
    await groups.get(tx, group_id)
    rows = await store.extent(tx, group_id, buckets=_BUCKETS)
    return wire.TimelineExtent(
        first=rows[0].first if rows else None,
        last=rows[0].last if rows else None,
        buckets=[wire.TimelineBucket(at=row.at, count=row.moments) for row in rows],
    )


def _decode(cursor: str | None) -> tuple[datetime, str, UUID] | None:
    place = pagination.decode_moment(cursor)
    if place is None:
        return None
    kind, _, fact_id = place[1].partition(":")
    try:
        return place[0], wire.MomentKind(kind).value, UUID(fact_id)
    except ValueError as error:
        raise pagination.InvalidCursor("This cursor is of another list. Leave it out to begin anew.") from error
