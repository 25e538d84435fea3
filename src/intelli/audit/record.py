"""Recording: append one entry in the caller's transaction, so that what is told happened and what happened is told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from uuid import UUID

from intelli.audit import keys, store
from intelli.audit.chain import GENESIS, entry_hash
from intelli.audit.tables import AuditLogEntry
from intelli.audit.wire import Detail, EventType
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7

CHANNEL = "audit"


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """Something to tell of. `details` name things by id and kind, never by content."""

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


async def record_all(tx: Tx, happenings: Sequence[AuditEvent]) -> None:
    """The same for several. Whoever records makes all others of the workspace wait until they end: do it last."""
    key = keys.derive(tx.secret)
    last_seq, last_hash = await store.hold_tail(tx) or (0, GENESIS)
    entries = []
    for seq, happening in enumerate(happenings, last_seq + 1):
        entry = _entry(tx, happening, seq=seq, previous_hash=last_hash)
        last_hash = entry.hash = entry_hash(entry, tx.tenant_id)
        entry.seal_key, entry.seal = key.name, key.seal(last_hash)
        entries.append(entry)
    await store.insert(tx, entries, channel=CHANNEL)


def _entry(tx: Tx, happening: AuditEvent, *, seq: int, previous_hash: str) -> AuditLogEntry:
    entity_type, entity_id = happening.entity or (None, None)
    return AuditLogEntry(
        tenant_id=tx.tenant_id,
        id=uuid7(),
        seq=seq,
        created_at=clock.now().astimezone(UTC),
        event_type=happening.event,
        user_id=tx.user_id,
        conversation_id=happening.conversation_id,
        run_id=happening.run_id,
        entity_type=entity_type,
        entity_id=entity_id,
        success=happening.success,
        details=dict(happening.details),
        previous_hash=previous_hash,
    )
