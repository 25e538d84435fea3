"""HTTP edges of runs: the runs themselves, and what begins or ends them in a conversation."""

from intelli.runs.routes import approvals, bundles, messages, runs

ROUTERS = (
    runs.router,
    approvals.router,
    messages.of_conversations,
    messages.of_messages,
    bundles.of_messages,
    bundles.of_deliverables,
)
