"""search_memory: what was said before that bears on a query, each with the record it stands in."""

from pydantic import Field

from intelli.kit.wire import Request, Wire
from intelli.runs.tools.search_documents import FoundPassage
from intelli.runs.tools.tool import Bench, Tool


class RecallAsked(Request):
    """What to remember."""

    query: str
    limit: int = Field(6, ge=1, le=50)


class Record(Wire):
    """The whole record of an episode that passages are of. A personal one is only for the person who asked."""

    text: str
    is_personal: bool


class Recalled(Wire):
    """Passages, best first, and the records they stand in, by their hashes."""

    passages: list[FoundPassage]
    records: dict[str, Record]


async def _recall(asked: RecallAsked, bench: Bench) -> Recalled:
    found = await bench.memory.recall(bench.who, asked.query, limit=asked.limit)
    return Recalled(
        passages=[FoundPassage.of(each.passage) for each in found],
        records={each.passage.sha256: Record(text=each.record, is_personal=each.is_personal) for each in found},
    )


TOOL = Tool("search_memory", "Remember what was said before.", RecallAsked, Recalled, _recall)
