"""Tools, and the wrappers that add one concern each: timeout, retries, metering, recording."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID

from pydantic import BaseModel

from intelli.kit.context import System
from intelli.kit.db import DatabaseUnavailable
from intelli.kit.errors import IntelliError
from intelli.kit.work import TRANSIENT
from intelli.runs.document_editor import DocumentEditor
from intelli.runs.errors import RunLost, ToolFailed
from intelli.runs.ledger import Ledger, ToolOutcome, ToolRequest
from intelli.runs.ports import EMPTY_MEMORY, LibraryAccess, MemoryAccess, SearchScope

Input = TypeVar("Input", bound=BaseModel)
Output = TypeVar("Output", bound=BaseModel)
Given_co = TypeVar("Given_co", bound=BaseModel, covariant=True)
Taken = TypeVar("Taken", bound=BaseModel)
OnUsed = Callable[[str, str, float], None]
ToolMetadata = dict[str, str | int]
_PAUSE_S = 0.2
# What no tool call can mend: the run itself has to be tried again, or is not ours.
NOT_THE_TOOLS = (RunLost, DatabaseUnavailable)


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool may use, with the rights of the person who asked."""

    who: System
    library: LibraryAccess
    scope: SearchScope
    memory: MemoryAccess = EMPTY_MEMORY
    editor: DocumentEditor | None = None

    @property
    def document_editor(self) -> DocumentEditor:
        """The editor of documents; raises ToolFailed in a replay, which has none and needs none."""
        if self.editor is None:
            raise ToolFailed("Documents cannot be changed here.")
        return self.editor


@dataclass(frozen=True, slots=True)
class Tool(Generic[Input, Output]):
    """A tool that changes nothing; those that do are `ChangeTool`s. `label` is its display name."""

    name: str
    description: str
    asked: type[Input]
    gives: type[Output]
    run: Callable[[Input, ToolContext], Awaitable[Output]]
    attempts: int = 2
    timeout_s: float = 30
    label: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCall(Generic[Input]):
    """One call of a tool from a node of the graph. `key` names the step, and is the same when the step runs again."""

    key: str
    asked: Input
    task_id: UUID | None = None
    node: str = "tools"


class ToolUse(Protocol[Taken, Given_co]):
    """Calls a tool. Every wrapper is one, around another."""

    async def __call__(self, call: ToolCall[Taken]) -> Given_co:
        """Return the tool's output; raise ToolFailed when it fails."""


class Announce(Protocol):
    """Tells that a call has begun or ended."""

    def __call__(self, call: ToolCall[Any], tool: str, event: str, metadata: ToolMetadata) -> None:
        """Tell it once, however often the step runs; `event` is `started`, `completed` or `failed`."""


class AnnouncedTool(Generic[Input, Output]):
    """Tells the beginning and the end of each call."""

    def __init__(self, inner: ToolUse[Input, Output], name: str, announce: Announce) -> None:
        self._inner = inner
        self._name = name
        self._announce = announce

    async def __call__(self, call: ToolCall[Input]) -> Output:
        """Run the tool; one that waits for a person has begun and not ended."""
        self._announce(call, self._name, "started", {})
        try:
            output = await self._inner(call)
        except ToolFailed as error:
            self._announce(call, self._name, "failed", {"error": error.detail})
            raise
        self._announce(call, self._name, "completed", _counts(output))
        return output


class PlainTool(Generic[Input, Output]):
    """The tool itself, with its timeout."""

    def __init__(self, tool: Tool[Input, Output], context: ToolContext) -> None:
        self._tool = tool
        self._context = context

    async def __call__(self, call: ToolCall[Input]) -> Output:
        """Run the tool; turn every failure that is the tool's own into ToolFailed."""
        try:
            async with asyncio.timeout(self._tool.timeout_s):
                return await self._tool.run(call.asked, self._context)
        except NOT_THE_TOOLS:
            raise
        except TimeoutError as error:
            raise ToolFailed(f"{self._tool.name} did not answer within {self._tool.timeout_s:g} s.") from error
        except IntelliError as error:
            raise ToolFailed(error.detail) from error
        except Exception as error:  # the edge of every tool call
            raise ToolFailed(f"{self._tool.name} failed.") from error


class RetriedTool(Generic[Input, Output]):
    """Retries calls that failed for a transient reason."""

    def __init__(self, inner: ToolUse[Input, Output], attempts: int) -> None:
        self._inner = inner
        self._attempts = attempts

    async def __call__(self, call: ToolCall[Input]) -> Output:
        """Run the tool up to `attempts` times."""
        for attempt in range(1, self._attempts):
            try:
                return await self._inner(call)
            except ToolFailed as error:
                if not isinstance(error.__cause__, TRANSIENT):
                    raise
                await asyncio.sleep(_PAUSE_S * attempt)
        return await self._inner(call)


class MeteredTool(Generic[Input, Output]):
    """Measures the duration and outcome of each call."""

    def __init__(self, inner: ToolUse[Input, Output], name: str, on_used: OnUsed) -> None:
        self._inner = inner
        self._name = name
        self._on_used = on_used

    async def __call__(self, call: ToolCall[Input]) -> Output:
        """Run the tool and report its outcome and duration in seconds."""
        begun = time.monotonic()
        outcome = "failed"
        try:
            output = await self._inner(call)
            outcome = "completed"
            return output
        finally:
            self._on_used(self._name, outcome, time.monotonic() - begun)


class RecordedTool(Generic[Input, Output]):
    """Records the input and output of each call; a recorded call is not made again."""

    def __init__(self, inner: ToolUse[Input, Output], tool: Tool[Any, Output], ledger: Ledger) -> None:
        self._inner = inner
        self._tool = tool
        self._ledger = ledger

    async def __call__(self, call: ToolCall[Input]) -> Output:
        """Return the recorded output, or run the tool and record its outcome."""
        asked = call.asked.model_dump(mode="json")
        kept = await self._ledger.begin_use(call.key, ToolRequest(self._tool.name, asked, call.task_id))
        if kept is not None:
            return self._restore(kept)
        try:
            output = await self._inner(call)
        except ToolFailed as error:
            await self._ledger.end_use(call.key, ToolOutcome(None, error.code, error.detail))
            raise
        await self._ledger.end_use(call.key, ToolOutcome(output.model_dump(mode="json")))
        return output

    def _restore(self, kept: ToolOutcome) -> Output:
        return restore_output(kept, self._tool.gives)


def _counts(output: BaseModel) -> ToolMetadata:
    """Return how many of each thing an output lists."""
    listed = ((name, getattr(output, name)) for name in type(output).model_fields)
    return {name: len(value) for name, value in listed if isinstance(value, list | tuple)}


def restore_output(kept: ToolOutcome, kind: type[Output]) -> Output:
    """Return the output of a recorded call; raise ToolFailed when it had failed."""
    if kept.output is None:
        raise ToolFailed(kept.error_message or "The tool failed.")
    return kind.model_validate(kept.output)
