"""The worker: runs the rooms' jobs, gives back what it cannot finish, and takes over from workers that died.

It outlives any outage of the database. What it writes about a job is fenced by the job's attempt, so a worker that was
only paused neither ends nor fails a job that has a new owner.
"""

import asyncio
import logging
import random
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

import procrastinate
import structlog
from procrastinate import exceptions, manager
from procrastinate.job_context import AbortReason, JobContext
from procrastinate.jobs import Job as QueueRow
from procrastinate.jobs import Status
from procrastinate.retry import BaseRetryStrategy, RetryDecision
from procrastinate.worker import Worker as Loop

from intelli.kit import clock, queue
from intelli.kit.context import Census, System
from intelli.kit.db import Database, session_options
from intelli.kit.errors import IntelliError, Unavailable
from intelli.kit.jobs import Argument, Job, Queue
from intelli.kit.work import TRANSIENT, LostLease, Work

Answer = TypeVar("Answer")
OnFinished = Callable[[str, str, float], None]

_POLL_S = 0.2
_CALL_S = 10.0
_POOL_S = 3.0
_GRACE_S = 5.0
_PAUSE_S = 1.0
_LONGEST_BACKOFF_S = 300.0
_KEEP_HOURS = 24
_SWEEP_S = 3600.0
_OUTAGE = (exceptions.ConnectorException, OSError, *TRANSIENT)

# The fence: the functions of the queue are called only while the row is still at our attempt.
_FINISH = """
    select procrastinate_finish_job_v1(id, %(status)s, %(delete_job)s) from (
        select id from procrastinate_jobs
         where id = %(job_id)s and status = 'doing' and attempts = %(attempt)s for update) held
"""
_RETRY = """
    select procrastinate_retry_job_v2(id, now() + make_interval(secs => %(delay_s)s), null, null, null) from (
        select id from procrastinate_jobs
         where id = %(job_id)s and status = 'doing' and attempts = %(attempt)s for update) held
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


class Worker:
    """Runs jobs of the given queues, any number of processes side by side."""

    def __init__(  # noqa: PLR0913  # one for each of its settings
        self,
        db: Database,
        jobs: tuple[Job, ...],
        *,
        queues: tuple[Queue, ...] = tuple(Queue),
        concurrency: int = 4,
        heartbeat_s: float = 5,
        stall_s: float = 30,
        parts: Mapping[type, object] = {},
        on_finished: OnFinished | None = None,
    ) -> None:
        if stall_s < 2 * heartbeat_s:
            raise ValueError("a worker needs room for a late heartbeat: make stall_s at least twice heartbeat_s")
        self._db = db
        self._jobs = jobs
        self._parts = parts
        self._queues = queues
        self._concurrency = concurrency
        self._heartbeat_s = heartbeat_s
        self._stall_s = stall_s
        self._on_finished = on_finished

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set: then end what can be ended soon and give back the rest."""
        _keep_arguments_out_of_the_log()
        while not stop.is_set():
            try:
                await self._work(stop)
            except* _OUTAGE as errors:
                log.warning("worker_interrupted", errors=[type(error).__name__ for error in errors.exceptions])
            await _pause(stop, _PAUSE_S)

    async def _work(self, stop: asyncio.Event) -> None:
        app = self._app(stop)
        async with asyncio.TaskGroup() as group, app.open_async():
            loop = self._loop(app)
            beside = (
                group.create_task(_when_set(stop, loop.stop)),
                group.create_task(self._reap()),
                group.create_task(_sweep(app.job_manager)),
            )
            try:
                await loop.run()  # type: ignore[no-untyped-call]  # the library leaves it unannotated
            finally:
                for task in beside:
                    task.cancel()

    def _app(self, stop: asyncio.Event) -> procrastinate.App:
        connector = procrastinate.PsycopgConnector(
            conninfo=self._db.url,
            kwargs={"options": session_options(), "connect_timeout": int(_CALL_S), "application_name": "worker"},
            min_size=0,
            max_size=4,
            timeout=_POOL_S,
        )
        app = procrastinate.App(connector=connector)
        app.job_manager = _Leases(connector, stop)
        for job in self._jobs:
            self._register(app, job)
        return app

    def _loop(self, app: procrastinate.App) -> Loop:
        return Loop(
            app=app,
            queues=[each.value for each in self._queues],
            name=None,
            concurrency=self._concurrency,
            fetch_job_polling_interval=_POLL_S,
            abort_job_polling_interval=max(self._heartbeat_s, 1),
            shutdown_graceful_timeout=min(_GRACE_S, self._stall_s / 2),
            install_signal_handlers=False,
            update_heartbeat_interval=self._heartbeat_s,
            stalled_worker_timeout=self._stall_s,
        )

    def _register(self, app: procrastinate.App, job: Job) -> None:
        async def run(context: JobContext, /, **args: Argument) -> None:
            await self._run(job, context, args)

        task = app.task(name=job.name, queue=job.queue.value, pass_context=True, retry=_Backoff(job))(run)
        if job.every:
            periodic = app.periodic(cron=job.every, lock=job.name)
            periodic(task)  # type: ignore[arg-type]  # it passes `timestamp` by name

    async def _run(self, job: Job, context: JobContext, args: dict[str, Argument]) -> None:
        """The edge of every job: binds the log, measures, and tells a lost lease from a failure."""
        row = context.job
        with structlog.contextvars.bound_contextvars(job_id=row.id, job=job.name, attempt=row.attempts):
            async with self._measured(job, row):
                work = Work(_id(row), row.attempts, _who(args), self._db, stall_s=self._stall_s, parts=self._parts)
                try:
                    await job.run(work, **args)
                except asyncio.CancelledError:
                    if context.abort_reason() is AbortReason.USER_REQUEST:
                        raise exceptions.JobAborted from None
                    raise

    @asynccontextmanager
    async def _measured(self, job: Job, row: QueueRow) -> AsyncIterator[None]:
        started = time.monotonic()
        outcome = "succeeded"
        try:
            yield
        except LostLease:
            outcome = "lost"
            log.info("job_lease_lost")
        except (asyncio.CancelledError, exceptions.JobAborted):
            outcome = "stopped"
            raise
        except Exception as error:
            outcome = "retried" if _will_retry(job, row, error) else "failed"
            _log_failure(error, outcome)
            raise
        finally:
            if self._on_finished:
                self._on_finished(job.name, outcome, time.monotonic() - started)

    async def _reap(self) -> None:
        """Take jobs over from silent workers, once per heartbeat."""
        attempts = {job.name: job.attempts for job in self._jobs}
        looked_at = clock.now()
        while True:
            await asyncio.sleep(self._heartbeat_s)
            away_s, looked_at = (clock.now() - looked_at).total_seconds(), clock.now()
            if away_s > self._stall_s:
                # It was we who were silent, perhaps with the whole machine: let the others show themselves first.
                continue
            try:
                async with self._db.begin(Census()) as tx:
                    reaped = await queue.reap(tx, stall_s=self._stall_s, attempts=attempts)
            except _OUTAGE:
                continue  # the heartbeat, which stops as well, tells of it
            for job in reaped:
                log.warning("job_taken_from_silent_worker", job_id=job.id, job=job.name, retried=job.retried)


