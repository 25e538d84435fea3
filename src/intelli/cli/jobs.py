"""`intelli jobs`: lists, counts, retries and cancels background jobs."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from intelli.cli import output
from intelli.cli.options import AsJson, Data

if TYPE_CHECKING:
    from intelli.kit.db import Database
    from intelli.kit.queue import QueueDepth, QueuedJob

app = typer.Typer(no_args_is_help=True, help="Look after background jobs.")

# Spelled out, because the enums behind them live in modules that take long to load; a test holds the two together.
StatusName = Literal["todo", "doing", "succeeded", "failed", "cancelled", "aborted"]
QueueName = Literal["runs", "index", "memory", "deliverables", "maintenance", "encoding"]
JobId = Annotated[int, typer.Argument(metavar="ID", help="The job's number, as `intelli jobs list` shows it.")]
_COLOURS = {"failed": "red", "doing": "cyan", "succeeded": "green", "todo": "yellow"}


@app.command("list")
def list_jobs(
    *,
    status: Annotated[StatusName | None, typer.Option(help="Only jobs of this status.")] = None,
    queue: Annotated[QueueName | None, typer.Option(help="Only jobs of this queue.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many to show.")] = 50,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List jobs, the newest first. A job that succeeded is forgotten after a day."""
    jobs = asyncio.run(_list(data, status=status, queue=queue, limit=limit))
    if as_json:
        output.write_json(jobs)
        return
    columns = ("id", "job", "queue", "status", "attempts", "due", "changed", "workspace", "progress")
    rows = [
        (j.id, j.name, j.queue, j.status, j.attempts, j.due_at, j.changed_at, j.tenant_id, j.progress) for j in jobs
    ]
    output.table(columns, rows, colours=_COLOURS)


@app.command()
def retry(job_id: JobId, data: Data = None, as_json: AsJson = False) -> None:
    """Put a failed job back into its queue, due now."""
    job = asyncio.run(_retry(data, job_id))
    _print_job(job, "waits in its queue again", as_json=as_json)


@app.command()
def cancel(job_id: JobId, data: Data = None, as_json: AsJson = False) -> None:
    """Take a waiting job out of its queue, or ask a running one to stop."""
    job = asyncio.run(_cancel(data, job_id))
    _print_job(job, "was asked to stop" if job.stopping else "is cancelled", as_json=as_json)


@app.command()
def stats(data: Data = None, as_json: AsJson = False) -> None:
    """Count jobs by queue and status, and tell when a worker last showed a sign of life."""
    depths, age_s = asyncio.run(_stats(data))
    if as_json:
        output.write_json({"queues": depths, "worker_heartbeat_age_s": age_s})
        return
    rows = [(depth.queue, depth.status, depth.jobs) for depth in depths]
    output.table(("queue", "status", "jobs"), rows, colours=_COLOURS)
    output.line("No worker is running." if age_s is None else f"A worker showed a sign of life {age_s:.0f} s ago.")


async def _list(data: Path | None, *, status: str | None, queue: str | None, limit: int) -> "list[QueuedJob]":
    from intelli.cli import local
    from intelli.kit import jobs
    from intelli.kit import queue as queues
    from intelli.kit.context import WorkspaceLister

    async with local.database(data) as db:
        async with db.begin(WorkspaceLister()) as tx:
            found = await queues.list_jobs(
                tx,
                status=queues.JobStatus(status) if status else None,
                queue=jobs.Queue(queue) if queue else None,
                limit=limit,
            )
        return [await _add_progress(db, job) for job in found]


async def _add_progress(db: "Database", job: "QueuedJob") -> "QueuedJob":
    """Say how far a running job of the index is: it may build for minutes."""
    from dataclasses import replace
    from uuid import UUID

    from intelli.kit.context import System
    from intelli.kit.queue import JobStatus
    from intelli.retrieval import vector_builds

    if job.name != "retrieval.tend" or job.status != JobStatus.DOING or job.tenant_id is None:
        return job
    async with db.begin(System(UUID(job.tenant_id))) as tx:
        build = await vector_builds.find_progress(tx)
    return replace(job, progress=vector_builds.describe(build) if build else None)


async def _retry(data: Path | None, job_id: int) -> "QueuedJob":
    from intelli.cli import local
    from intelli.kit import queue
    from intelli.kit.context import WorkspaceLister

    async with local.database(data) as db, db.begin(WorkspaceLister()) as tx:
        return await queue.retry(tx, job_id)


async def _cancel(data: Path | None, job_id: int) -> "QueuedJob":
    from intelli.cli import local
    from intelli.kit import queue
    from intelli.kit.context import WorkspaceLister

    async with local.database(data) as db, db.begin(WorkspaceLister()) as tx:
        return await queue.cancel(tx, job_id)


async def _stats(data: Path | None) -> "tuple[list[QueueDepth], float | None]":
    from intelli.cli import local
    from intelli.kit import queue
    from intelli.kit.context import WorkspaceLister

    async with local.database(data) as db, db.begin(WorkspaceLister()) as tx:
        return await queue.count_jobs(tx), await queue.heartbeat_age_s(tx)


def _print_job(job: "QueuedJob", what: str, *, as_json: bool) -> None:
    if as_json:
        output.write_json(job)
    else:
        output.line(f"Job {job.id} ({job.name}) {what}.")
