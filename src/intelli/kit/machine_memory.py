"""Memory of this machine, or of the container that we run in if that has less."""

from pathlib import Path

import psutil

_CGROUP = Path("/sys/fs/cgroup")


def total_memory_bytes() -> int:
    """Return the memory of the machine, or of the container if that has less."""
    total = psutil.virtual_memory().total
    return min(total, _cgroup_limit() or total)


def free_memory_bytes() -> int:
    """Return the memory that a new process can get without pushing others out."""
    available = psutil.virtual_memory().available
    limit = _cgroup_limit()
    if limit is None:
        return available
    stat = dict(line.split() for line in _read("memory.stat").splitlines())
    used = int(_read("memory.current") or 0) - int(stat.get("inactive_file", 0))
    return min(available, max(limit - used, 0))


def _cgroup_limit() -> int | None:
    limit = _read("memory.max").strip()
    return int(limit) if limit.isdigit() else None


def _read(name: str) -> str:
    try:
        return (_CGROUP / name).read_text(encoding="utf-8")
    except OSError:
        return ""
