"""Streams: what a run tells, to any number of readers, from any point, without a gap and without a repeat.

The table is the truth and a notification only wakes. Each reader has a cursor of its own; what is new is read from the
table once for all of them and kept as encoded frames, so that a reader who keeps up costs no query.
"""

import asyncio
import time
from collections import deque
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

HEARTBEAT_S = 25.0
HEARTBEAT = b'event: heartbeat\ndata: {"type":"heartbeat"}\n\n'
_RING_FRAMES = 512
_RING_BYTES = 2_000_000
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
    """What is new in one run, read once for all its readers."""

    def __init__(self, db: Database, tenant_id: UUID, run_id: UUID) -> None:
        self.readers = 0
        self._db = db
        self._who = System(tenant_id)
        self._run_id = run_id
        self._ring: deque[_Frame] = deque()
        self._ring_bytes = 0
        self._last_seq = 0
        self._has_ended = False
        self._running: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None

    def is_over(self, cursor: int) -> bool:
        """True when the run has ended and the reader has seen its last event."""
        return self._has_ended and cursor >= self._last_seq

    async def look(self) -> None:
        """Return after a look at the table that began after this call. Readers who ask together share it."""
        if self._next is None:
            self._next = asyncio.ensure_future(self._look_after(self._running))
        await asyncio.shield(self._next)

    async def after(self, cursor: int) -> list[_Frame]:
        """What comes after the cursor: from the ring when it reaches back that far, else a page of the table."""
        if cursor >= self._last_seq:
            return []
        if self._ring and self._ring[0].seq <= cursor + 1 and self._ring[-1].seq > cursor:
            return [frame for frame in self._ring if frame.seq > cursor]
        return await uncancelled(self._page(cursor))

    async def _look_after(self, before: "asyncio.Task[None] | None") -> None:
        if before is not None:
            await asyncio.wait([before])
        self._running, self._next = self._next, None
        async with self._db.begin(self._who) as tx:
            head = await store.head(tx, self._run_id)
            start = self._ring[-1].seq if self._ring else self._last_seq
            lines = await store.page(tx, self._run_id, after=start) if self._wants(head) else []
        for line in lines:
            self._keep(_frame(line))
        if head is not None:
            self._last_seq = head.last_seq
            self._has_ended = head.status in wire.ENDED
        else:
            self._has_ended = True

    def _wants(self, head: store.Head | None) -> bool:
        """Only what comes after the first look goes into the ring: what was before is read page by page."""
        return head is not None and head.last_seq > self._last_seq and (self._last_seq > 0 or bool(self._ring))

    def _keep(self, frame: _Frame) -> None:
        if self._ring and frame.seq != self._ring[-1].seq + 1:
            self._ring.clear()
            self._ring_bytes = 0
        self._ring.append(frame)
        self._ring_bytes += len(frame.encoded)
        while len(self._ring) > 1 and (len(self._ring) > _RING_FRAMES or self._ring_bytes > _RING_BYTES):
            self._ring_bytes -= len(self._ring.popleft().encoded)

    async def _page(self, cursor: int) -> list[_Frame]:
        async with self._db.begin(self._who) as tx:
            return [_frame(line) for line in await store.page(tx, self._run_id, after=cursor)]


class Streams:
    """The feeds of this process, one for each run that somebody reads. A part of the app."""

    def __init__(self, db: Database, live: Live, *, heartbeat_s: float = HEARTBEAT_S) -> None:
        self._db = db
        self._live = live
        self._heartbeat_s = heartbeat_s
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
        feed = self._feeds.setdefault(key, _Feed(self._db, *key))
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
        with self._live.subscribe(store.CHANNEL, str(run_id)) as subscription:
            await feed.look()
            while not subscription.closed:
                frames = await feed.after(cursor)
                if frames:
                    yield b"".join(frame.encoded for frame in frames)
                    cursor = frames[-1].seq
                    continue
                if feed.is_over(cursor):
                    return
                if now() - checked_at > _STANDING_S:
                    await uncancelled(check(self._db, who, run_id))
                    checked_at = now()
                if await subscription.wait(self._heartbeat_s):
                    await feed.look()
                else:
                    yield HEARTBEAT


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
