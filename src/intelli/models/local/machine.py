"""What this machine offers a model: memory, disk space, processor, and the runtime."""

import importlib.util
import platform
import shutil
from pathlib import Path

import psutil

from intelli.kit.machine_memory import free_memory_bytes, total_memory_bytes
from intelli.models.local.errors import MachineTooSmall

_NEEDED_FLAGS = frozenset({"avx2", "fma", "f16c", "bmi2"})
_CPUINFO = Path("/proc/cpuinfo")
_SPARE_DISK_BYTES = 500_000_000
_ELSEWHERE = "Connect a model that runs elsewhere: `intelli models add`."


def count_threads() -> int:
    """Return the threads that a model computes with: physical cores but one, which the rest of us needs."""
    return max(1, (psutil.cpu_count(logical=False) or psutil.cpu_count() or 2) - 1)


def find_cpu_problem(cpuinfo: Path = _CPUINFO) -> str | None:
    """Return why the processor cannot run the model server; None when it can, or when that cannot be told."""
    if platform.machine() not in {"x86_64", "AMD64"}:
        return None
    flags = next((line for line in _read(cpuinfo).splitlines() if line.startswith("flags")), "").split()
    missing = _NEEDED_FLAGS - set(flags) if flags else set[str]()
    if not missing:
        return None
    names = ", ".join(sorted(flag.upper() for flag in missing))
    return f"The processor of this machine lacks {names}, which the model server needs. {_ELSEWHERE}"


def find_runtime_problem() -> str | None:
    """Return why there is no model server for this platform; None when there is one. Nothing is imported."""
    if importlib.util.find_spec("xllamacpp") is not None:
        return None
    return f"The package xllamacpp is not installed; it has no build for {platform.platform(terse=True)}. {_ELSEWHERE}"


def check_fit(*, memory_bytes: int, disk_bytes: int, folder: Path) -> None:
    """Raise MachineTooSmall when this machine cannot run a model, or cannot hold its file."""
    problem = find_runtime_problem() or find_cpu_problem()
    if problem:
        raise MachineTooSmall(problem)
    if total_memory_bytes() < memory_bytes:
        raise MachineTooSmall(
            f"The model needs {memory_bytes / 1e9:.1f} GB of memory, and this machine has "
            f"{total_memory_bytes() / 1e9:.1f} GB. Install a smaller one. {_ELSEWHERE}"
        )
    free = shutil.disk_usage(folder).free
    if free < disk_bytes + _SPARE_DISK_BYTES:
        raise MachineTooSmall(
            f"{folder} has {free / 1e9:.1f} GB left, and the model needs {disk_bytes / 1e9:.1f} GB with half a "
            "gigabyte to spare. Free some, or choose a directory on another disk with --data."
        )


def find_memory_problem(memory_bytes: int) -> str | None:
    """Return why a model cannot be started now; None when enough memory is free."""
    free = free_memory_bytes()
    if free >= memory_bytes:
        return None
    return (
        f"The model needs {memory_bytes / 1e9:.1f} GB of free memory, and {free / 1e9:.1f} GB are free. "
        "End other programs, or install a smaller model."
    )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
