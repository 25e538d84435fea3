"""The library as a whole: its numbers, and a stream of what changes."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from uuid import UUID

from intelli.kit.context import UserContext
from intelli.kit.db import Database, Tx, uncancelled
from intelli.kit.live import Live
from intelli.library import documents
from intelli.library.live import CHANNEL
from intelli.library.store import overview as store
from intelli.library.wire import DocumentProgress, IndexingStatus, LibraryStatus

_HEARTBEAT_S = 15
_PAUSE_S = 1.0
_MOST = 500
# A change carries the time it was made at, and shows when its transaction ends: we look back as long as one lasts.
_OVERLAP = timedelta(seconds=35)


async def status(tx: Tx) -> LibraryStatus:
    """The library in numbers."""
    counts = await store.counts_by_status(tx)
    by_status = {each: counts.get(each, (0, 0))[0] for each in IndexingStatus}
    return LibraryStatus(
        documents=sum(by_status.values()),
        folders=await store.folder_count(tx),
        pending=by_status[IndexingStatus.PENDING],
        in_progress=by_status[IndexingStatus.IN_PROGRESS],
        completed=by_status[IndexingStatus.COMPLETED],
        failed=by_status[IndexingStatus.FAILED],
        chunks=await store.chunk_count(tx),
        size_bytes=sum(size_bytes for _, size_bytes in counts.values()),
    )


async def follow(db: Database, live: Live, who: UserContext) -> AsyncIterator[LibraryStatus | DocumentProgress | None]:
    """What changes in the library: its numbers first, then documents and new numbers; None is a sign of life.

    Each look opens its own transaction, so a caller who loses their standing loses the stream as well.
    """
    told: dict[UUID, datetime] = {}
    with live.subscribe(CHANNEL, str(who.tenant_id)) as subscription:
        since, numbers = await uncancelled(_numbers(db, who))
        yield numbers
        while not live.closed:
            if not await subscription.wait(_HEARTBEAT_S):
                yield None
                continue
            looked_at, changed = await uncancelled(_look(db, who, since - _OVERLAP))
            # By time, not by content: what went there and back between two looks was perhaps seen there.
            for changed_at, progress in changed:
                if told.get(progress.id) != changed_at:
                    yield progress
            # Only what a later look may see again has to be remembered.
            told = {progress.id: changed_at for changed_at, progress in changed}
            since = looked_at
            _, numbers = await uncancelled(_numbers(db, who))
            yield numbers
            await asyncio.sleep(_PAUSE_S)


async def _numbers(db: Database, who: UserContext) -> tuple[datetime, LibraryStatus]:
    async with db.begin(who) as tx:
        return await store.now(tx), await status(tx)


async def _look(
    db: Database, who: UserContext, since: datetime
) -> tuple[datetime, list[tuple[datetime, DocumentProgress]]]:
    async with db.begin(who) as tx:
        now = await store.now(tx)
        found = await store.changed_since(tx, since, limit=_MOST)
        return now, [(each.changed_at, documents.progress(each)) for each in found]
