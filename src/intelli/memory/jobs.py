"""Background edges of memory: what waits is remembered one after the other, or kept as a dead letter."""

import time
import traceback

import structlog

from intelli.identity import installation
from intelli.kit.context import System
from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import TRANSIENT, LeaseLost, Work
from intelli.memory import communities, dequeue, enqueue, remember
from intelli.memory.errors import MessageWithdrawn
from intelli.memory.ports import MemoryReasoner
from intelli.memory.remember import ProcessedMessage
from intelli.memory.store import queue
from intelli.memory.store.queue import Waiting
from intelli.memory.write_episode import WrittenEpisode

_ATTEMPTS = 5
# After so long, others of the worker's queue have their turn.
_TURN_S = 60.0
# What has waited so long was perhaps called for by a worker that never came back.
_FORGOTTEN_S = 60.0
_UNEXPECTED = "unexpected"
_FAULT = "Something went wrong that should not have. The log tells where; try it again once that is mended."
_NO_ANSWER = "A part that memory needs did not answer, again and again. Try it again once it does."

log = structlog.get_logger()


async def _remember(work: Work, group_id: str | None = None) -> None:
    """Take up what waits, in its order, until nothing does or the worker stops."""
    begun = time.monotonic()
    async with work.begin() as tx:
        waiting = await dequeue.look(tx, group_id)
    while waiting is not None:
        if work.is_stopping() or time.monotonic() - begun > _TURN_S:
            async with work.begin() as tx:
                await enqueue.call(tx, group_id, job=REMEMBER, in_one_queue=group_id is None)
            return
        waiting = await _remember_one(work, waiting, group_id)


async def _remember_one(work: Work, waiting: Waiting, group_id: str | None) -> Waiting | None:
    """Remember one message, or keep it as a dead letter; the next that waits."""
    log.info("memory_message_picked_up", waiting=waiting.waiting)
    try:
        return await _through(work, waiting, group_id)
    except LeaseLost:
        raise
    except MessageWithdrawn:
        async with work.begin() as tx:
            return await dequeue.look(tx, group_id)
    except Exception as error:
        if isinstance(error, TRANSIENT) and work.attempt + 1 < _ATTEMPTS:
            raise  # it stays first and is tried again
        return await _keep(work, waiting, error, group_id)


async def _through(work: Work, waiting: Waiting, group_id: str | None) -> Waiting | None:
    """Read, think, write. The transaction that writes one message also sees the next."""
    mind, started = work.part(MemoryReasoner), time.monotonic()
    picked = dequeue.prepare(waiting, keep_content=mind.settings.keep_content)
    if picked.needs_loading:
        async with work.begin() as tx:
            picked = await dequeue.load(tx, picked)
    told = await remember.think_over(picked, mind)
    async with work.begin() as tx:
        found = await remember.find_doubts(tx, told, mind)
        if found is None:
            remembered, following = await _write(tx, told, group_id)
    if found is not None:
        told = await remember.without_doubt(told, found, mind)
        async with work.begin() as tx:
            remembered, following = await _write(tx, told, group_id)
    remember.tell(told, remembered, duration_s=time.monotonic() - started)
    return following


async def _write(tx: Tx, told: ProcessedMessage, group_id: str | None) -> tuple[WrittenEpisode, Waiting | None]:
    remembered = await remember.write(tx, told, communities=communities.COMMUNITIES)
    return remembered, await dequeue.look(tx, group_id)


async def _keep(work: Work, waiting: Waiting, error: Exception, group_id: str | None) -> Waiting | None:
    """The message stays as a dead letter, and those after it go on: the next."""
    code, reason = (error.code, error.detail) if isinstance(error, IntelliError) else (_UNEXPECTED, _FAULT)
    if isinstance(error, TRANSIENT):
        reason = _NO_ANSWER
    async with work.begin() as tx:
        await queue.fail(tx, waiting.id, code=code, reason=reason)
        following = await dequeue.look(tx, group_id)
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    log.error(
        "memory_message_failed",
        arrival_id=str(waiting.id),
        code=code,
        error=type(error).__name__,
        where=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    )
    return following


async def _recover(work: Work) -> None:
    """Call again for what waits although nobody comes."""
    settings = work.part(MemoryReasoner).settings
    async with work.begin() as tx:
        workspaces = await installation.workspace_ids(tx)
    for workspace_id in workspaces:
        async with work.db.begin(System(workspace_id)) as tx:
            for group_id in await queue.forgotten(tx, older_s=_FORGOTTEN_S):
                await enqueue.call(tx, group_id, job=REMEMBER, in_one_queue=settings.in_one_queue)


REMEMBER = Job(name="memory.remember", queue=Queue.MEMORY, run=_remember, attempts=_ATTEMPTS)
RECOVER = Job(name="memory.recover", queue=Queue.MAINTENANCE, run=_recover, every="* * * * *")
JOBS = (REMEMBER, RECOVER, communities.COMMUNITIES)
