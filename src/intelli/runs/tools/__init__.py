"""The tools of a run: one file and one line each."""

from typing import Any, cast

from pydantic import BaseModel

from intelli.runs.ledger import Ledger
from intelli.runs.tools import list_directory, read_document, search_documents, search_memory
from intelli.runs.tools.tool import (
    Approved,
    Bench,
    Input,
    Metered,
    OnUsed,
    Output,
    Plain,
    Recorded,
    Retried,
    Tool,
    ToolCall,
    Use,
)

TOOLS: tuple[Tool[Any, Any], ...] = (
    search_documents.TOOL,
    read_document.TOOL,
    list_directory.TOOL,
    search_memory.TOOL,
)


class Toolbox:
    """The tools as a run uses them: recorded, agreed to, measured and tried again."""

    def __init__(self, bench: Bench, ledger: Ledger, on_used: OnUsed) -> None:
        self._uses = {tool.name: _wrapped(tool, bench, ledger, on_used) for tool in TOOLS}

    async def use(self, tool: Tool[Input, Output], call: ToolCall[Input]) -> Output:
        """Use a tool; raises ToolFailed when it does not do what was asked."""
        use = cast(Use[Input, Output], self._uses[tool.name])  # each was wrapped under its own name
        return await use(call)


def _wrapped(tool: Tool[Any, Any], bench: Bench, ledger: Ledger, on_used: OnUsed) -> Use[Any, BaseModel]:
    plain: Use[Any, BaseModel] = Plain(tool, bench)
    retried = Retried(plain, tool.attempts)
    metered = Metered(retried, tool.name, on_used)
    return Recorded(Approved(metered, tool), tool, ledger)
