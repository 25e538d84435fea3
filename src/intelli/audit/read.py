"""Reading the log: people see what they did themselves, admins what happened in the workspace."""

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


def visible(who: UserContext, which: AuditFilter) -> AuditFilter:
    """The filter, narrowed to what the caller may see."""
    return which if who.may(Scope.ADMIN) else replace(which, user_id=who.user_id)


async def list_entries(tx: Tx, which: AuditFilter, *, cursor: str | None, limit: int) -> Page[AuditEntry]:
    """A page of entries, newest first."""
    rows = await store.newest_first(tx, which, before=pagination.decode_number(cursor), limit=limit + 1)
    return pagination.page(rows, limit, item=AuditEntry.model_validate, key=lambda row: row.seq)


async def everything(db: Database, who: UserContext, which: AuditFilter, *, upto: int) -> AsyncIterator[AuditEntry]:
    """All entries up to a sequence number, oldest first, read in short transactions."""
    after = 0
    while True:
        async with db.begin(who) as tx:
            rows = await store.oldest_first(tx, which, after=after, limit=_BATCH)
        for row in rows:
            if row.seq <= upto:
                yield AuditEntry.model_validate(row)
        if len(rows) < _BATCH or rows[-1].seq >= upto:
            return
        after = rows[-1].seq


class AuditFeeds(Feeds):
    """The feeds of audit logs. A part of the app."""


class AuditFeedSource(FeedSource):
    """Reads the logs of workspaces; a member sees their own entries, an admin all."""

    channel = CHANNEL
    is_personal = True

    def __init__(self, db: Database) -> None:
        self._db = db

    async def read(self, feeds: Sequence[Feed]) -> Sequence[Feed]:
        """Bring the feeds up to date: one query for each workspace."""
        return [feed for feed in feeds if await self._is_unfinished(feed)]

    async def page(self, feed: Feed, who: UserContext, *, after: int) -> FramePage:
        """A stretch of the log, as far as the reader may see it."""
        async with self._db.begin(who) as tx:
            rows = await store.oldest_first(tx, visible(who, AuditFilter()), after=after, limit=_BATCH)
        return FramePage([_frame(row) for row in rows], rows[-1].seq if len(rows) == _BATCH else feed.end)

    async def check(self, who: UserContext, key: FeedKey) -> datetime | None:
        """Refuse someone who is no longer signed in."""
        async with self._db.begin(who) as tx:
            return await access_ends_at(tx)

    async def _is_unfinished(self, feed: Feed) -> bool:
        async with self._db.begin(System(feed.key.tenant_id)) as tx:
            if not feed.is_read:
                feed.begin(await store.last_seq(tx))
                return False
            rows = await store.oldest_first(tx, AuditFilter(), after=feed.end, limit=_BATCH)
        feed.add([_frame(row) for row in rows])
        return len(rows) == _BATCH


def _frame(row: AuditLogEntry) -> EventFrame:
    data = AuditEntry.model_validate(row).model_dump_json()
    return EventFrame(row.seq, sse_frame(id=str(row.seq), event="entry", data=data), owner=row.user_id)
