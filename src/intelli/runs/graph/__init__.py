"""The research graph: plan → research, side by side → gather → outline → chapters → brief → answer → check → deliver →
change → finish.

Outline and chapters are made where a deliverable is wanted.

It may ask the person for a clarification first, and asks for approval before it changes anything. A message that needs
no research is replied to at once.
"""

import time
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from intelli.runs.context import RunContext
from intelli.runs.graph.answer import answer, finish
from intelli.runs.graph.approve import approve, next_after_change
from intelli.runs.graph.change import change
from intelli.runs.graph.chapters import chapters
from intelli.runs.graph.check import check
from intelli.runs.graph.clarify import clarify
from intelli.runs.graph.deliver import deliver
from intelli.runs.graph.gather import brief, gather
from intelli.runs.graph.outline import outline
from intelli.runs.graph.plan import next_after_plan, plan
from intelli.runs.graph.reply import reply
from intelli.runs.graph.research import research
from intelli.runs.graph.state import State

Node = Callable[[Any, Runtime[RunContext]], Awaitable[State]]
Graph = CompiledStateGraph[State, RunContext, State, State]


def _timed(name: str, node: Node) -> Node:
    """Return a node that tells how long it takes. Those that wait for a person are not timed."""

    @wraps(node)
    async def timed(state: Any, runtime: Runtime[RunContext]) -> State:
        begun = time.monotonic()
        try:
            return await node(state, runtime)
        finally:
            runtime.context.on_node(name, time.monotonic() - begun)

    return timed


def build_graph(saver: BaseCheckpointSaver[str] | None) -> Graph:
    """Build the graph with a checkpoint saver; without one, its state is lost when it ends."""
    builder: StateGraph[State, RunContext, State, State] = StateGraph(State, context_schema=RunContext)
    builder.add_node("clarify", clarify)
    builder.add_node("approve", approve)
    for name, node in (
        ("plan", plan),
        ("reply", reply),
        ("research", research),
        ("gather", gather),
        ("outline", outline),
        ("chapters", chapters),
        ("brief", brief),
        ("answer", answer),
        ("check", check),
        ("deliver", deliver),
        ("change", change),
        ("finish", finish),
    ):
        builder.add_node(name, _timed(name, node))  # type: ignore[arg-type]  # it keeps the state of the node
    builder.add_edge(START, "plan")
    builder.add_conditional_edges("plan", next_after_plan, ["clarify", "reply", "research", "change"])
    builder.add_edge("clarify", "plan")
    builder.add_edge("reply", "finish")
    builder.add_edge("research", "gather")
    builder.add_edge("gather", "outline")
    builder.add_edge("outline", "chapters")
    builder.add_edge("chapters", "brief")
    builder.add_edge("brief", "answer")
    builder.add_edge("answer", "check")
    builder.add_edge("check", "deliver")
    builder.add_edge("deliver", "change")
    builder.add_conditional_edges("change", next_after_change, ["approve", "finish"])
    builder.add_edge("approve", "change")
    builder.add_edge("finish", END)
    return builder.compile(checkpointer=saver)
