"""search_memory: find passages of earlier conversations for a query, each with its whole record."""

from pydantic import Field

from intelli.kit.wire import Request, Wire
from intelli.runs.tools.search_documents import FoundPassage
from intelli.runs.tools.tool import Tool, ToolContext


class RecallInput(Request):
    """What to remember."""

    query: str
    limit: int = Field(6, ge=1, le=50)


class Record(Wire):
    """The whole record of an episode that passages are of. A personal one is only for the person who asked."""

    text: str
    is_personal: bool


class RecallOutput(Wire):
    """Passages, best first, and the records they stand in, by their hashes."""

    passages: list[FoundPassage]
    records: dict[str, Record]


async def _recall(asked: RecallInput, context: ToolContext) -> RecallOutput:
    found = await context.memory.recall(context.who, asked.query, limit=asked.limit)
    return RecallOutput(
        passages=[FoundPassage.of(each.passage) for each in found],
        records={each.passage.sha256: Record(text=each.record, is_personal=each.is_personal) for each in found},
    )


TOOL = Tool("search_memory", "Remember what was said before.", RecallInput, RecallOutput, _recall)
