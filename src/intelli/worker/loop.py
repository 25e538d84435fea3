"""Worker: runs the rooms' jobs, returns unfinished ones to the queue, and takes over jobs of workers that died.

It survives any outage of the database. Its writes about a job are fenced by the job's attempt, so a worker that was
only paused neither ends nor fails a job that has got another owner.
"""

import asyncio
import logging
import random
import sys
import time
import traceback
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

import procrastinate
import structlog
from procrastinate import exceptions, manager
from procrastinate.job_context import AbortReason, JobContext
from procrastinate.jobs import Job as QueueRow
from procrastinate.retry import BaseRetryStrategy, RetryDecision
from procrastinate.worker import Worker as Loop

from intelli.kit import clock, queue
from intelli.kit.context import System, WorkspaceLister
from intelli.kit.db import Database, session_options
from intelli.kit.errors import IntelliError, Unavailable
from intelli.kit.jobs import Argument, Job, Queue
from intelli.kit.work import TRANSIENT, LeaseLost, Work
from intelli.worker.job_order import JobOrder
from intelli.worker.leases import CALL_S, OUTAGE, PAUSE_S, Leases

OnFinished = Callable[[str, str, float], None]

_POLL_S = 0.2
# Jobs compute in threads. At the default of 5 ms, the event loop would lose that at every answer of the database.
_SWITCH_S = 0.0005
_POOL_S = 3.0
_GRACE_S = 5.0
_LONGEST_BACKOFF_S = 300.0
_KEEP_HOURS = 24
_SWEEP_S = 3600.0

log = structlog.get_logger()


class Worker:
    """Runner of the jobs of the given queues; any number of processes can run side by side."""

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
        pool_of: Callable[[Queue], Database] | None = None,
        on_finished: OnFinished | None = None,
    ) -> None:
        if stall_s < 2 * heartbeat_s:
            raise ValueError("a worker needs room for a late heartbeat: make stall_s at least twice heartbeat_s")
        self._db = db
        self._jobs = jobs
        self._parts = parts
        self._pool_of = pool_of or (lambda _queue: db)
        self._queues = queues
        self._turns = JobOrder(concurrency)
        self._heartbeat_s = heartbeat_s
        self._stall_s = stall_s
        self._on_finished = on_finished
        self._stop = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Run jobs until `stop` is set; then finish what ends soon and return the rest to the queue."""
        self._stop = stop
        _keep_arguments_out_of_the_log()
        sys.setswitchinterval(_SWITCH_S)
        while not stop.is_set():
            try:
                await self._run_jobs(stop)
            except* OUTAGE as errors:
                log.warning("worker_interrupted", errors=[type(error).__name__ for error in errors.exceptions])
            await _pause(stop, PAUSE_S)

    async def _run_jobs(self, stop: asyncio.Event) -> None:
        app = self._build_app(stop)
        async with asyncio.TaskGroup() as group, app.open_async():
            loop = self._build_loop(app)
            beside = (
                group.create_task(_call_when_set(stop, loop.stop)),
                group.create_task(self._reap()),
                group.create_task(_sweep(app.job_manager)),
            )
            try:
                await loop.run()  # type: ignore[no-untyped-call]  # the library leaves it unannotated
            finally:
                for task in beside:
                    task.cancel()

    def _build_app(self, stop: asyncio.Event) -> procrastinate.App:
        connector = procrastinate.PsycopgConnector(
            conninfo=self._db.url,
            kwargs={"options": session_options(), "connect_timeout": int(CALL_S), "application_name": "worker"},
            min_size=0,
            max_size=4,
            timeout=_POOL_S,
        )
        app = procrastinate.App(connector=connector)
        app.job_manager = leases = Leases(connector, stop, turns=self._turns, jobs=self._jobs)
        for job in self._jobs:
            self._register(app, leases, job)
        return app

    def _build_loop(self, app: procrastinate.App) -> Loop:
        return Loop(
            app=app,
            queues=[each.value for each in self._queues],
            name=None,
            concurrency=self._turns.slots * len(self._queues),
            fetch_job_polling_interval=_POLL_S,
            abort_job_polling_interval=max(self._heartbeat_s, 1),
            shutdown_graceful_timeout=min(_GRACE_S, self._stall_s / 2),
            install_signal_handlers=False,
            update_heartbeat_interval=self._heartbeat_s,
            stalled_worker_timeout=self._stall_s,
        )

    def _register(self, app: procrastinate.App, leases: Leases, job: Job) -> None:
        async def run(context: JobContext, /, **args: Argument) -> None:
            async with leases.join_others(context.job) as joined:
                await self._run_job(job, context, args, joined=joined)

        task = app.task(name=job.name, queue=job.queue.value, pass_context=True, retry=_Backoff(job))(run)
        if job.every:
            periodic = app.periodic(cron=job.every, lock=job.name)
            periodic(task)  # type: ignore[arg-type]  # it passes `timestamp` by name

    async def _run_job(
        self, job: Job, context: JobContext, args: dict[str, Argument], *, joined: Mapping[int, Mapping[str, Argument]]
    ) -> None:
        """Run one job: bind its ids to the log, measure it, and distinguish a lost lease from a failure."""
        row = context.job
        with structlog.contextvars.bound_contextvars(job_id=row.id, job=job.name, attempt=row.attempts):
            async with self._measure(job, row, others=len(joined)):
                work = self._build_work(job, row, _take_actor(args), others=tuple(joined))
                try:
                    await (job.run(work, _args_of_all(args, joined)) if job.together > 1 else job.run(work, **args))
                except asyncio.CancelledError:
                    if context.abort_reason() is AbortReason.USER_REQUEST:
                        raise exceptions.JobAborted from None
                    raise

    def _build_work(self, job: Job, row: QueueRow, who: System | WorkspaceLister, *, others: tuple[int, ...]) -> Work:
        return Work(
            _id(row),
            row.attempts,
            who,
            self._pool_of(job.queue),
            stall_s=self._stall_s,
            parts=self._parts,
            others=others,
            is_stopping=self._stop.is_set,
        )

    @asynccontextmanager
    async def _measure(self, job: Job, row: QueueRow, *, others: int) -> AsyncIterator[None]:
        started = time.monotonic()
        outcome = "succeeded"
        try:
            yield
        except LeaseLost:
            outcome = "lost"
            log.info("job_lease_lost")
            if others:
                raise  # the joined jobs that are still ours have to be retried
        except (asyncio.CancelledError, exceptions.JobAborted):
            outcome = "stopped"
            raise
        except Exception as error:
            outcome = "retried" if _will_retry(job, row, error) else "failed"
            _log_failure(error, outcome)
            raise
        finally:
            self._report(job, outcome, time.monotonic() - started, times=1 + others)

    def _report(self, job: Job, outcome: str, seconds: float, *, times: int) -> None:
        if self._on_finished:
            for _ in range(times):
                self._on_finished(job.name, outcome, seconds)

    async def _reap(self) -> None:
        """Take jobs back from workers without heartbeat, once per heartbeat interval."""
        attempts = {job.name: job.attempts for job in self._jobs}
        looked_at = clock.now()
        while True:
            await asyncio.sleep(self._heartbeat_s)
            away_s, looked_at = (clock.now() - looked_at).total_seconds(), clock.now()
            if away_s > self._stall_s:
                # We were paused ourselves, perhaps with the whole machine: let the others write a heartbeat first.
                continue
            try:
                async with self._db.begin(WorkspaceLister()) as tx:
                    reaped = await queue.reap(tx, stall_s=self._stall_s, attempts=attempts)
            except OUTAGE:
                continue  # the heartbeat fails as well, and logs it
            for job in reaped:
                log.warning("job_taken_from_silent_worker", job_id=job.id, job=job.name, retried=job.retried)


class _Backoff(BaseRetryStrategy):
    """Retry strategy for transient errors: exponential backoff with jitter."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def get_retry_decision(self, *, exception: BaseException, job: QueueRow) -> RetryDecision | None:
        if isinstance(exception, asyncio.CancelledError | LeaseLost):
            return RetryDecision()
        if not _will_retry(self._job, job, exception):
            return None
        delay_s = min(_LONGEST_BACKOFF_S, 2.0**job.attempts) * random.uniform(0.5, 1.5)  # noqa: S311
        if isinstance(exception, Unavailable):
            delay_s = max(delay_s, exception.retry_after_s)
        return RetryDecision(retry_in={"milliseconds": int(delay_s * 1000)})


