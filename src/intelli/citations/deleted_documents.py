"""What becomes of cited evidence when documents are deleted: it is kept, or removed, by the workspace's rule."""

from collections.abc import Sequence
from uuid import UUID

from intelli.citations import store
from intelli.identity import workspaces
from intelli.kit.context import System
from intelli.kit.db import Tx
from intelli.library.wire import DeletedDocuments, EvidenceOutcome


class CitedDocuments:
    """Evidence that rests on documents. Implements the library's `EvidencePort`."""

    async def release(self, tx: Tx, document_ids: Sequence[UUID]) -> DeletedDocuments:
        """Keep or remove what citations have of documents that are about to be deleted, whoever cites them."""
        person = tx.who
        await tx.become(System(tx.tenant_id))
        cited_by = await store.count_citing(tx, document_ids)
        is_kept = (await workspaces.get(tx)).keeps_evidence
        if cited_by and not is_kept:
            await store.forget_words(tx, document_ids)
        await tx.become(person)
        outcome = EvidenceOutcome.KEPT if is_kept else EvidenceOutcome.REMOVED
        return DeletedDocuments(
            documents=len(document_ids),
            cited_by=cited_by,
            evidence=outcome if cited_by else EvidenceOutcome.NONE,
        )
