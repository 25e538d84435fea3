"""Streams: what a run tells, to any number of readers, from any point, without a gap and without a repeat.

The table is the truth and a notification only wakes. Each reader has a cursor of its own; what is new is read from the
table once for all of them and kept as encoded frames, so that a reader who keeps up costs no query.
"""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from intelli.kit.context import System, UserContext
from intelli.kit.db import Database, uncancelled
from intelli.kit.live import Live
from intelli.runs import wire
from intelli.runs.errors import RunNotFound
from intelli.runs.store import log as store

CHANNEL = store.CHANNEL
HEARTBEAT_S = 25.0
HEARTBEAT = b'event: heartbeat\ndata: {"type":"heartbeat"}\n\n'
_RING_FRAMES = 512
_RING_BYTES = 2_000_000
_FEEDS_AT_ONCE = 50
_NOTHING = 1 << 62
# How often a reader's right to read is asked for again.
_STANDING_S = 30.0


class Clock(Protocol):
    """Seconds that only grow."""

    def __call__(self) -> float:
        """Now."""


@dataclass(frozen=True, slots=True)
class _Frame:
    seq: int
    encoded: bytes


class _Feed:
    """What is new in one run, kept once for all its readers."""

    def __init__(self, tenant_id: UUID, run_id: UUID) -> None:
        self.tenant_id = tenant_id
        self.run_id = run_id
        self.readers = 0
        self._ring: deque[_Frame] = deque()
        self._ring_bytes = 0
        self._last_seq = 0
        self._has_ended = False
        self.is_awaiting = False

    @property
    def start(self) -> int:
        """After which seq the ring goes on. Before the first look nothing is wanted: the past is read page by page."""
        if self._ring:
            return self._ring[-1].seq
        return self._last_seq or _NOTHING

    def is_over(self, cursor: int) -> bool:
        """True when the run has ended and the reader has seen its last event."""
        return self._has_ended and cursor >= self._last_seq

    def is_behind(self, cursor: int) -> bool:
        """True when there is more after the cursor."""
        return cursor < self._last_seq

    def ring_after(self, cursor: int) -> list[_Frame]:
        """What the ring has after the cursor; empty when it does not reach back that far."""
        if not self._ring or self._ring[0].seq > cursor + 1:
            return []
        return [frame for frame in self._ring if frame.seq > cursor]

    def take(self, news: store.News | None) -> None:
        """Keep what is new. A run that is gone has nothing more to tell."""
        if news is None:
            self._has_ended = True
            return
        for line in news.lines:
            self._keep(_frame(line))
        self._last_seq = news.head.last_seq
        self.is_awaiting = news.head.is_awaited
        self._has_ended = news.head.status in wire.ENDED and not news.head.is_awaited

    def _keep(self, frame: _Frame) -> None:
        self._ring.append(frame)
        self._ring_bytes += len(frame.encoded)
        while len(self._ring) > 1 and (len(self._ring) > _RING_FRAMES or self._ring_bytes > _RING_BYTES):
            self._ring_bytes -= len(self._ring.popleft().encoded)


