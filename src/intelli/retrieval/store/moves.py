"""Queries of which space has the vectors of a reading, and of what is to be moved to the active one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select, text, update
from sqlalchemy.dialects.postgresql import insert

from intelli.kit.db import Tx
from intelli.kit.sql_in import in_values
from intelli.library.ports import EncodingProgress
from intelli.retrieval.store.vectors import ACTIVE, EARLIER
from intelli.retrieval.tables import ReadingSpace, Space

# `searched` are the spaces that have vectors: all but an active one that is new.
_SEARCHED = text("""
    select s.* from spaces s where s.tenant_id = :tenant and s.state in (:active, :earlier)
       and (s.state = :active or exists (
            select from reading_spaces r where r.tenant_id = :tenant and r.space = s.number))
     order by s.state, s.number desc
""")
_UNMOVED = """
    from indexed i left join reading_spaces r on r.tenant_id = i.tenant_id and r.reading = i.reading
   where i.tenant_id = :tenant and i.chunks > 0 and r.space is distinct from :space
"""
_LIST = text(f"""
    select i.reading, i.chunks, coalesce(r.moved, 0) as moved {_UNMOVED} and (:below = 0 or i.reading < :below)
     order by i.reading desc limit :limit
""")
_COUNT = text(f"select count(*) {_UNMOVED}")
_PROGRESS = text("""
    select coalesce(sum(case when r.space = a.number then i.chunks else r.moved end), 0) as done,
           coalesce(sum(i.chunks), 0) as total
      from indexed i join spaces a on a.tenant_id = i.tenant_id and a.state = :active
      left join reading_spaces r on r.tenant_id = i.tenant_id and r.reading = i.reading
     where i.tenant_id = :tenant
""")
_BEGIN = text("update reading_spaces set moved = 0 where tenant_id = :tenant and moved > 0")


@dataclass(frozen=True, slots=True)
class UnmovedReading:
    """An indexed reading whose vectors are not all in the active space; `moved` of its chunks have one there."""

    reading: int
    chunks: int
    moved: int


async def list_searched_spaces(tx: Tx) -> Sequence[Space]:
    """Return the spaces that a search compares with, the active one first; none before anything was indexed."""
    mine = select(Space).from_statement(_SEARCHED).execution_options(populate_existing=True)
    return (await tx.session.scalars(mine, _states(tx))).all()


async def is_empty(tx: Tx, space: Space) -> bool:
    """True when no reading has its vectors in a space."""
    mine = select(ReadingSpace.reading).where(
        ReadingSpace.tenant_id == tx.tenant_id, ReadingSpace.space == space.number
    )
    return await tx.session.scalar(mine.limit(1)) is None


async def save(tx: Tx, space: Space, chunks: Mapping[int, int]) -> None:
    """Note that a space has the vectors of all chunks of readings; `chunks` is their number, by reading."""
    if not chunks:
        return
    rows = [
        {"tenant_id": tx.tenant_id, "reading": reading, "space": space.number, "chunks": count, "moved": 0}
        for reading, count in chunks.items()
    ]
    added = insert(ReadingSpace)
    changes = {name: added.excluded[name] for name in ("space", "chunks", "moved")}
    await tx.session.execute(added.on_conflict_do_update(index_elements=["tenant_id", "reading"], set_=changes), rows)


async def forget(tx: Tx, readings: Sequence[int]) -> None:
    """Forget where the vectors of readings are, since they are about to be written anew."""
    mine = delete(ReadingSpace).where(ReadingSpace.tenant_id == tx.tenant_id)
    await tx.session.execute(mine.where(in_values(ReadingSpace.reading, readings)))


async def set_moved(tx: Tx, reading: int, moved: int) -> None:
    """Note how many chunks of a reading have a vector in the active space, while another one has all of them."""
    mine = update(ReadingSpace).where(ReadingSpace.tenant_id == tx.tenant_id, ReadingSpace.reading == reading)
    await tx.session.execute(mine.values(moved=moved), execution_options={"synchronize_session": False})


async def list_unmoved(tx: Tx, active: Space, *, below: int, limit: int) -> list[UnmovedReading]:
    """Return readings that are to be moved, the newest first; with `below` > 0, those with lower numbers."""
    given = {"tenant": tx.tenant_id, "space": active.number, "below": below, "limit": limit}
    rows = await tx.session.execute(_LIST, given)
    return [UnmovedReading(row.reading, row.chunks, row.moved) for row in rows]


async def count_unmoved(tx: Tx, active: Space | None) -> int:
    """Count the readings that are to be moved; None: all that are indexed."""
    number = 0 if active is None else active.number
    return await tx.session.scalar(_COUNT, {"tenant": tx.tenant_id, "space": number}) or 0


async def load_progress(tx: Tx) -> EncodingProgress:
    """Return how many of the indexed chunks have their vector in the active space."""
    row = (await tx.session.execute(_PROGRESS, {"tenant": tx.tenant_id, "active": ACTIVE})).one()
    return EncodingProgress(int(row.done), int(row.total))


async def restart(tx: Tx) -> None:
    """Forget what was moved of readings that are not complete, since another space is active now."""
    await tx.session.execute(_BEGIN, {"tenant": tx.tenant_id})


def _states(tx: Tx) -> dict[str, object]:
    return {"tenant": tx.tenant_id, "active": ACTIVE, "earlier": EARLIER}
