"""Sections of deliverables, written side by side, each from the findings of one task."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from intelli.deliverables import compile_brief
from intelli.reasoning.values import QuotedFinding
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.tabulate import DataTables
from intelli.reasoning.verbs.write import WriteInput, WrittenSection
from intelli.runs.context import RunContext
from intelli.runs.recorded_reasoner import RecordedReasoner
from intelli.runs.steps import write_key
from intelli.runs.understood_message import load_plan

_AT_ONCE = 4
# One finding is one sentence already.
_FEW = 2
_BEGUN, _SPAN = 0.92, 0.04


OnProgress = Callable[[Mapping[str, WrittenSection], Sequence[str]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class SectionTask:
    """Input for the sections, and a callback that receives the finished sections and the pending headings."""

    brief: Brief
    data: DataTables
    on_progress: OnProgress | None = None


async def write_sections(
    context: RunContext, reasoner: RecordedReasoner, task: SectionTask
) -> Mapping[str, WrittenSection]:
    """Write the sections, each as a step of its own; return them by task. Empty without a prompt for sections."""
    asked = await _list_inputs(context, task.brief, task.data) if context.facts.writes else []
    if not asked:
        return {}
    writer = _SectionWriter(context, reasoner, [each.heading for each in asked], task.on_progress)
    await writer.report_progress()
    try:
        async with asyncio.TaskGroup() as group:
            for number, each in enumerate(asked):
                group.create_task(writer.write_one(number, each))
    except BaseExceptionGroup as errors:
        # Whoever holds the run has to see what ended it.
        raise errors.exceptions[0] from None
    return writer.done


async def load_sections(context: RunContext, brief: Brief, data: DataTables) -> Mapping[str, WrittenSection]:
    """Return the sections recorded by the run, by task. No model is asked."""
    found = {}
    for number, each in enumerate(await _list_inputs(context, brief, data)):
        recorded = await context.ledger.find(write_key(number))
        if recorded is not None:
            found[each.heading] = WrittenSection.model_validate(recorded.answer)
    return found


class _SectionWriter:
    """Writes sections, a few at once, and reports progress in the order of the report."""

    def __init__(
        self, context: RunContext, reasoner: RecordedReasoner, headings: Sequence[str], on_progress: OnProgress | None
    ) -> None:
        self._context = context
        self._reasoner = reasoner
        self._headings = headings
        self._on_progress = on_progress
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._report_lock = asyncio.Lock()
        self._written: dict[str, WrittenSection] = {}

    @property
    def done(self) -> dict[str, WrittenSection]:
        """The finished sections, in the order of the report."""
        return {heading: self._written[heading] for heading in self._headings if heading in self._written}

    async def write_one(self, number: int, asked: WriteInput) -> None:
        """Write one section."""
        async with self._slots:
            self._written[asked.heading] = await self._reasoner.step(write_key(number), asked)
        if len(self._written) < len(self._headings):
            await self.report_progress()

    async def report_progress(self) -> None:
        """Set the progress, and call back with the finished sections and the pending headings."""
        async with self._report_lock:
            total = len(self._headings)
            share = _BEGUN + _SPAN * len(self._written) / total
            words = f"Writing section {min(len(self._written) + 1, total)} of {total}"
            await self._context.recorder.set_progress(share, words)
            if self._on_progress is not None:
                await self._on_progress(self.done, [each for each in self._headings if each not in self._written])


async def _list_inputs(context: RunContext, brief: Brief, data: DataTables) -> list[WriteInput]:
    """List the inputs of the sections: the findings of each task that go into prose, in the order of the brief."""
    plan = await load_plan(context.ledger, context.facts.clarified)
    messages = {task.title: task.message for task in plan.tasks}
    by_task: dict[str, list[QuotedFinding]] = {}
    for each in compile_brief.told(brief, data):
        by_task.setdefault(each.about, []).append(each)
    return [
        WriteInput(
            question=context.facts.question,
            title=brief.title,
            heading=task,
            message=messages.get(task, ""),
            findings=tuple(findings),
            others=tuple(other for other in by_task if other != task),
        )
        for task, findings in by_task.items()
        if len(findings) >= _FEW
    ]
