"""A run with a row in each of its tables, as if it had been worked on."""

from uuid import UUID

from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.runs.tables import AgentInteraction, ModelCall, PlanRow, PlanSetRow, PlanTaskRow


async def fill_run(tx: Tx, user_id: UUID, run_id: UUID) -> dict[str, str]:
    """Give a run a plan, a tool call that waits for an approval, and a model call; ids that routes name."""
    ids = [uuid7() for _ in range(5)]
    owner = {"tenant_id": tx.tenant_id, "user_id": user_id}
    rows = (
        PlanSetRow(**owner, id=ids[0], run_id=run_id),
        PlanRow(**owner, id=ids[1], plan_set_id=ids[0], title="", summary=""),
        PlanTaskRow(**owner, id=ids[2], plan_id=ids[1], position=0, title="", message=""),
        AgentInteraction(
            **owner,
            id=ids[3],
            run_id=run_id,
            key="k",
            tool_name="delete_document",
            tool_input={},
            sequence_order=1,
            status="pending",
            requires_confirmation=True,
            confirmation_status="pending",
            path="/a.md",
            proposal={"action": "delete", "path": "/a.md", "summary": "Delete /a.md"},
        ),
        ModelCall(**owner, id=ids[4], run_id=run_id, key="k", verb="plan", asked_sha256="", epoch=1, model="none"),
    )
    for row in rows:
        tx.session.add(row)
        await tx.session.flush()
    return {"interaction_id": str(ids[3])}
