"""Background jobs of memory: process queued messages one after the other; those that fail become dead letters."""

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
from intelli.memory.ports import MemoryReasoner, MemoryReasoners
from intelli.memory.remember import ProcessedMessage
from intelli.memory.store import queue
from intelli.memory.store.queue import Waiting
from intelli.memory.write_episode import WrittenEpisode

_ATTEMPTS = 5
# After so long, other jobs of the worker's queue have their turn.
_TURN_S = 60.0
# A message that has waited so long may belong to a worker that died.
_FORGOTTEN_S = 60.0
_UNEXPECTED = "unexpected"
_FAULT = "Something went wrong that should not have. The log tells where; try it again once that is mended."
_NO_ANSWER = "A part that memory needs did not answer, again and again. Try it again once it does."

log = structlog.get_logger()


async def _remember(work: Work, group_id: str | None = None) -> None:
    """Job: process queued messages in their order until none waits, the turn is over or the worker stops."""
    begun = time.monotonic()
    async with work.begin() as tx:
        waiting = await dequeue.find_next(tx, group_id)
        reasoners = await work.part(MemoryReasoners).find(tx)
    while waiting is not None:
        if work.is_stopping() or time.monotonic() - begun > _TURN_S:
            async with work.begin() as tx:
                await enqueue.wake_worker(tx, group_id, job=REMEMBER, in_one_queue=group_id is None)
            return
        waiting = await _remember_one(work, waiting, group_id, reasoners)


async def _remember_one(
    work: Work, waiting: Waiting, group_id: str | None, reasoners: MemoryReasoner
) -> Waiting | None:
    """Process one message, or make it a dead letter; return the next that waits.

    A transient error is raised while attempts are left: the message stays first and is tried again.
    """
    log.info("memory_message_picked_up", waiting=waiting.waiting)
    try:
        return await _process(work, waiting, group_id, reasoners)
    except LeaseLost:
        raise
    except MessageWithdrawn:
        async with work.begin() as tx:
            return await dequeue.find_next(tx, group_id)
    except Exception as error:
        if isinstance(error, TRANSIENT) and work.attempt + 1 < _ATTEMPTS:
            raise
        return await _fail(work, waiting, error, group_id)


async def _process(work: Work, waiting: Waiting, group_id: str | None, reasoners: MemoryReasoner) -> Waiting | None:
    """Read, reason, write; return the next message, read by the transaction that writes this one."""
    started = time.monotonic()
    picked = dequeue.prepare(waiting, keep_content=reasoners.settings.keep_content)
    if picked.needs_loading:
        async with work.begin() as tx:
            picked = await dequeue.load_episodes(tx, picked)
    processed = await remember.analyse(picked, reasoners)
    async with work.begin() as tx:
        found = await remember.find_open_questions(tx, processed, reasoners)
        if found is None:
            remembered, following = await _write(tx, processed, group_id)
    if found is not None:
        processed = await remember.answer_questions(processed, found, reasoners)
        async with work.begin() as tx:
            remembered, following = await _write(tx, processed, group_id)
    remember.log_result(processed, remembered, duration_s=time.monotonic() - started)
    return following


async def _write(tx: Tx, processed: ProcessedMessage, group_id: str | None) -> tuple[WrittenEpisode, Waiting | None]:
    remembered = await remember.write(tx, processed, communities=communities.COMMUNITIES)
    return remembered, await dequeue.find_next(tx, group_id)


async def _fail(work: Work, waiting: Waiting, error: Exception, group_id: str | None) -> Waiting | None:
    """Make the message a dead letter, log the error without any content, and return the next message."""
    code, reason = (error.code, error.detail) if isinstance(error, IntelliError) else (_UNEXPECTED, _FAULT)
    if isinstance(error, TRANSIENT):
        reason = _NO_ANSWER
    async with work.begin() as tx:
        await queue.fail(tx, waiting.id, code=code, reason=reason)
        following = await dequeue.find_next(tx, group_id)
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
    """Job: wake workers again for messages that have waited too long, in every workspace."""
    settings = work.part(MemoryReasoners).settings
    async with work.begin() as tx:
        workspaces = await installation.list_workspace_ids(tx)
    for workspace_id in workspaces:
        async with work.db.begin(System(workspace_id)) as tx:
            for group_id in await queue.overdue_groups(tx, older_s=_FORGOTTEN_S):
                await enqueue.wake_worker(tx, group_id, job=REMEMBER, in_one_queue=settings.in_one_queue)


REMEMBER = Job(name="memory.remember", queue=Queue.MEMORY, run=_remember, attempts=_ATTEMPTS)
RECOVER = Job(name="memory.recover", queue=Queue.MAINTENANCE, run=_recover, every="* * * * *")
JOBS = (REMEMBER, RECOVER, communities.COMMUNITIES)
