"""Feeds: new events of one resource (a run, a library, a log), read once for all its subscribers in this process.

The path of an event: a transaction commits and notifies → `Live` marks the feed → `Feeds.run` reads all marked feeds of
a kind from the database, one query at a time → the feed buffers the new frames, encoded, and wakes its readers → each
reader sends them on its connection. A feed that is not marked causes no query, however many readers it has.

The permission of a reader is checked when it opens, when the database notifies that the rights of this person or on
this resource changed (channel `access`), and when the credential expires.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Self
from uuid import UUID

import structlog

from intelli.kit import clock
from intelli.kit.context import Scope, UserContext
from intelli.kit.db import run_to_completion
from intelli.kit.errors import Throttled, Unavailable
from intelli.kit.live import Live

ACCESS_CHANNEL = "access"
HEARTBEAT_S = 15.0
_RING_FRAMES = 512
_RING_BYTES = 2_000_000
_PAUSE_AFTER_FAILURE_S = 1.0
_ALL_IS_NEW = -1

log = structlog.get_logger()


class TooManyStreams(Throttled):
    """One person holds more open streams than they may."""

    code = "too_many_streams"


class StreamLimit:
    """Limit on the open streams of each person in this process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: dict[tuple[UUID, UUID], int] = {}

    @property
    def streams(self) -> int:
        """Number of open streams."""
        return sum(self._open.values())

    @contextmanager
    def admit(self, who: UserContext) -> Iterator[None]:
        """Count a stream while the block lasts. Raise TooManyStreams when the person has reached the limit."""
        person = (who.tenant_id, who.user_id)
        if self._open.get(person, 0) >= self._most:
            raise TooManyStreams(
                f"You have {self._most} streams open, which is the most. Close a tab or a program that follows one.",
                retry_after_s=10,
            )
        self._open[person] = self._open.get(person, 0) + 1
        try:
            yield
        finally:
            self._open[person] -= 1
            if not self._open[person]:
                del self._open[person]


@dataclass(frozen=True, slots=True)
class FeedKey:
    """Key of a feed: the id of its resource, and the workspace."""

    tenant_id: UUID
    id: UUID


@dataclass(frozen=True, slots=True)
class EventFrame:
    """Encoded event with its sequence number. With an `owner`, only they and admins of the workspace see it."""

    seq: int
    encoded: bytes
    owner: UUID | None = None


def sse_frame(*, id: str, event: str, data: str) -> bytes:
    """Encode one server-sent event. `data` is a single line of JSON."""
    return f"id: {id}\nevent: {event}\ndata: {data}\n\n".encode()


@dataclass(frozen=True, slots=True)
class FramePage:
    """Page of past frames, and the seq up to which the page is complete for its reader."""

    frames: Sequence[EventFrame]
    reaches: int


class Feed:
    """Ring buffer of the newest frames of one resource, shared by all its readers."""

    def __init__(self, key: FeedKey) -> None:
        self.key = key
        self.readers: set[FeedReader] = set()
        self.stack = ExitStack()
        self.has_ended = False
        self.is_broken = False
        self.is_awaiting = False
        self.greeting = b""
        self._ring: deque[EventFrame] = deque()
        self._ring_bytes = 0
        self._complete_after = 0
        self._end: int | None = None
        self._newest = (_ALL_IS_NEW, b"")

    @property
    def is_read(self) -> bool:
        """True once the feed was read for the first time and `end` is known."""
        return self._end is not None

    @property
    def end(self) -> int:
        """Seq of the last frame; 0 before the first read."""
        return self._end or 0

    def begin(self, end: int) -> None:
        """Set the current end. Earlier frames are not buffered: readers get them from `FeedSource.page`."""
        self._end = self._complete_after = end

    def add(self, frames: Sequence[EventFrame]) -> None:
        """Append new frames to the buffer, and drop the oldest ones beyond its limits."""
        if not frames:
            return
        self._newest = (self.end, b"".join(frame.encoded for frame in frames))
        for frame in frames:
            self._ring.append(frame)
            self._ring_bytes += len(frame.encoded)
        self._end = frames[-1].seq
        while len(self._ring) > 1 and (len(self._ring) > _RING_FRAMES or self._ring_bytes > _RING_BYTES):
            dropped = self._ring.popleft()
            self._ring_bytes -= len(dropped.encoded)
            self._complete_after = dropped.seq

    def reaches(self, cursor: int) -> bool:
        """Return True when the buffer has all frames after the cursor."""
        return cursor >= self._complete_after

    def newest_after(self, cursor: int) -> bytes | None:
        """Return the frames of the last `add`, joined once for all readers; None if they do not follow the cursor."""
        return self._newest[1] if self._newest[0] == cursor else None

    def frames_after(self, cursor: int) -> list[EventFrame]:
        """Return the buffered frames after the cursor; complete only if the feed `reaches` it."""
        newer = []
        for frame in reversed(self._ring):
            if frame.seq <= cursor:
                break
            newer.append(frame)
        newer.reverse()
        return newer


