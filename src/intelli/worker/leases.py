"""Leases: the jobs that this worker owns, and the fenced calls that fetch, end and retry them in the queue.

During an outage the calls are repeated; a job that has got another owner is left alone.
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
from intelli.worker.job_order import NEXT, JobOrder

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
# Jobs of one attempt, so that one fence and one retry decision apply to all; of one key, only the first.
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
# When a connection breaks while a job is fetched, its row may be assigned to us though we never received it.
_GIVE_BACK = """
    select procrastinate_retry_job_v2(id, now(), null, null, null) from (
        select id from procrastinate_jobs
         where worker_id = %(worker_id)s and status = 'doing' and id <> all(%(held)s::bigint[])
           for update skip locked) lost
"""
# A job slower than its schedule does not pile up. (The library's queueing lock would do it, but forbids retries.)
_WAITING = "select 1 from procrastinate_jobs where task_name = %(name)s and status = 'todo' limit 1"

log = structlog.get_logger()


class Leases(manager.JobManager):
    """Job manager of procrastinate whose calls survive an outage and have no effect after the lease was lost."""

    def __init__(
        self,
        connector: procrastinate.PsycopgConnector,
        stop: asyncio.Event,
        *,
        turns: JobOrder,
        jobs: Iterable[Job] = (),
    ) -> None:
        super().__init__(connector)
        self._stop = stop
        self._turns = turns
        self._on_free_slot: manager.NotificationCallback | None = None
        self._together = {job.name: job.together for job in jobs if job.together > 1}
        self._joined: dict[int, dict[int, Mapping[str, Argument]]] = {}
        self._group_limits: dict[tuple[str, str], asyncio.Semaphore] = {}
        self._held: dict[int, int] = {}
        self._fetching = asyncio.Lock()
        self._is_unreachable = False

    @asynccontextmanager
    async def join_others(self, job: QueueRow) -> AsyncIterator[Mapping[int, Mapping[str, Argument]]]:
        """Claim the jobs that run as one with this one while the block lasts; yield their arguments by job number.

        At most 2 such groups of a kind and workspace run at the same time, so that groups grow with the backlog.
        """
        tenant_id, limit = job.task_kwargs.get("tenant_id"), self._together.get(job.task_name, 1)
        if limit == 1 or not isinstance(tenant_id, str):
            yield {}
            return
        async with self._group_limits.setdefault((job.task_name, tenant_id), asyncio.Semaphore(_AT_ONCE)):
            await self._claim_others(job, tenant_id, limit=limit - 1)
            yield self._joined_to(job)

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> QueueRow | None:
        """Claim the next job of the queues that have a free slot; None without a job and during an outage."""
        async with self._fetching:
            parameters = self._turns.parameters(queues or ())
            if parameters is None:
                return None
            try:
                rows = await self._call(self.connector.execute_query_all_async(NEXT, worker_id=worker_id, **parameters))
            except _QueueUnreachable:
                return None
            if not rows:
                return None
            job = QueueRow.from_row(rows[0])
            self._held[_id(job)] = job.attempts
            self._turns.take_slot(_id(job), job)
            return job

    async def finish_job(self, job: QueueRow, status: Status, delete_job: bool) -> None:
        """Write the final status of a job and of those joined to it; after a failure the joined ones are retried."""
        if status is not Status.SUCCEEDED and (others := self._joined.pop(_id(job), None)):
            # The failure of this job says nothing about the others.
            await self._write_end(others, _RETRY, job, delay_s=0.0)
        await self._write_end(
            [_id(job), *self._joined_to(job)], _FINISH, job, status=status.value, delete_job=delete_job
        )

    async def retry_job(self, job: QueueRow, retry_at: datetime | None = None, *rest: Any, **options: Any) -> None:
        """Return a job to the queue, and those joined to it."""
        # Our clock may differ from the database's, so a delay is passed and not a time.
        delay_s = max(0.0, (retry_at - clock.now()).total_seconds()) if retry_at else 0.0
        await self._write_end([_id(job), *self._joined_to(job)], _RETRY, job, delay_s=delay_s)

    async def update_heartbeat(self, worker_id: int) -> None:
        """Write a heartbeat, and return jobs to the queue that are assigned to us but were never received."""
        with suppress(_QueueUnreachable):
            await self._call(self.connector.execute_query_async(_BEAT, worker_id=worker_id))
            async with self._fetching:
                held = list(self._held)
                await self._call(self.connector.execute_query_async(_GIVE_BACK, worker_id=worker_id, held=held))

    async def listen_for_jobs(
        self, *, on_notification: manager.NotificationCallback, queues: Iterable[str] | None = None
    ) -> None:
        """Listen for new jobs, and reconnect after an outage."""
        self._on_free_slot = on_notification
        while True:
            try:
                await super().listen_for_jobs(on_notification=on_notification, queues=queues)
            except OUTAGE as error:
                self._note_outage(error)
            await asyncio.sleep(PAUSE_S)

    async def defer_periodic_job(self, job: QueueRow, periodic_id: str, defer_timestamp: int) -> int | None:
        """Enqueue a scheduled job unless one is waiting already; retried during an outage."""
        while True:
            try:
                if await self._call(self.connector.execute_query_all_async(_WAITING, name=job.task_name)):
                    return None
                return await self._call(super().defer_periodic_job(job, periodic_id, defer_timestamp))
            except _QueueUnreachable:
                await asyncio.sleep(PAUSE_S)

    def _joined_to(self, job: QueueRow) -> Mapping[int, Mapping[str, Argument]]:
        return self._joined.get(_id(job), {})

    async def _claim_others(self, job: QueueRow, tenant_id: str, *, limit: int) -> None:
        """Claim waiting jobs that may run as one with a job. Rows lost with a broken connection are returned later."""
        which: dict[str, Argument] = {"name": job.task_name, "tenant_id": tenant_id, "attempt": job.attempts}
        with suppress(_QueueUnreachable):
            async with self._fetching:
                rows = await self._call(
                    self.connector.execute_query_all_async(_JOIN, worker_id=job.worker_id, limit=limit, **which)
                )
                self._joined[_id(job)] = {
                    row["id"]: row["args"] for row in sorted(rows, key=lambda row: int(row["id"]))
                }
                self._held.update(dict.fromkeys(self._joined[_id(job)], job.attempts))

    async def _write_end(self, ids: Iterable[int], query: Any, job: QueueRow, **arguments: Argument) -> None:
        """Write how jobs ended, retrying during an outage until the worker stops; skip those with another owner."""
        job_ids, attempt = list(ids), job.attempts
        while True:
            try:
                ended = await self._call(
                    self.connector.execute_query_all_async(query, job_ids=job_ids, attempt=attempt, **arguments)
                )
            except _QueueUnreachable:
                if self._stop.is_set():
                    break
                await asyncio.sleep(PAUSE_S)
                continue
            if len(ended) < len(job_ids):
                log.info("job_has_another_owner", job_id=job.id, job=job.task_name, jobs=len(job_ids) - len(ended))
            break
        self._joined.pop(_id(job), None)
        await self._free_slot(_id(job))
        for job_id in job_ids:
            if self._held.get(job_id) == attempt:
                del self._held[job_id]

    async def _free_slot(self, job_id: int) -> None:
        """Free the slot of a job and make procrastinate's loop fetch the next one: the loop knows nothing of slots."""
        self._turns.free_slot(job_id)
        if self._on_free_slot is not None:
            await self._on_free_slot(channel="", notification={"type": "job_inserted", "job_id": job_id})

    async def _call(self, call: Awaitable[Answer]) -> Answer:
        try:
            async with asyncio.timeout(CALL_S):
                answer = await call
        except OUTAGE as error:
            self._note_outage(error)
            raise _QueueUnreachable from error
        if self._is_unreachable:
            log.info("queue_is_back")
        self._is_unreachable = False
        return answer

    def _note_outage(self, error: BaseException) -> None:
        if not self._is_unreachable:
            log.warning("queue_out_of_reach", error=type(error.__cause__ or error).__name__)
        self._is_unreachable = True


class _QueueUnreachable(Exception):
    """The queue did not answer."""


def _id(row: QueueRow) -> int:
    if row.id is None:
        raise ValueError("a job that was fetched has a number")
    return row.id
