"""Leases: which jobs this worker has, alone or together, and how the queue learns what became of them.

An outage delays what is said to the queue, and a job that has a new owner is left alone.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import Any, TypeVar

import procrastinate
import structlog
from procrastinate import exceptions, manager
from procrastinate.jobs import Job as QueueRow
from procrastinate.jobs import Status

from intelli.kit import clock
from intelli.kit.jobs import Argument, Job
from intelli.kit.work import TRANSIENT
from intelli.worker.turns import NEXT, JobTurns

Answer = TypeVar("Answer")
OUTAGE = (exceptions.ConnectorException, OSError, *TRANSIENT)
PAUSE_S = 1.0
_AT_ONCE = 2
CALL_S = 10.0

# The fence: the functions of the queue are called only while the rows are still at our attempt.
_FINISH = """
    select procrastinate_finish_job_v1(id, %(status)s, %(delete_job)s) from (
        select id from procrastinate_jobs
         where id = any(%(job_ids)s) and status = 'doing' and attempts = %(attempt)s order by id for update) held
"""
_RETRY = """
    select procrastinate_retry_job_v2(id, now() + make_interval(secs => %(delay_s)s), null, null, null) from (
        select id from procrastinate_jobs
         where id = any(%(job_ids)s) and status = 'doing' and attempts = %(attempt)s order by id for update) held
"""
# Those of one attempt, so that one fence and one decision do for all; of one key, the first and no other.
_JOIN = """
    update procrastinate_jobs job set status = 'doing', worker_id = %(worker_id)s
      from (select id from procrastinate_jobs waiting
             where status = 'todo' and task_name = %(name)s and args ->> 'tenant_id' = %(tenant_id)s
               and attempts = %(attempt)s and (scheduled_at is null or scheduled_at <= now())
               and not exists (select from procrastinate_jobs other
                                where other.lock = waiting.lock and other.id <> waiting.id
                                  and (other.status = 'doing' or other.status = 'todo' and other.id < waiting.id))
             order by id limit %(limit)s for update skip locked) found
     where job.id = found.id returning job.id, job.args
"""
# Inserting revives a worker that was pruned while it was paused.
_BEAT = """
    insert into procrastinate_workers (id) overriding system value values (%(worker_id)s)
        on conflict (id) do update set last_heartbeat = now()
"""
# When a connection breaks while a job is fetched, the row may say that we run a job which never reached us.
_GIVE_BACK = """
    select procrastinate_retry_job_v2(id, now(), null, null, null) from (
        select id from procrastinate_jobs
         where worker_id = %(worker_id)s and status = 'doing' and id <> all(%(held)s::bigint[])
           for update skip locked) lost
