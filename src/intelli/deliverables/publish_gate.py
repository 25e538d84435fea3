"""The publish gate: where the workspace's rule says so, a deliverable leaves only with all its citations accepted."""

from uuid import UUID

from intelli.citations import review
from intelli.deliverables.errors import NotAccepted
from intelli.identity import workspaces
from intelli.kit.db import Tx


async def check(tx: Tx, deliverable_id: UUID) -> None:
    """Raise NotAccepted while a citation of the deliverable is not accepted, if the workspace requires that."""
    if not (await workspaces.get(tx)).requires_review:
        return
    left, total = await review.count_not_accepted(tx, deliverable_id)
    if left:
        raise NotAccepted(
            f"{left} of its {total} citations are not accepted yet, which this workspace requires before anything "
            "leaves it. Accept them, or have an admin change the rule."
        )
