"""Queries of citations. They read documents and readings too, and write only citations and evidence."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from intelli.citations.tables import Citation, Evidence
from intelli.entities.tables import Entity
from intelli.kit.db import Tx
from intelli.kit.sql_in import in_values
from intelli.library.tables import Document, DocumentVersion, Reading

Values = Mapping[str, object]
_NOTE_COMPARED = text("""
    update message_citations c set is_stale = seen.is_stale, compared_sha256 = seen.sha256
      from unnest(cast(:ids as uuid[]), cast(:stale as boolean[]), cast(:hashes as text[]))
           as seen(id, is_stale, sha256)
     where c.tenant_id = :tenant_id and c.id = seen.id
""")
_NOTHING_SHA256 = hashlib.sha256(b"").hexdigest()
_FIXED = {"tenant_id", "message_id", "id", "ordinal", "user_id"}


@dataclass(frozen=True, slots=True)
class TextOrigin:
    """Artifacts extracted from some bytes: the text and its span map."""

    text_sha256: str | None
    map_sha256: str | None


@dataclass(frozen=True, slots=True)
class CitationWithDocument:
    """A citation and its current document; None when that was deleted or the caller may not read it."""

    citation: Citation
    document: Document | None
    has_thumbnail: bool


async def find_origins(tx: Tx, hashes: Iterable[str]) -> dict[str, TextOrigin]:
    """Return the extracted texts of these bytes, by hash. A memory record held by an entity is its own text."""
    wanted = list(hashes)
    mine = select(Reading.sha256, Reading.text_sha256, Reading.map_sha256).where(
        Reading.tenant_id == tx.tenant_id, Reading.sha256.in_(wanted)
    )
    found = {row.sha256: TextOrigin(row.text_sha256, row.map_sha256) for row in await tx.session.execute(mine)}
    missing = [sha256 for sha256 in wanted if sha256 not in found]
    if not missing:
        return found
    held = (
        select(Entity.held_sha256).distinct().where(Entity.tenant_id == tx.tenant_id, Entity.held_sha256.in_(missing))
    )
    return found | {sha256: TextOrigin(sha256, None) for sha256 in await tx.session.scalars(held) if sha256}


async def lock_documents(tx: Tx, ids: Iterable[UUID]) -> dict[UUID, str]:
    """Lock the documents that exist against deletion; return their source types by id."""
    mine = select(Document.id, Document.source_type).where(
        Document.tenant_id == tx.tenant_id, Document.id.in_(list(ids))
    )
    held = mine.order_by(Document.id).with_for_update(read=True, key_share=True)
    return {row.id: row.source_type for row in await tx.session.execute(held)}


async def lock_readings(tx: Tx, hashes: Iterable[str]) -> set[str]:
    """Lock what was read of these bytes against being swept; return the hashes of what is there."""
    mine = select(Reading.sha256).where(Reading.tenant_id == tx.tenant_id, Reading.sha256.in_(sorted(set(hashes))))
    return set(await tx.session.scalars(mine.order_by(Reading.sha256).with_for_update(key_share=True)))


async def count_citing(tx: Tx, document_ids: Sequence[UUID]) -> int:
    """Count the messages of anybody that cite one of the documents."""
    mine = select(func.count(func.distinct(Citation.message_id)))
    return await tx.session.scalar(mine.where(*_of_documents(tx, document_ids))) or 0


async def forget_words(tx: Tx, document_ids: Sequence[UUID]) -> None:
    """Delete the words that anybody's citations copied from the documents, and let go of what was read of them."""
    gone = {"quote": "", "quote_sha256": _NOTHING_SHA256, "section": None, "reason": "", "held_sha256": None}
    changed = update(Citation).where(*_of_documents(tx, document_ids)).values(**gone, char_start=0, char_end=0)
    await tx.session.execute(changed, execution_options={"synchronize_session": False})
    entities = update(Entity).where(
        Entity.tenant_id == tx.tenant_id,
        in_values(Entity.details["document_id"].astext, map(str, document_ids)),
    )
    emptied = entities.values(details=Entity.details.op("-")("content_preview"))
    await tx.session.execute(emptied, execution_options={"synchronize_session": False})


def _of_documents(tx: Tx, document_ids: Sequence[UUID]) -> tuple[ColumnElement[bool], ...]:
    return Citation.tenant_id == tx.tenant_id, in_values(Citation.document_id, document_ids)


async def newest_versions(tx: Tx, ids: Iterable[UUID]) -> dict[tuple[UUID, str], int]:
    """Return the newest version of each document with each content, by document id and content hash."""
    mine = (
        select(DocumentVersion.document_id, DocumentVersion.artifact_sha256, func.max(DocumentVersion.version))
        .where(DocumentVersion.tenant_id == tx.tenant_id, DocumentVersion.document_id.in_(list(ids)))
        .group_by(DocumentVersion.document_id, DocumentVersion.artifact_sha256)
    )
    return {(document_id, sha256): version for document_id, sha256, version in await tx.session.execute(mine)}


async def replace_citations(tx: Tx, message_id: UUID, rows: Sequence[Values]) -> None:
    """Replace the citations of a message. A review stays with its ordinal."""
    later = delete(Citation).where(
        Citation.tenant_id == tx.tenant_id, Citation.message_id == message_id, Citation.ordinal >= len(rows)
    )
    await tx.session.execute(later)
    if not rows:
        return
    owner = {"tenant_id": tx.tenant_id, "message_id": message_id}
    named = [{**owner, **{getattr(Citation, name).property.columns[0].name: row[name] for name in row}} for row in rows]
    statement = insert(Citation).values(named)
    fresh = {name: statement.excluded[name] for name in named[0] if name not in _FIXED}
    kept = statement.on_conflict_do_update(
        index_elements=["tenant_id", "message_id", "ordinal"], set_={**fresh, "checked_at": text("now()")}
    )
    await tx.session.execute(kept)


