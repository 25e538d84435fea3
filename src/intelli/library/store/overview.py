"""Queries about the library as a whole: its statistics, and recent changes."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, func, select, text

from intelli.kit.db import Tx
from intelli.library.store.documents import DocumentWithReading
from intelli.library.tables import Document, Folder, Reading

_SAME = and_(Reading.tenant_id == Document.tenant_id, Reading.sha256 == Document.artifact_sha256)
# Without a join: in a new database, which has no planner statistics, that would compare all rows with all.
_COUNTS = text("""
    select coalesce(status, 'pending') as status, sum(documents) as documents, sum(size_bytes) as size_bytes from (
        select max(status) as status, sum(documents) as documents, sum(size_bytes) as size_bytes from (
            select artifact_sha256 as sha256, 1 as documents, file_size as size_bytes, null as status
              from documents where tenant_id = :tenant
             union all
            select sha256, 0, 0, status from readings where tenant_id = :tenant) each
         group by sha256) of_content
     where documents > 0 group by 1
""")


async def now(tx: Tx) -> datetime:
    """Return the current time of the database, not that of the transaction."""
    moment: datetime = (await tx.session.scalars(select(func.clock_timestamp()))).one()
    return moment


async def count_by_status(tx: Tx) -> dict[str, tuple[int, int]]:
    """Count documents and their bytes by indexing status."""
    rows = await tx.session.execute(_COUNTS, {"tenant": tx.tenant_id})
    return {row.status: (int(row.documents), int(row.size_bytes)) for row in rows}


async def count_folders(tx: Tx) -> int:
    """Count folders."""
    return await tx.session.scalar(select(func.count()).where(Folder.tenant_id == tx.tenant_id)) or 0


async def count_chunks(tx: Tx) -> int:
    """Count chunks."""
    total = select(func.coalesce(func.sum(Reading.chunk_count), 0)).where(Reading.tenant_id == tx.tenant_id)
    return int(await tx.session.scalar(total) or 0)


async def list_changed_since(tx: Tx, since: datetime, *, limit: int) -> Sequence[DocumentWithReading]:
    """Return documents that changed, or whose reading changed, since a time; the latest first."""
    mine = Document.tenant_id == tx.tenant_id
    changed = select(Document.id).where(mine, Document.updated_at > since)
    read = select(Document.id).join(Reading, _SAME).where(mine, Reading.updated_at > since)
    found = (
        select(Document, Reading)
        .join(Reading, _SAME)
        .where(mine, Document.id.in_(changed.union(read)))
        .order_by(func.greatest(Reading.updated_at, Document.updated_at).desc())
        .limit(limit)
        .execution_options(populate_existing=True)
    )
    return [DocumentWithReading(document, reading) for document, reading in await tx.session.execute(found)]
