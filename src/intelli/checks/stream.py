"""Event streams of checks: that one is at work, each statement as it is done, progress, and the end.

An event has no row of its own: 1 is the start, a statement has its number and two, and the end comes after the last.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from intelli.checks import show, store, wire
from intelli.checks.tables import TextCheck
from intelli.kit.context import System, UserContext
from intelli.kit.db import Database, access_ends_at
from intelli.kit.feeds import EventFrame, Feed, FeedKey, Feeds, FeedSource, FramePage, sse_frame

CHANNEL = store.CHANNEL
_START = 1
_FIRST_STATEMENT = 2
_AT_ONCE = 200


_Event = wire.CheckStatusEvent | wire.CheckProgressEvent | wire.CheckStatementEvent


@dataclass(frozen=True, slots=True)
class _News:
    """New frames of a check; whether it is over with them, and whether there are more to read."""

    frames: list[EventFrame]
    is_over: bool
    has_more: bool = False


class CheckFeeds(Feeds):
    """Live feeds of checks. A part of the app."""


class CheckFeedSource(FeedSource):
    """Feed source that reads checks and their statements."""

    channel = CHANNEL

    def __init__(self, db: Database, *, keep_excerpts: bool) -> None:
        self._db = db
        self._keep_excerpts = keep_excerpts

    async def read(self, feeds: Sequence[Feed]) -> Sequence[Feed]:
        """Bring the feeds up to date; return those that have more to read."""
        unfinished: list[Feed] = []
        for feed in feeds:
            if not feed.is_read:
                feed.begin(0)
            news = await self._load(feed.key, after=feed.end)
            feed.add(news.frames)
            feed.has_ended = news.is_over
            if news.has_more:
                unfinished.append(feed)
        return unfinished

    async def page(self, feed: Feed, who: UserContext, *, after: int) -> FramePage:
        """Return a page of frames after a seq. An empty page means that the check was deleted."""
        frames = (await self._load(feed.key, after=after)).frames
        return FramePage(frames, frames[-1].seq if frames else feed.end)

    async def check(self, who: UserContext, key: FeedKey) -> datetime | None:
        """Raise when the caller may not read the check or is no longer signed in; return when their access ends."""
        async with self._db.begin(who) as tx:
            await show.get(tx, key.id)
            return await access_ends_at(tx)

    async def _load(self, key: FeedKey, *, after: int) -> _News:
        async with self._db.begin(System(key.tenant_id)) as tx:
            row = await store.find(tx, key.id)
            if row is None:
                return _News([], is_over=True)
            rows = await store.list_statements(tx, key.id, first=max(after - _START, 0), limit=_AT_ONCE)
            statements = await show.load_statements(tx, rows, keep_excerpts=self._keep_excerpts)
            has_more = len(rows) == _AT_ONCE
            end = None
            if row.status in wire.ENDED and not has_more:
                end = await store.count_statements(tx, key.id) + _FIRST_STATEMENT
        frames = _frames(row, statements, after=after)
        if end is not None and end > after:
            frames.append(_frame(end, _status(row, "done")))
        return _News(frames, is_over=end is not None, has_more=has_more)


def _frames(row: TextCheck, statements: Sequence[wire.TextStatement], *, after: int) -> list[EventFrame]:
    """Return the start, if it was not told, and the statements; the last one brings the progress with it."""
    begun = [_frame(_START, _status(row, "status"))] if after < _START and row.total is not None else []
    frames = [_frame(each.number + _FIRST_STATEMENT, wire.CheckStatementEvent(statement=each)) for each in statements]
    if frames and row.total:
        done, last = statements[-1].number + 1, frames[-1]
        told = wire.CheckProgressEvent(done=done, total=row.total, progress=min(done / row.total, 1))
        frames[-1] = EventFrame(last.seq, last.encoded + _encode(last.seq, told))
    return begun + frames


def _status(row: TextCheck, type: str) -> wire.CheckStatusEvent:
    status = row.status if type == "done" else wire.TextCheckStatus.PROCESSING
    error = show.failure_of(row) if type == "done" else None
    return wire.CheckStatusEvent.model_validate({"type": type, "status": status, "total": row.total, "error": error})


def _frame(seq: int, event: _Event) -> EventFrame:
    return EventFrame(seq, _encode(seq, event))


def _encode(seq: int, event: _Event) -> bytes:
    # In ASCII: many clients take other characters for ends of lines too.
    return sse_frame(id=str(seq), event=event.type, data=event.model_dump_json(ensure_ascii=True))
