"""Memory as runs look into it, with the rights of the person who asked."""

from functools import partial

from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.memory import recall
from intelli.memory.recall import Recalled
from intelli.reasoning.embedders import Embedders
from intelli.runs.ports import Memory, Recollection


def memory(db: Database, *, embedders: Embedders) -> Memory:
    """The way into the memory of this installation."""

    async def find(who: System, query: str, *, limit: int) -> list[Recollection]:
        found = await recall.recall(partial(db.begin, who), query, embedder=embedders.chosen, limit=limit)
        return [_recollection(each) for each in found]

    return Memory(recall=find)


def _recollection(recalled: Recalled) -> Recollection:
    return Recollection(
        episode_id=recalled.episode_id,
        group_id=recalled.group_id,
        title=recalled.title,
        said_at=recalled.said_at,
        sha256=recalled.sha256,
        whole=recalled.record,
        start=recalled.start,
        end=recalled.end,
        score=recalled.relevance,
        is_personal=recalled.is_personal,
    )
