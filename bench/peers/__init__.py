"""Named peers, each in a virtual environment of its own that is made on first use; none is a dependency of ours.

A peer is `NAME.py`, a program that takes a folder to read and a folder to keep its index in, and prints one line of
JSON; `NAME_search.py`, which is searched while it grows; and `NAME.lock`, what both need. It is driven as a process, so
that its memory can be told from ours. A peer of memory takes messages as lines of JSON
instead, and says what they took. A peer that answers questions takes them as lines on its input: `answering.py`.
"""

import json
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.effort import Effort

PEERS = ("llamaindex_chroma", "txtai_faiss")
_HERE = Path(__file__).parent
_TIMEOUT_S = 1800


@dataclass(frozen=True)
class Ingested:
    """Cost of making a folder of files searchable."""

    name: str
    seconds: float
    processor_s: float
    chunks: int
    peak_bytes: int


@dataclass(frozen=True)
class Searched:
    """Duration of each search at one index size, and the memory used."""

    name: str
    chunks: int
    times_ms: tuple[float, ...]
    chunks_per_s: float
    peak_bytes: int


def ingest(peer: str, files: Path, index: Path) -> Ingested:
    """Let a peer make the files searchable, in a process that is new each time."""
    process = subprocess.Popen(
        [str(_python(peer)), str(_HERE / f"{peer}.py"), str(files), str(index)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with Effort(process.pid) as effort:
        out, err = process.communicate(timeout=_TIMEOUT_S)
    if process.returncode != 0:
        raise RuntimeError(f"{peer} failed:\n{err[-2000:]}")
    said = json.loads(out.splitlines()[-1])
    return Ingested(said["name"], said["seconds"], said["processor_s"], said["chunks"], effort.peak_bytes)


def run(peer: str, messages: Path, folder: Path) -> tuple[dict[str, Any], Effort]:
    """Let a peer of memory remember messages, lines of JSON; what it says, and what it took."""
    process = subprocess.Popen(
        [str(_python(peer)), str(_HERE / f"{peer}.py"), str(messages), str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"GRAPHITI_TELEMETRY_ENABLED": "false"},
    )
    with Effort(process.pid) as effort:
        out, err = process.communicate(timeout=_TIMEOUT_S)
    if process.returncode != 0:
        raise RuntimeError(f"{peer} failed:\n{err[-2000:]}")
    said: dict[str, Any] = json.loads(out.splitlines()[-1])
    return said, effort


def search(peer: str, passages: Path, queries: Path, index: Path, *, sizes: Sequence[int]) -> list[Searched]:
    """Let a peer index passages, lines of JSON, and answer queries at each of the sizes."""
    program = [str(_python(peer)), str(_HERE / f"{peer}_search.py"), str(passages), str(queries), str(index)]
    done = subprocess.run(
        [*program, *map(str, sizes)],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{peer} failed:\n{done.stderr[-2000:]}")
    said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [
        Searched(each["name"], each["chunks"], tuple(each["times"]), each["chunks_per_s"], each["peak_bytes"])
        for each in said
    ]


def program(peer: str) -> list[str]:
    """How to start a peer that is measured by its caller."""
    return [str(_python(peer)), str(_HERE / f"{peer}.py")]


def is_installed(peer: str) -> bool:
    """Whether a peer can be used without installing it first."""
    folder, lock = _HERE / ".venv" / peer, _HERE / f"{peer}.lock"
    done = folder / ".installed"
    return done.exists() and done.stat().st_mtime >= lock.stat().st_mtime


def locked(peer: str, package: str) -> str:
    """The release of a package that a peer's lock names."""
    lines = (_HERE / f"{peer}.lock").read_text(encoding="utf-8").splitlines()
    return next(line.split()[0] for line in lines if line.startswith(f"{package}=="))


def _python(peer: str) -> Path:
    """The interpreter of a peer's environment, which is made when it is not there or its lock is newer."""
    folder, lock = _HERE / ".venv" / peer, _HERE / f"{peer}.lock"
    python = folder / "bin" / "python"
    if is_installed(peer):
        return python
    print(f"Installing {peer} and what it needs, once. It may take minutes and gigabytes.", file=sys.stderr, flush=True)
    venv.create(folder, with_pip=True, clear=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "-r", str(lock)]
    subprocess.run(install, check=True, stdin=subprocess.DEVNULL)
    (folder / ".installed").touch()
    return python
