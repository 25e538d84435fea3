"""Reading the log: people see what they did themselves, admins what happened in the workspace."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from intelli.audit import store
from intelli.audit.record import CHANNEL
from intelli.audit.store import Filter
from intelli.audit.tables import AuditLogEntry
from intelli.audit.wire import AuditEntry
from intelli.kit import paging
from intelli.kit.context import Scope, UserContext
from intelli.kit.db import Database, Tx, uncancelled
from intelli.kit.live import Live
from intelli.kit.wire import Page

_BATCH = 500
_HEARTBEAT_S = 15


def visible(who: UserContext, which: Filter) -> Filter:
    """The filter, narrowed to what the caller may see."""
    return which if who.may(Scope.ADMIN) else replace(which, user_id=who.user_id)


async def list_entries(tx: Tx, which: Filter, *, cursor: str | None, limit: int) -> Page[AuditEntry]:
    """A page of entries, newest first."""
    rows = await store.newest_first(tx, which, before=paging.decode_number(cursor), limit=limit + 1)
    return paging.page(rows, limit, item=AuditEntry.model_validate, key=lambda row: row.seq)


async def everything(db: Database, who: UserContext, which: Filter, *, upto: int) -> AsyncIterator[AuditEntry]:
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


async def follow(db: Database, live: Live, who: UserContext, *, after: int | None) -> AsyncIterator[AuditEntry | None]:
    """Entries as they are written, after a sequence number (or from now on); None as a sign of life.

    Each look opens its own transaction, so a caller who loses their standing loses the stream as well.
    """
    which = visible(who, Filter())
    with live.subscribe(CHANNEL, str(who.tenant_id)) as subscription:
        if after is None:
            after = await uncancelled(_head(db, who))
            yield None
        while not live.closed:
            rows = await uncancelled(_look(db, who, which, after))
            for row in rows:
                yield AuditEntry.model_validate(row)
                after = row.seq
            if not rows and not await subscription.wait(_HEARTBEAT_S):
                yield None


async def _head(db: Database, who: UserContext) -> int:
    async with db.begin(who) as tx:
        return await store.last_seq(tx)


async def _look(db: Database, who: UserContext, which: Filter, after: int) -> Sequence[AuditLogEntry]:
    async with db.begin(who) as tx:
        return await store.oldest_first(tx, which, after=after, limit=_BATCH)
