"""Suggested questions: what people are shown to ask first, made from the documents that are there."""

from collections.abc import Sequence
from uuid import UUID

from intelli.kit.db import Tx
from intelli.kit.jobs import JobRef, Queue
from intelli.library.status_wire import SuggestedQuestion, SuggestedQuestions
from intelli.library.store import questions as store

# Who reads a document does not know how it is asked: whoever can ask tries.
TRY = JobRef("runs.suggest", Queue.MAINTENANCE, priority=-3)
# So many documents with questions are enough for a first page, and so many are tried to find them.
ENOUGH, MOST_TRIED = 4, 12
_DOCUMENTS_SHOWN = 12


async def wake(tx: Tx) -> None:
    """Wake the job that tries questions; it ends at once where there are enough."""
    await tx.wake(TRY, key=TRY.name)


async def list_untried(tx: Tx) -> Sequence[tuple[UUID, str]]:
    """Return the documents to try next, with the hashes of their content; none when there are questions enough."""
    asked, tried = await store.count(tx)
    if asked >= ENOUGH or tried >= MOST_TRIED:
        return []
    return await store.list_untried(tx, limit=MOST_TRIED - tried)


async def save(tx: Tx, document_id: UUID, sha256: str, questions: Sequence[str]) -> None:
    """Save the questions that a document answers; an empty list says that it was tried."""
    await store.save(tx, document_id, sha256, questions)


async def show(tx: Tx, *, limit: int) -> SuggestedQuestions:
    """Return questions to begin with: one of each document first, then their others."""
    rows = await store.list_in_force(tx, limit=_DOCUMENTS_SHOWN)
    depth = max((len(row.questions) for row in rows), default=0)
    items = [
        SuggestedQuestion(question=row.questions[at], document_id=row.id, document_name=row.name)
        for at in range(depth)
        for row in rows
        if at < len(row.questions)
    ]
    distinct = list({each.question: each for each in reversed(items)}.values())[::-1]
    return SuggestedQuestions(items=distinct[:limit], is_complete=not await list_untried(tx))
