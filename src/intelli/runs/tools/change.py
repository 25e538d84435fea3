"""Tools that change something, and the wrapper that applies a change once, after a person has approved it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, Protocol
from uuid import UUID

from intelli.content.artifacts import ReceivedBytes
from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.kit.wire import Wire
from intelli.kit.work import TRANSIENT
from intelli.runs.consent import Consent
from intelli.runs.document_editor import DocumentEditor
from intelli.runs.errors import ToolFailed
from intelli.runs.ledger import Ledger, ToolOutcome, ToolRequest
from intelli.runs.proposals import PreparedChange
from intelli.runs.tools.tool import (
    NOT_THE_TOOLS,
    Input,
    MeteredTool,
    OnUsed,
    PlainTool,
    RetriedTool,
    Tool,
    ToolCall,
    ToolContext,
    restore_output,
)


class ApprovalAwaited(Exception):
    """A person has to decide first; the run waits without anybody holding it."""


class ChangeResult(Wire):
    """What was done. `version` is that of the document now; one that was deleted has none."""

    path: str
    document_id: UUID
    version: int | None


class ApplyChange(Protocol):
    """Applies a proposal, in the transaction that also marks it as applied."""

    async def __call__(
        self, tx: Tx, prepared: PreparedChange, placed: ReceivedBytes | None, *, editor: DocumentEditor
    ) -> ChangeResult:
        """Write the change if the document is still what the proposal is based on."""


@dataclass(frozen=True, slots=True)
class ChangeTool(Generic[Input]):
    """A tool that changes a document: one function proposes the change, another applies it. `label` is for people."""

    name: str
    description: str
    asked: type[Input]
    propose: Callable[[Input, ToolContext], Awaitable[PreparedChange]]
    write: ApplyChange
    label: str | None = None


class ApprovedTool(Generic[Input]):
    """Applies a change only after a person has approved it, exactly as it was shown."""

    def __init__(
        self, change: ChangeTool[Input], context: ToolContext, *, ledger: Ledger, consent: Consent, on_used: OnUsed
    ) -> None:
        self._change = change
        self._context = context
        self._ledger = ledger
        self._consent = consent
        looking = Tool(change.name, change.description, change.asked, PreparedChange, change.propose)
        self._propose = MeteredTool(RetriedTool(PlainTool(looking, context), looking.attempts), change.name, on_used)

    async def __call__(self, call: ToolCall[Input]) -> ChangeResult:
        """Apply the change; raise ApprovalAwaited until it is decided on, and ToolFailed when it is not applied."""
        kept = await self._ledger.find_use(call.key)
        if kept is not None:
            return restore_output(kept, ChangeResult)
        asked = await self._consent.find(call.key)
        if asked is None:
            await self._ask(call)
            raise ApprovalAwaited
        if asked.used is not None:
            return restore_output(asked.used, ChangeResult)
        if not asked.is_approved:
            raise ApprovalAwaited
        return await self._do(call.key, PreparedChange.model_validate(asked.proposal))

    async def _ask(self, call: ToolCall[Input]) -> None:
        request = ToolRequest(self._change.name, call.asked.model_dump(mode="json"), call.task_id)
        try:
            prepared = await self._propose(call)
        except ToolFailed as error:
            if isinstance(error.__cause__, TRANSIENT):
                raise error.__cause__ from None
            await self._consent.refuse(call.key, request, ToolOutcome(None, _code(error), error.detail))
            raise
        await self._consent.ask(call.key, request, prepared)

    async def _do(self, key: str, prepared: PreparedChange) -> ChangeResult:
        """Apply an approved change. One that is refused by then (stale, no quota) is recorded as failed for good."""
        editor = self._context.document_editor
        try:
            content = prepared.content
            placed = None if content is None else await editor.place(self._context.who, content)
            return await self._consent.apply(key, lambda tx: self._change.write(tx, prepared, placed, editor=editor))
        except (*NOT_THE_TOOLS, *TRANSIENT):
            raise
        except IntelliError as error:
            await self._consent.fail(key, ToolOutcome(None, error.code, error.detail))
            raise ToolFailed(error.detail) from error


def _code(error: ToolFailed) -> str:
    """Return the error code of the failure's cause, or the tool's own."""
    return error.__cause__.code if isinstance(error.__cause__, IntelliError) else error.code
