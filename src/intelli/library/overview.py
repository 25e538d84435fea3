"""The library as a whole: its statistics, and the event stream of changed documents."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from intelli.kit.context import System, UserContext
from intelli.kit.db import Database, Tx, access_ends_at
from intelli.kit.feeds import EventFrame, Feed, FeedKey, Feeds, FeedSource, FramePage, sse_frame
from intelli.library import documents, read_structure
from intelli.library.change_channel import CHANNEL
from intelli.library.ports import IndexPort
from intelli.library.status_wire import DocumentProgress, Encoding, IndexBuild, LibraryStatus, StructureProgress
from intelli.library.store import overview as store
from intelli.library.wire import IndexingStatus

_MOST = 500
# A change carries the time it was made at but becomes visible when its transaction ends: look back that long.
_OVERLAP = timedelta(seconds=35)


async def status(tx: Tx, index: IndexPort) -> LibraryStatus:
    """Count documents by status, folders, chunks and bytes."""
    encoded = await index.load_progress(tx)
    build = await index.find_build(tx)
    counts = await store.count_by_status(tx)
    structured, texts = await read_structure.count(tx)
    by_status = {each: counts.get(each, (0, 0))[0] for each in IndexingStatus}
    return LibraryStatus(
        documents=sum(by_status.values()),
        folders=await store.count_folders(tx),
        pending=by_status[IndexingStatus.PENDING],
        in_progress=by_status[IndexingStatus.IN_PROGRESS],
        completed=by_status[IndexingStatus.COMPLETED],
        failed=by_status[IndexingStatus.FAILED],
        chunks=await store.count_chunks(tx),
        size_bytes=sum(size_bytes for _, size_bytes in counts.values()),
        encoding=Encoding(done=encoded.done, total=encoded.total),
        index_build=IndexBuild(step=build.step, done=build.done, total=build.total) if build else None,
        structure=StructureProgress(done=structured, total=texts),
    )


class LibraryFeeds(Feeds):
    """Feeds of all libraries that are followed in this process. A part of the app."""


class LibraryFeed(Feed):
    """Changes in one library. Its frames are numbered in this process."""

    def __init__(self, key: FeedKey) -> None:
        super().__init__(key)
        self.status: LibraryStatus | None = None
        self.looked_at: datetime | None = None
        self.changes: dict[UUID, datetime] = {}

    def next_frame(self, event: str, content: LibraryStatus | DocumentProgress, *, number: int) -> EventFrame:
        """Build the frame that comes `number` places after the last one."""
        seq = self.end + number
        return EventFrame(seq, sse_frame(id=str(seq), event=event, data=content.model_dump_json()))


class LibraryFeedSource(FeedSource):
    """Reads the statistics of libraries and the documents that changed in them."""

    channel = CHANNEL
    pause_s = 1.0

    def __init__(self, db: Database, index: IndexPort) -> None:
        self._db = db
        self._index = index

    def new_feed(self, key: FeedKey) -> Feed:
        """Return a feed that was not read yet."""
        return LibraryFeed(key)

    async def read(self, feeds: Sequence[Feed]) -> Sequence[Feed]:
        """Bring the feeds up to date, with one transaction for each workspace."""
        for feed in feeds:
            if not isinstance(feed, LibraryFeed):
                raise TypeError("a feed of another source")
            async with self._db.begin(System(feed.key.tenant_id)) as tx:
                await _read(tx, feed, self._index)
        return ()

    async def page(self, feed: Feed, who: UserContext, *, after: int) -> FramePage:
        """Return only the current statistics: missed changes are not repeated, since the documents can be listed."""
        return FramePage([EventFrame(feed.end, feed.greeting)], feed.end)

    async def check(self, who: UserContext, key: FeedKey) -> datetime | None:
        """Return when the caller's access ends. Raises when they are no longer signed in."""
        async with self._db.begin(who) as tx:
            return await access_ends_at(tx)


async def _read(tx: Tx, feed: LibraryFeed, index: IndexPort) -> None:
    now = await store.now(tx)
    found = [] if feed.looked_at is None else await store.list_changed_since(tx, feed.looked_at - _OVERLAP, limit=_MOST)
    # By time, not by content: a change that was undone between two reads may have been shown in between.
    changed = [each for each in found if feed.changes.get(each.document.id) != each.changed_at]
    frames = [feed.next_frame("document", documents.progress(each), number=n) for n, each in enumerate(changed, 1)]
    now_status = await status(tx, index)
    if now_status != feed.status:
        frames.append(feed.next_frame("status", now_status, number=len(frames) + 1))
        feed.status, feed.greeting = now_status, frames[-1].encoded
    if feed.is_read:
        feed.add(frames)
    else:
        feed.begin(frames[-1].seq)
    # Only what a later read may find again has to be remembered.
    feed.changes = {each.document.id: each.changed_at for each in found}
    feed.looked_at = now
