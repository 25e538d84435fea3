"""The node that waits until a person has decided on every change. The graph is interrupted here meanwhile."""

from langgraph.types import interrupt

from intelli.runs.graph.state import State


async def approve(state: State) -> State:
    """Interrupt the graph. Decisions are read from the interactions, so nothing may happen before the interrupt."""
    interrupt({"awaits": state.get("awaits")})
    return State(awaits=False)


def next_after_change(state: State) -> str:
    """Return the node after `change`: `approve` while a change awaits a decision, else `finish`."""
    return "approve" if state.get("awaits") else "finish"
