"""The move of readings to the active space: embed their chunks, write them, and delete their vectors elsewhere.

A reading is taken into use with the transaction that writes its last vectors, the newest reading first. Killed at any
point, the move goes on where it was.
"""

from collections.abc import Callable, Iterator, Sequence

from intelli.kit.db import Tx
from intelli.library import readings
from intelli.reasoning.ports import Embedder
from intelli.retrieval import index, spaces
from intelli.retrieval.errors import AnotherReindex
from intelli.retrieval.index import Begin
from intelli.retrieval.ports import IndexedChunk
from intelli.retrieval.store import moves, vectors
from intelli.retrieval.store.moves import UnmovedReading
from intelli.retrieval.tables import Space

OnProgress = Callable[[int], None]
IsEnding = Callable[[], bool]
_LISTED = 200


async def move_readings(
    begin: Begin,
    active: Space,
    embedder: Embedder,
    *,
    together: int,
    on_progress: OnProgress = lambda _: None,
    is_ending: IsEnding = lambda: False,
) -> bool:
    """Move readings until none is left, or `is_ending` between two steps; return True when none is left.

    A step embeds up to `together` chunks. Raises AnotherReindex when another space has become the active one.
    """
    below = 0
    while True:
        async with begin() as tx:
            found = await moves.list_unmoved(tx, active, below=below, limit=_LISTED)
            if not found and below == 0:
                return True
        # From the newest again: some may have been added meanwhile, and some that were left out are gone.
        below = found[-1].reading if found else 0
        for group in _groups(found, together):
            if is_ending():
                return False
            if len(group) == 1 and group[0].chunks > together:
                is_done = await _move_long(begin, active, embedder, group[0], together=together, is_ending=is_ending)
            else:
                is_done = await _move_group(begin, active, embedder, group)
            if not is_done:
                return False
            on_progress(len(group))


def _groups(found: Sequence[UnmovedReading], together: int) -> Iterator[list[UnmovedReading]]:
    """Yield groups of readings with up to a number of chunks; each longer reading alone."""
    group, chunks = list[UnmovedReading](), 0
    for reading in found:
        if group and chunks + reading.chunks > together:
            yield group
            group, chunks = [], 0
        group, chunks = [*group, reading], chunks + reading.chunks
    if group:
        yield group


async def _move_group(begin: Begin, active: Space, embedder: Embedder, group: Sequence[UnmovedReading]) -> bool:
    async with begin() as tx:
        chunks = await readings.list_chunks(tx, *(each.reading for each in group))
    embedded = await embedder.embed([index.indexed_text(chunk) for chunk in chunks])
    places = list(_places(chunks))
    async with begin() as tx:
        held = await readings.lock_existing(tx, *(each.reading for each in group))
        space = await _hold(tx, active)
        kept = [row for row, (reading, _) in enumerate(places) if reading in held]
        if kept:
            await vectors.add(tx, space, [places[row] for row in kept], embedded[kept])
        await _take_into_use(tx, space, {each.reading: each.chunks for each in group if each.reading in held})
    return True


async def _move_long(
    begin: Begin, active: Space, embedder: Embedder, reading: UnmovedReading, *, together: int, is_ending: IsEnding
) -> bool:
    """Move one long reading in steps; return False when it was interrupted, to go on at the step that follows."""
    async with begin() as tx:
        chunks = await readings.list_chunks(tx, reading.reading)
    places = list(_places(chunks))
    for start in range(reading.moved, len(chunks), together):
        if is_ending():
            return False
        step = slice(start, start + together)
        embedded = await embedder.embed([index.indexed_text(chunk) for chunk in chunks[step]])
        async with begin() as tx:
            if not await readings.lock_existing(tx, reading.reading):
                return True
            space = await _hold(tx, active)
            await vectors.add(tx, space, places[step], embedded)
            if start + together < len(chunks):
                await moves.set_moved(tx, reading.reading, start + together)
            else:
                await _take_into_use(tx, space, {reading.reading: reading.chunks})
    return True


async def _take_into_use(tx: Tx, space: Space, chunks: dict[int, int]) -> None:
    """Delete the vectors that readings have in other spaces, now that the active one has them all."""
    if not chunks:
        return
    others = [each for each in await vectors.list_spaces(tx) if each.number != space.number]
    await vectors.remove(tx, others, list(chunks))
    await moves.save(tx, space, chunks)
    await readings.notify_followers(tx)


async def _hold(tx: Tx, active: Space) -> Space:
    space = await spaces.hold(tx, active)
    if space is None or space.state != vectors.ACTIVE:
        raise AnotherReindex("Another reindex has taken over. Wait for it to end, then run this again.")
    return space


def _places(chunks: Sequence[IndexedChunk]) -> Iterator[tuple[int, int]]:
    """Yield reading and index of chunks, which are in order."""
    reading, at = -1, 0
    for chunk in chunks:
        reading, at = chunk.reading, at + 1 if chunk.reading == reading else 0
        yield reading, at
