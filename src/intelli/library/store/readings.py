"""Queries about readings and their chunks."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from sqlalchemy import ColumnElement, delete, exists, func, or_, select, text, update
from sqlalchemy.dialects import postgresql

from intelli.kit.arrays import Longs, Texts
from intelli.kit.db import Tx
from intelli.kit.sql_in import in_values
from intelli.library.tables import Chunk, DocumentVersion, Reading

Values = Mapping[str, object]
_BATCH = 1000
_ENSURE = text("""
    insert into readings (tenant_id, sha256) select :tenant, sha256 from unnest(cast(:hashes as text[])) as sha256
        on conflict do nothing returning *
""")
_WAITING = text("""
    select r.sha256, r.number, (select v.name from document_versions v
                                 where v.tenant_id = r.tenant_id and v.artifact_sha256 = r.sha256 limit 1) as name
      from readings r
     where r.tenant_id = :tenant and r.sha256 = any(:hashes) and r.status in ('pending', 'in_progress')
""")
_UNSTRUCTURED = text("""
    select r.sha256, r.text_sha256, r.map_sha256, r.media_type, r.title, r.properties,
           (select v.name from document_versions v
             where v.tenant_id = r.tenant_id and v.artifact_sha256 = r.sha256 limit 1) as name
      from readings r
     where r.tenant_id = :tenant and r.structure_version is distinct from :version
       and r.text_sha256 is not null and r.map_sha256 is not null
     order by r.number desc limit :limit
""")
_STRUCTURED = text("""
    select count(*) filter (where structure_version = :version) as done, count(*) as total from readings
     where tenant_id = :tenant and text_sha256 is not null and map_sha256 is not null
""")
_BEGIN = text("""
    update readings r set status = 'in_progress', refusal = null, reason = null, chunks_done = 0,
                          updated_at = clock_timestamp()
     where r.tenant_id = :tenant and r.sha256 = any(:hashes) and r.status in ('pending', 'in_progress')
    returning r.number
""")
_FILL = text("""
    update readings r set
           text_sha256 = v.text_sha256, map_sha256 = v.map_sha256, structure_sha256 = v.structure_sha256,
           structure_version = v.structure_version, facts = v.facts,
           media_type = v.media_type, title = v.title, language = v.language, properties = v.properties,
           warnings = v.warnings, page_count = v.page_count, char_count = v.char_count, chunk_count = v.chunk_count,
           chunks_done = v.chunks_done, extractor = v.extractor, status = v.status, refusal = null, reason = null,
           updated_at = clock_timestamp()
      from jsonb_to_recordset(cast(:rows as jsonb)) as v(
           sha256 text, text_sha256 text, map_sha256 text, structure_sha256 text, structure_version text, facts jsonb,
           media_type text, title text,
           language text, properties jsonb, warnings jsonb, page_count int, char_count bigint, chunk_count int,
           chunks_done int, extractor text, status text)
     where r.tenant_id = :tenant and r.sha256 = v.sha256
""")
_NUMBERS = ("reading", "chunk_index", "char_start", "char_end", "page", "tokens")
_WORDS = ("section", "kind", "body")
_ADD_CHUNKS = text(f"""
    insert into chunks (tenant_id, reading, chunk_index, char_start, char_end, page, section, kind, tokens, body)
    select :tenant, reading, chunk_index, char_start, char_end, nullif(page, 0), section, kind, tokens, body
      from unnest({", ".join(f":{name}" for name in (*_NUMBERS, *_WORDS))})
           as c({", ".join((*_NUMBERS, *_WORDS))})
""")  # noqa: S608  # our own words
_NO_JOB = text("""
    not exists (select from procrastinate_jobs j
                 where j.task_name = any(:jobs) and j.status in ('todo', 'doing')
                   and (j.args ->> 'sha256' = readings.sha256
                        or position(readings.sha256 in j.args ->> 'hashes') > 0)
                   and j.args ->> 'tenant_id' = cast(readings.tenant_id as text))