class _Lookout:
    """Looks at the tables for all feeds of the process: one look at a time, which takes whoever asked meanwhile."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._asked: set[_Feed] = set()
        self._running: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None

    async def look(self, feed: _Feed) -> None:
        """Return after a look at the feed's run that began after this call."""
        self._asked.add(feed)
        if self._next is None:
            self._next = asyncio.ensure_future(self._look_after(self._running))
        await asyncio.shield(self._next)

    async def page(self, feed: _Feed, cursor: int) -> list[_Frame]:
        """A page of the table, for a reader who is far behind."""
        return await uncancelled(self._page(feed, cursor))

    async def _look_after(self, before: "asyncio.Task[None] | None") -> None:
        if before is not None:
            await asyncio.wait([before])
        self._running, self._next = self._next, None
        asked, self._asked = self._asked, set()
        by_tenant: defaultdict[UUID, list[_Feed]] = defaultdict(list)
        for feed in asked:
            by_tenant[feed.tenant_id].append(feed)
        for tenant_id, feeds in by_tenant.items():
            for start in range(0, len(feeds), _FEEDS_AT_ONCE):
                await self._look(tenant_id, feeds[start : start + _FEEDS_AT_ONCE])

    async def _look(self, tenant_id: UUID, feeds: list[_Feed]) -> None:
        async with self._db.begin(System(tenant_id)) as tx:
            found = await store.news(tx, {feed.run_id: feed.start for feed in feeds})
        for feed in feeds:
            feed.take(found.get(feed.run_id))

    async def _page(self, feed: _Feed, cursor: int) -> list[_Frame]:
        async with self._db.begin(System(feed.tenant_id)) as tx:
            return [_frame(line) for line in await store.page(tx, feed.run_id, after=cursor)]


class Streams:
    """The feeds of this process, one for each run that somebody reads. A part of the app."""

    def __init__(self, db: Database, live: Live, *, heartbeat_s: float = HEARTBEAT_S) -> None:
        self._db = db
        self._live = live
        self._heartbeat_s = heartbeat_s
        self._lookout = _Lookout(db)
        self._feeds: dict[tuple[UUID, UUID], _Feed] = {}

    @property
    def readers(self) -> int:
        """How many streams are open."""
        return sum(feed.readers for feed in self._feeds.values())

    async def follow(
        self, who: UserContext, run_id: UUID, *, after: int = 0, now: Clock = time.monotonic
    ) -> AsyncIterator[bytes]:
        """Frames after a seq: those missed, then those to come, until the run has ended and all is said.

        A reader who leaves and comes back with the last seq they saw gets the rest and nothing twice.
        """
        key = (who.tenant_id, run_id)
        feed = self._feeds.setdefault(key, _Feed(*key))
        feed.readers += 1
        try:
            async for frames in self._read(feed, who, run_id, after=after, now=now):
                yield frames
        finally:
            feed.readers -= 1
            if not feed.readers:
                self._feeds.pop(key, None)

    async def _read(
        self, feed: _Feed, who: UserContext, run_id: UUID, *, after: int, now: Clock
    ) -> AsyncIterator[bytes]:
        cursor, checked_at = after, now()
        with self._live.subscribe(CHANNEL, str(run_id)) as subscription:
            await self._lookout.look(feed)
            while not subscription.closed:
                if feed.is_behind(cursor):
                    frames = feed.ring_after(cursor) or await self._lookout.page(feed, cursor)
                    if not frames:
                        return
                    yield b"".join(frame.encoded for frame in frames)
                    cursor = frames[-1].seq
                    continue
                if feed.is_over(cursor):
                    return
                if now() - checked_at > _STANDING_S:
                    await uncancelled(check(self._db, who, run_id))
                    checked_at = now()
                if await subscription.wait(self._heartbeat_s):
                    await self._lookout.look(feed)
                    continue
                yield HEARTBEAT
                if feed.is_awaiting:
                    # Nobody tells of a promise that was not kept: it only runs out.
                    await self._lookout.look(feed)


async def check(db: Database, who: UserContext, run_id: UUID) -> None:
    """Refuse someone who may not read the run: it is not there, or not theirs, or they are no longer signed in."""
    async with db.begin(who) as tx:
        if await store.head(tx, run_id) is None:
            raise RunNotFound("There is no such run. List your runs to find it.")


# Not line ends of the protocol, but of many clients' idea of it. PostgreSQL has escaped all others.
_LINE_ENDS = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def _frame(line: store.Logged) -> _Frame:
    data = line.payload if line.payload.isascii() else line.payload.translate(_LINE_ENDS)
    return _Frame(line.seq, f"id: {line.seq}\nevent: {line.type}\ndata: {data}\n\n".encode())
