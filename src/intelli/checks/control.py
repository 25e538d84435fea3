"""Cancel a check, or delete it."""

from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.checks import show, store
from intelli.checks.errors import CheckHasEnded
from intelli.checks.tables import TextCheck
from intelli.checks.wire import ENDED, TextCheckStatus
from intelli.kit import clock
from intelli.kit.db import Tx


async def cancel(tx: Tx, check_id: UUID) -> TextCheck:
    """Cancel a check; its job notices before the next statements. What is done stays. Raise CheckHasEnded."""
    row = await _get_locked(tx, check_id)
    if row.status in ENDED:
        raise CheckHasEnded(f"This check is {row.status} already. There is nothing to cancel.")
    await store.update_check(tx, check_id, status=TextCheckStatus.CANCELLED, message="", finished_at=clock.now())
    return await show.get(tx, check_id)


async def delete(tx: Tx, check_id: UUID) -> None:
    """Delete a check with its text, its statements and the file that came with it; its job notices."""
    await _get_locked(tx, check_id)
    await store.delete_check(tx, check_id)
    await record(tx, EventType.ERASE, entity=("text_check", check_id))


async def _get_locked(tx: Tx, check_id: UUID) -> TextCheck:
    row = await store.find_locked(tx, check_id)
    if row is None:
        raise show.not_found_error()
    return row
