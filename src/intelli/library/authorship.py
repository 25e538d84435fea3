"""Authorship: which documents our agent wrote, and no person ever gave a content to."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from intelli.kit.db import Tx
from intelli.library.store import documents as store
from intelli.reasoning import evidence_rules


@dataclass(frozen=True, slots=True)
class AgentDocuments:
    """The documents of a workspace that our agent wrote: those in focus of a question, and all others."""

    in_focus: frozenset[UUID] = frozenset()
    others: frozenset[UUID] = frozenset()


async def find_agent_documents(tx: Tx, *, focus: Collection[UUID], question: str) -> AgentDocuments:
    """Return the documents that our agent wrote: only those that a question is about are evidence for it."""
    written = await store.list_written_by_agent(tx)
    in_focus = frozenset(
        document_id
        for document_id, path in written
        if evidence_rules.is_in_focus(path, document_id, focus=focus, question=question)
    )
    return AgentDocuments(in_focus, frozenset(document_id for document_id, _ in written) - in_focus)
