"""Tables of their own for large vector spaces: built beside the vectors in use, and switched to in a moment.

Nobody who writes waits: what is written meanwhile is noted, and copied once more. Each step is a transaction, or many;
interrupted, a build goes on with the step, or the batch, that it was at.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

import structlog

from intelli.kit.db import DatabaseUnavailable, Tx
from intelli.kit.machine_memory import total_memory_bytes
from intelli.library import readings
from intelli.library.ports import IndexBuildProgress
from intelli.library.status_wire import IndexBuildStep
from intelli.retrieval.store import vector_tables, vectors
from intelli.retrieval.store.vector_tables import TableInUse
from intelli.retrieval.tables import Space, VectorBuild

Begin = Callable[[], AbstractAsyncContextManager[Tx]]
# From this number of chunks on, an HNSW index beats comparing with all vectors.
BUILD_AT = 8_000
# A table is built anew when this share of its vectors were removed or changed since.
_WORN = 0.5
_COPY_BATCH = 2_000
_CHANGES_BATCH = 50
# Vectors that are written while everyone who writes waits: fractions of a second. Doubled when they are never so few.
_FEW = 100
# Longer than a search that began with the former table takes to end.
_GRACE_S = 2.0
_PAUSE_S = 0.05
_PATIENT_ATTEMPTS = 100
_DROP_ATTEMPTS = 20
_REMOVE_BATCH = 5_000
# An element of the graph in memory at m = 16, beside its vector, estimated from the structures of pgvector 0.8.
_ELEMENT_BYTES, _NUMBER_BYTES = 1_100, 2
_LEAST_KB = 64 * 1024
_MEMORY_SHARE = 0.25
_MOST_WORKERS = 4

_DESCRIPTIONS = {
    IndexBuildStep.COPY: "vectors are copied for a new index",
    IndexBuildStep.INDEX: "an index of vectors is built",
    IndexBuildStep.FINISH: "a new index of vectors is taken into use",
}

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """Memory and processes that building an index may take from the machine."""

    memory_kb: int
    workers: int

    @classmethod
    def of_machine(cls) -> "BuildLimits":
        """Return a quarter of the machine's memory, and a worker for each processor but that of the builder itself."""
        memory_kb = int(total_memory_bytes() * _MEMORY_SHARE) // 1024
        return cls(memory_kb, min(_MOST_WORKERS, (os.cpu_count() or 1) - 1))

    def memory_for(self, count: int, dimensions: int) -> int:
        """Return the kilobytes that a graph of so many vectors needs, within the limit."""
        needed = count * (_ELEMENT_BYTES + _NUMBER_BYTES * dimensions) // 1024
        return max(_LEAST_KB, min(self.memory_kb, needed))


async def is_due(tx: Tx) -> bool:
    """Return True when a space of the workspace is to be built, or something is left of a former build."""
    for space in await vectors.list_spaces(tx):
        if await _is_due(tx, space) or (space.stored_in is not None and await vector_tables.has_shared_rows(tx, space)):
            return True
    return bool(await vector_tables.list_left(tx))


async def build_due(begin: Begin) -> None:
    """Build tables for the spaces of a workspace that are large enough, and remove what former ones left.

    `begin` should allow an hour.
    """
    async with begin() as tx:
        due = [space.number for space in await vectors.list_spaces(tx) if await _is_due(tx, space)]
    for number in due:
        await build(begin, number)
    await remove_left(begin)


async def build(begin: Begin, number: int) -> None:
    """Build a table of its own for a space and switch to it; begin where an earlier attempt stopped."""
    if not await _locked(begin, lambda tx: _start(tx, number)):
        return
    while await _copy_batch(begin, number):
        pass
    while await _apply_changes(begin, number):
        pass
    if not await _index(begin, number):
        return
    few = _FEW
    is_switched = False
    while not is_switched:
        while await _apply_changes(begin, number):
            pass
        is_switched = await _locked(begin, lambda tx, few=few: _switch(tx, number, few=few))  # type: ignore[misc]
        few *= 2


async def find_progress(tx: Tx) -> IndexBuildProgress | None:
    """Return how far the build of a workspace's index is; None when none is being built."""
    for space in await vectors.list_spaces(tx):
        build = await vector_tables.find_build(tx, space.number) if space.building is not None else None
        if build is not None and space.building is not None:
            return await _progress(tx, build, space.building)
    return None


def describe(progress: IndexBuildProgress) -> str:
    """Return the step of a build and its percentage, for people."""
    what = _DESCRIPTIONS[progress.step]
    if progress.step == IndexBuildStep.FINISH:
        return what
    return f"{what}, {progress.share:.0%} of {progress.total:,} vectors"


async def remove_left(begin: Begin) -> None:
    """Remove tables, rows and indexes that no space uses any more, in small transactions, after a moment of grace."""
    async with begin() as tx:
        left = await vector_tables.list_left(tx)
        moved = [space for space in await vectors.list_spaces(tx) if space.stored_in is not None]
        moved = [space for space in moved if await vector_tables.has_shared_rows(tx, space)]
    if not left and not moved:
        return
    await asyncio.sleep(_GRACE_S)
    for table in left:
        await _retry_locked(begin, lambda tx, table=table: vector_tables.drop(tx, table))  # type: ignore[misc]
    for space in moved:
        # Without the index, rows are quickly removed; with it, the next maintenance does.
        if await drop_former_index(begin, space):
            await _remove_shared(begin, space)


