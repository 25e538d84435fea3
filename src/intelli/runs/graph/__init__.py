"""The research graph: plan → research, side by side → gather → outline → chapters → brief → answer → check → deliver →
change → finish.

Outline and chapters are made where a deliverable is wanted.

It may ask the person for a clarification first, and asks for approval before it changes anything. A message that needs
no research is replied to at once.
"""

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

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

Graph = CompiledStateGraph[State, RunContext, State, State]


def build_graph(saver: BaseCheckpointSaver[str] | None) -> Graph:
    """Build the graph with a checkpoint saver; without one, its state is lost when it ends."""
    builder: StateGraph[State, RunContext, State, State] = StateGraph(State, context_schema=RunContext)
    for name, node in (
        ("plan", plan),
        ("clarify", clarify),
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
        ("approve", approve),
        ("finish", finish),
    ):
        builder.add_node(name, node)
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
