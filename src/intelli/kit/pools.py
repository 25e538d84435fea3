"""Pools: the database connections of one process, by what they are for.

Requests, streams, runs, reading and maintenance each have connections of their own, so that none of them can starve
another: a thousand uploads being read leave a search its connection, and so do a thousand streams.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from intelli.kit.db import Database
from intelli.kit.foreground import Foreground
from intelli.kit.jobs import Queue

# A person waits this long for a connection, then is asked to come again; a job has time.
_REQUEST_WAIT_S = 3.0
_JOB_WAIT_S = 25.0
_STREAMS = 2
_MAINTENANCE = 2
# A run reads for several tasks at a time, renews its lease and writes its log meanwhile.
_RUNS_BEYOND_JOBS = 4


@dataclass(frozen=True, slots=True)
class Pools:
    """The pools of one process. Connections are opened when they are first needed."""

    requests: Database
    streams: Database
    runs: Database
    reading: Database
    maintenance: Database

    def for_queue(self, queue: Queue) -> Database:
        """The pool that the jobs of a queue take connections from."""
        match queue:
            case Queue.RUNS | Queue.DELIVERABLES:
                return self.runs
            case Queue.INDEX | Queue.MEMORY:
                return self.reading
            case Queue.MAINTENANCE:
                return self.maintenance

    @property
    def all(self) -> tuple[Database, ...]:
        """Every pool."""
        return (self.requests, self.streams, self.runs, self.reading, self.maintenance)

    async def close(self) -> None:
        """Give all connections back."""
        for pool in self.all:
            await pool.close()


def open_pools(
    url: str,
    *,
    requests: int,
    jobs: int,
    secret: bytes | None = None,
    foreground: Foreground | None = None,
    on_ended: Callable[[float], None] | None = None,
) -> Pools:
    """Pools for so many requests at a time, and so many jobs of one queue. Jobs step aside for the foreground."""
    pool = partial(Database, url, secret=secret, on_ended=on_ended)
    job_pool = partial(pool, wait_s=_JOB_WAIT_S, step_aside=foreground.step_aside if foreground else None)
    return Pools(
        requests=pool(pool_size=requests, wait_s=_REQUEST_WAIT_S),
        streams=pool(pool_size=_STREAMS, wait_s=_JOB_WAIT_S),
        runs=job_pool(pool_size=jobs + _RUNS_BEYOND_JOBS),
        reading=job_pool(pool_size=jobs),
        maintenance=job_pool(pool_size=_MAINTENANCE),
    )
