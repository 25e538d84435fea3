"""The tools of a run: one file and one line each."""

from typing import Any, cast

from pydantic import BaseModel

from intelli.runs.consent import Consent
from intelli.runs.ledger import Ledger
from intelli.runs.tools import (
    answer_about_documents,
    answer_from_tables,
    create_document,
    delete_document,
    list_directory,
    open_document,
    read_answer,
    read_document,
    search_documents,
    search_memory,
    table_query,
    update_document,
)
from intelli.runs.tools.change import ApprovedTool, ChangeResult, ChangeTool
from intelli.runs.tools.tool import (
    Announce,
    AnnouncedTool,
    Input,
    MeteredTool,
    OnUsed,
    Output,
    PlainTool,
    RecordedTool,
    RetriedTool,
    Tool,
    ToolCall,
    ToolContext,
    ToolUse,
)

TOOLS: tuple[Tool[Any, Any], ...] = (
    search_documents.TOOL,
    read_document.TOOL,
    list_directory.TOOL,
    table_query.TOOL,
    answer_from_tables.TOOL,
    answer_about_documents.TOOL,
    search_memory.TOOL,
    open_document.TOOL,
    read_answer.TOOL,
)
CHANGES: tuple[ChangeTool[Any], ...] = (
    create_document.CHANGE,
    update_document.CHANGE,
    delete_document.CHANGE,
)


def labels() -> dict[str, str]:
    """Return the display names of tools by tool name; tools without a label are left out."""
    reading = {tool.name: tool.label for tool in TOOLS if tool.label}
    return reading | {change.name: change.label for change in CHANGES if change.label}


class Toolbox:
    """The tools of a run, with events, recording, approval, metering and retries."""

    def __init__(
        self, context: ToolContext, ledger: Ledger, *, consent: Consent, on_used: OnUsed, announce: Announce
    ) -> None:
        self._uses = {
            tool.name: AnnouncedTool(_wrap(tool, context, ledger, on_used), tool.name, announce) for tool in TOOLS
        }
        self._changes = {
            each.name: AnnouncedTool(
                ApprovedTool(each, context, ledger=ledger, consent=consent, on_used=on_used), each.name, announce
            )
            for each in CHANGES
        }

    async def use(self, tool: Tool[Input, Output], call: ToolCall[Input]) -> Output:
        """Call a tool; raise ToolFailed when it fails."""
        use = cast(ToolUse[Input, Output], self._uses[tool.name])  # each was wrapped under its own name
        return await use(call)

    async def change(self, change: ChangeTool[Input], call: ToolCall[Input]) -> ChangeResult:
        """Apply a change; raise ApprovalAwaited until a person has decided, and ToolFailed when it was not applied."""
        return await self._changes[change.name](call)


def _wrap(tool: Tool[Any, Any], context: ToolContext, ledger: Ledger, on_used: OnUsed) -> ToolUse[Any, BaseModel]:
    plain: ToolUse[Any, BaseModel] = PlainTool(tool, context)
    retried = RetriedTool(plain, tool.attempts)
    metered = MeteredTool(retried, tool.name, on_used)
    return RecordedTool(metered, tool, ledger)
