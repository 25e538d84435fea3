"""Accepting a log as it is: an operator says that a backup was restored or the secret changed, and the log tells of it.

The signed ends of a new epoch follow. A chain that does not fit itself is not accepted: entries are missing or changed.
"""

from uuid import UUID

from intelli.audit import verify
from intelli.audit.anchors import Anchors
from intelli.audit.chain import ACCEPTED, ChainCheck, Trust
from intelli.audit.record import record
from intelli.audit.statements import LogHead
from intelli.audit.wire import EventType
from intelli.kit import clock
from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.kit.errors import Conflict


class LogBroken(Conflict):
    """The log cannot be accepted: its chain does not fit itself."""

    code = "audit_log_broken"


async def accept(db: Database, anchors: Anchors, tenant_id: UUID, *, reason: str) -> LogHead | None:
    """Sign a workspace's log as it is, unless nothing is wrong with it; None then."""
    sighting = await anchors.look(tenant_id)
    async with db.begin(System(tenant_id), timeout_s=verify.CHECK_TIMEOUT_S) as tx:
        report = await verify.check(tx, anchors, sighting)
        if report.ok:
            return None
        kinds = {finding.kind for finding in report.findings}
        if kinds & verify.BROKEN:
            raise LogBroken(f"The log of workspace {tenant_id} cannot be accepted as it is. {report.reason}")
        found = " ".join(sorted(kinds))
        await record(tx, EventType.SETTINGS_CHANGE, change=ACCEPTED, reason=reason, found=found)
        walk = ChainCheck(tenant_id, Trust(None))
        await verify.take_all(tx, walk)
    old = sighting.newest
    head = anchors.make_head(_head(tenant_id, walk, epoch=old.epoch + 1 if old else 2))
    for sight in sighting.sights:
        await anchors.set_aside(sight)
        await anchors.keep(head, sight.place)
    return head


def _head(tenant_id: UUID, walk: ChainCheck, *, epoch: int) -> LogHead:
    return LogHead(
        signed_at=clock.now(),
        public_key="",
        tenant_id=tenant_id,
        epoch=epoch,
        seq=walk.seq,
        hash=walk.hash,
        accepted_until=walk.seq,
        is_announced=True,
    )
