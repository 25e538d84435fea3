"""Load the passages that a run has found from the ledger."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from intelli.content.passage import Passage
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.plan import PlannedTask, ResearchPlan
from intelli.runs.context import RunContext
from intelli.runs.graph.state import State
from intelli.runs.steps import plan_key, recall_key, search_key
from intelli.runs.tools.search_documents import SearchOutput
from intelli.runs.tools.search_memory import RecallOutput

# What a reasoner is given to read of what the searches of a task found.
_MOST_PASSAGES = 24
_MOST_QUERY = 2000


@dataclass(frozen=True, slots=True)
class TaskSearchResult:
    """Passages found by one search. Searches of failed tasks are not loaded."""

    task: int
    query: str
    passages: tuple[Passage, ...]


async def load_searches(context: RunContext, state: State) -> list[TaskSearchResult]:
    """Load every search of the tasks that succeeded, in the order of the plan."""
    plan = await context.recorded_reasoner().load_step(plan_key(context.facts.clarified), ResearchPlan)
    done = sorted(outcome["index"] for outcome in state["outcomes"] if outcome["succeeded"])
    searches: list[TaskSearchResult] = []
    for index in done:
        for number, query in enumerate(plan.tasks[index].queries):
            used = await context.ledger.find_use(search_key(index, number))
            if used is not None and used.output is not None:
                passages = tuple(each.passage for each in SearchOutput.model_validate(used.output).passages)
                searches.append(TaskSearchResult(index, query, passages))
        searches += await _load_recalled(context, index, plan.tasks[index])
    return searches


async def _load_recalled(context: RunContext, index: int, task: PlannedTask) -> list[TaskSearchResult]:
    """Load the memory search of a task; one without results is left out."""
    if not context.facts.recalls:
        return []
    used = await context.ledger.find_use(recall_key(index))
    if used is None or used.output is None:
        return []
    passages = tuple(each.passage for each in RecallOutput.model_validate(used.output).passages)
    return [TaskSearchResult(index, recall_query(task), passages)] if passages else []


def recall_query(task: PlannedTask) -> str:
    """Return the memory query of a task: its search queries joined, cut to the longest allowed."""
    return " ".join(dict.fromkeys(task.queries))[:_MOST_QUERY]


def collect_passages(searches: Iterable[TaskSearchResult]) -> dict[str, Passage]:
    """Return all passages of the searches by identifier, each once, in the order they were found."""
    found: dict[str, Passage] = {}
    for search in searches:
        for passage in search.passages:
            found.setdefault(passage.identifier, passage)
    return found


def collect_read(searches: Iterable[TaskSearchResult]) -> frozenset[str]:
    """Return the identifiers of the passages that a reasoner was given to read."""
    by_task: dict[int, list[Sequence[Passage]]] = {}
    for search in searches:
        by_task.setdefault(search.task, []).append(search.passages)
    return frozenset(passage.identifier for found in by_task.values() for passage in merge(found))


async def load_passages(context: RunContext, state: State, *, only: set[str]) -> tuple[SourceText, ...]:
    """Load the found passages with these identifiers, in the order they were found."""
    found = collect_passages(await load_searches(context, state))
    return tuple(as_source_text(passage) for identifier, passage in found.items() if identifier in only)


def merge(found: Iterable[Sequence[Passage]]) -> list[Passage]:
    """Interleave the passages of several searches, each passage once: the best of each search come first."""
    lists = list(found)
    merged: dict[str, Passage] = {}
    for rank in range(max((len(each) for each in lists), default=0)):
        for passages in lists:
            if rank < len(passages):
                merged.setdefault(passages[rank].identifier, passages[rank])
    return list(merged.values())[:_MOST_PASSAGES]


def as_source_text(passage: Passage) -> SourceText:
    """Convert a found passage to the reasoner's input."""
    return SourceText(
        identifier=passage.identifier,
        title=passage.title,
        text=passage.text,
        page=passage.page,
        section=passage.section,
        header=passage.header,
        is_cut=passage.is_cut,
    )
