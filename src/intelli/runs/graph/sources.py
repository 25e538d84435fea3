"""Load the passages that a run has found from the ledger."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from intelli.content.passage import Passage
from intelli.reasoning.verbs.note import Notes
from intelli.reasoning.verbs.outline import Outline
from intelli.reasoning.verbs.understand import PlannedTask
from intelli.runs.check_findings import CheckedNotes, check_notes
from intelli.runs.context import RunContext
from intelli.runs.errors import NotReplayable
from intelli.runs.graph.state import State
from intelli.runs.ledger import Ledger
from intelli.runs.read_on import load_read
from intelli.runs.steps import (
    OUTLINE,
    chapter_search_key,
    chapter_tables_key,
    documents_key,
    recall_key,
    search_key,
    tables_key,
)
from intelli.runs.tools.answer_about_documents import DocumentsTold
from intelli.runs.tools.answer_from_tables import TablesAnswer
from intelli.runs.tools.search_documents import SearchOutput
from intelli.runs.tools.search_memory import RecallOutput
from intelli.runs.understood_message import load_plan

# What a reasoner is given to read of what the searches of a task found.
_MOST_PASSAGES = 24
_MOST_QUERY = 2000
# What a model is given to answer a question from: characters for one task and for each further one. A passage that
# scores much less than the best of its task bears on something else.
_CHARACTERS, _CHARACTERS_MORE, _MOST_CHARACTERS = 6_000, 3_000, 30_000
_LEAST_SCORE_SHARE = 0.1
# Earlier runs held it against the best of its search, less strictly, and had more room.
_LEAST_SCORE_SHARE_OF_SEARCH = 0.03
_CHARACTERS_BEFORE, _CHARACTERS_MORE_BEFORE = 7_500, 3_500
# What was read on belongs to no task.
_READ_ON = -1
# Searches for chapters are counted behind those of the tasks.
_CHAPTERS = 1_000


@dataclass(frozen=True, slots=True)
class TaskSearchResult:
    """Passages found by one search. Searches of failed tasks are not loaded."""

    task: int
    query: str
    passages: tuple[Passage, ...]

    @property
    def is_search(self) -> bool:
        """False for what was read on in a document that a search had found."""
        return self.task != _READ_ON


async def load_searches(context: RunContext, state: State) -> list[TaskSearchResult]:
    """Load every search: those of the tasks, and of the chapters where an outline was made."""
    searches = await load_task_searches(context, state)
    return [*searches, *await load_chapter_searches(context)] if state.get("is_outlined") else searches


async def load_chapter_searches(context: RunContext) -> list[TaskSearchResult]:
    """Load the searches that were made for chapters so far, and what tables answered for them."""
    outline = await load_outline(context.ledger)
    searches: list[TaskSearchResult] = []
    for number, chapter in enumerate(outline.plain):
        for at, query in enumerate(chapter.queries):
            passages = await load_found(context.ledger, chapter_search_key(number, at))
            searches += [TaskSearchResult(_CHAPTERS + number, query, passages)] if passages else []
        told = await load_found(context.ledger, chapter_tables_key(number), TablesAnswer)
        searches += [TaskSearchResult(_CHAPTERS + number, "", told)] if told else []
    return searches


async def load_outline(ledger: Ledger) -> Outline:
    """Load the outline of a run that made one."""
    recorded = await ledger.find(OUTLINE)
    assert recorded is not None, "an outline is made before its chapters are written"
    return Outline.model_validate(recorded.answer)


async def load_found(
    ledger: Ledger, key: str, kind: type[SearchOutput | TablesAnswer | DocumentsTold] = SearchOutput
) -> tuple[Passage, ...]:
    """Load the passages that a tool found; none where it was not used, or failed."""
    try:
        used = await ledger.find_use(key)
    except NotReplayable:
        return ()
    if used is None or used.output is None:
        return ()
    return tuple(each.passage for each in kind.model_validate(used.output).passages)


async def load_task_searches(context: RunContext, state: State) -> list[TaskSearchResult]:
    """Load every search of the tasks that succeeded, in the order of the plan, and what was read on after them."""
    plan = await load_plan(context.ledger, context.facts.clarified)
    done = sorted(outcome["index"] for outcome in state["outcomes"] if outcome["succeeded"])
    searches: list[TaskSearchResult] = []
    for index in done:
        for number, query in enumerate(plan.tasks[index].queries):
            used = await context.ledger.find_use(search_key(index, number))
            if used is not None and used.output is not None:
                passages = tuple(each.passage for each in SearchOutput.model_validate(used.output).passages)
                searches.append(TaskSearchResult(index, query, passages))
        searches += await _load_recalled(context, index, plan.tasks[index])
        searches += await _load_told(context, index)
    read = await load_read(context.ledger, collect_passages(searches))
    return [*searches, TaskSearchResult(_READ_ON, "", tuple(read))] if read else searches


async def _load_recalled(context: RunContext, index: int, task: PlannedTask) -> list[TaskSearchResult]:
    """Load the memory search of a task; one without results is left out."""
    if not context.facts.recalls:
        return []
    used = await context.ledger.find_use(recall_key(index))
    if used is None or used.output is None:
        return []
    passages = tuple(each.passage for each in RecallOutput.model_validate(used.output).passages)
    return [TaskSearchResult(index, recall_query(task), passages)] if passages else []


async def _load_told(context: RunContext, index: int) -> list[TaskSearchResult]:
    """Load what documents and tables answered for a task; nothing where they were not asked or did not."""
    told = (
        await load_found(context.ledger, documents_key(index), DocumentsTold),
        await load_found(context.ledger, tables_key(index), TablesAnswer),
    )
    return [TaskSearchResult(index, "", passages) for passages in told if passages]


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


async def check_noted(context: RunContext, notes: Sequence[Notes], passages: Mapping[str, Passage]) -> CheckedNotes:
    """Hold the findings of notes against their quotes, where the run does so."""
    if not context.facts.checks_findings:
        return CheckedNotes(tuple(notes), 0)
    return await context.compute.run(check_notes, notes, passages)


def merge(found: Iterable[Sequence[Passage]], *, most: int = _MOST_PASSAGES) -> list[Passage]:
    """Interleave the passages of several searches, each passage once: the best of each search come first."""
    lists = list(found)
    merged: dict[str, Passage] = {}
    for rank in range(max((len(each) for each in lists), default=0)):
        for passages in lists:
            if rank < len(passages):
                merged.setdefault(passages[rank].identifier, passages[rank])
    return list(merged.values())[:most]


def select_sources(searches: Sequence[TaskSearchResult], *, by_task: bool = True) -> list[Passage]:
    """Return the passages to answer from, best first: those worth reading of each search, as many as a model may read.

    A passage that lies within another that was chosen is left out. `by_task` is false for what earlier runs recorded.
    """
    searches = [search for search in searches if search.is_search]
    best: dict[int, float] = {}
    for search in searches:
        scores = [passage.score for passage in search.passages]
        best[search.task] = max([best.get(search.task, 0), *scores])
    first, more = (_CHARACTERS, _CHARACTERS_MORE) if by_task else (_CHARACTERS_BEFORE, _CHARACTERS_MORE_BEFORE)
    room = min(_MOST_CHARACTERS, first + more * max(len(best) - 1, 0))
    chosen: list[Passage] = []
    worthy = (worth_reading(search.passages, best[search.task] if by_task else None) for search in searches)
    for passage in merge(worthy):
        if any(_lies_within(passage, other) for other in chosen):
            continue
        room -= len(passage.text)
        if chosen and room < 0:
            break
        chosen.append(passage)
    return chosen


def arrange_by_document(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages of one document together and in its order, the document with the best one first."""
    rank: dict[str, int] = {}
    for passage in passages:
        rank.setdefault(passage.span.sha256, len(rank))
    return sorted(passages, key=lambda each: (rank[each.span.sha256], each.span.start))


def mark_whole_tables(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages in their order; a table that goes on in the passage behind it is not cut."""
    return [
        replace(each, is_cut=each.is_cut and not _goes_on_in(each, after))
        for each, after in zip_longest(passages, passages[1:])
    ]


def _goes_on_in(passage: Passage, after: Passage | None) -> bool:
    return after is not None and after.sha256 == passage.sha256 and after.span.start <= passage.span.end + 1


def worth_reading(passages: Sequence[Passage], best_of_task: float | None = None) -> list[Passage]:
    """Return the passages that bear on a task; the best of a search is kept, since languages score differently."""
    best = max((passage.score for passage in passages), default=0)
    share, most = (_LEAST_SCORE_SHARE_OF_SEARCH, best) if best_of_task is None else (_LEAST_SCORE_SHARE, best_of_task)
    return [passage for passage in passages if passage.score >= min(share * most, best)]


def _lies_within(passage: Passage, other: Passage) -> bool:
    inner, outer = passage.span, other.span
    return inner.sha256 == outer.sha256 and outer.start <= inner.start and inner.end <= outer.end
