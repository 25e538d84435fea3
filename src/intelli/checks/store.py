"""SQL queries of checks. They read documents, versions and readings too, and write only checks and their statements."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Text, and_, cast, delete, func, literal, or_, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert

from intelli.checks.tables import TextCheck, TextStatement
from intelli.kit.db import Tx
from intelli.library.tables import DocumentVersion, Reading

CHANNEL = "checks"
Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CitableText:
    """Bytes of a document version that were read: their hash, the document and its name."""

    sha256: str
    document_id: UUID
    name: str
    path: str
    mime_type: str


async def insert_check(tx: Tx, values: Values) -> None:
    """Insert a check of the transaction's person."""
    row = insert(TextCheck).values(tenant_id=tx.tenant_id, user_id=tx.person_id, **values)
    await tx.session.execute(row)


async def find(tx: Tx, check_id: UUID) -> TextCheck | None:
    """Load a check; None when the caller has none of this id."""
    mine = select(TextCheck).where(TextCheck.tenant_id == tx.tenant_id, TextCheck.id == check_id)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def find_locked(tx: Tx, check_id: UUID) -> TextCheck | None:
    """Load a check and lock its row until the transaction ends; None when the caller has none of this id."""
    mine = select(TextCheck).where(TextCheck.tenant_id == tx.tenant_id, TextCheck.id == check_id)
    held = mine.with_for_update(key_share=True).execution_options(populate_existing=True)
    return await tx.session.scalar(held)


async def update_check(tx: Tx, check_id: UUID, **values: object) -> None:
    """Update columns of a check, and wake those who follow it."""
    mine = update(TextCheck).where(TextCheck.tenant_id == tx.tenant_id, TextCheck.id == check_id)
    await tx.session.execute(mine.values(**values, updated_at=func.now()))
    await tx.notify(CHANNEL, str(check_id))


async def delete_check(tx: Tx, check_id: UUID) -> None:
    """Delete a check with its statements, and wake those who follow it."""
    await tx.session.execute(delete(TextCheck).where(TextCheck.tenant_id == tx.tenant_id, TextCheck.id == check_id))
    await tx.notify(CHANNEL, str(check_id))


async def list_page(tx: Tx, *, before: tuple[datetime, str] | None, limit: int) -> Sequence[TextCheck]:
    """List checks, newest first."""
    mine = select(TextCheck).where(TextCheck.tenant_id == tx.tenant_id)
    if before is not None:
        place = tuple_(TextCheck.created_at, cast(TextCheck.id, Text))
        mine = mine.where(place < tuple_(literal(before[0]), literal(before[1])))
    newest = (TextCheck.created_at.desc(), cast(TextCheck.id, Text).desc())
    return (await tx.session.scalars(mine.order_by(*newest).limit(limit))).all()


async def count_verdicts(tx: Tx, check_ids: Iterable[UUID]) -> dict[UUID, dict[str, int]]:
    """Count the statements of checks by verdict."""
    counted = (
        select(TextStatement.check_id, TextStatement.verdict, func.count())
        .where(TextStatement.tenant_id == tx.tenant_id, TextStatement.check_id.in_(list(check_ids)))
        .group_by(TextStatement.check_id, TextStatement.verdict)
    )
    found: dict[UUID, dict[str, int]] = {}
    for check_id, verdict, number in await tx.session.execute(counted):
        found.setdefault(check_id, {})[verdict] = number
    return found


async def list_statements(
    tx: Tx, check_id: UUID, *, first: int = 0, limit: int | None = None
) -> Sequence[TextStatement]:
    """List the statements of a check from a number on, in order."""
    mine = select(TextStatement).where(
        TextStatement.tenant_id == tx.tenant_id, TextStatement.check_id == check_id, TextStatement.number >= first
    )
    return (await tx.session.scalars(mine.order_by(TextStatement.number).limit(limit))).all()


async def count_statements(tx: Tx, check_id: UUID) -> int:
    """Count the statements of a check that are done: they are written in order, without gaps."""
    mine = select(func.count()).where(TextStatement.tenant_id == tx.tenant_id, TextStatement.check_id == check_id)
    return await tx.session.scalar(mine) or 0


async def insert_statements(tx: Tx, check: TextCheck, rows: Sequence[Values]) -> None:
    """Insert statements of a check; those that are there stay as they are."""
    whose = {"tenant_id": tx.tenant_id, "check_id": check.id, "user_id": check.user_id}
    if rows:
        added = insert(TextStatement).values([{**whose, **row} for row in rows])
        await tx.session.execute(added.on_conflict_do_nothing())


async def delete_statements(tx: Tx, check_id: UUID) -> None:
    """Delete the statements of a check."""
    mine = delete(TextStatement).where(TextStatement.tenant_id == tx.tenant_id, TextStatement.check_id == check_id)
    await tx.session.execute(mine)


async def find_citable(tx: Tx, prefixes: Iterable[str]) -> dict[str, CitableText]:
    """Find the documents whose bytes, of any version that was read, have a hash with one of these prefixes."""
    begins = [DocumentVersion.artifact_sha256.startswith(prefix, autoescape=True) for prefix in sorted(set(prefixes))]
    if not begins:
        return {}
    read = and_(Reading.tenant_id == DocumentVersion.tenant_id, Reading.sha256 == DocumentVersion.artifact_sha256)
    found = (
        select(DocumentVersion)
        .join(Reading, read)
        .where(DocumentVersion.tenant_id == tx.tenant_id, Reading.text_sha256.is_not(None), or_(*begins))
        .order_by(DocumentVersion.version)
    )
    return {
        row.artifact_sha256[:16]: CitableText(row.artifact_sha256, row.document_id, row.name, row.path, row.mime_type)
        for row in await tx.session.scalars(found)
    }
