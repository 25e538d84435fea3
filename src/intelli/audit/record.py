"""Recording of audit entries in the caller's transaction: a change and its entry are committed together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from uuid import UUID

from intelli.audit import keys, store
from intelli.audit.chain import GENESIS, entry_hash
from intelli.audit.tables import AuditLogEntry
from intelli.audit.wire import Detail, EventType
from intelli.kit import clock
from intelli.kit.context import System
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7

CHANNEL = "audit"


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """Event to record. `details` name things by id and kind, never by content."""

    event: EventType
    entity: tuple[str, UUID] | None = None
    run_id: UUID | None = None
    conversation_id: UUID | None = None
    success: bool = True
    details: Mapping[str, Detail] = field(default_factory=dict)


async def record(
    tx: Tx,
    event: EventType,
    *,
    entity: tuple[str, UUID] | None = None,
    run_id: UUID | None = None,
    conversation_id: UUID | None = None,
    success: bool = True,
    **details: Detail,
) -> None:
    """Append an entry about the transaction's own actor. `details` name things by id and kind, never by content."""
    await record_all(tx, [AuditEvent(event, entity, run_id, conversation_id, success, details)])


async def record_all(tx: Tx, events: Sequence[AuditEvent]) -> None:
    """Append entries for several events. It locks the workspace's log until the transaction ends: do it last."""
    if not events:
        return
    key = keys.derive(tx.secret)
    last_seq, last_hash = await store.lock_tail(tx) or (0, GENESIS)
    entries = []
    for seq, each in enumerate(events, last_seq + 1):
        entry = _build_entry(tx, each, seq=seq, previous_hash=last_hash)
        last_hash = entry.hash = entry_hash(entry, tx.tenant_id)
        entry.seal_key, entry.seal = key.name, key.seal(last_hash)
        entries.append(entry)
    await store.insert(tx, entries, channel=CHANNEL)


def _build_entry(tx: Tx, event: AuditEvent, *, seq: int, previous_hash: str) -> AuditLogEntry:
    entity_type, entity_id = event.entity or (None, None)
    # What our own code does for a run tells the run, whichever rule records it.
    run_id, conversation_id = (tx.who.run_id, tx.who.conversation_id) if isinstance(tx.who, System) else (None, None)
    return AuditLogEntry(
        tenant_id=tx.tenant_id,
        id=uuid7(),
        seq=seq,
        created_at=clock.now().astimezone(UTC),
        event_type=event.event,
        user_id=tx.user_id,
        conversation_id=event.conversation_id or conversation_id,
        run_id=event.run_id or run_id,
        entity_type=entity_type,
        entity_id=entity_id,
        success=event.success,
        details=dict(event.details),
        previous_hash=previous_hash,
    )
