"""The node that waits for the person. The graph stops here, for as long as it takes."""

from langgraph.types import interrupt

from intelli.runs.graph.state import State


async def clarify(state: State) -> State:
    """Wait. The answer is read from the run, so nothing may happen before the interrupt."""
    interrupt({"question": state.get("clarification")})
    return State(clarification=None)