class FeedSource(ABC):
    """Source of the feeds of one kind: reads frames from the database and checks permissions."""

    channel: str
    heartbeat: bytes = b": alive\n\n"
    # True when frames have owners, so that readers see different ones.
    is_personal: bool = False
    # Least pause between two reads, in seconds, for a kind that is expensive to read.
    pause_s: float = 0

    def new_feed(self, key: FeedKey) -> Feed:
        """Create a feed that was not read yet."""
        return Feed(key)

    @abstractmethod
    async def read(self, feeds: Sequence[Feed]) -> Sequence[Feed]:
        """Read new frames into the feeds; return the feeds that have more to read."""

    @abstractmethod
    async def page(self, feed: Feed, who: UserContext, *, after: int) -> FramePage:
        """Read a page of frames after a seq, for a reader that is behind the buffer."""

    @abstractmethod
    async def check(self, who: UserContext, key: FeedKey) -> datetime | None:
        """Raise when the person may not read the feed; else return when their credential expires, None for never."""


class Feeds:
    """Registry of the feeds of one kind in this process. `run` belongs into the process's task group."""

    def __init__(self, source: FeedSource, live: Live, *, heartbeat_s: float = HEARTBEAT_S) -> None:
        self.source = source
        self.live = live
        self.heartbeat_s = heartbeat_s
        self._feeds: dict[FeedKey, Feed] = {}
        self._marked: set[Feed] = set()
        self._has_marked = asyncio.Event()
        self._checks: dict[Hashable, asyncio.Future[datetime | None]] = {}

    async def open(self, who: UserContext, key: FeedKey, *, after: int | None = None) -> "FeedReader":
        """Open a reader after a seq, or from now on. Raise when the person may not read the feed."""
        return FeedReader(self, who, key, after=after, access_ends_at=await self.check(who, key))

    async def run(self) -> None:
        """Read marked feeds until the process shuts down."""
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(self._read_marked())
            await self.live.until_closed()
            reading.cancel()

    async def _read_marked(self) -> None:
        while True:
            await self._has_marked.wait()
            self._has_marked.clear()
            marked, self._marked = self._marked, set()
            await run_to_completion(self._read([feed for feed in marked if feed.readers]))
            await asyncio.sleep(self.source.pause_s)

    async def _read(self, feeds: Sequence[Feed]) -> None:
        if not feeds:
            return
        try:
            unfinished = await self.source.read(feeds)
        except (Unavailable, TimeoutError) as error:
            log.warning("feed_not_read", channel=self.source.channel, error=type(error).__name__)
            await asyncio.sleep(_PAUSE_AFTER_FAILURE_S)
            unfinished = feeds
        except Exception:  # the edge of every read: one broken feed must not end the process
            log.exception("feed_broken", channel=self.source.channel)
            unfinished = await self._read_each(feeds)
        for feed in unfinished:
            self.mark(feed)
        for feed in feeds:
            for reader in feed.readers:
                reader.wake()

    async def _read_each(self, feeds: Sequence[Feed]) -> Sequence[Feed]:
        """Read each feed alone after a joint read failed: the broken one ends its streams, the others go on."""
        if len(feeds) == 1:
            feeds[0].is_broken = True
            return ()
        for feed in feeds:
            await self._read([feed])
        return ()

    def mark(self, feed: Feed) -> None:
        """Schedule the feed to be read."""
        self._marked.add(feed)
        self._has_marked.set()

    def enter(self, key: FeedKey, reader: "FeedReader") -> Feed:
        """Add a reader to the feed of a key, and return the feed. The first reader creates and subscribes it."""
        feed = self._feeds.get(key)
        if feed is None:
            feed = self._feeds[key] = self.source.new_feed(key)
            feed.stack.enter_context(self.live.subscribe(self.source.channel, str(key.id), lambda: self.mark(feed)))
            self.mark(feed)
        feed.readers.add(reader)
        return feed

    def leave(self, feed: Feed, reader: "FeedReader") -> None:
        """Remove a reader from a feed; the last one drops the feed and its subscription."""
        feed.readers.discard(reader)
        if not feed.readers and self._feeds.get(feed.key) is feed:
            del self._feeds[feed.key]
            feed.stack.close()

    async def check(self, who: UserContext, key: FeedKey) -> datetime | None:
        """Check permission as `FeedSource.check` does; concurrent checks of one person and key share one query."""
        check = self._checks.get((who, key))
        if check is None:
            check = self._checks[who, key] = asyncio.ensure_future(self.source.check(who, key))
            check.add_done_callback(lambda done: self._forget_check((who, key), done))
        return await asyncio.shield(check)

    def _forget_check(self, key: Hashable, done: asyncio.Future[datetime | None]) -> None:
        self._checks.pop(key, None)
        if not done.cancelled():
            done.exception()  # marks it as retrieved: its waiters got it, and they may all have gone


