"""The node that waits until a person has decided on every change. The graph stops here, for as long as it takes."""

from langgraph.types import interrupt

from intelli.runs.graph.state import State


async def approve(state: State) -> State:
    """Wait. What was decided is read from the interactions, so nothing may happen before the interrupt."""
    interrupt({"awaits": state.get("awaits")})
    return State(awaits=False)


def next_after_change(state: State) -> str:
    """To the person, or to the end."""
    return "approve" if state.get("awaits") else "finish"
