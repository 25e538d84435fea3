"""Queries about the text of chunks that a search found."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import BigInteger, Integer, Text

from intelli.kit.db import Tx

_PLACES = (bindparam("readings", type_=ARRAY(BigInteger)), bindparam("indexes", type_=ARRAY(Integer)))
_OF_PLACES = text("""
    select c.reading, c.chunk_index, c.char_start, c.char_end, c.page, c.section, c.body
      from unnest(:readings, :indexes) as p(reading, chunk_index)
      join chunks c on c.tenant_id = :tenant and c.reading = p.reading and c.chunk_index = p.chunk_index
""").bindparams(*_PLACES)
_TEXTS = text("""
    select c.reading, c.chunk_index, i.language, c.section, c.body
      from unnest(:readings, :indexes) as p(reading, chunk_index)
      join chunks c on c.tenant_id = :tenant and c.reading = p.reading and c.chunk_index = p.chunk_index
      join indexed i on i.tenant_id = :tenant and i.reading = p.reading
""").bindparams(*_PLACES)
_HOLDING = """
    select p.reading, p.chunk_index
      from unnest(:readings, :indexes) with ordinality as p(reading, chunk_index, n)
      join chunks c on c.tenant_id = :tenant and c.reading = p.reading and c.chunk_index = p.chunk_index
     where exists (select from unnest(:ways) way where strpos({body}, way) > 0) order by p.n limit :limit
"""


@dataclass(frozen=True, slots=True)
class FoundChunk:
    """Row of a chunk that a search found."""

    reading: int
    chunk_index: int
    char_start: int
    char_end: int
    page: int | None
    section: str | None
    body: str


@dataclass(frozen=True, slots=True)
class IndexedText:
    """Text of a chunk, and the language that its reading was indexed in."""

    reading: int
    chunk_index: int
    language: str
    section: str | None
    body: str


async def find_containing(
    tx: Tx, places: Sequence[tuple[int, int]], ways: Sequence[str], *, limit: int
) -> Sequence[tuple[int, int]]:
    """Return those of the chunks that contain one of these spellings, also across line ends."""
    # Only a text with spaces can be broken over two lines.
    body = "translate(c.body, E'\\n\\f\\t', '   ')" if any(" " in way for way in ways) else "c.body"
    statement = text(_HOLDING.format(body=body)).bindparams(*_PLACES, bindparam("ways", type_=ARRAY(Text)))
    readings, indexes = [reading for reading, _ in places], [index for _, index in places]
    given = {"tenant": tx.tenant_id, "readings": readings, "indexes": indexes, "ways": list(ways), "limit": limit}
    return [(row.reading, row.chunk_index) for row in await tx.session.execute(statement, given)]


async def load_texts(tx: Tx, places: Sequence[tuple[int, int]]) -> list[IndexedText]:
    """Return the texts of indexed chunks."""
    readings, indexes = [reading for reading, _ in places], [index for _, index in places]
    rows = await tx.session.execute(_TEXTS, {"tenant": tx.tenant_id, "readings": readings, "indexes": indexes})
    return [IndexedText(*row) for row in rows]


async def load_chunks(tx: Tx, places: Sequence[tuple[int, int]]) -> dict[tuple[int, int], FoundChunk]:
    """Return the chunks at these places, each (reading, chunk index)."""
    readings, indexes = [reading for reading, _ in places], [index for _, index in places]
    rows = await tx.session.execute(_OF_PLACES, {"tenant": tx.tenant_id, "readings": readings, "indexes": indexes})
    return {(row.reading, row.chunk_index): FoundChunk(**row._mapping) for row in rows}
