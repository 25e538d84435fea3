"""A message with a row in each table of evidence, as if its run had been checked."""

from uuid import UUID

from intelli.checks.tables import TextCheck, TextStatement
from intelli.citations.tables import Citation, Evidence
from intelli.deliverables.tables import Deliverable, Export
from intelli.entities.tables import Entity
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7


async def fill_evidence(tx: Tx, user_id: UUID, *, message_id: UUID, document_id: UUID) -> dict[str, str]:
    """Give a message an entity, a citation, evidence, a deliverable with export, and a check of a text; return ids."""
    entity_id, citation_id, deliverable_id, check_id = uuid7(), uuid7(), uuid7(), uuid7()
    owner = {"tenant_id": tx.tenant_id, "user_id": user_id}
    rows = (
        Entity(**owner, id=entity_id, entity_type="KNOWLEDGE_BASE", identifier="p", file_name="a.txt",
               mimetype="text/plain", message_id=message_id),
        Citation(**owner, id=citation_id, message_id=message_id, ordinal=0, identifier="p", entity_id=entity_id,
                 document_id=document_id, document_version=1, file_name="a.txt", path="/a.txt", mime_type="text/plain",
                 source_type="blob_storage", fetch_strategy="internal_api", relevance_score=0.5, sha256="0" * 64,
                 char_start=0, char_end=1, quote="A", quote_sha256="0" * 64, sentence="A.", check="weak"),
        Evidence(**owner, message_id=message_id, found=1, cited=1, read_not_used=0, screened_out=0),
        Deliverable(**owner, id=deliverable_id, message_id=message_id, kind="REPORT"),
        Export(tenant_id=tx.tenant_id, id=uuid7(), deliverable_id=deliverable_id, owner_id=user_id, format="md"),
        TextCheck(**owner, id=check_id, title="A", source="text", status="completed", text="A.", total=1),
        TextStatement(**owner, check_id=check_id, number=0, kind="sentence", text="A.", char_start=0, char_end=2,
                      verdict="unchecked", check="unchecked", judged_by="nothing"),
    )  # fmt: skip
    for row in rows:
        tx.session.add(row)
        await tx.session.flush()
    return {
        "entity_id": str(entity_id),
        "citation_id": str(citation_id),
        "check_id": str(check_id),
        **dict.fromkeys(("deliverable_id", "with"), str(deliverable_id)),
    }
