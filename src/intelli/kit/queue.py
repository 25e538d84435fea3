"""Operator's view of the queue: list, count, retry and cancel jobs, and take jobs back from dead workers.

It shows jobs of all workspaces, by id and name and never by content, so the edge opens these transactions as
`WorkspaceLister`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import RowMapping, text

from intelli.kit.db import Tx
from intelli.kit.errors import Conflict, NotFound
from intelli.kit.jobs import Queue


class JobNotFound(NotFound):
    """No job has this number; it may have succeeded more than a day ago."""

    code = "job_not_found"


class JobNotRetryable(Conflict):
    """Only a job that failed can be tried again."""

    code = "job_not_retryable"


class JobNotCancellable(Conflict):
    """The job has already ended."""

    code = "job_not_cancellable"


class JobStatus(StrEnum):
    """Status of a job."""

    TODO = "todo"
    DOING = "doing"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """Job in the queue. `attempts` counts the tries that ended; `stopping`: a running job was asked to stop.

    `progress` says how far a long job is, where whoever lists it knows.
    """

    id: int
    name: str
    queue: str
    status: JobStatus
    attempts: int
    stopping: bool
    tenant_id: str | None
    due_at: datetime | None
    changed_at: datetime | None
    progress: str | None = None


@dataclass(frozen=True, slots=True)
class QueueDepth:
    """Number of jobs of a queue with one status."""

    queue: str
    status: JobStatus
    jobs: int


@dataclass(frozen=True, slots=True)
class ReapedJob:
    """Job taken back from a worker without heartbeat; `retried` is false when it failed instead."""

    id: int
    name: str
    retried: bool


_JOBS = """
    select job.id, job.task_name as name, job.queue_name as queue, job.status::text as status, job.attempts,
           job.abort_requested as stopping, job.args->>'tenant_id' as tenant_id, job.scheduled_at as due_at,
           (select max(event.at) from procrastinate_events event
             where event.job_id = job.id and event.type <> 'scheduled') as changed_at
      from procrastinate_jobs job
"""
_LIST = f"""{_JOBS}
     where (cast(:status as text) is null or job.status::text = :status)
       and (cast(:queue as text) is null or job.queue_name = :queue)
     order by job.id desc limit :limit
"""
_STALLED = """
    select job.id, job.task_name as name, job.attempts
      from procrastinate_jobs job left join procrastinate_workers worker on worker.id = job.worker_id
     where job.status = 'doing'
       and (worker.id is null or worker.last_heartbeat < now() - make_interval(secs => :stall_s))
       for update of job skip locked
"""
# A worker of another version may run jobs that this one does not know.
_ATTEMPTS_OF_UNKNOWN_JOB = 5
_RETRY = "select procrastinate_retry_job_v2(:id, now(), null, null, null)"
_FAIL = "select procrastinate_finish_job_v1(:id, 'failed', false)"


async def list_jobs(
    tx: Tx, *, status: JobStatus | None = None, queue: Queue | None = None, limit: int = 50
) -> list[QueuedJob]:
    """List jobs, newest first, optionally of one status or queue."""
    rows = await tx.session.execute(text(_LIST), {"status": status, "queue": queue, "limit": limit})
    return [_parse_row(row) for row in rows.mappings()]


async def get_job(tx: Tx, job_id: int) -> QueuedJob:
    """Return a job by its number. Raise JobNotFound."""
    rows = await tx.session.execute(text(f"{_JOBS} where job.id = :id"), {"id": job_id})
    row = rows.mappings().one_or_none()
    if row is None:
        raise JobNotFound(f"There is no job {job_id}. `intelli jobs list` shows the jobs there are.")
    return _parse_row(row)


async def retry(tx: Tx, job_id: int) -> QueuedJob:
    """Put a failed job back into its queue, due now. Raise JobNotRetryable for any other status."""
    job = await get_job(tx, job_id)
    if job.status is not JobStatus.FAILED:
        raise JobNotRetryable(f"Job {job_id} is {job.status}. Only a failed job can be tried again.")
    await tx.session.execute(text(_RETRY), {"id": job_id})
    return await get_job(tx, job_id)


async def cancel(tx: Tx, job_id: int) -> QueuedJob:
    """Cancel a waiting job, or ask a running one to stop. Raise JobNotCancellable when it has ended."""
    job = await get_job(tx, job_id)
    if job.status not in {JobStatus.TODO, JobStatus.DOING}:
        raise JobNotCancellable(f"Job {job_id} has already {job.status}. There is nothing to cancel.")
    await tx.session.execute(text("select procrastinate_cancel_job_v1(:id, true, false)"), {"id": job_id})
    return await get_job(tx, job_id)


async def count_jobs(tx: Tx) -> list[QueueDepth]:
    """Count the jobs by queue and status."""
    counted = "select queue_name, status::text, count(*) from procrastinate_jobs group by 1, 2 order by 1, 2"
    rows = await tx.session.execute(text(counted))
    return [QueueDepth(queue=queue, status=JobStatus(status), jobs=jobs) for queue, status, jobs in rows]


async def heartbeat_age_s(tx: Tx) -> float | None:
    """Return the seconds since the last heartbeat of any worker, by the database's clock; None without a worker."""
    age = "select extract(epoch from clock_timestamp() - max(last_heartbeat))::float8 from procrastinate_workers"
    seconds: float | None = await tx.session.scalar(text(age))
    return seconds


async def reap(tx: Tx, *, stall_s: float, attempts: Mapping[str, int]) -> list[ReapedJob]:
    """Take jobs back from workers without heartbeat for `stall_s`: retry while `attempts` are left, else fail them.

    A job whose row is locked is skipped: its worker is inside a transaction, which ends or is ended by the server.
    """
    rows = await tx.session.execute(text(_STALLED), {"stall_s": stall_s})
    reaped = [
        ReapedJob(id=row.id, name=row.name, retried=row.attempts + 1 < attempts.get(row.name, _ATTEMPTS_OF_UNKNOWN_JOB))
        for row in rows.all()
    ]
    for job in reaped:
        await tx.session.execute(text(_RETRY if job.retried else _FAIL), {"id": job.id})
    return reaped


def _parse_row(row: RowMapping) -> QueuedJob:
    return QueuedJob(**{**row, "status": JobStatus(row["status"])})
