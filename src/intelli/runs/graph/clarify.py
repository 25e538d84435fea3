"""The node that waits for the person's clarification. The graph is interrupted here meanwhile."""

from langgraph.types import interrupt

from intelli.runs.graph.state import State


async def clarify(state: State) -> State:
    """Interrupt the graph. The answer is read from the run, so nothing may happen before the interrupt."""
    interrupt({"question": state.get("clarification")})
    return State(clarification=None)
