"""Reading of the log: members see their own entries, admins those of the workspace."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime

from intelli.audit import store
from intelli.audit.record import CHANNEL
from intelli.audit.store import AuditFilter
from intelli.audit.tables import AuditLogEntry
from intelli.audit.wire import AuditEntry
from intelli.kit import pagination
from intelli.kit.context import Scope, System, UserContext
from intelli.kit.db import Database, Tx, access_ends_at
from intelli.kit.feeds import EventFrame, Feed, FeedKey, Feeds, FeedSource, FramePage, sse_frame
from intelli.kit.wire import Page

_BATCH = 500


def restrict_filter(who: UserContext, which: AuditFilter) -> AuditFilter:
    """Narrow a filter to the entries that the caller may see."""
    return which if who.may(Scope.ADMIN) else replace(which, user_id=who.user_id)


async def list_entries(tx: Tx, which: AuditFilter, *, cursor: str | None, limit: int) -> Page[AuditEntry]:
    """Return a page of entries, newest first."""
    rows = await store.list_newest_first(tx, which, before=pagination.decode_number(cursor), limit=limit + 1)
    return pagination.page(rows, limit, item=AuditEntry.model_validate, key=lambda row: row.seq)


async def iter_entries(db: Database, who: UserContext, which: AuditFilter, *, upto: int) -> AsyncIterator[AuditEntry]:
    """Yield all entries up to a sequence number, oldest first, read in short transactions."""
    after = 0
    while True:
        async with db.begin(who) as tx:
            rows = await store.list_oldest_first(tx, which, after=after, limit=_BATCH)
        for row in rows:
            if row.seq <= upto:
                yield AuditEntry.model_validate(row)
        if len(rows) < _BATCH or rows[-1].seq >= upto:
            return
        after = rows[-1].seq


class AuditFeeds(Feeds):
    """Registry of the feeds of audit logs; a part of the app."""


class AuditFeedSource(FeedSource):
    """Source of the feeds of audit logs; a member sees their own entries, an admin all."""

    channel = CHANNEL
    is_personal = True

    def __init__(self, db: Database) -> None:
        self._db = db

    async def read(self, feeds: Sequence[Feed]) -> Sequence[Feed]:
        """Read new entries into the feeds, with one query for each workspace; return the feeds that have more."""
        return [feed for feed in feeds if await self._read_feed(feed)]

    async def page(self, feed: Feed, who: UserContext, *, after: int) -> FramePage:
        """Read a page of entries that the reader may see."""
        async with self._db.begin(who) as tx:
            rows = await store.list_oldest_first(tx, restrict_filter(who, AuditFilter()), after=after, limit=_BATCH)
        return FramePage([_frame(row) for row in rows], rows[-1].seq if len(rows) == _BATCH else feed.end)

    async def check(self, who: UserContext, key: FeedKey) -> datetime | None:
        """Raise SessionEnded for someone who is no longer signed in; else return when their credential expires."""
        async with self._db.begin(who) as tx:
            return await access_ends_at(tx)

    async def _read_feed(self, feed: Feed) -> bool:
        async with self._db.begin(System(feed.key.tenant_id)) as tx:
            if not feed.is_read:
                feed.begin(await store.get_last_seq(tx))
                return False
            rows = await store.list_oldest_first(tx, AuditFilter(), after=feed.end, limit=_BATCH)
        feed.add([_frame(row) for row in rows])
        return len(rows) == _BATCH


def _frame(row: AuditLogEntry) -> EventFrame:
    data = AuditEntry.model_validate(row).model_dump_json()
    return EventFrame(row.seq, sse_frame(id=str(row.seq), event="entry", data=data), owner=row.user_id)
