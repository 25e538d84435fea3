"""Queries of the questions that documents answer."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Row, func, select, text
from sqlalchemy.dialects.postgresql import insert

from intelli.kit.db import Tx
from intelli.library.tables import Document, DocumentQuestions

# Documents that are read and were not tried as they are now; what our agent wrote is asked nothing.
_UNTRIED = text("""
    select d.id, d.artifact_sha256 from documents d
      join readings r on r.tenant_id = d.tenant_id and r.sha256 = d.artifact_sha256
     where d.tenant_id = :tenant and r.status = 'completed' and r.structure_sha256 is not null
       and d.last_edit_by = 'user'
       and not exists (select from document_questions q where q.tenant_id = d.tenant_id and q.document_id = d.id
                          and q.artifact_sha256 = d.artifact_sha256)
     order by d.created_at desc, d.id limit :most
""")


async def list_untried(tx: Tx, *, limit: int) -> Sequence[tuple[UUID, str]]:
    """Return documents, newest first, for which no questions were tried, with the hashes of their content."""
    rows = await tx.session.execute(_UNTRIED, {"tenant": tx.tenant_id, "most": limit})
    return [(row.id, row.artifact_sha256) for row in rows]


async def count(tx: Tx) -> tuple[int, int]:
    """Return how many documents have questions that are in force, and how many were tried at all."""
    rows = select(
        func.count().filter(func.jsonb_array_length(DocumentQuestions.questions) > 0), func.count()
    ).join_from(
        DocumentQuestions,
        Document,
        (Document.tenant_id == DocumentQuestions.tenant_id)
        & (Document.id == DocumentQuestions.document_id)
        & (Document.artifact_sha256 == DocumentQuestions.artifact_sha256),
    )
    found = (await tx.session.execute(rows.where(DocumentQuestions.tenant_id == tx.tenant_id))).one()
    return found[0], found[1]


async def save(tx: Tx, document_id: UUID, sha256: str, questions: Sequence[str]) -> None:
    """Save the questions of a document, in place of those it had."""
    values = {"artifact_sha256": sha256, "questions": list(questions)}
    row = insert(DocumentQuestions).values(tenant_id=tx.tenant_id, document_id=document_id, **values)
    changed = {**values, "tried_at": func.now()}
    await tx.session.execute(row.on_conflict_do_update(index_elements=["tenant_id", "document_id"], set_=changed))


async def list_in_force(tx: Tx, *, limit: int) -> Sequence[Row[UUID, str, list[str]]]:
    """Return documents that the caller sees, newest first, with their questions."""
    rows = (
        select(Document.id, Document.name, DocumentQuestions.questions)
        .join_from(
            DocumentQuestions,
            Document,
            (Document.tenant_id == DocumentQuestions.tenant_id)
            & (Document.id == DocumentQuestions.document_id)
            & (Document.artifact_sha256 == DocumentQuestions.artifact_sha256),
        )
        .where(DocumentQuestions.tenant_id == tx.tenant_id, func.jsonb_array_length(DocumentQuestions.questions) > 0)
        .order_by(Document.created_at.desc(), Document.id)
        .limit(limit)
    )
    return (await tx.session.execute(rows)).all()