class _Leases(manager.JobManager):
    """The queue's calls, made so that an outage delays them and a lost lease undoes them."""

    def __init__(self, connector: procrastinate.PsycopgConnector, stop: asyncio.Event) -> None:
        super().__init__(connector)
        self._stop = stop
        self._held: dict[int, int] = {}
        self._fetching = asyncio.Lock()
        self._is_away = False

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> QueueRow | None:
        async with self._fetching:
            try:
                job = await self._reach(super().fetch_job(queues, worker_id))
            except _Away:
                return None
            if job:
                self._held[_id(job)] = job.attempts
            return job

    async def finish_job(self, job: QueueRow, status: Status, delete_job: bool) -> None:
        await self._settle(job, _FINISH, status=status.value, delete_job=delete_job)

    async def retry_job(self, job: QueueRow, retry_at: datetime | None = None, *rest: Any, **options: Any) -> None:
        # Our clock may differ from the database's: the delay is what both understand.
        delay_s = max(0.0, (retry_at - clock.now()).total_seconds()) if retry_at else 0.0
        await self._settle(job, _RETRY, delay_s=delay_s)

    async def update_heartbeat(self, worker_id: int) -> None:
        with suppress(_Away):
            await self._reach(self.connector.execute_query_async(_BEAT, worker_id=worker_id))
            async with self._fetching:
                held = list(self._held)
                await self._reach(self.connector.execute_query_async(_GIVE_BACK, worker_id=worker_id, held=held))

    async def listen_for_jobs(
        self, *, on_notification: manager.NotificationCallback, queues: Iterable[str] | None = None
    ) -> None:
        while True:
            try:
                await super().listen_for_jobs(on_notification=on_notification, queues=queues)
            except _OUTAGE as error:
                self._note_outage(error)
            await asyncio.sleep(_PAUSE_S)

    async def defer_periodic_job(self, job: QueueRow, periodic_id: str, defer_timestamp: int) -> int | None:
        while True:
            try:
                if await self._reach(self.connector.execute_query_all_async(_WAITING, name=job.task_name)):
                    return None
                return await self._reach(super().defer_periodic_job(job, periodic_id, defer_timestamp))
            except _Away:
                await asyncio.sleep(_PAUSE_S)

    async def _settle(self, job: QueueRow, query: Any, **arguments: Argument) -> None:
        """Write how a job ended, however long the database is away; a job with a new owner is left alone."""
        lease = {"job_id": job.id, "attempt": job.attempts}
        while True:
            try:
                ended = await self._reach(self.connector.execute_query_all_async(query, **lease, **arguments))
            except _Away:
                if self._stop.is_set():
                    break
                await asyncio.sleep(_PAUSE_S)
                continue
            if not ended:
                log.info("job_has_another_owner", job_id=job.id, job=job.task_name)
            break
        if self._held.get(_id(job)) == job.attempts:
            del self._held[_id(job)]

    async def _reach(self, call: Awaitable[Answer]) -> Answer:
        try:
            async with asyncio.timeout(_CALL_S):
                answer = await call
        except _OUTAGE as error:
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


