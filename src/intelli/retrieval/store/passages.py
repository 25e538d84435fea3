"""Queries about the chunks that a search shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import BigInteger, Integer

from intelli.kit.db import Tx

_OF_PLACES = text("""
    select c.reading, c.chunk_index, c.char_start, c.char_end, c.page, c.section, c.body
      from unnest(:readings, :indexes) as p(reading, chunk_index)
      join chunks c on c.tenant_id = :tenant and c.reading = p.reading and c.chunk_index = p.chunk_index
""").bindparams(bindparam("readings", type_=ARRAY(BigInteger)), bindparam("indexes", type_=ARRAY(Integer)))


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as a search shows it."""

    reading: int
    chunk_index: int
    char_start: int
    char_end: int
    page: int | None
    section: str | None
    body: str


async def at(tx: Tx, places: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Passage]:
    """The chunks at these places, each a reading and an index."""
    readings, indexes = [reading for reading, _ in places], [index for _, index in places]
    rows = await tx.session.execute(_OF_PLACES, {"tenant": tx.tenant_id, "readings": readings, "indexes": indexes})
    return {(row.reading, row.chunk_index): Passage(**row._mapping) for row in rows}
