"""Computing in processes that can be ended: what never ends, or takes all memory, costs its own process alone."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from tests.kit import computations
from tests.support.jobs import PATIENCE_S, until

from intelli.app import fork_server
from intelli.kit.compute import (
    ComputationCrashed,
    ComputeSettings,
    ComputeUnavailable,
    ForkServer,
    OutOfMemory,
    OutOfTime,
    ProcessPool,
)
from intelli.kit.compute.errors import RemoteError

PATIENT = ComputeSettings(time_s=PATIENCE_S, memory_mb=256, result_bytes=1 << 20, processes=2)


@pytest.fixture
async def pool() -> AsyncIterator[ProcessPool]:
    pool = ProcessPool(fork_server(), PATIENT)
    yield pool
    pool.close()


async def test_a_child_is_warm_and_computes_one_call_after_the_other(pool: ProcessPool):
    first = await pool.run(computations.pid_of, None)
    assert await pool.run(computations.double, 21) == 42
    assert await pool.run(computations.pid_of, None) == first != os.getpid()


async def test_as_many_compute_at_once_as_the_limits_say(pool: ProcessPool):
    pids = await asyncio.gather(*(pool.run(computations.nap, 0.05) for _ in range(6)))
    assert len(set(pids)) == PATIENT.processes


async def test_what_never_ends_is_killed_and_the_next_call_is_answered():
    pool = ProcessPool(fork_server(), ComputeSettings(time_s=0.3))
    with pytest.raises(OutOfTime, match=r"0\.3 s .* Ask for less") as refused:
        await pool.run(computations.spin, None)
    assert refused.value.code == "computation_out_of_time"
    pool.close()


async def test_the_event_loop_goes_on_while_a_child_spins():
    pool = ProcessPool(fork_server(), ComputeSettings(time_s=PATIENCE_S))
    spinning = asyncio.create_task(pool.run(computations.spin, None))
    assert await pool.run(computations.double, 1) == 2
    spinning.cancel()
    with pytest.raises(asyncio.CancelledError):
        await spinning
    pool.close()


async def test_what_takes_all_memory_is_ended_and_its_process_replaced(pool: ProcessPool):
    before = await pool.run(computations.pid_of, None)
    with pytest.raises(OutOfMemory, match="256 MB"):
        await pool.run(computations.hoard, None)
    assert await pool.run(computations.pid_of, None) != before


async def test_a_result_that_is_too_large_is_not_even_read(pool: ProcessPool):
    with pytest.raises(OutOfMemory):
        await pool.run(computations.flood, 2 << 20)
    assert len(await pool.run(computations.flood, 1000)) == 1000


async def test_a_child_that_dies_is_told_of_and_replaced(pool: ProcessPool):
    with pytest.raises(ComputationCrashed):
        await pool.run(computations.die, None)
    assert await pool.run(computations.double, 2) == 4


async def test_one_that_died_while_it_had_nothing_to_do_fails_no_call(pool: ProcessPool):
    child = psutil.Process(await pool.run(computations.pid_of, None))
    child.kill()
    await until(lambda: _is_dead(child))
    assert await pool.run(computations.double, 2) == 4


async def test_a_cancelled_call_ends_the_childs_work(pool: ProcessPool, tmp_path: Path):
    spinning = asyncio.create_task(pool.run(computations.spin_as, str(tmp_path / "pid")))
    pid = await _written(tmp_path / "pid")
    spinning.cancel()
    with pytest.raises(asyncio.CancelledError):
        await spinning
    await _gone(pid)


async def test_an_error_tells_its_kind_and_place_but_never_the_words_of_a_source(pool: ProcessPool):
    with pytest.raises(RemoteError) as raised:
        await pool.run(computations.stumble, "secret words")
    assert "ValueError" in str(raised.value)
    assert "computations.py" in str(raised.value)
    assert "secret" not in str(raised.value)


async def test_a_child_inherits_no_variable_and_no_open_file(pool: ProcessPool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("INTELLI_SECRET_KEY", "k" * 48)
    server = ForkServer([])
    own = ProcessPool(server, PATIENT)
    seen = await own.run(computations.inherited, None)
    own.close()
    server.close()
    assert set(seen) <= {"PYTHONPATH", "LANG", "LC_CTYPE", "OPENBLAS_NUM_THREADS", "0", "1", "2", "3"}
    assert seen["3"].startswith("socket:")


async def test_children_end_with_the_fork_server_and_the_next_call_starts_another(tmp_path: Path):
    server = ForkServer([])
    pool = ProcessPool(server, PATIENT)
    spinning = asyncio.create_task(pool.run(computations.spin_as, str(tmp_path / "pid")))
    pid = await _written(tmp_path / "pid")
    psutil.Process(pid).parent().kill()
    with pytest.raises(ComputeUnavailable):
        await spinning
    await _gone(pid)
    assert await pool.run(computations.double, 3) == 6
    pool.close()
    server.close()


async def test_signals_for_the_whole_group_leave_children_at_work(pool: ProcessPool):
    pid = await pool.run(computations.pid_of, None)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(pid, number)
    assert await pool.run(computations.pid_of, None) == pid


async def _is_dead(process: psutil.Process) -> bool:
    """Dead, though not buried yet."""
    return process.status() == psutil.STATUS_ZOMBIE


async def _written(path: Path) -> int:
    async def there() -> bool:
        return bool(_read(path))

    await until(there)
    return int(_read(path))


def _read(path: Path) -> str:
    return path.read_text() if path.exists() else ""


async def _gone(pid: int) -> None:
    async def gone() -> bool:
        with suppress(ProcessLookupError):
            os.kill(pid, 0)
            return False
        return True

    await until(gone)
