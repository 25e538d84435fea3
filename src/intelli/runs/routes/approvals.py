"""HTTP routes of approvals: list, approve and reject the changes that runs propose."""

from uuid import UUID

from fastapi import APIRouter

from intelli.kit.http import Cursor, Db, Limit, Reader, Writer
from intelli.kit.wire import Page
from intelli.runs import approvals, show, wire
from intelli.runs.wire import Confirmation

router = APIRouter(prefix="/interactions", tags=["runs"])


@router.get("")
async def list_confirmations(
    who: Reader,
    db: Db,
    confirmation_status: Confirmation | None = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[wire.Interaction]:
    """Tool calls that change something, oldest first: of the caller's runs, and in conversations shared with them."""
    async with db.begin(who) as tx:
        return await show.list_confirmations(tx, status=confirmation_status, cursor=cursor, limit=limit)


@router.post("/{interaction_id}/approve")
async def approve_interaction(interaction_id: UUID, who: Writer, db: Db) -> wire.Interaction:
    """Agree to a change; the run makes it if the document is still what it was. To say it again is harmless."""
    async with db.begin(who) as tx:
        return await show.interaction_to_wire(tx, await approvals.decide(tx, interaction_id, Confirmation.APPROVED))


@router.post("/{interaction_id}/reject")
async def reject_interaction(
    interaction_id: UUID, who: Writer, db: Db, body: wire.Reject | None = None
) -> wire.Interaction:
    """Refuse a change, and say why if you like; the run goes on without it. To say it again is harmless."""
    reason = body.reason if body else None
    async with db.begin(who) as tx:
        row = await approvals.decide(tx, interaction_id, Confirmation.REJECTED, reason=reason)
        return await show.interaction_to_wire(tx, row)
