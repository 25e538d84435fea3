"""Connection pools of one process, separated by purpose.

Requests, streams, runs, indexing and maintenance each have their own connections, so that none of them can starve
another: neither a thousand uploads nor a thousand streams take the connection of a search.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from intelli.kit.db import Database
from intelli.kit.foreground import Foreground
from intelli.kit.jobs import Queue

# A request waits this long for a connection and is then refused with Retry-After; a job can wait longer.
_REQUEST_WAIT_S = 3.0
_JOB_WAIT_S = 25.0
_STREAMS = 2
_MAINTENANCE = 2
# A run reads for several tasks at a time, renews its lease and writes its log meanwhile.
_RUNS_BEYOND_JOBS = 4


@dataclass(frozen=True, slots=True)
class Pools:
    """Connection pools of one process. Connections are opened on first use."""

    requests: Database
    streams: Database
    runs: Database
    reading: Database
    maintenance: Database

    def for_queue(self, queue: Queue) -> Database:
        """Return the pool that the jobs of a queue use."""
        match queue:
            case Queue.RUNS | Queue.DELIVERABLES:
                return self.runs
            case Queue.INDEX | Queue.MEMORY:
                return self.reading
            case Queue.MAINTENANCE | Queue.ENCODING:
                return self.maintenance

    @property
    def all(self) -> tuple[Database, ...]:
        """Every pool."""
        return (self.requests, self.streams, self.runs, self.reading, self.maintenance)

    async def close(self) -> None:
        """Close all connections of all pools."""
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
    """Create pools for `requests` concurrent requests and `jobs` jobs per queue. Jobs yield to the foreground."""
    pool = partial(Database, url, secret=secret, on_ended=on_ended)
    job_pool = partial(pool, wait_s=_JOB_WAIT_S, step_aside=foreground.step_aside if foreground else None)
    return Pools(
        requests=pool(pool_size=requests, wait_s=_REQUEST_WAIT_S),
        streams=pool(pool_size=_STREAMS, wait_s=_JOB_WAIT_S),
        runs=job_pool(pool_size=jobs + _RUNS_BEYOND_JOBS),
        reading=job_pool(pool_size=jobs),
        maintenance=job_pool(pool_size=_MAINTENANCE),
    )