""")


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """Text of a chunk and its headings (`section`)."""

    reading: int
    section: str | None
    body: str


@dataclass(frozen=True, slots=True)
class WaitingReading:
    """Content that is to be read: the number of its reading, and the name of a document that has it."""

    number: int
    name: str | None


@dataclass(frozen=True, slots=True)
class StoredReading:
    """Content that was read: its text and span map, and the name of a document that has it."""

    sha256: str
    text_sha256: str
    map_sha256: str
    media_type: str | None
    title: str | None
    properties: dict[str, object]
    name: str | None


async def ensure(tx: Tx, sha256: str) -> tuple[Reading, bool]:
    """Return the reading of an artifact, locked, and whether it was inserted now."""
    values = {"tenant_id": tx.tenant_id, "sha256": sha256}
    added = postgresql.insert(Reading).values(values).on_conflict_do_nothing().returning(Reading)
    reading = await tx.session.scalar(added)
    if reading is not None:
        return reading, True
    found = await lock(tx, sha256)
    assert found is not None, "whoever removes a reading holds the lock of its content, which we have"
    return found, False


async def ensure_all(tx: Tx, hashes: Iterable[str]) -> dict[str, Reading]:
    """Insert readings for those artifacts that have none; return the inserted ones by hash."""
    added = select(Reading).from_statement(_ENSURE)
    made = await tx.session.scalars(added, {"tenant": tx.tenant_id, "hashes": sorted(set(hashes))})
    return {reading.sha256: reading for reading in made}


async def find(tx: Tx, sha256: str) -> Reading | None:
    """Return the reading of an artifact; None when there is none."""
    return await tx.session.get(Reading, (tx.tenant_id, sha256), populate_existing=True)


async def lock(tx: Tx, sha256: str) -> Reading | None:
    """Return the reading of an artifact, locked until the transaction ends; None when there is none."""
    mine = select(Reading).where(Reading.tenant_id == tx.tenant_id, Reading.sha256 == sha256)
    return await tx.session.scalar(mine.with_for_update().execution_options(populate_existing=True))


async def find_all(tx: Tx, hashes: Sequence[str]) -> Sequence[Reading]:
    """Return the readings of artifacts, as far as they exist."""
    mine = select(Reading).where(Reading.tenant_id == tx.tenant_id, in_values(Reading.sha256, hashes))
    return (await tx.session.scalars(mine.execution_options(populate_existing=True))).all()


async def list_unread(tx: Tx, hashes: Sequence[str]) -> dict[str, WaitingReading]:
    """Return those contents that are still to be read, by hash."""
    rows = await tx.session.execute(_WAITING, {"tenant": tx.tenant_id, "hashes": list(hashes)})
    return {row.sha256: WaitingReading(row.number, row.name) for row in rows}


async def list_without_thumbnail(tx: Tx, hashes: Sequence[str]) -> Sequence[Reading]:
    """Return those readings that have a text and no thumbnail."""
    mine = select(Reading).where(Reading.tenant_id == tx.tenant_id, in_values(Reading.sha256, hashes))
    without = mine.where(Reading.text_sha256.is_not(None), Reading.thumbnail_sha256.is_(None))
    return (await tx.session.scalars(without)).all()


async def list_without_structure(tx: Tx, *, version: str, limit: int) -> Sequence[StoredReading]:
    """Return readings with a text whose structure was not made by this version, the newest first."""
    rows = await tx.session.execute(_UNSTRUCTURED, {"tenant": tx.tenant_id, "version": version, "limit": limit})
    return [StoredReading(*row) for row in rows]


async def count_structured(tx: Tx, *, version: str) -> tuple[int, int]:
    """Return how many readings with a text were read for their structure by this version, and how many there are."""
    row = (await tx.session.execute(_STRUCTURED, {"tenant": tx.tenant_id, "version": version})).one()
    return row.done, row.total


async def mark_in_progress(tx: Tx, hashes: Sequence[str]) -> int:
    """Mark readings that are still to be read as in progress; return their number."""
    return len((await tx.session.execute(_BEGIN, {"tenant": tx.tenant_id, "hashes": list(hashes)})).all())


async def lock_all(tx: Tx, hashes: Iterable[str]) -> dict[str, int]:
    """Lock readings until the transaction ends; return the numbers of those that exist, by hash."""
    mine = select(Reading.sha256, Reading.number).where(Reading.tenant_id == tx.tenant_id)
    locked = mine.where(in_values(Reading.sha256, hashes)).order_by(Reading.sha256).with_for_update()
    return {row.sha256: row.number for row in await tx.session.execute(locked)}


async def save_results(tx: Tx, rows: Sequence[Values]) -> None:
    """Update readings with their results; each row names its reading by `sha256`."""
    await tx.session.execute(_FILL, {"tenant": tx.tenant_id, "rows": json.dumps(rows)})


async def find_number(tx: Tx, number: int) -> Reading | None:
    """Return the reading of a number; None when it is gone."""
    mine = select(Reading).where(Reading.tenant_id == tx.tenant_id, Reading.number == number)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def mark_completed(tx: Tx, numbers: Sequence[int]) -> int:
    """Mark readings as completed, with all chunks indexed; return how many exist."""
    mine = update(Reading).where(Reading.tenant_id == tx.tenant_id, in_values(Reading.number, numbers))
    done = {"status": "completed", "chunks_done": func.coalesce(Reading.chunk_count, 0)}
    changed = mine.values(**done, updated_at=func.clock_timestamp()).returning(Reading.number)
    return len((await tx.session.scalars(changed, execution_options={"synchronize_session": False})).all())


async def lock_numbers(tx: Tx, numbers: Sequence[int]) -> set[int]:
    """Lock readings until the transaction ends and return those that exist; others can neither lock nor remove them."""
    mine = select(Reading.number).where(Reading.tenant_id == tx.tenant_id, in_values(Reading.number, numbers))
    return set((await tx.session.scalars(mine.order_by(Reading.sha256).with_for_update(key_share=True))).all())


async def update_by_hash(tx: Tx, sha256: str, values: Values) -> bool:
    """Update columns of a reading by its hash, in one statement; return False when it is gone."""
    return await _change(tx, Reading.sha256 == sha256, values)


async def update_by_number(tx: Tx, number: int, values: Values) -> bool:
    """Update columns of a reading by its number, in one statement; return False when it is gone."""
    return await _change(tx, Reading.number == number, values)


async def _change(tx: Tx, which: ColumnElement[bool], values: Values) -> bool:
    changed = update(Reading).where(Reading.tenant_id == tx.tenant_id, which)
    changed = changed.values(**values, updated_at=func.clock_timestamp()).returning(Reading.number)
    return await tx.session.scalar(changed, execution_options={"synchronize_session": False}) is not None


async def replace_chunks(tx: Tx, numbers: Sequence[int], chunks: Sequence[Values]) -> None:
    """Replace the chunks of readings."""
    await tx.session.execute(delete(Chunk).where(Chunk.tenant_id == tx.tenant_id, in_values(Chunk.reading, numbers)))
    for at in range(0, len(chunks), _BATCH):
        rows = chunks[at : at + _BATCH]
        numbers_of = {name: Longs(np.array([row[name] or 0 for row in rows], np.int64)) for name in _NUMBERS}
        words_of = {name: Texts([_text(row[name]) for row in rows]) for name in _WORDS}
        await tx.session.execute(_ADD_CHUNKS, {"tenant": tx.tenant_id, **numbers_of, **words_of})


def _text(value: object) -> str | None:
    return None if value is None else str(value)


async def list_chunks(tx: Tx, numbers: Sequence[int]) -> Sequence[ChunkRow]:
    """Return text and headings of the chunks of readings, in order."""
    mine = select(Chunk.reading, Chunk.section, Chunk.body)
    mine = mine.where(Chunk.tenant_id == tx.tenant_id, in_values(Chunk.reading, numbers))
    rows = await tx.session.execute(mine.order_by(Chunk.reading, Chunk.chunk_index))
    return [ChunkRow(*row) for row in rows]


async def list_unreferenced(tx: Tx, *, limit: int) -> Sequence[str]:
    """Return hashes of readings whose content no document version references, and on which no evidence rests."""
    return (await tx.session.scalars(select(Reading.sha256).where(*_is_unreferenced(tx)).limit(limit))).all()


async def remove_if_unreferenced(tx: Tx, sha256: str) -> bool:
    """Delete a reading with its chunks, unless a document version or evidence references its content by now."""
    gone = delete(Reading).where(Reading.sha256 == sha256, *_is_unreferenced(tx)).returning(Reading.number)
    return await tx.session.scalar(gone) is not None


async def list_abandoned(tx: Tx, *, jobs: Sequence[str], age: timedelta) -> Sequence[str]:
    """Return hashes of unread contents, unchanged for `age`, for which no job of these names is queued or running."""
    mine = select(Reading.sha256).where(
        Reading.tenant_id == tx.tenant_id,
        Reading.text_sha256.is_(None),
        or_(Reading.status == "pending", Reading.status == "in_progress"),
        Reading.updated_at < func.clock_timestamp() - age,
        _NO_JOB.bindparams(jobs=list(jobs)),
    )
    return (await tx.session.scalars(mine)).all()


def _is_unreferenced(tx: Tx) -> tuple[ColumnElement[bool], ...]:
    referenced = exists().where(
        DocumentVersion.tenant_id == Reading.tenant_id, DocumentVersion.artifact_sha256 == Reading.sha256
    )
    return Reading.tenant_id == tx.tenant_id, ~referenced, Reading.held_count == 0
