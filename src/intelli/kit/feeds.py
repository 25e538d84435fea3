"""Feeds: what is new in one thing (a run, a library, a log), read once for all who follow it in this process.

The path of an event: a transaction commits and notifies → `Live` marks the feed → `Feeds.run` reads all marked feeds of
a kind from the database, one reading at a time → the feed keeps the new frames, encoded, and wakes its readers → each
reader hands them to its connection. A feed that nobody marks asks the database nothing, whoever follows it.

A reader's right to read is checked when it begins, when the database says that the right of this person or to this
thing has changed (channel `access`), and when the credential runs out.
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
from intelli.kit.db import uncancelled
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
    """Counts the open streams of each person in this process, and refuses one more than the limit."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: dict[tuple[UUID, UUID], int] = {}

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return sum(self._open.values())

    @contextmanager
    def admit(self, who: UserContext) -> Iterator[None]:
        """Count a stream while the block lasts."""
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
    """Names the thing that a feed is about, in its workspace."""

    tenant_id: UUID
    id: UUID


@dataclass(frozen=True, slots=True)
class EventFrame:
    """One event as it goes over the wire. With an `owner`, only they and admins of the workspace see it."""

    seq: int
    encoded: bytes
    owner: UUID | None = None


def sse_frame(*, id: str, event: str, data: str) -> bytes:
    """One event of a stream. `data` is a single line of JSON."""
    return f"id: {id}\nevent: {event}\ndata: {data}\n\n".encode()


@dataclass(frozen=True, slots=True)
class FramePage:
    """A stretch of the past: its frames, and the seq up to which there are no others for this reader."""

    frames: Sequence[EventFrame]
    reaches: int


class Feed:
    """The newest frames of one thing, kept once for all its readers."""

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
        """True once the feed knows where it stands."""
        return self._end is not None

    @property
    def end(self) -> int:
        """The seq of the last frame."""
        return self._end or 0

    def begin(self, end: int) -> None:
        """Take note of where the thing stands: what came before is read page by page."""
        self._end = self._complete_after = end

    def add(self, frames: Sequence[EventFrame]) -> None:
        """Keep new frames for readers who keep up."""
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
        """True when all that comes after the cursor is kept here."""
        return cursor >= self._complete_after

    def newest_after(self, cursor: int) -> bytes | None:
        """What was added last, if that is just what a reader at the cursor lacks; joined once for all of them."""
        return self._newest[1] if self._newest[0] == cursor else None

    def frames_after(self, cursor: int) -> list[EventFrame]:
        """The frames after the cursor, for a cursor that the feed reaches."""
        newer = []
        for frame in reversed(self._ring):
            if frame.seq <= cursor:
                break
            newer.append(frame)
        newer.reverse()
        return newer


class FeedSource(ABC):
    """Where the feeds of one kind are read from."""

    channel: str
    heartbeat: bytes = b": alive\n\n"
    # Whether frames have owners, and readers therefore see different ones.
    is_personal: bool = False
    # A kind whose reading is dear is read at most once in so many seconds.
    pause_s: float = 0

    def new_feed(self, key: FeedKey) -> Feed:
        """A feed that was not read yet."""
        return Feed(key)

    @abstractmethod
    async def read(self, feeds: Sequence[Feed]) -> Sequence[Feed]:
        """Bring the feeds up to date; answers those of which there is still more."""

    @abstractmethod
    async def page(self, feed: Feed, who: UserContext, *, after: int) -> FramePage:
        """A stretch of the past after a seq, for a reader who is far behind."""

    @abstractmethod
    async def check(self, who: UserContext, key: FeedKey) -> datetime | None:
        """Refuse someone who may not follow; else answer when their credential runs out."""


