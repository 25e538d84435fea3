"""How long from `intelli serve` to ready, on an empty directory and again, against a bare PostgreSQL alone?"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx

from bench.figures import Comparison, Measurement, Size, medians
from intelli.kit import postgres_launch
from intelli.kit.postgres_cluster import Cluster, binaries

QUESTION = "How long until ready? Times: more is slower."
_BARE = "a bare PostgreSQL answers"
_SERVE = "intelli serve says ready at /readyz"
_KINDS = {"cold": "cold (empty directory)", "warm": "warm (second start)"}
_ROUNDS = 3
_TIMEOUT_S = 60
_LOOK_S = 0.01
_MS = 1000


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """Cold: initdb, migrations and all. Warm: the second start in the same directory."""
    with tempfile.TemporaryDirectory() as folder:
        ways = _ways(Path(folder))
        if size is Size.SMALLEST:
            # A start takes seconds, and a warm one runs the same lines.
            ways = {name: way for name, way in ways.items() if name.endswith("cold")}
        found = await medians(ways, rounds=size.of(_ROUNDS, 1), warm_ups=0)
    return [
        Comparison(name, "ms", {_BARE: found[f"bare {kind}"], _SERVE: found[f"serve {kind}"]})
        for kind, name in _KINDS.items()
        if f"bare {kind}" in found
    ]


def _ways(folder: Path) -> Mapping[str, Measurement]:
    """Each cold start takes a new directory, and the warm start after it takes the same one."""
    current = folder

    def new() -> Path:
        nonlocal current
        current = Path(tempfile.mkdtemp(dir=folder))
        return current

    return {
        "bare cold": lambda: asyncio.to_thread(_start_bare, new()),
        "bare warm": lambda: asyncio.to_thread(_start_bare, current),
        "serve cold": lambda: asyncio.to_thread(_start_serve, new()),
        "serve warm": lambda: asyncio.to_thread(_start_serve, current),
    }


def _start_bare(root: Path) -> float:
    begun = time.perf_counter()
    cluster = Cluster(root / "bare")
    cluster.prepare_root()
    if cluster.find_version() is None:
        cluster.create(18)
    cluster.prepare_socket_dir()
    program = [str(binaries(18) / "postgres"), "-D", str(cluster.data), "-k", str(cluster.socket_dir)]
    command = postgres_launch.build_command(
        [*program, "-c", "listen_addresses="],
        account=cluster.find_account(),
        reach=[cluster.data, cluster.socket_dir],
        parent_pid=os.getpid(),
    )
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        _until(lambda: _is_ready(cluster))
        return (time.perf_counter() - begun) * _MS
    finally:
        _end(server)


def _start_serve(root: Path) -> float:
    begun = time.perf_counter()
    program = str(Path(sys.executable).parent / "intelli")
    command = [program, "serve", "--port", "0", "--json", "--data", str(root / "data")]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]
        _until(lambda: httpx.get(f"{url}/readyz", timeout=5).status_code == 200)
        return (time.perf_counter() - begun) * _MS
    finally:
        _end(server)
        if server.stdout:
            server.stdout.close()


def _is_ready(cluster: Cluster) -> bool:
    postmaster = cluster.find_postmaster()
    return postmaster is not None and postmaster.is_ready


def _until(is_true: Callable[[], bool]) -> None:
    deadline = time.perf_counter() + _TIMEOUT_S
    while not is_true():
        if time.perf_counter() > deadline:
            raise TimeoutError(f"not ready within {_TIMEOUT_S} s")
        time.sleep(_LOOK_S)


def _end(server: "subprocess.Popen[bytes] | subprocess.Popen[str]") -> None:
    server.send_signal(signal.SIGINT)
    server.wait(_TIMEOUT_S)
