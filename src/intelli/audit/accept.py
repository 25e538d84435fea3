"""Acceptance of a log as it is, after an operator restored a backup or changed the secret; the log records it.

New heads of the next epoch are signed. An inconsistent chain is not accepted: entries are missing or changed.
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
    """Sign a workspace's log as it is, and return the new head; None when the log has no findings.

    Raises LogBroken when the chain is inconsistent.
    """
    known = await anchors.load_heads(tenant_id)
    async with db.begin(System(tenant_id), timeout_s=verify.CHECK_TIMEOUT_S) as tx:
        report = await verify.check(tx, anchors, known)
        if report.ok:
            return None
        kinds = {finding.kind for finding in report.findings}
        if kinds & verify.BROKEN:
            raise LogBroken(f"The log of workspace {tenant_id} cannot be accepted as it is. {report.reason}")
        found = " ".join(sorted(kinds))
        await record(tx, EventType.SETTINGS_CHANGE, change=ACCEPTED, reason=reason, found=found)
        chain = ChainCheck(tenant_id, Trust(None))
        await verify.check_entries(tx, chain)
    old = known.newest
    head = anchors.sign_head(_build_head(tenant_id, chain, epoch=old.epoch + 1 if old else 2))
    for location in known.locations:
        await anchors.set_aside(location)
        await anchors.save(head, location.place)
    return head


def _build_head(tenant_id: UUID, chain: ChainCheck, *, epoch: int) -> LogHead:
    return LogHead(
        signed_at=clock.now(),
        public_key="",
        tenant_id=tenant_id,
        epoch=epoch,
        seq=chain.seq,
        hash=chain.hash,
        accepted_until=chain.seq,
        is_announced=True,
    )
