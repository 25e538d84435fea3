"""The sections of what is delivered, written side by side, each from the findings of one task."""

import asyncio
from collections.abc import Mapping

from intelli.deliverables import compiling
from intelli.reasoning import thoughts
from intelli.reasoning.writing import Section, WriteAsked
from intelli.runs.desk import Desk
from intelli.runs.steps import plan_key, write_key
from intelli.runs.thinking import Thinking

_AT_ONCE = 4
# One finding is one sentence already.
_FEW = 2
_BEGUN, _SPAN = 0.92, 0.04


async def write(
    desk: Desk, thinking: Thinking, brief: thoughts.Brief, data: thoughts.Tabulated
) -> Mapping[str, Section]:
    """What a reasoner writes, by task; nothing where it has no such prompt. Each section is a step of its own."""
    asked = await _asked(desk, brief, data) if desk.facts.writes else []
    if not asked:
        return {}
    writing = _Writing(desk, thinking, len(asked))
    await writing.tell()
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(writing.write(number, each)) for number, each in enumerate(asked)]
    except BaseExceptionGroup as errors:
        # Whoever holds the run has to see what ended it.
        raise errors.exceptions[0] from None
    return {each.heading: task.result() for each, task in zip(asked, tasks, strict=True)}


async def written(desk: Desk, brief: thoughts.Brief, data: thoughts.Tabulated) -> Mapping[str, Section]:
    """What was written before. Nothing is asked of a model."""
    found = {}
    for number, each in enumerate(await _asked(desk, brief, data)):
        recorded = await desk.ledger.find(write_key(number))
        if recorded is not None:
            found[each.heading] = Section.model_validate(recorded.answer)
    return found


class _Writing:
    """Sections at work, a few at once; each that is done is told."""

    def __init__(self, desk: Desk, thinking: Thinking, total: int) -> None:
        self._desk = desk
        self._thinking = thinking
        self._total = total
        self._done = 0
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def write(self, number: int, asked: WriteAsked) -> Section:
        """One section."""
        async with self._slots:
            section = await self._thinking.write(write_key(number), asked)
        self._done += 1
        if self._done < self._total:
            await self.tell()
        return section

    async def tell(self) -> None:
        """Note how many sections are done."""
        share = _BEGUN + _SPAN * self._done / self._total
        await self._desk.notebook.progress(share, f"Writing section {self._done + 1} of {self._total}")


async def _asked(desk: Desk, brief: thoughts.Brief, data: thoughts.Tabulated) -> list[WriteAsked]:
    """What there is to write: the findings of each task that are told in sentences, in the order of the brief."""
    plan = await desk.think().recall(plan_key(desk.facts.clarified), thoughts.Plan)
    messages = {task.title: task.message for task in plan.tasks}
    by_task: dict[str, list[thoughts.Finding]] = {}
    for each in compiling.told(brief, data):
        by_task.setdefault(each.about, []).append(each)
    return [
        WriteAsked(
            question=desk.facts.question,
            title=brief.title,
            heading=task,
            message=messages.get(task, ""),
            findings=tuple(findings),
            others=tuple(other for other in by_task if other != task),
        )
        for task, findings in by_task.items()
        if len(findings) >= _FEW
    ]
