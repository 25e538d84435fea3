"""A report is told while it is written: section by section, always a beginning of what is kept in the end."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from tests.deliverables.research import FINDINGS, material
from tests.deliverables.test_report_run import deliverables
from tests.faults.run_process import HEARTBEAT_S, STALL_S
from tests.support.jobs import until
from tests.support.reasoner import PlainReasoner
from tests.support.runs import FakeLibrary, ask, log_of, researching, show, until_rests
from tests.support.server import Person

from intelli.app import App
from intelli.deliverables import compose as deliverables_compose
from intelli.deliverables import gml
from intelli.deliverables.compile_brief import compile_brief
from intelli.deliverables.kinds import KINDS, compose, kind_of
from intelli.reasoning.usage import Usage
from intelli.reasoning.values import QuotedFinding, SourceQuote
from intelli.reasoning.verbs.chapter import ChapterInput, WrittenChapter
from intelli.reasoning.verbs.write import WrittenSection, WrittenSentence

TEXTS = {
    "2025.txt": "Revenue came to 412.7 million euros in 2025.",
    "2024.txt": "Revenue came to 389.1 million euros in 2024.",
    "staff.txt": "The plants employed 1,204 people at the end of 2025.",
    "offices.txt": "The offices employed 310 people at the end of 2024.",
}


def _section(number: int, findings: Sequence[QuotedFinding]) -> WrittenSection:
    said = [
        WrittenSentence(text=each.text, quotes=(SourceQuote(text=each.quote, identifier=each.identifier),))
        for each in findings
    ]
    return WrittenSection(heading=f"Part {number}", paragraphs=(tuple(said),))


@pytest.mark.parametrize("kind", [each.name for each in KINDS])
def test_what_is_certain_is_how_the_whole_begins_whatever_is_done_first(kind: str):
    by_task: dict[str, list[QuotedFinding]] = {}
    for each in FINDINGS:
        by_task.setdefault(each.about, []).append(each)
    all_written = {task: _section(number, each) for number, (task, each) in enumerate(by_task.items())}
    whole = tuple(gml.pieces(compose(kind_of(kind), compile_brief(replace(material(), sections=all_written)).brief)))
    lengths = []
    for count in range(len(all_written) + 1):
        for done in combinations(all_written, count):
            compiled = compile_brief(replace(material(), sections={task: all_written[task] for task in done}))
            pending = [task for task in all_written if task not in done]
            known = deliverables_compose.compose_certain(kind, compiled.brief, pending)
            assert known.pieces == whole[: len(known.pieces)]
            lengths.append(len(known.pieces))
    assert lengths[0] >= 1
    assert lengths[-1] == len(whole)


class SlowWriter(PlainReasoner):
    """Writes the first chapter at once, and the others when it is let go on."""

    def __init__(self) -> None:
        super().__init__()
        self.goes_on = asyncio.Event()
        self._written = 0

    async def chapter(self, asked: ChapterInput) -> tuple[WrittenChapter, Usage]:
        self._written += 1
        if self._written > 1 or asked.number:
            await self.goes_on.wait()
        return await super().chapter(asked)


async def _deltas(owner: Person, run: dict[str, Any]) -> str:
    log = [line["event"] for line in await log_of(owner, run)]
    return "".join(event["delta"] for event in log if event["type"] == "node_report_preview_delta")


async def _until_first_chapter(owner: Person, run: dict[str, Any]) -> str:
    async def is_told() -> bool:
        return "412.7 million" in await _deltas(owner, run)

    await until(is_told)
    return await _deltas(owner, run)


async def test_the_first_chapter_is_read_while_the_second_is_written(app: App, owner: Person):
    reasoner = SlowWriter()
    async with researching(app, library=FakeLibrary(TEXTS), reasoner=reasoner):
        run = await ask(owner, deliverable_type="REPORT")
        begun = await _until_first_chapter(owner, run)
        assert begun.count("<h2>") == 1
        message = (await show(owner, run))["progress_message"]
        assert message == "Writing chapter 2 of 2: how many people were employed"
        assert await deliverables(owner, run_id=run["id"]) == []
        reasoner.goes_on.set()
        run = await until_rests(owner, run)
    log = [line["event"] for line in await log_of(owner, run)]
    (start,) = [event for event in log if event["type"] == "node_report_preview_start"]
    (done,) = [event for event in log if event["type"] == "node_report_preview_done"]
    assert done["content"].startswith(begun)
    assert await _deltas(owner, run) == done["content"]
    assert start["sections_total"] == done["content"].count("<h2>")


async def test_another_worker_goes_on_where_the_first_was_lost_and_tells_nothing_twice(app: App, owner: Person):
    async with researching(app, library=FakeLibrary(TEXTS), reasoner=SlowWriter()):
        run = await ask(owner, deliverable_type="REPORT")
        begun = await _until_first_chapter(owner, run)
    other = SlowWriter()
    other.goes_on.set()
    async with researching(app, library=FakeLibrary(TEXTS), reasoner=other, heartbeat_s=HEARTBEAT_S, stall_s=STALL_S):
        run = await until_rests(owner, run)
    assert run["status"] == "completed"
    assert other.calls.count("chapter") == 1
    told = await _deltas(owner, run)
    assert told.startswith(begun)
    log = [line["event"] for line in await log_of(owner, run)]
    count = Counter(event["type"] for event in log)
    assert (count["node_report_preview_start"], count["node_report_preview_done"]) == (1, 1)
    assert [event["content"] for event in log if event["type"] == "node_report_preview_done"] == [told]


async def test_who_cancels_in_the_middle_is_left_with_no_half_version(app: App, owner: Person):
    async with researching(app, library=FakeLibrary(TEXTS), reasoner=SlowWriter()):
        run = await ask(owner, deliverable_type="REPORT")
        await _until_first_chapter(owner, run)
        (await owner.client.post(f"/runs/{run['id']}/cancel")).raise_for_status()
        run = await until_rests(owner, run)
    assert run["status"] == "cancelled"
    assert await deliverables(owner, run_id=run["id"]) == []
    types = [line["event"]["type"] for line in await log_of(owner, run)]
    assert "node_report_preview_done" not in types
    assert types.count("done") == 1
