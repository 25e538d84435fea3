"""Recording: append one entry in the caller's transaction, so that what is told happened and what happened is told."""

from datetime import UTC
from uuid import UUID

from intelli.audit import store
from intelli.audit.chain import GENESIS, entry_hash
from intelli.audit.tables import AuditLogEntry
from intelli.audit.wire import Detail, EventType
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7

CHANNEL = "audit"


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
    last_seq, last_hash = await store.hold_tail(tx) or (0, GENESIS)
    entity_type, entity_id = entity or (None, None)
    entry = AuditLogEntry(
        tenant_id=tx.tenant_id,
        id=uuid7(),
        seq=last_seq + 1,
        created_at=clock.now().astimezone(UTC),
        event_type=event,
        user_id=tx.user_id,
        conversation_id=conversation_id,
        run_id=run_id,
        entity_type=entity_type,
        entity_id=entity_id,
        success=success,
        details=details,
        previous_hash=last_hash,
    )
    entry.hash = entry_hash(entry)
    await store.insert(tx, entry, channel=CHANNEL)
