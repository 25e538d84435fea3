"""The node that researches one task: search, read, take notes. It runs once for each task, side by side."""

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from langgraph.runtime import Runtime

from intelli.content.passage import Passage
from intelli.entities.entities import NewEntity
from intelli.kit.compute import ComputationFailed
from intelli.kit.errors import IntelliError
from intelli.kit.work import TRANSIENT
from intelli.reasoning.document_answers import question as document_question
from intelli.reasoning.verbs.note import NoteInput, Notes
from intelli.reasoning.verbs.understand import PlannedTask
from intelli.runs import event_parts, plans
from intelli.runs.as_source_text import as_source_text
from intelli.runs.context import RunContext
from intelli.runs.errors import NotReplayable, RunLost, ToolFailed
from intelli.runs.event_parts import TaskStatus
from intelli.runs.events import (
    AnyEvent,
    PendingSources,
    SubagentFailed,
    SubagentResult,
    SubagentSpawned,
)
from intelli.runs.evidence import TaskSearch
from intelli.runs.graph.plan import answers_directly, is_outlined
from intelli.runs.graph.sources import check_noted, merge, recall_query
from intelli.runs.graph.state import State, TaskOutcome, TaskState
from intelli.runs.node_events import NodeToolsExecutionStart, UpdateSubagentCurrentAction
from intelli.runs.recorder import TaskResult, now_ms
from intelli.runs.references import build_references
from intelli.runs.steps import documents_key, note_key, recall_key, search_key, tables_key
from intelli.runs.tools import answer_about_documents, answer_from_tables, search_documents, search_memory
from intelli.runs.tools.answer_about_documents import AskDocuments, DocumentsTold
from intelli.runs.tools.answer_from_tables import AskTables, TablesAnswer
from intelli.runs.tools.search_documents import FoundPassage, SearchInput
from intelli.runs.tools.search_memory import RecallInput
from intelli.runs.tools.tool import Input, ToolCall
from intelli.runs.understood_message import load_understanding

_PER_QUERY = 12
_NOTHING = "The sources say nothing about this."
_NOTHING_TOLD = DocumentsTold(findings=[], passages=[])
_NO_TABLES = TablesAnswer(finding=None, passages=[])


async def research(state: TaskState, runtime: Runtime[RunContext]) -> State:
    """Research one task. An error is reported and the other tasks continue; some errors end the run."""
    researcher = _Researcher(runtime.context, state["index"])
    try:
        return await researcher.work()
    except (RunLost, NotReplayable, ComputationFailed, *TRANSIENT):
        raise
    except Exception as error:  # noqa: BLE001  # the edge of every task
        return await researcher.give_up(error)