async def remove_of_message(tx: Tx, message_id: UUID) -> None:
    """Remove the citations and the evidence of a message."""
    await replace_citations(tx, message_id, [])
    gone = delete(Evidence).where(Evidence.tenant_id == tx.tenant_id, Evidence.message_id == message_id)
    await tx.session.execute(gone)


async def upsert_evidence(tx: Tx, message_id: UUID, values: Values) -> None:
    """Insert or replace the evidence of a message."""
    statement = insert(Evidence).values(tenant_id=tx.tenant_id, message_id=message_id, **values)
    fresh = {name: statement.excluded[name] for name in values if name != "user_id"}
    await tx.session.execute(statement.on_conflict_do_update(index_elements=["tenant_id", "message_id"], set_=fresh))


async def find_evidence(tx: Tx, message_id: UUID) -> Evidence | None:
    """Find the evidence of a message."""
    mine = select(Evidence).where(Evidence.tenant_id == tx.tenant_id, Evidence.message_id == message_id)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def list_of_messages(tx: Tx, message_ids: Iterable[UUID]) -> list[CitationWithDocument]:
    """List the citations of messages, in order, in one query."""
    mine = _select_with_document(tx).where(Citation.message_id.in_(list(message_ids)))
    return await _load(tx, mine.order_by(Citation.message_id, Citation.ordinal))


async def list_of_document(tx: Tx, document_id: UUID, *, limit: int) -> list[CitationWithDocument]:
    """List citations of a document that the caller may see, the newest answers first."""
    mine = _select_with_document(tx).where(Citation.document_id == document_id)
    return await _load(
        tx, mine.order_by(Citation.created_at.desc(), Citation.message_id, Citation.ordinal).limit(limit)
    )


async def count_not_accepted(tx: Tx, message_id: UUID) -> tuple[int, int]:
    """Count the citations of a message that are not accepted, and all of them."""
    is_open = Citation.decision.is_distinct_from("accepted")
    mine = select(func.count().filter(is_open), func.count())
    row = await tx.session.execute(mine.where(Citation.tenant_id == tx.tenant_id, Citation.message_id == message_id))
    left, total = row.one()
    return left, total


async def find_deliverables(tx: Tx, ids: Iterable[UUID]) -> dict[UUID, Entity]:
    """Return the entities of those of the ids that are deliverables: they cite under their own id, as messages do."""
    named = {f"deliverable.{each}": each for each in ids}
    mine = select(Entity).where(Entity.tenant_id == tx.tenant_id, in_values(Entity.identifier, named))
    return {named[row.identifier]: row for row in await tx.session.scalars(mine)}


async def find(tx: Tx, citation_id: UUID) -> CitationWithDocument | None:
    """Find a citation that the caller may see."""
    found = await _load(tx, _select_with_document(tx).where(Citation.id == citation_id))
    return found[0] if found else None


async def change(tx: Tx, citation_id: UUID, values: Values) -> None:
    """Update columns of a citation."""
    mine = update(Citation).where(Citation.tenant_id == tx.tenant_id, Citation.id == citation_id)
    await tx.session.execute(mine.values(**values))


async def list_not_compared(tx: Tx, *, limit: int) -> list[CitationWithDocument]:
    """List citations whose document has newer content that they were not compared with yet."""
    mine = _select_with_document(tx).where(
        Document.id.is_not(None),
        Document.artifact_sha256 != Citation.sha256,
        Citation.compared_sha256.is_distinct_from(Document.artifact_sha256),
        Reading.text_sha256.is_not(None),
    )
    return await _load(tx, mine.order_by(Citation.id).limit(limit))


async def save_compared(tx: Tx, seen: Sequence[tuple[UUID, bool, str]]) -> None:
    """Store whether citations are stale, and the content of their document that shows it."""
    ids, stale, hashes = zip(*seen, strict=True)
    values = {"tenant_id": tx.tenant_id, "ids": list(ids), "stale": list(stale), "hashes": list(hashes)}
    await tx.session.execute(_NOTE_COMPARED, values)


async def list_after(tx: Tx, citation_id: UUID | None, *, limit: int) -> Sequence[Citation]:
    """List citations after an id, in the order of their ids."""
    mine = select(Citation).where(Citation.tenant_id == tx.tenant_id)
    if citation_id is not None:
        mine = mine.where(Citation.id > citation_id)
    return (await tx.session.scalars(mine.order_by(Citation.id).limit(limit))).all()


def _select_with_document(tx: Tx) -> Select[Citation, Document, str | None]:
    same = and_(Document.tenant_id == Citation.tenant_id, Document.id == Citation.document_id)
    read = and_(Reading.tenant_id == Document.tenant_id, Reading.sha256 == Document.artifact_sha256)
    found = select(Citation, Document, Reading.thumbnail_sha256).outerjoin(Document, same).outerjoin(Reading, read)
    return found.where(Citation.tenant_id == tx.tenant_id)


async def _load(tx: Tx, statement: Select[Citation, Document, str | None]) -> list[CitationWithDocument]:
    rows = await tx.session.execute(statement.execution_options(populate_existing=True))
    return [CitationWithDocument(citation, document, thumbnail is not None) for citation, document, thumbnail in rows]
