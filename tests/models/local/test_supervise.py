"""Supervision of the model server with real processes: crashes, hand-over, failure for good, later installs."""

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import psutil
from tests.models.local.conftest import furnish
from tests.models.local.servers import PATIENCE_S, QUICK, accept, find_children, holding, kill, supervised, until
from tests.models.local.wheels import HEAD, HUB

from intelli.models.local.folder import ModelsFolder
from intelli.models.local.install import install, plan_file, uninstall
from intelli.models.local.lease import ServerState, find_address
from intelli.models.local.model_process import trim_log
from intelli.models.local.supervise import LocalModelServer, read_status


def _state(server: LocalModelServer) -> str | None:
    described = server.describe()
    return described.state if described else None


async def test_a_killed_server_comes_back_at_the_same_address(own_data: Path):
    async with supervised(own_data) as server:
        assert await server.wait_ready(PATIENCE_S), server.describe()
        before, (child,) = server.settings(), find_children()
        kill(child)
        await until(lambda: _state(server) == ServerState.STARTING)
        assert await server.wait_ready(PATIENCE_S), server.describe()
        assert server.settings() == before
        (again,) = find_children()
        assert again.pid != child.pid
    assert not again.is_running(), "an ended server leaves no process"
    assert read_status(own_data) is not None
    assert find_address(ModelsFolder(own_data)) is None


async def test_the_server_ends_with_a_parent_that_is_killed_and_another_process_takes_over(own_data: Path):
    with holding(own_data) as first:
        await until(lambda: find_children(first.pid))
        async with supervised(own_data) as second:
            assert await second.wait_ready(PATIENCE_S), second.describe()
            (child,), before = find_children(first.pid), second.settings()
            assert find_children() == [], "one of them runs it"
            first.send(signal.SIGKILL)
            gone, _ = await asyncio.to_thread(psutil.wait_procs, [child], timeout=5)
            assert gone, "it outlived its parent"
            await until(find_children)
            await until(lambda: _state(second) == ServerState.READY)
            assert second.settings() == before


async def test_a_server_that_is_still_loading_ends_with_its_parent(own_data: Path):
    with holding(own_data) as holder:
        await until(lambda: find_children(holder.pid))
        (child,) = find_children(holder.pid)
        holder.send(signal.SIGKILL)
        gone, _ = await asyncio.to_thread(psutil.wait_procs, [child], timeout=5)
        assert gone


async def test_a_file_that_cannot_be_loaded_fails_for_good_and_says_why(tmp_path: Path, weights: Path):
    _install(_tear(weights, tmp_path / "torn.gguf"), tmp_path)
    async with supervised(tmp_path) as server:
        assert not await server.wait_ready(PATIENCE_S)
        assert server.settings() is None
        found = server.describe()
        assert found is not None
        assert found.state == ServerState.FAILED
        assert found.problem is not None
        assert "The model could not be loaded" in found.problem
        assert "intelli models install" in found.problem
        assert read_status(tmp_path) == found
        assert find_children() == []


async def test_a_model_that_is_installed_later_is_noticed_and_one_that_is_removed_ends(tmp_path: Path, weights: Path):
    async with supervised(tmp_path) as server:
        assert server.describe() is None
        assert server.settings() is None
        furnish(tmp_path, weights)
        assert await server.wait_ready(PATIENCE_S), server.describe()
        uninstall("smollm2-135m", ModelsFolder(tmp_path))
        await until(lambda: server.describe() is None)
        assert server.settings() is None
        assert find_children() == []
    assert weights.stat().st_size > 0, "the file behind the link is not ours"  # noqa: ASYNC240


async def test_a_model_is_not_started_without_the_memory_that_it_needs(tmp_path: Path):
    source = tmp_path / "model.gguf"
    source.write_bytes(HEAD)
    _install(source, tmp_path, memory_bytes=10**15)
    async with supervised(tmp_path) as server:
        assert not await server.wait_ready(PATIENCE_S)
        found = server.describe()
    assert found is not None
    assert "of free memory" in (found.problem or "")


async def test_without_a_model_nothing_is_made_and_nothing_is_waited_for(tmp_path: Path):
    async with supervised(tmp_path) as server:
        assert not await server.wait_ready(3 * QUICK.look_s)
    assert os.listdir(tmp_path) == []  # noqa: PTH208


def test_a_long_log_is_moved_aside(tmp_path: Path):
    log = tmp_path / "server.log"
    log.write_bytes(b"x" * 3_000_000)
    trim_log(log)
    assert log.stat().st_size == 0
    assert (tmp_path / "server.log.1").stat().st_size < 3_000_000


def _tear(whole: Path, torn: Path) -> Path:
    torn.write_bytes(whole.read_bytes()[:1_000_000])
    return torn


def _install(path: Path, data: Path, *, memory_bytes: int = 1) -> None:
    folder = ModelsFolder(data)
    made = install(plan_file(path), folder, hub=HUB, on_progress=lambda *_: None, try_model=accept)
    folder.add(replace(made, memory_bytes=memory_bytes))
