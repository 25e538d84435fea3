"""Pools: the database connections of one process, by what they are for.

Requests, streams, runs, reading and maintenance each have connections of their own, so that none of them can starve
another: a thousand uploads being read leave a search its connection, and so do a thousand streams.
"""

from collections.abc import Callable
from dataclasses import dataclass

from intelli.kit.db import Database
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
    on_ended: Callable[[float], None] | None = None,
) -> Pools:
    """Pools for so many requests at a time, and so many jobs of one queue."""

    def pool(size: int, wait_s: float) -> Database:
        return Database(url, secret=secret, pool_size=size, wait_s=wait_s, on_ended=on_ended)

    return Pools(
        requests=pool(requests, _REQUEST_WAIT_S),
        streams=pool(_STREAMS, _JOB_WAIT_S),
        runs=pool(jobs + _RUNS_BEYOND_JOBS, _JOB_WAIT_S),
        reading=pool(jobs, _JOB_WAIT_S),
        maintenance=pool(_MAINTENANCE, _JOB_WAIT_S),
    )
