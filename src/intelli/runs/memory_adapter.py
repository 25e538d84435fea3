"""Adapter of memory for runs, with the rights of the person who asked."""

from functools import partial

from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.memory import recall
from intelli.memory.recall import Recollection
from intelli.reasoning.embedders import Embedders
from intelli.runs.ports import MemoryAccess


def build_memory_access(db: Database, *, embedders: Embedders) -> MemoryAccess:
    """Build the memory access of this installation."""

    async def find(who: System, query: str, *, limit: int) -> list[Recollection]:
        return await recall.recall(partial(db.begin, who), query, embedder=embedders.quick, limit=limit)

    return MemoryAccess(recall=find)
