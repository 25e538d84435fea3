"""Event streams of runs, for any number of readers, from any point, without gaps or repeats.

The table is the truth and a notification only wakes. New events are read once for all readers of all runs of a
workspace; a reader who is far behind reads the past page by page.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from intelli.kit.context import System, UserContext
from intelli.kit.db import Database, access_ends_at
from intelli.kit.feeds import EventFrame, Feed, FeedKey, Feeds, FeedSource, FramePage
from intelli.runs import wire
from intelli.runs.errors import RunNotFound
from intelli.runs.store import log as store

CHANNEL = store.CHANNEL
_FEEDS_AT_ONCE = 50
# Before the first look nothing is wanted but how far the log reaches.
_NOTHING = 1 << 62
# So many events of the past are read once for all readers; what lies further back each of them reads by itself.
_KEPT = 200


class RunFeeds(Feeds):
    """Live feeds of run events. A part of the app."""


class RunFeedSource(FeedSource):
    """Feed source that reads the event log of runs."""

    channel = CHANNEL
    heartbeat = b'event: heartbeat\ndata: {"type":"heartbeat"}\n\n'

    def __init__(self, db: Database) -> None:
        self._db = db

    async def read(self, feeds: Sequence[Feed]) -> Sequence[Feed]:
        """Bring the feeds up to date, with one query for up to fifty runs of a workspace; return the unfinished."""
        unfinished: list[Feed] = []
        for tenant_id, together in _by_workspace(feeds):
            async with self._db.begin(System(tenant_id)) as tx:
                found = await store.list_new(tx, {feed.key.id: _start(feed) for feed in together})
            unfinished += [feed for feed in together if _update_feed(feed, found.get(feed.key.id))]
        return unfinished

    async def page(self, feed: Feed, who: UserContext, *, after: int) -> FramePage:
        """Return a page of the log after a seq. An empty page means that the run was deleted."""
        async with self._db.begin(System(feed.key.tenant_id)) as tx:
            frames = [_frame(line) for line in await store.page(tx, feed.key.id, after=after)]
        return FramePage(frames, frames[-1].seq if frames else feed.end)

    async def check(self, who: UserContext, key: FeedKey) -> datetime | None:
        """Raise when the caller may not read the run or is no longer signed in; return when their access ends."""
        async with self._db.begin(who) as tx:
            if await store.find_position(tx, key.id) is None:
                raise RunNotFound("There is no such run. List your runs to find it.")
            return await access_ends_at(tx)


def _by_workspace(feeds: Sequence[Feed]) -> Iterator[tuple[UUID, Sequence[Feed]]]:
    by_tenant: defaultdict[UUID, list[Feed]] = defaultdict(list)
    for feed in feeds:
        by_tenant[feed.key.tenant_id].append(feed)
    for tenant_id, of_tenant in by_tenant.items():
        for start in range(0, len(of_tenant), _FEEDS_AT_ONCE):
            yield tenant_id, of_tenant[start : start + _FEEDS_AT_ONCE]


def _start(feed: Feed) -> int:
    return feed.end if feed.is_read else _NOTHING


def _update_feed(feed: Feed, news: store.NewEvents | None) -> bool:
    """Add new events to the feed; return whether there are more. A deleted run ends its feed."""
    if news is None:
        feed.has_ended = True
    if not feed.is_read:
        feed.begin(max(0, news.position.last_seq - _KEPT) if news else 0)
    if news is None:
        return False
    feed.add([_frame(line) for line in news.lines])
    is_unfinished = feed.end < news.position.last_seq
    feed.is_awaiting = news.position.is_awaited
    feed.has_ended = news.position.status in wire.ENDED and not news.position.is_awaited and not is_unfinished
    return is_unfinished


# Not line ends of the protocol, but of many clients' idea of it. PostgreSQL has escaped all others.
_LINE_ENDS = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def _frame(line: store.Logged) -> EventFrame:
    data = line.payload if line.payload.isascii() else line.payload.translate(_LINE_ENDS)
    return EventFrame(line.seq, f"id: {line.seq}\nevent: {line.type}\ndata: {data}\n\n".encode())
