"""Queries about readings and their chunks."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, delete, exists, func, insert, or_, select, text, update
from sqlalchemy.dialects import postgresql

from intelli.kit.db import Tx
from intelli.library.tables import Chunk, DocumentVersion, Reading

Values = Mapping[str, object]
_BATCH = 1000
_NO_JOB = text("""
    not exists (select from procrastinate_jobs j
                 where j.task_name = :job and j.status in ('todo', 'doing') and j.args ->> 'sha256' = readings.sha256
                   and j.args ->> 'tenant_id' = cast(readings.tenant_id as text))
""")


async def ensure(tx: Tx, sha256: str) -> tuple[Reading, bool]:
    """The reading of an artifact, made when there is none. Tells whether it is new."""
    values = {"tenant_id": tx.tenant_id, "sha256": sha256}
    added = postgresql.insert(Reading).values(values).on_conflict_do_nothing().returning(Reading)
    reading = await tx.session.scalar(added)
    if reading is not None:
        return reading, True
    found = await lock(tx, sha256)
    assert found is not None, "whoever removes a reading holds the lock of its content, which we have"
    return found, False


async def find(tx: Tx, sha256: str) -> Reading | None:
    """The reading of an artifact."""
    return await tx.session.get(Reading, (tx.tenant_id, sha256), populate_existing=True)


async def lock(tx: Tx, sha256: str) -> Reading | None:
    """The same, and nobody else changes it before the transaction ends."""
    mine = select(Reading).where(Reading.tenant_id == tx.tenant_id, Reading.sha256 == sha256)
    return await tx.session.scalar(mine.with_for_update().execution_options(populate_existing=True))


async def find_name(tx: Tx, sha256: str) -> str | None:
    """A name that a document gave to this content."""
    mine = (DocumentVersion.tenant_id == tx.tenant_id, DocumentVersion.artifact_sha256 == sha256)
    return await tx.session.scalar(select(DocumentVersion.name).where(*mine).limit(1))


async def find_number(tx: Tx, number: int) -> Reading | None:
    """The reading of a number."""
    mine = select(Reading).where(Reading.tenant_id == tx.tenant_id, Reading.number == number)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def change(tx: Tx, sha256: str, values: Values) -> bool:
    """Change a reading, all in one statement; false when it is gone."""
    return await _change(tx, Reading.sha256 == sha256, values)


async def change_number(tx: Tx, number: int, values: Values) -> bool:
    """The same by its number."""
    return await _change(tx, Reading.number == number, values)


async def _change(tx: Tx, which: ColumnElement[bool], values: Values) -> bool:
    changed = update(Reading).where(Reading.tenant_id == tx.tenant_id, which)
    changed = changed.values(**values, updated_at=func.clock_timestamp()).returning(Reading.number)
    return await tx.session.scalar(changed, execution_options={"synchronize_session": False}) is not None


async def replace_chunks(tx: Tx, number: int, chunks: Sequence[Values]) -> None:
    """Give a reading its chunks, in place of those it had."""
    await tx.session.execute(delete(Chunk).where(Chunk.tenant_id == tx.tenant_id, Chunk.reading == number))
    for at in range(0, len(chunks), _BATCH):
        rows = [{"tenant_id": tx.tenant_id, "reading": number, **chunk} for chunk in chunks[at : at + _BATCH]]
        await tx.session.execute(insert(Chunk), rows)


async def chunks(tx: Tx, number: int) -> Sequence[Chunk]:
    """The chunks of a reading, in order."""
    mine = select(Chunk).where(Chunk.tenant_id == tx.tenant_id, Chunk.reading == number)
    return (await tx.session.scalars(mine.order_by(Chunk.chunk_index))).all()


async def unnamed(tx: Tx, *, limit: int) -> Sequence[str]:
    """Hashes of readings whose content no version of a document has."""
    return (await tx.session.scalars(select(Reading.sha256).where(*_is_unnamed(tx)).limit(limit))).all()


async def remove_unnamed(tx: Tx, sha256: str) -> bool:
    """Remove a reading with its chunks, unless a version has come to have its content."""
    gone = delete(Reading).where(Reading.sha256 == sha256, *_is_unnamed(tx)).returning(Reading.number)
    return await tx.session.scalar(gone) is not None


async def given_up(tx: Tx, *, job: str, age: timedelta) -> Sequence[str]:
    """Hashes of readings that wait to be read while no job is going to."""
    mine = select(Reading.sha256).where(
        Reading.tenant_id == tx.tenant_id,
        Reading.text_sha256.is_(None),
        or_(Reading.status == "pending", Reading.status == "in_progress"),
        Reading.updated_at < func.clock_timestamp() - age,
        _NO_JOB.bindparams(job=job),
    )
    return (await tx.session.scalars(mine)).all()


def _is_unnamed(tx: Tx) -> tuple[ColumnElement[bool], ...]:
    named = exists().where(
        DocumentVersion.tenant_id == Reading.tenant_id, DocumentVersion.artifact_sha256 == Reading.sha256
    )
    return Reading.tenant_id == tx.tenant_id, ~named
