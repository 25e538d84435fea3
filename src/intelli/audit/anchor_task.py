"""Background task that follows the logs and stores their signed ends outside the database.

Recording does not wait for it: it runs a few seconds later, in one process of all on a database, so a log may be longer
than its newest head. Entries are checked from the head before, so a broken log gets no new head.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence, Set
from uuid import UUID

import structlog

from intelli.audit import store, verify
from intelli.audit.anchors import AnchorLocation, Anchors, KnownHeads, is_id
from intelli.audit.chain import ANCHORED, GENESIS, ChainCheck, Trust
from intelli.audit.record import CHANNEL, record
from intelli.audit.statements import LogHead
from intelli.audit.wire import EventType
from intelli.kit import clock
from intelli.kit.context import System, WorkspaceLister
from intelli.kit.db import Database, Tx
from intelli.kit.errors import Unavailable
from intelli.kit.leader import Leader

Workspaces = Callable[[Tx], Awaitable[Sequence[UUID]]]

_EVERY_S = 2.0

log = structlog.get_logger()


class AnchorTask:
    """Anchoring task of one process. `workspaces` lists all workspaces, in a transaction of a `WorkspaceLister`."""

    def __init__(self, db: Database, anchors: Anchors, workspaces: Workspaces) -> None:
        self._db = db
        self._anchors = anchors
        self._workspaces = workspaces
        self.leader = Leader(db.url, name="audit anchoring", channel=CHANNEL, every_s=_EVERY_S, round=self.round)

    async def round(self, notified: Set[str] | None) -> Set[str]:
        """Anchor the logs of the notified workspaces, or of all for None; return those that could not be anchored.

        Any client of the database can notify on the channel, so payloads that are no ids are ignored.
        """
        if notified is not None:
            return await self._anchor_each(UUID(each) for each in notified if is_id(each))
        async with self._db.begin(WorkspaceLister()) as tx:
            workspaces = await self._workspaces(tx)
        left = await self._anchor_each(workspaces)
        if not left and not await self._anchors.has_begun():
            await self._anchors.mark_begun()
        return left

    async def _anchor_each(self, tenant_ids: Iterable[UUID]) -> Set[str]:
        left = set[str]()
        for tenant_id in tenant_ids:
            try:
                await anchor_log(self._db, self._anchors, tenant_id)
            except Unavailable as error:
                left.add(str(tenant_id))
                log.warning("audit_log_not_anchored", tenant_id=str(tenant_id), code=error.code)
        return left


async def anchor_log(db: Database, anchors: Anchors, tenant_id: UUID) -> LogHead | None:
    """Store the signed end of a workspace's log if it grew and is intact; return the newest head.

    After the first head, the log records that it is anchored.
    """
    known = await anchors.load_heads(tenant_id)
    new_head = await _next_head(db, anchors, tenant_id, known)
    if new_head is None:
        return known.newest
    for place in _places(known, new_head):
        await anchors.save(new_head, place)
    if not new_head.is_announced:
        async with db.begin(System(tenant_id)) as tx:
            await record(tx, EventType.SETTINGS_CHANGE, change=ANCHORED)
    return new_head


async def _next_head(db: Database, anchors: Anchors, tenant_id: UUID, known: KnownHeads) -> LogHead | None:
    """Return the head to store now; None when there is none. A first head that was not announced is returned again."""
    head = known.newest
    async with db.begin(System(tenant_id), timeout_s=verify.CHECK_TIMEOUT_S) as tx:
        if (await store.find_tail(tx) or (0, GENESIS)) == ((head.seq, head.hash) if head else (0, GENESIS)):
            return None if head is None or head.is_announced else head
        trust = Trust(anchors.key, head.accepted_until if head else 0, known.may_begin_unsealed)
        chain = ChainCheck(tenant_id, trust, after=head.seq if head else 0, previous=head.hash if head else GENESIS)
        await verify.check_entries(tx, chain)
    if _is_broken(chain, head):
        log.error("audit_log_broken", tenant_id=str(tenant_id), fix="run `intelli verify`")
        return None
    return anchors.sign_head(_build_head(tenant_id, chain, head))


def _is_broken(chain: ChainCheck, head: LogHead | None) -> bool:
    """Return True for faults, a log that differs from its head without being longer, or heads that were removed."""
    are_heads_removed = head is None and (chain.is_announced or not chain.has_beginning)
    return bool(chain.faults) or chain.checked == 0 or are_heads_removed


def _build_head(tenant_id: UUID, chain: ChainCheck, head: LogHead | None) -> LogHead:
    return LogHead(
        signed_at=clock.now(),
        public_key="",
        tenant_id=tenant_id,
        epoch=head.epoch if head else 1,
        seq=chain.seq,
        hash=chain.hash,
        accepted_until=chain.accepted_until,
        is_announced=chain.is_announced or (head is not None and head.is_announced),
    )


def _places(known: KnownHeads, new_head: LogHead) -> list[AnchorLocation]:
    """List the places to store a head in: not where earlier ones were removed, so that `verify` reports it."""
    return [
        each.place for each in known.locations if each.newest or not each.place.is_lasting or not new_head.is_announced
    ]
