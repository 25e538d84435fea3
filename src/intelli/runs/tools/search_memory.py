"""search_memory: what was said before that bears on a query, each with the record it stands in."""

from pydantic import Field

from intelli.kit.wire import Request, Wire
from intelli.runs.ports import Recollection
from intelli.runs.tools.search_documents import FoundPassage
from intelli.runs.tools.tool import Bench, Tool

_RECORD_TYPE = "text/plain"


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
        passages=[_passage(each) for each in found],
        records={each.sha256: Record(text=each.whole, is_personal=each.is_personal) for each in found},
    )


def _passage(recollection: Recollection) -> FoundPassage:
    return FoundPassage(
        identifier=f"{recollection.sha256[:16]}.{recollection.start}-{recollection.end}",
        document_id=None,
        episode_id=recollection.episode_id,
        title=recollection.title,
        path=recollection.group_id,
        mime_type=_RECORD_TYPE,
        sha256=recollection.sha256,
        text=recollection.text,
        start=recollection.start,
        end=recollection.end,
        page=None,
        section=None,
        score=recollection.score,
    )


TOOL = Tool("search_memory", "Remember what was said before.", RecallAsked, Recalled, _recall)
