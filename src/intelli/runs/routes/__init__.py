"""HTTP routes of runs, and of messages and conversations where they start or end runs."""

from intelli.runs.routes import approvals, bundles, cards, messages, runs

ROUTERS = (
    runs.router,
    approvals.router,
    messages.of_conversations,
    messages.of_messages,
    bundles.of_messages,
    bundles.of_deliverables,
    cards.router,
)