class FeedReader:
    """Position of one connection in a feed. `read` returns the next bytes to send, or None at the end."""

    def __init__(
        self, feeds: Feeds, who: UserContext, key: FeedKey, *, after: int | None, access_ends_at: datetime | None
    ) -> None:
        self.who = who
        self._feeds = feeds
        self._key = key
        self._cursor = after
        self._access_ends_at = access_ends_at
        self._must_check = False
        self._must_heartbeat = False
        self._is_greeted = False
        self._woken = asyncio.Event()
        self._stack = ExitStack()
        self._sees_all = not feeds.source.is_personal or who.may(Scope.ADMIN)
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> Self:
        live = self._feeds.live
        self._feed = self._feeds.enter(self._key, self)
        self._stack.callback(self._feeds.leave, self._feed, self)
        for name in {str(self.who.user_id), str(self._key.id)}:
            self._stack.enter_context(live.subscribe(ACCESS_CHANNEL, name, self._on_access_change))
        self._timer = asyncio.get_running_loop().call_later(self._feeds.heartbeat_s, self._heartbeat)
        self._stack.callback(self._stop_timer)
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def wake(self) -> None:
        """Make a waiting `read` look for new frames."""
        self._woken.set()

    async def read(self) -> bytes | None:
        """Wait for the next bytes to send: events, or a heartbeat in their absence. None ends the stream."""
        while not self._feeds.live.closed and not self._feed.is_broken:
            self._woken.clear()
            if self._must_check:
                await self._check()
            if self._feed.is_read:
                if chunk := await self._next_chunk():
                    return chunk
                if self._feed.has_ended and self._position >= self._feed.end:
                    return None
            if self._must_heartbeat:
                self._must_heartbeat = False
                return self._feeds.source.heartbeat
            await self._woken.wait()
        return None

    @property
    def _position(self) -> int:
        """Seq of the last frame that was returned; a reader opened without a seq begins at the end."""
        if self._cursor is None:
            self._cursor = self._feed.end
        return self._cursor

    async def _next_chunk(self) -> bytes:
        if not self._is_greeted:
            self._is_greeted = True
            if self._feed.greeting:
                self._cursor = self._feed.end
                return self._feed.greeting
        feed = self._feed
        while self._position < feed.end:
            if self._sees_all and (newest := feed.newest_after(self._position)) is not None:
                self._cursor = feed.end
                return newest
            page = await self._page()
            self._cursor = page.reaches
            if chunk := b"".join(frame.encoded for frame in page.frames if self._sees(frame)):
                return chunk
        return b""

    async def _page(self) -> FramePage:
        if self._feed.reaches(self._position):
            return FramePage(self._feed.frames_after(self._position), self._feed.end)
        return await run_to_completion(self._feeds.source.page(self._feed, self.who, after=self._position))

    def _sees(self, frame: EventFrame) -> bool:
        return self._sees_all or frame.owner == self.who.user_id

    async def _check(self) -> None:
        self._must_check = False
        self._access_ends_at = await self._feeds.check(self.who, self._key)

    def _on_access_change(self) -> None:
        self._must_check = True
        self.wake()

    def _heartbeat(self) -> None:
        """Trigger a heartbeat, check whether the credential expired, and mark a feed that waits for time to pass."""
        self._must_heartbeat = True
        if self._access_ends_at is not None and clock.now() >= self._access_ends_at:
            self._must_check = True
        if self._feed.is_awaiting:
            self._feeds.mark(self._feed)
        self._timer = asyncio.get_running_loop().call_later(self._feeds.heartbeat_s, self._heartbeat)
        self.wake()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