def _will_retry(job: Job, row: QueueRow, error: BaseException) -> bool:
    return isinstance(error, TRANSIENT) and row.attempts + 1 < job.attempts


def _take_actor(args: dict[str, Argument]) -> System | WorkspaceLister:
    """Take the actor of a job out of its arguments; `args` then has only what the job was deferred with."""
    tenant_id, user_id = args.pop("tenant_id", None), args.pop("user_id", None)
    if tenant_id is None:
        args.pop("timestamp", None)
        return WorkspaceLister()
    return System(UUID(str(tenant_id)), UUID(str(user_id)) if user_id else None)


def _args_of_all(
    args: Mapping[str, Argument], joined: Mapping[int, Mapping[str, Argument]]
) -> Sequence[Mapping[str, Argument]]:
    """List the arguments of each of the jobs that run as one."""
    bound = {"tenant_id", "user_id"}
    others = ({name: value for name, value in other.items() if name not in bound} for other in joined.values())
    return [args, *others]


def _id(row: QueueRow) -> int:
    if row.id is None:
        raise ValueError("a job that was fetched has a number")
    return row.id


def _log_failure(error: Exception, outcome: str) -> None:
    """Log the type and place of an error, but not its text, which may quote what the job was working on."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    report = log.warning if outcome == "retried" else log.error
    report(
        f"job_{outcome}",
        error=type(error).__name__,
        code=error.code if isinstance(error, IntelliError) else None,
        where=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    )


class _NoArguments(logging.Filter):
    """Log filter that drops the library's lines with a job's arguments, except for unknown jobs: we log all others."""

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
    """Delete jobs that succeeded or were cancelled more than a day ago, every hour."""
    while True:
        try:
            await jobs.delete_old_jobs(nb_hours=_KEEP_HOURS, include_cancelled=True, include_aborted=True)
        except OUTAGE as error:
            log.warning("queue_not_swept", error=type(error).__name__)
        await asyncio.sleep(_SWEEP_S)


async def _call_when_set(event: asyncio.Event, call: Callable[[], object]) -> None:
    await event.wait()
    call()


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return
