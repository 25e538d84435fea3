"""HTTP edges of runs: the runs themselves, and what begins or ends them in a conversation."""

from intelli.runs.routes import asking, bundles, deciding, runs

ROUTERS = (
    runs.router,
    deciding.router,
    asking.of_conversations,
    asking.of_messages,
    bundles.of_messages,
    bundles.of_deliverables,
)
