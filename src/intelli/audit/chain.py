"""The chain: what an entry's hash covers, and the check that no entry was changed, added or lost."""

from collections.abc import AsyncIterator

from intelli.audit import store
from intelli.audit.tables import AuditLogEntry
from intelli.audit.wire import ChainReport
from intelli.kit.canonical import sha256
from intelli.kit.db import Tx
from intelli.kit.room import Premises

GENESIS = "0" * 64
CHECK_TIMEOUT_S = 600
_BATCH = 1000


def entry_hash(entry: AuditLogEntry) -> str:
    """The hash over everything an entry says and the hash before it."""
    return sha256(
        {
            "tenant_id": str(entry.tenant_id),
            "id": str(entry.id),
            "seq": entry.seq,
            "created_at": entry.created_at.isoformat(timespec="microseconds"),
            "event_type": str(entry.event_type),
            "user_id": str(entry.user_id),
            "conversation_id": str(entry.conversation_id),
            "run_id": str(entry.run_id),
            "entity_type": entry.entity_type,
            "entity_id": str(entry.entity_id),
            "success": entry.success,
            "details": entry.details,
            "previous_hash": entry.previous_hash,
        }
    )


async def check(tx: Tx) -> ChainReport:
    """Walk the workspace's chain from its first entry."""
    previous, checked = GENESIS, 0
    async for entry in _walk(tx):
        fault = _fault(entry, expected_seq=checked + 1, previous=previous)
        if fault:
            return ChainReport(ok=False, checked=checked, first_broken_seq=checked + 1, reason=fault)
        previous, checked = entry.hash, checked + 1
    return ChainReport(ok=True, checked=checked)


async def findings(premises: Premises) -> AsyncIterator[str]:
    """What is broken, for `intelli verify`."""
    async with premises.begin() as tx:
        report = await check(tx)
    if not report.ok:
        yield f"audit log of workspace {premises.tenant_id}: entry {report.first_broken_seq}: {report.reason}"


async def _walk(tx: Tx) -> AsyncIterator[AuditLogEntry]:
    after = 0
    while batch := await store.oldest_first(tx, store.Filter(), after=after, limit=_BATCH):
        for entry in batch:
            yield entry
        after = batch[-1].seq
        tx.session.expunge_all()


def _fault(entry: AuditLogEntry, *, expected_seq: int, previous: str) -> str | None:
    if entry.seq != expected_seq:
        return f"entry {expected_seq} is missing"
    if entry.previous_hash != previous:
        return "it does not follow the entry before it"
    if entry.hash != entry_hash(entry):
        return "its content was changed"
    return None