class _Researcher:
    """Research of one task."""

    def __init__(self, context: RunContext, index: int) -> None:
        self._context = context
        self._index = index
        self._reasoner = context.recorded_reasoner()
        run_id = context.facts.run_id
        self._task_id = plans.task_id(run_id, index)
        self._node_fields = {
            "node_id": f"research:{index}",
            "plan_id": plans.plan_id(run_id),
            "plan_set_id": plans.plan_set_id(run_id),
        }
        self._task_fields = {
            "subagent_id": f"research:{index}",
            "plan_id": plans.plan_id(run_id),
            "plan_set_id": plans.plan_set_id(run_id),
            "task_id": self._task_id,
        }

    async def work(self) -> State:
        """Search for each query, take notes of the passages, and emit the result."""
        understood = await load_understanding(self._context.ledger, self._context.facts.clarified)
        assert understood.plan is not None, "only a run that has a plan researches"
        task = understood.plan.tasks[self._index]
        await self._context.recorder.begin_task(self._index)
        self._emit(SubagentSpawned(**self._task_fields, title=task.title, timestamp=now_ms()), "spawned")
        searches = await self._search(task)
        passages = merge(searched.passages for searched in searches)
        found = await self._context.evidence.save_found(self._index, searches, passages)
        self._emit_references(passages, found, "references")
        self._emit_pending(passages, "reading")
        if answers_directly(self._context.facts, understood) or is_outlined(self._context.facts, understood):
            self._emit_pending(passages, "read")
            await self._end_task(TaskResult(TaskStatus.SUCCESS, "", _sources(passages)), _found(passages))
            return self._state(TaskOutcome(index=self._index, succeeded=True, findings=len(passages)))
        of_documents = await self._ask_about_documents(task, passages)
        of_tables = _NO_TABLES if of_documents.findings else await self._ask_tables(task, passages)
        asked = NoteInput(
            question=self._context.facts.question,
            task=task,
            passages=tuple(as_source_text(each) for each in passages),
            from_tables=of_tables.finding,
            from_documents=tuple(of_documents.findings),
        )
        noted = await self._reasoner.step(note_key(self._index), asked)
        told = (found.passage for found in (*of_documents.passages, *of_tables.passages))
        known = {each.identifier: each for each in (*passages, *told)}
        (notes,) = (await check_noted(self._context, [noted], known)).notes
        self._emit_pending(passages, "read")
        await self._end_noted_task(notes, list(known.values()))
        return self._state(TaskOutcome(index=self._index, succeeded=True, findings=len(notes.findings)))

    async def give_up(self, error: Exception) -> State:
        """Record and emit that the task failed."""
        reason = error.detail if isinstance(error, IntelliError) else "Something went wrong on our side."
        code = error.code if isinstance(error, IntelliError) else "internal"
        failed = SubagentFailed(**self._task_fields, error_type=code, error_message=reason, timestamp=now_ms())
        await self._context.recorder.end_task(self._index, TaskResult(TaskStatus.ERROR, reason))
        self._emit(failed, "failed")
        await self._context.recorder.settle()
        problem = f"Part {self._index + 1} of the research could not be done: {reason}"
        state = self._state(TaskOutcome(index=self._index, succeeded=False, findings=0))
        return State(outcomes=state["outcomes"], problems=[*state["problems"], problem])

    async def _search(self, task: PlannedTask) -> list[TaskSearch]:
        keys = [search_key(self._index, number) for number in range(len(task.queries))]
        all_keys = [*keys, *([recall_key(self._index)] if self._context.facts.recalls else [])]
        started = NodeToolsExecutionStart(
            **self._node_fields, tool_ids=all_keys, total_tools=len(all_keys), timestamp=now_ms()
        )
        self._emit(started, "tools")
        searches = []
        for key, query in zip(keys, task.queries, strict=True):
            searches.append(TaskSearch(key, query, await self._search_once(key, query)))
        return [*searches, *await self._recall(task)]

    async def _ask_about_documents(self, task: PlannedTask, passages: Sequence[Passage]) -> DocumentsTold:
        """Ask about documents, where the question is about them. Research goes on without, as in earlier runs."""
        key = documents_key(self._index)
        questions = (_query(task), self._context.facts.question)
        question = next((each for each in questions if document_question.read(each) is not None), None)
        if question is None:
            return _NOTHING_TOLD
        asked = AskDocuments(question=question, document_ids=_documents(passages))
        try:
            told = await self._context.tools.use(answer_about_documents.TOOL, self._call(key, asked))
        except (ToolFailed, NotReplayable):
            return _NOTHING_TOLD
        await self._keep_told(key, question, told.passages)
        return told

    async def _ask_tables(self, task: PlannedTask, passages: Sequence[Passage]) -> TablesAnswer:
        """Ask the tables of what was found. Research goes on without them, as it did in runs of earlier versions."""
        key = tables_key(self._index)
        asked = AskTables(question=_query(task), document_ids=_documents(passages))
        try:
            answer = await self._context.tools.use(answer_from_tables.TOOL, self._call(key, asked))
        except (ToolFailed, NotReplayable):
            return _NO_TABLES
        await self._keep_told(key, asked.question, answer.passages)
        return answer

    async def _keep_told(self, key: str, question: str, passages: Sequence[FoundPassage]) -> None:
        """Keep and emit the passages that an answer of documents or tables cites."""
        if passages:
            found = tuple(each.passage for each in passages)
            saved = await self._context.evidence.save_found(self._index, [TaskSearch(key, question, found)], found)
            self._emit_references(found, saved, f"references:{key}")

    async def _recall(self, task: PlannedTask) -> list[TaskSearch]:
        """Search memory for the task. Research rests on sources, so a failure of memory is no error."""
        if not self._context.facts.recalls:
            return []
        key, query = recall_key(self._index), recall_query(task)
        try:
            recalled = await self._context.tools.use(search_memory.TOOL, self._call(key, RecallInput(query=query)))
        except ToolFailed:
            return []
        if not recalled.passages:
            return []
        return [TaskSearch(key, query, tuple(each.passage for each in recalled.passages), recalled.records)]

    async def _search_once(self, key: str, query: str) -> tuple[Passage, ...]:
        action = UpdateSubagentCurrentAction(
            **self._node_fields, current_action=f"Searching for {query}", tool_id=key, timestamp=now_ms()
        )
        self._emit(action, f"action:{key}")
        call = self._call(key, SearchInput(query=query, limit=_PER_QUERY))
        found = await self._context.tools.use(search_documents.TOOL, call)
        return tuple(each.passage for each in found.passages)

    def _call(self, key: str, asked: Input) -> ToolCall[Input]:
        return ToolCall(key, asked, self._task_id, f"research:{self._index}")

    def _emit_pending(self, passages: Sequence[Passage], status: Literal["reading", "read"]) -> None:
        """Emit how far the documents of some passages are, each once."""
        first = {each.title: each.identifier for each in reversed(passages)}
        pending = [
            event_parts.PendingSource(identifier=first[title], title=title, status=status)
            for title in dict.fromkeys(each.title for each in passages)
        ]
        if pending:
            self._emit(PendingSources(pending_sources=pending), f"pending:{status}")

    def _emit_references(self, passages: Sequence[Passage], found: Sequence[NewEntity], moment: str) -> None:
        told = build_references(self._context.facts, found, {each.identifier for each in passages})
        if told is not None:
            self._emit(told, moment)

    async def _end_noted_task(self, notes: Notes, passages: Sequence[Passage]) -> None:
        used = {name for finding in notes.findings for name in finding.identifiers}
        sources = _sources([passage for passage in passages if passage.identifier in used])
        text = "\n".join(f"- {finding.text}" for finding in notes.findings)
        summary = notes.findings[0].text if notes.findings else _NOTHING
        await self._end_task(TaskResult(TaskStatus.SUCCESS, text, sources), summary)

    async def _end_task(self, ended: TaskResult, summary: str) -> None:
        await self._context.recorder.end_task(self._index, ended)
        result = SubagentResult(
            **self._task_fields,
            summary=summary,
            findings=ended.notes.count("\n- ") + 1 if ended.notes else len(ended.sources),
            sources=len({source.title for source in ended.sources}),
            timestamp=now_ms(),
        )
        self._emit(result, "result")
        await self._context.recorder.settle()

    def _emit(self, event: AnyEvent, moment: str) -> None:
        self._context.recorder.emit(event, f"task:{self._index}:{moment}")

    def _state(self, outcome: TaskOutcome) -> State:
        return State(outcomes=[outcome], problems=self._reasoner.problems)


def _query(task: PlannedTask) -> str:
    return task.queries[0] if task.queries else task.message


def _documents(passages: Sequence[Passage]) -> list[UUID]:
    return list(dict.fromkeys(each.document_id for each in passages if each.document_id))


def _sources(passages: Sequence[Passage]) -> tuple[event_parts.TaskSource, ...]:
    return tuple(
        event_parts.TaskSource(identifier=passage.identifier, title=passage.title, page=passage.page)
        for passage in passages
    )


def _found(passages: Sequence[Passage]) -> str:
    """Say what a task found whose passages are read when the answer is written."""
    titles = list(dict.fromkeys(passage.title for passage in passages))
    return f"{len(passages)} passages of {', '.join(titles[:3])}{' …' if titles[3:] else ''}" if titles else _NOTHING