"""
# A job slower than its clock does not pile up. (The library's queueing lock would, but forbids such a job its retries.)
_WAITING = "select 1 from procrastinate_jobs where task_name = %(name)s and status = 'todo' limit 1"

log = structlog.get_logger()


class Leases(manager.JobManager):
    """The queue's calls, made so that an outage delays them and a lost lease undoes them."""

    def __init__(
        self,
        connector: procrastinate.PsycopgConnector,
        stop: asyncio.Event,
        *,
        turns: JobTurns,
        jobs: Iterable[Job] = (),
    ) -> None:
        super().__init__(connector)
        self._stop = stop
        self._slots = turns
        self._on_free_slot: manager.NotificationCallback | None = None
        self._together = {job.name: job.together for job in jobs if job.together > 1}
        self._joined: dict[int, dict[int, Mapping[str, Argument]]] = {}
        self._turns: dict[tuple[str, str], asyncio.Semaphore] = {}
        self._held: dict[int, int] = {}
        self._fetching = asyncio.Lock()
        self._is_away = False

    @asynccontextmanager
    async def joined(self, job: QueueRow) -> AsyncIterator[Mapping[int, Mapping[str, Argument]]]:
        """The jobs that run as one with this one while the block lasts, by their numbers, with their arguments.

        Few of a kind and workspace run at the same time, so that the more there is to do, the more is done at once.
        """
        tenant_id, limit = job.task_kwargs.get("tenant_id"), self._together.get(job.task_name, 1)
        if limit == 1 or not isinstance(tenant_id, str):
            yield {}
            return
        async with self._turns.setdefault((job.task_name, tenant_id), asyncio.Semaphore(_AT_ONCE)):
            await self._join(job, tenant_id, limit=limit - 1)
            yield self._others(job)

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> QueueRow | None:
        """The job whose turn it is, of the queues that have a free slot."""
        async with self._fetching:
            asked = self._slots.parameters(queues or ())
            if asked is None:
                return None
            try:
                rows = await self._reach(self.connector.execute_query_all_async(NEXT, worker_id=worker_id, **asked))
            except _Away:
                return None
            if not rows:
                return None
            job = QueueRow.from_row(rows[0])
            self._held[_id(job)] = job.attempts
            self._slots.begin(_id(job), job)
            return job

    async def finish_job(self, job: QueueRow, status: Status, delete_job: bool) -> None:
        """Write that a job has ended, and those with it."""
        if status is not Status.SUCCEEDED and (others := self._joined.pop(_id(job), None)):
            # What befell this one says nothing of the others.
            await self._settle(others, _RETRY, job, delay_s=0.0)
        await self._settle([_id(job), *self._others(job)], _FINISH, job, status=status.value, delete_job=delete_job)

    async def retry_job(self, job: QueueRow, retry_at: datetime | None = None, *rest: Any, **options: Any) -> None:
        """Put a job back, and those with it."""
        # Our clock may differ from the database's: the delay is what both understand.
        delay_s = max(0.0, (retry_at - clock.now()).total_seconds()) if retry_at else 0.0
        await self._settle([_id(job), *self._others(job)], _RETRY, job, delay_s=delay_s)

    async def update_heartbeat(self, worker_id: int) -> None:
        """Show a sign of life, and give back what never reached us."""
        with suppress(_Away):
            await self._reach(self.connector.execute_query_async(_BEAT, worker_id=worker_id))
            async with self._fetching:
                held = list(self._held)
                await self._reach(self.connector.execute_query_async(_GIVE_BACK, worker_id=worker_id, held=held))

    async def listen_for_jobs(
        self, *, on_notification: manager.NotificationCallback, queues: Iterable[str] | None = None
    ) -> None:
        """Hear of new jobs, also after an outage."""
        self._on_free_slot = on_notification
        while True:
            try:
                await super().listen_for_jobs(on_notification=on_notification, queues=queues)
            except OUTAGE as error:
                self._note_outage(error)
            await asyncio.sleep(PAUSE_S)

    async def defer_periodic_job(self, job: QueueRow, periodic_id: str, defer_timestamp: int) -> int | None:
        """Enqueue what the clock asks for, unless it waits already."""
        while True:
            try:
                if await self._reach(self.connector.execute_query_all_async(_WAITING, name=job.task_name)):
                    return None
                return await self._reach(super().defer_periodic_job(job, periodic_id, defer_timestamp))
            except _Away:
                await asyncio.sleep(PAUSE_S)

    def _others(self, job: QueueRow) -> Mapping[int, Mapping[str, Argument]]:
        return self._joined.get(_id(job), {})

    async def _join(self, job: QueueRow, tenant_id: str, *, limit: int) -> None:
        """Take along what waits and may run as one with a job. What is lost on the way is given back later."""
        which: dict[str, Argument] = {"name": job.task_name, "tenant_id": tenant_id, "attempt": job.attempts}
        with suppress(_Away):
            async with self._fetching:
                rows = await self._reach(
                    self.connector.execute_query_all_async(_JOIN, worker_id=job.worker_id, limit=limit, **which)
                )
                self._joined[_id(job)] = {
                    row["id"]: row["args"] for row in sorted(rows, key=lambda row: int(row["id"]))
                }
                self._held.update(dict.fromkeys(self._joined[_id(job)], job.attempts))

    async def _settle(self, ids: Iterable[int], query: Any, job: QueueRow, **arguments: Argument) -> None:
        """Write how jobs ended, however long the database is away; one with a new owner is left alone."""
        job_ids, attempt = list(ids), job.attempts
        while True:
            try:
                ended = await self._reach(
                    self.connector.execute_query_all_async(query, job_ids=job_ids, attempt=attempt, **arguments)
                )
            except _Away:
                if self._stop.is_set():
                    break
                await asyncio.sleep(PAUSE_S)
                continue
            if len(ended) < len(job_ids):
                log.info("job_has_another_owner", job_id=job.id, job=job.task_name, jobs=len(job_ids) - len(ended))
            break
        self._joined.pop(_id(job), None)
        await self._free(_id(job))
        for job_id in job_ids:
            if self._held.get(job_id) == attempt:
                del self._held[job_id]

    async def _free(self, job_id: int) -> None:
        """Free the slot of a job, and have the loop look for who is next: it knows nothing of slots."""
        self._slots.end(job_id)
        if self._on_free_slot is not None:
            await self._on_free_slot(channel="", notification={"type": "job_inserted", "job_id": job_id})

    async def _reach(self, call: Awaitable[Answer]) -> Answer:
        try:
            async with asyncio.timeout(CALL_S):
                answer = await call
        except OUTAGE as error:
            self._note_outage(error)
            raise _Away from error
        if self._is_away:
            log.info("queue_is_back")
        self._is_away = False
        return answer

    def _note_outage(self, error: BaseException) -> None:
        if not self._is_away:
            log.warning("queue_out_of_reach", error=type(error.__cause__ or error).__name__)
        self._is_away = True


class _Away(Exception):
    """The queue did not answer."""


def _id(row: QueueRow) -> int:
    if row.id is None:
        raise ValueError("a job that was fetched has a number")
    return row.id
