"""Every query of the audit log."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast
from uuid import UUID

from sqlalchemy import ColumnElement, func, select, text

from intelli.audit.tables import AuditLogEntry
from intelli.audit.wire import EventType
from intelli.kit.db import Tx

# One text however many entries there are: a statement that is made anew each time takes longer to make than to run.
_INSERT = text("""
    with added as (
        insert into audit_log_entries
        select * from jsonb_populate_recordset(null::audit_log_entries, cast(:rows as jsonb)) returning 1)
    select pg_notify(:channel, :tenant_id) from added limit 1
""")
# A time outside the calendar was put there by hand: it is clamped to a valid one, which does not match the hash.
_CREATED_AT = func.least(
    func.greatest(AuditLogEntry.created_at, datetime(1970, 1, 1, tzinfo=UTC)), datetime(9999, 1, 1, tzinfo=UTC)
).label("created_at")
_TAIL = text("select seq, hash from audit_tail(:tenant_id)")


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Filter of entries; None means any."""

    event_type: EventType | None = None
    user_id: UUID | None = None
    run_id: UUID | None = None
    conversation_id: UUID | None = None
    entity_type: str | None = None
    entity_id: UUID | None = None
    success: bool | None = None
    since: datetime | None = None
    until: datetime | None = None


async def lock_tail(tx: Tx) -> tuple[int, str] | None:
    """Return seq and hash of the newest entry, None for an empty log, and lock the log against other appends.

    The lock is held until this transaction ends.
    """
    row = (await tx.session.execute(_TAIL, {"tenant_id": tx.tenant_id})).one_or_none()
    return (row.seq, row.hash) if row else None


async def get_last_seq(tx: Tx) -> int:
    """Return the newest sequence number; 0 for an empty log."""
    statement = select(func.max(AuditLogEntry.seq)).where(AuditLogEntry.tenant_id == tx.tenant_id)
    return await tx.session.scalar(statement) or 0


async def find_tail(tx: Tx) -> tuple[int, str] | None:
    """Return seq and hash of the newest entry, without a lock; None for an empty log."""
    newest = select(AuditLogEntry.seq, AuditLogEntry.hash).where(AuditLogEntry.tenant_id == tx.tenant_id)
    row = (await tx.session.execute(newest.order_by(AuditLogEntry.seq.desc()).limit(1))).one_or_none()
    return (row.seq, row.hash) if row else None


async def count_rows(tx: Tx, *, upto: int) -> int:
    """Count the rows of the log up to a sequence number, including those below 1."""
    statement = select(func.count()).select_from(AuditLogEntry)
    upto_then = statement.where(AuditLogEntry.tenant_id == tx.tenant_id, AuditLogEntry.seq <= upto)
    return await tx.session.scalar(upto_then) or 0


async def list_links(tx: Tx, *, after: int, limit: int) -> Sequence[AuditLogEntry]:
    """List entries after `after` for the check of the chain, oldest first. They are plain rows, not objects."""
    columns = [column for column in AuditLogEntry.__table__.columns if column.key != "created_at"]
    statement = select(*columns, _CREATED_AT).where(AuditLogEntry.tenant_id == tx.tenant_id, AuditLogEntry.seq > after)
    rows = await tx.session.execute(statement.order_by(AuditLogEntry.seq).limit(limit))
    # Plain rows, because creating an object for each takes longer than the check.
    return cast(Sequence[AuditLogEntry], rows.all())


async def insert(tx: Tx, entries: Sequence[AuditLogEntry], *, channel: str) -> None:
    """Insert entries and, in the same round trip, notify the channel with the workspace's id."""
    columns = [column.key for column in AuditLogEntry.__table__.columns]
    rows = [{name: getattr(entry, name) for name in columns} for entry in entries]
    given = {"rows": json.dumps(rows, default=str), "channel": channel, "tenant_id": str(tx.tenant_id)}
    await tx.session.execute(_INSERT, given)


async def list_newest_first(tx: Tx, which: AuditFilter, *, before: int | None, limit: int) -> Sequence[AuditLogEntry]:
    """List matching entries before `before`, newest first."""
    conditions = _conditions(tx, which)
    if before is not None:
        conditions.append(AuditLogEntry.seq < before)
    statement = select(AuditLogEntry).where(*conditions).order_by(AuditLogEntry.seq.desc()).limit(limit)
    return (await tx.session.scalars(statement)).all()


async def list_oldest_first(tx: Tx, which: AuditFilter, *, after: int, limit: int) -> Sequence[AuditLogEntry]:
    """List matching entries after `after`, oldest first."""
    statement = select(AuditLogEntry).where(*_conditions(tx, which), AuditLogEntry.seq > after)
    return (await tx.session.scalars(statement.order_by(AuditLogEntry.seq).limit(limit))).all()


def _conditions(tx: Tx, which: AuditFilter) -> list[ColumnElement[bool]]:
    conditions = [AuditLogEntry.tenant_id == tx.tenant_id]
    for name in ("event_type", "user_id", "run_id", "conversation_id", "entity_type", "entity_id", "success"):
        wanted = getattr(which, name)
        if wanted is not None:
            conditions.append(getattr(AuditLogEntry, name) == wanted)
    if which.since is not None:
        conditions.append(AuditLogEntry.created_at >= which.since)
    if which.until is not None:
        conditions.append(AuditLogEntry.created_at < which.until)
    return conditions
