"""Reviews of citations: a person accepts or disputes one; reviewer and time are saved, and it is audited."""

from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.citations import store, wire
from intelli.citations.errors import CitationNotFound, NotYourCitation
from intelli.citations.store import CitationWithDocument
from intelli.citations.wire import Decision
from intelli.kit import clock
from intelli.kit.db import Tx


async def review(tx: Tx, citation_id: UUID, request: wire.ReviewCitation) -> CitationWithDocument:
    """Accept or dispute a citation, or withdraw that."""
    citation = (await get_own(tx, citation_id)).citation
    decided = {"reviewer_id": tx.person_id, "reviewed_at": clock.now(), "note": request.note}
    taken_back = {"reviewer_id": None, "reviewed_at": None, "note": ""}
    values = decided if request.decision is not None else taken_back
    await store.change(tx, citation_id, {"decision": request.decision, **values})
    is_disputed = request.decision is Decision.DISPUTED
    await record(
        tx,
        EventType.USER_REJECTION if is_disputed else EventType.USER_APPROVAL,
        entity=("citation", citation_id),
        run_id=citation.run_id,
        conversation_id=citation.conversation_id,
        action=request.decision or "taken_back",
    )
    return await get_own(tx, citation_id)


async def get_own(tx: Tx, citation_id: UUID) -> CitationWithDocument:
    """Return a citation of the caller's own; raise NotYourCitation for one that is only shared with them."""
    found = await store.find(tx, citation_id)
    if found is None:
        raise CitationNotFound("There is no such citation in what you may read.")
    if found.citation.user_id != tx.person_id:
        raise NotYourCitation("This conversation is shared with you for reading. Only who asked reviews its citations.")
    return found


async def count_not_accepted(tx: Tx, message_id: UUID) -> tuple[int, int]:
    """Return how many citations of a message or deliverable nobody has accepted, and how many it has."""
    return await store.count_not_accepted(tx, message_id)