class Feeds:
    """The feeds of one kind in this process. `run` belongs into the process's task group."""

    def __init__(self, source: FeedSource, live: Live, *, heartbeat_s: float = HEARTBEAT_S) -> None:
        self.source = source
        self.live = live
        self.heartbeat_s = heartbeat_s
        self._feeds: dict[FeedKey, Feed] = {}
        self._marked: set[Feed] = set()
        self._has_marked = asyncio.Event()
        self._checks: dict[Hashable, asyncio.Future[datetime | None]] = {}

    async def open(self, who: UserContext, key: FeedKey, *, after: int | None = None) -> "FeedReader":
        """A reader from a seq on, or from now on. Refuses someone who may not follow."""
        return FeedReader(self, who, key, after=after, access_ends_at=await self.check(who, key))

    async def run(self) -> None:
        """Read what is marked, until the process shuts down."""
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(self._read_marked())
            await self.live.until_closed()
            reading.cancel()

    async def _read_marked(self) -> None:
        while True:
            await self._has_marked.wait()
            self._has_marked.clear()
            marked, self._marked = self._marked, set()
            await uncancelled(self._read([feed for feed in marked if feed.readers]))
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
        except Exception:  # the edge of every reading: the process serves more than this
            log.exception("feed_broken", channel=self.source.channel)
            unfinished = await self._apart(feeds)
        for feed in unfinished:
            self.mark(feed)
        for feed in feeds:
            for reader in feed.readers:
                reader.wake()

    async def _apart(self, feeds: Sequence[Feed]) -> Sequence[Feed]:
        """Read each by itself after one could not be read: its streams end, and the others go on."""
        if len(feeds) == 1:
            feeds[0].is_broken = True
            return ()
        for feed in feeds:
            await self._read([feed])
        return ()

    def mark(self, feed: Feed) -> None:
        """Have the feed read."""
        self._marked.add(feed)
        self._has_marked.set()

    def enter(self, key: FeedKey, reader: "FeedReader") -> Feed:
        """The feed of a thing, with one more reader."""
        feed = self._feeds.get(key)
        if feed is None:
            feed = self._feeds[key] = self.source.new_feed(key)
            feed.stack.enter_context(self.live.subscribe(self.source.channel, str(key.id), lambda: self.mark(feed)))
            self.mark(feed)
        feed.readers.add(reader)
        return feed

    def leave(self, feed: Feed, reader: "FeedReader") -> None:
        """Take a reader from a feed, and forget the feed with its last one."""
        feed.readers.discard(reader)
        if not feed.readers and self._feeds.get(feed.key) is feed:
            del self._feeds[feed.key]
            feed.stack.close()

    async def check(self, who: UserContext, key: FeedKey) -> datetime | None:
        """Ask whether someone may follow, once for all of their readers of the thing that ask at the same time."""
        asked = self._checks.get((who, key))
        if asked is None:
            asked = self._checks[who, key] = asyncio.ensure_future(self.source.check(who, key))
            asked.add_done_callback(lambda done: self._checked((who, key), done))
        return await asyncio.shield(asked)

    def _checked(self, asked: Hashable, done: asyncio.Future[datetime | None]) -> None:
        self._checks.pop(asked, None)
        if not done.cancelled():
            done.exception()  # whoever asked was told; nobody is left to be told if they have gone


class FeedReader:
    """One connection's place in a feed. `read` gives the next bytes to send, or None at the end."""

    def __init__(
        self, feeds: Feeds, who: UserContext, key: FeedKey, *, after: int | None, access_ends_at: datetime | None
    ) -> None:
        self.who = who
        self._feeds = feeds
        self._key = key
        self._cursor = after
        self._access_ends_at = access_ends_at
        self._must_check = False
        self._must_beat = False
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
            self._stack.enter_context(live.subscribe(ACCESS_CHANNEL, name, self._check_again))
        self._timer = asyncio.get_running_loop().call_later(self._feeds.heartbeat_s, self._beat)
        self._stack.callback(self._stop_timer)
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def wake(self) -> None:
        """Have the reader look again."""
        self._woken.set()

    async def read(self) -> bytes | None:
        """The next bytes to send: events, or a sign of life in their absence. None ends the stream."""
        while not self._feeds.live.closed and not self._feed.is_broken:
            self._woken.clear()
            if self._must_check:
                await self._check()
            if self._feed.is_read:
                if chunk := await self._next():
                    return chunk
                if self._feed.has_ended and self._position >= self._feed.end:
                    return None
            if self._must_beat:
                self._must_beat = False
                return self._feeds.source.heartbeat
            await self._woken.wait()
        return None

    @property
    def _position(self) -> int:
        """The seq of the last frame that was given out; one who named none begins at the end."""
        if self._cursor is None:
            self._cursor = self._feed.end
        return self._cursor

    async def _next(self) -> bytes:
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
        return await uncancelled(self._feeds.source.page(self._feed, self.who, after=self._position))

    def _sees(self, frame: EventFrame) -> bool:
        return self._sees_all or frame.owner == self.who.user_id

    async def _check(self) -> None:
        self._must_check = False
        self._access_ends_at = await self._feeds.check(self.who, self._key)

    def _check_again(self) -> None:
        self._must_check = True
        self.wake()

    def _beat(self) -> None:
        """Give a sign of life, and look at what only time changes."""
        self._must_beat = True
        if self._access_ends_at is not None and clock.now() >= self._access_ends_at:
            self._must_check = True
        if self._feed.is_awaiting:
            self._feeds.mark(self._feed)
        self._timer = asyncio.get_running_loop().call_later(self._feeds.heartbeat_s, self._beat)
        self.wake()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
