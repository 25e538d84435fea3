"""Anchoring: a background task that follows the logs and keeps their signed ends outside the database.

Nobody who records waits for it: it comes a few seconds later, in one process of all on a database. A log that is longer
than its newest head is whole. What is signed was checked from the head before it, so a broken log gets no new head.
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
    """The task of one process. `workspaces` tells which there are, in a transaction of the census."""

    def __init__(self, db: Database, anchors: Anchors, workspaces: Workspaces) -> None:
        self._db = db
        self._anchors = anchors
        self._workspaces = workspaces
        self.leader = Leader(db.url, name="audit anchoring", channel=CHANNEL, every_s=_EVERY_S, round=self.round)

    async def round(self, told: Set[str] | None) -> Set[str]:
        """Anchor the logs of these workspaces, or of all; gives back those that something kept from it.

        Anybody with the database can put words on the channel, so what is no id is left aside.
        """
        if told is not None:
            return await self._anchor_each(UUID(each) for each in told if is_id(each))
        async with self._db.begin(WorkspaceLister()) as tx:
            workspaces = await self._workspaces(tx)
        left = await self._anchor_each(workspaces)
        if not left and not await self._anchors.has_begun():
            await self._anchors.begin()
        return left

    async def _anchor_each(self, tenant_ids: Iterable[UUID]) -> Set[str]:
        left = set[str]()
        for tenant_id in tenant_ids:
            try:
                await advance(self._db, self._anchors, tenant_id)
            except Unavailable as error:
                left.add(str(tenant_id))
                log.warning("audit_log_not_anchored", tenant_id=str(tenant_id), code=error.code)
        return left


async def advance(db: Database, anchors: Anchors, tenant_id: UUID) -> LogHead | None:
    """Keep the signed end of a workspace's log, if it grew and is whole. The first time, the log tells of it."""
    sighting = await anchors.look(tenant_id)
    made = await _next_head(db, anchors, tenant_id, sighting)
    if made is None:
        return sighting.newest
    for place in _places(sighting, made):
        await anchors.keep(made, place)
    if not made.is_announced:
        async with db.begin(System(tenant_id)) as tx:
            await record(tx, EventType.SETTINGS_CHANGE, change=ANCHORED)
    return made


async def _next_head(db: Database, anchors: Anchors, tenant_id: UUID, sighting: KnownHeads) -> LogHead | None:
    """The head to keep now; the same once more when all that follows a first one was not done."""
    head = sighting.newest
    async with db.begin(System(tenant_id), timeout_s=verify.CHECK_TIMEOUT_S) as tx:
        if (await store.tail(tx) or (0, GENESIS)) == ((head.seq, head.hash) if head else (0, GENESIS)):
            return None if head is None or head.is_announced else head
        trust = Trust(anchors.key, head.accepted_until if head else 0, sighting.may_begin_unsealed)
        walk = ChainCheck(tenant_id, trust, after=head.seq if head else 0, previous=head.hash if head else GENESIS)
        await verify.take_all(tx, walk)
    if _is_broken(walk, head):
        log.error("audit_log_broken", tenant_id=str(tenant_id), fix="run `intelli verify`")
        return None
    return anchors.make_head(_extended(tenant_id, walk, head))


def _is_broken(walk: ChainCheck, head: LogHead | None) -> bool:
    """True as well when the log is no longer than its head but another, or when its heads were taken away."""
    is_robbed = head is None and (walk.is_announced or not walk.has_beginning)
    return bool(walk.faults) or walk.checked == 0 or is_robbed


def _extended(tenant_id: UUID, walk: ChainCheck, head: LogHead | None) -> LogHead:
    return LogHead(
        signed_at=clock.now(),
        public_key="",
        tenant_id=tenant_id,
        epoch=head.epoch if head else 1,
        seq=walk.seq,
        hash=walk.hash,
        accepted_until=walk.accepted_until,
        is_announced=walk.is_announced or (head is not None and head.is_announced),
    )


def _places(sighting: KnownHeads, made: LogHead) -> list[AnchorLocation]:
    """Where to keep a head: not where earlier ones were taken away, so that `verify` tells of it."""
    return [
        sight.place for sight in sighting.sights if sight.newest or not sight.place.is_lasting or not made.is_announced
    ]
