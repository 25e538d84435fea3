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
    known: dict[UUID, DocumentProgress] = {}
    with live.subscribe(CHANNEL, str(who.tenant_id)) as subscription:
        numbers, since = await uncancelled(_numbers(db, who))
        yield numbers
        while not live.closed:
            if not await subscription.wait(_HEARTBEAT_S):
                yield None
                continue
            looked_at, changed = await uncancelled(_look(db, who, since - _OVERLAP))
            fresh = [each for each in changed if known.get(each.id) != each]
            for each in fresh:
                yield each
            # Only what a later look may see again has to be remembered.
            known = {each.id: each for each in changed}
            since = looked_at
            now, _ = await uncancelled(_numbers(db, who))
            if now != numbers:
                yield now
            numbers = now
            await asyncio.sleep(_PAUSE_S)


async def _numbers(db: Database, who: UserContext) -> tuple[LibraryStatus, datetime]:
    async with db.begin(who) as tx:
        return await status(tx), await store.now(tx)


async def _look(db: Database, who: UserContext, since: datetime) -> tuple[datetime, list[DocumentProgress]]:
    async with db.begin(who) as tx:
        now = await store.now(tx)
        return now, [documents.progress(found) for found in await store.changed_since(tx, since, limit=_MOST)]