class _Backoff(BaseRetryStrategy):
    """Tries again what failed for a passing reason, later each time and never in step with others."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def get_retry_decision(self, *, exception: BaseException, job: QueueRow) -> RetryDecision | None:
        if isinstance(exception, asyncio.CancelledError):
            return RetryDecision()
        if not _will_retry(self._job, job, exception):
            return None
        delay_s = min(_LONGEST_BACKOFF_S, 2.0**job.attempts) * random.uniform(0.5, 1.5)  # noqa: S311
        if isinstance(exception, Unavailable):
            delay_s = max(delay_s, exception.retry_after_s)
        return RetryDecision(retry_in={"milliseconds": int(delay_s * 1000)})


def _will_retry(job: Job, row: QueueRow, error: BaseException) -> bool:
    return isinstance(error, TRANSIENT) and row.attempts + 1 < job.attempts


def _who(args: dict[str, Argument]) -> System | Census:
    """For whom a job works; what is left in `args` is what it was deferred with."""
    tenant_id, user_id = args.pop("tenant_id", None), args.pop("user_id", None)
    if tenant_id is None:
        args.pop("timestamp", None)
        return Census()
    return System(UUID(str(tenant_id)), UUID(str(user_id)) if user_id else None)


def _id(row: QueueRow) -> int:
    if row.id is None:
        raise ValueError("a job that was fetched has a number")
    return row.id


def _log_failure(error: Exception, outcome: str) -> None:
    """Say what failed and where, but not the error's text: it may quote what the job was working on."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    report = log.warning if outcome == "retried" else log.error
    report(
        f"job_{outcome}",
        error=type(error).__name__,
        code=error.code if isinstance(error, IntelliError) else None,
        where=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    )


class _NoArguments(logging.Filter):
    """Drops the lines in which the library quotes a job's arguments; only an unknown job has no line of ours."""

    def filter(self, record: logging.LogRecord) -> bool:
        job = getattr(record, "job", None)
        if job is None:
            return True
        record.job = {"id": job["id"], "name": job["task_name"]}
        return getattr(record, "action", None) == "task_not_found"


def _keep_arguments_out_of_the_log() -> None:
    logging.getLogger("procrastinate").setLevel(logging.WARNING)
    loud = logging.getLogger("procrastinate.worker")
    if not any(isinstance(known, _NoArguments) for known in loud.filters):
        loud.addFilter(_NoArguments())


async def _sweep(jobs: manager.JobManager) -> None:
    """Forget jobs that ended well, or were called off, more than a day ago."""
    while True:
        try:
            await jobs.delete_old_jobs(nb_hours=_KEEP_HOURS, include_cancelled=True, include_aborted=True)
        except _OUTAGE as error:
            log.warning("queue_not_swept", error=type(error).__name__)
        await asyncio.sleep(_SWEEP_S)


async def _when_set(event: asyncio.Event, call: Callable[[], object]) -> None:
    await event.wait()
    call()


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return
