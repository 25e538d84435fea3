"""Child process that serves a model: its start without our environment, its health, its log and its end."""

import asyncio
import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import httpx

from intelli.models.local import machine
from intelli.models.local.folder import InstalledFile, ModelsFolder
from intelli.models.local.lease import LOOPBACK, ServerAddress

PROGRAM = Path(__file__).with_name("serve_model.py")
TIMEOUT_S = 600
_OUTPUT_TOKENS = 1024
_PROBE_S = 10
_LOOK_S = 0.2
_END_S = 5
_LOG_BYTES = 2 << 20
_TAIL_BYTES, _TAIL_LINES = 4096, 6
# Nothing of ours, which holds secrets. OpenMP's threads would spin while they wait for each other: on a busy machine
# that made a model fifty times slower.
_ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "OMP_WAIT_POLICY": "PASSIVE"}


@dataclass(frozen=True, slots=True)
class ModelProcess:
    """A running child and where it listens."""

    process: asyncio.subprocess.Process
    port: int

    async def wait_ready(self, timeout_s: float) -> bool:
        """Wait until the model is loaded; False when the child has ended instead, or takes too long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while not await self.has_ended(within_s=_LOOK_S):
                    if await self.is_healthy():
                        return True
        return False

    async def has_ended(self, *, within_s: float) -> bool:
        """Wait so long for the end of the child, and tell whether it has ended."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.process.wait(), within_s)
        return self.process.returncode is not None

    async def is_healthy(self) -> bool:
        """Ask the server whether it can answer."""
        # A proxy of the environment is not for the loopback.
        async with httpx.AsyncClient(timeout=_PROBE_S, trust_env=False) as client:
            try:
                return (await client.get(f"http://{LOOPBACK}:{self.port}/health")).is_success
            except httpx.HTTPError:
                return False

    async def stop(self) -> None:
        """End the child: it does so itself when its standard input closes, else it is killed."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        if not await self.has_ended(within_s=_END_S):
            with suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()


async def start(model: InstalledFile, address: ServerAddress, folder: ModelsFolder, *, log: Path) -> ModelProcess:
    """Start the child and hand it its order; what it says goes into a log."""
    order = {
        "model": str(folder.path / model.file),
        "name": model.name,
        "port": address.port,
        "key": address.key,
        "context_tokens": model.context_tokens,
        "output_tokens": _OUTPUT_TOKENS,
        "threads": machine.count_threads(),
        "timeout_s": TIMEOUT_S,
        "parent_pid": os.getpid(),
    }
    with _open_log(log) as said:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", str(PROGRAM)),
            stdin=asyncio.subprocess.PIPE,
            stdout=said,
            stderr=said,
            env=_ENVIRONMENT,
            cwd=folder.path,
        )
    assert process.stdin is not None, "it was asked for"
    process.stdin.write(json.dumps(order).encode() + b"\n")
    with suppress(ConnectionError):
        await process.stdin.drain()
    return ModelProcess(process, address.port)


def trim_log(log: Path) -> None:
    """Move a log that has grown too long aside. The child goes on writing into the emptied file."""
    if log.exists() and log.stat().st_size > _LOG_BYTES:
        log.with_suffix(".log.1").write_bytes(log.read_bytes()[-_LOG_BYTES:])
        os.truncate(log, 0)


def read_last_lines(log: Path) -> str:
    """Read the last lines of the log as one text."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - _TAIL_BYTES))
            text = file.read().decode(errors="replace")
    except OSError:
        return ""
    return " / ".join([line.strip() for line in text.splitlines() if line.strip()][-_TAIL_LINES:])


def _open_log(log: Path) -> IO[bytes]:
    trim_log(log)
    return os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")
