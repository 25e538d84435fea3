"""Reading on in documents that a model asks for before it answers: once for an answer, and bounded in characters.

The request is a recorded step, and what is read a recorded tool call with the rights of the person who asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.language import grids
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.answer import Answer, AnswerInput, ReadRequest
from intelli.runs import plans
from intelli.runs.as_source_text import as_source_text
from intelli.runs.context import RunContext
from intelli.runs.errors import ToolFailed
from intelli.runs.evidence import TaskSearch
from intelli.runs.ledger import Ledger
from intelli.runs.node_events import NodeToolsExecutionStart, UpdateSubagentCurrentAction
from intelli.runs.recorder import now_ms
from intelli.runs.references import build_references
from intelli.runs.steps import READ_ON, read_on_key
from intelli.runs.tools import read_document
from intelli.runs.tools.read_document import ReadInput, ReadText
from intelli.runs.tools.tool import ToolCall

_CHARACTERS = 4_000
_MOST = 2


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is to be read: the part of a document before or after a passage."""

    key: str
    request: ReadRequest
    passage: Passage

    @property
    def asked(self) -> ReadInput | None:
        """Input of the tool; None where nothing can be read, as before the beginning or in memory."""
        span, document_id = self.passage.span, self.passage.document_id
        start = span.end if self.request.is_after else max(0, span.start - _CHARACTERS)
        chars = _CHARACTERS if self.request.is_after else span.start - start
        if document_id is None or chars == 0:
            return None
        return ReadInput(document_id=document_id, start=start, chars=chars)


async def load_request(ledger: Ledger) -> tuple[ReadRequest, ...]:
    """Return what the model asked to read on before the answer; nothing where it answered at once."""
    return tuple(
        each for step in await ledger.list_steps(READ_ON) for each in Answer.model_validate(step.answer).wanted
    )


async def load_read(ledger: Ledger, found: Mapping[str, Passage]) -> list[Passage]:
    """Return the passages that were read on, from the ledger."""
    passages = []
    for each in _readings(await load_request(ledger), found):
        used = await ledger.find_use(each.key) if each.asked is not None else None
        if used is not None and used.output is not None:
            passages += _passages_of(each, ReadText.model_validate(used.output))
    return passages


async def read_on(context: RunContext, asked: AnswerInput, found: Mapping[str, Passage]) -> AnswerInput:
    """Read what the model asked for; return the input to answer from, each new passage beside the one it belongs to."""
    readings = _readings(await load_request(context.ledger), found)
    beside: dict[str, list[Passage]] = {}
    for each in readings:
        beside.setdefault(each.passage.identifier, []).extend(await _read(context, each))
    read = [passage for passages in beside.values() for passage in passages]
    await _keep(context, read)
    is_followed = {
        each.passage.identifier for each in readings if each.request.is_after and context.facts.reads_by_worth
    }
    passages = [
        new
        for source in asked.passages
        for new in _with_read(source, beside.get(source.identifier, ()), is_followed=source.identifier in is_followed)
    ]
    return asked.model_copy(update={"passages": tuple(passages), "may_read_on": False})


def _with_read(source: SourceText, read: Sequence[Passage], *, is_followed: bool) -> list[SourceText]:
    """Return a source with what was read beside it; one that is followed by its rest is not cut any more."""
    is_cut = source.is_cut and not (read and is_followed)
    return [source.model_copy(update={"is_cut": is_cut}), *map(as_source_text, read)]


def _readings(requests: Sequence[ReadRequest], found: Mapping[str, Passage]) -> list[_Reading]:
    known = [each for each in requests if each.identifier in found][:_MOST]
    return [_Reading(read_on_key(number), each, found[each.identifier]) for number, each in enumerate(known)]


async def _read(context: RunContext, reading: _Reading) -> list[Passage]:
    if reading.asked is None:
        return []
    _emit_start(context, reading)
    try:
        call = ToolCall(reading.key, reading.asked, node=READ_ON)
        return _passages_of(reading, await context.tools.use(read_document.TOOL, call))
    except ToolFailed:
        return []


def _passages_of(reading: _Reading, read: ReadText) -> list[Passage]:
    """Return what was read as a passage that begins and ends with a line; none when there is nothing to read."""
    start, end, before = 0, len(read.text), reading.passage
    if reading.request.is_after and read.end < read.total_chars:
        end = read.text.rfind("\n") + 1 or end
    if not reading.request.is_after and read.start > 0:
        start = read.text.find("\n") + 1
    text = read.text[start:end]
    if not text.strip():
        return []
    is_next = reading.request.is_after
    header = (grids.header_over(before.text + text, len(before.text)) or before.header) if is_next else ""
    span = Span(read.sha256, read.start + start, read.start + end)
    return [replace(before, span=span, text=text, page=None, section=None, header=header, is_cut=False)]


async def _keep(context: RunContext, read: Sequence[Passage]) -> None:
    """Save what was read as evidence, and emit that it can be cited."""
    if not read:
        return
    searches = [TaskSearch(read_on_key(number), f"{each.title}, read on", (each,)) for number, each in enumerate(read)]
    found = await context.evidence.save_found(context.facts.max_tasks, searches, read)
    told = build_references(context.facts, found, {each.identifier for each in read})
    if told is not None:
        context.recorder.emit(told, f"{READ_ON}:references")


def _node(context: RunContext) -> dict[str, Any]:
    run_id = context.facts.run_id
    return {"node_id": READ_ON, "plan_id": plans.plan_id(run_id), "plan_set_id": plans.plan_set_id(run_id)}


def _emit_start(context: RunContext, reading: _Reading) -> None:
    node, key = _node(context), reading.key
    started = NodeToolsExecutionStart(**node, tool_ids=[key], total_tools=1, timestamp=now_ms())
    words = f"Reading on in {reading.passage.title}"
    action = UpdateSubagentCurrentAction(**node, current_action=words, tool_id=key, timestamp=now_ms())
    context.recorder.emit(started, f"{key}:started")
    context.recorder.emit(action, f"{key}:action")