async def is_large(tx: Tx, space: Space) -> bool:
    """Return True when a space without a table of its own is large enough for one."""
    return space.stored_in is None and await vector_tables.count_up_to(tx, space, BUILD_AT) >= BUILD_AT


async def drop_former_index(begin: Begin, space: Space) -> bool:
    """Drop the index that an earlier release made on a space's rows in the shared table; False while it is in use."""
    return await _retry_locked(begin, lambda tx: vectors.drop_index(tx, space))


async def sweep(tx: Tx) -> None:
    """Drop tables of workspaces that are gone. The transaction must be opened as `WorkspaceLister`."""
    await vector_tables.sweep(tx)


async def _is_due(tx: Tx, space: Space) -> bool:
    if space.building is not None:
        return True
    if space.state == vectors.LEAVING:
        return False
    if space.stored_in is None:
        return space.is_built or await is_large(tx, space)
    worn = await vector_tables.count_removed(tx, space)
    return worn >= max(BUILD_AT, (space.built_chunks or 0) * _WORN)


async def _start(tx: Tx, number: int) -> bool:
    space = await vectors.find_number(tx, number)
    if space is None:
        return False
    if space.building is None:
        await vector_tables.begin_build(tx, space, total=await vectors.count(tx, space))
        await readings.notify_followers(tx)
    return True


async def _copy_batch(begin: Begin, number: int) -> bool:
    async with begin() as tx:
        build, space = await vector_tables.lock_build(tx, number), await vectors.find_number(tx, number)
        if build is None or space is None or build.step != IndexBuildStep.COPY:
            return False
        if await vector_tables.copy_batch(tx, space, build, limit=_COPY_BATCH):
            return True
        await vector_tables.change_build(tx, number, step=IndexBuildStep.INDEX, total=max(build.done, 1))
        return False


async def _apply_changes(begin: Begin, number: int) -> bool:
    """Copy some readings that changed once more; return False when few are left."""
    async with begin() as tx:
        space = await _building(tx, number)
        return space is not None and await vector_tables.apply_changes(tx, space, limit=_CHANGES_BATCH) > 0


async def _index(begin: Begin, number: int, limits: BuildLimits | None = None) -> bool:
    """Build the index of the new table, which nobody else uses yet; return False when another process does it."""
    limits = limits or BuildLimits.of_machine()
    try:
        return await _index_within(begin, number, limits)
    except DatabaseUnavailable:
        # Processes that build together share memory, of which a container may have little.
        if not limits.workers:
            raise
        log.info("index_built_by_one_process")
        return await _index_within(begin, number, BuildLimits(limits.memory_kb, 0))


async def _index_within(begin: Begin, number: int, limits: BuildLimits) -> bool:
    async with begin() as tx:
        build, space = await vector_tables.find_build(tx, number), await _building(tx, number)
        if build is None or space is None:
            return False
        memory_kb = limits.memory_for(build.total, space.dimensions)
        built = await vector_tables.index(tx, space, memory_kb=memory_kb, workers=limits.workers)
        if built is None:
            return False
        await vector_tables.change_build(tx, number, step=IndexBuildStep.FINISH)
        return True


async def _switch(tx: Tx, number: int, *, few: int) -> bool:
    """Let the new table take the place of the other; return False while too many vectors are missing in it."""
    space = await _building(tx, number)
    if space is None:
        return True
    if await vector_tables.count_changed(tx, space) > few:
        return False
    await vector_tables.apply_changes(tx, space, limit=None)
    await vector_tables.switch(tx, space)
    await readings.notify_followers(tx)
    return True


async def _building(tx: Tx, number: int) -> Space | None:
    space = await vectors.find_number(tx, number)
    return space if space is not None and space.building is not None else None


async def _locked(begin: Begin, act: Callable[[Tx], Awaitable[bool]]) -> bool:
    """Do something under the lock of the workspace's spaces, when nobody is writing vectors.

    Where there is no such moment for long, others wait for this, and briefly.
    """
    for attempt in range(_PATIENT_ATTEMPTS + 1):
        async with begin() as tx:
            if attempt == _PATIENT_ATTEMPTS:
                await vectors.lock_spaces(tx)
            elif not await vectors.try_lock_spaces(tx):
                await asyncio.sleep(_PAUSE_S)
                continue
            return await act(tx)
    return False


async def _retry_locked(begin: Begin, act: Callable[[Tx], Awaitable[object]]) -> bool:
    """Do something that needs a table to itself for a moment; return False when others use it all the time."""
    for _ in range(_DROP_ATTEMPTS):
        try:
            async with begin() as tx:
                await act(tx)
                return True
        except TableInUse:
            await asyncio.sleep(_PAUSE_S)
    return False


async def _remove_shared(begin: Begin, space: Space) -> None:
    while True:
        async with begin() as tx:
            if not await vectors.remove_some(tx, space, limit=_REMOVE_BATCH):
                return


async def _progress(tx: Tx, build: VectorBuild, generation: int) -> IndexBuildProgress:
    done = build.done
    if build.step == IndexBuildStep.INDEX:
        done = await vector_tables.count_indexed(tx, build.space, generation)
    return IndexBuildProgress(IndexBuildStep(build.step), done, build.total)
