"""Limits that a compute process sets on itself: priority, memory, lifetime."""

import contextlib
import ctypes
import os
import resource
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_LOWER_PRIORITY = 5
# When memory runs out, the kernel kills a process with this value first.
_KILLED_FIRST = "1000"


def lower_priority() -> None:
    """Give processes that answer requests precedence: lower the CPU priority, be the OOM killer's first choice."""
    with contextlib.suppress(OSError):
        os.nice(_LOWER_PRIORITY)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_KILLED_FIRST)


def die_with_parent(parent_pid: int) -> None:
    """Have the kernel kill this process when its parent ends (Linux). Exit at once if the parent has ended already."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent_pid:
        os._exit(1)


def limit_memory(*, memory_bytes: int) -> None:
    """Limit further memory of this process to `memory_bytes` on top of what it uses now, and disable core files."""
    _lower(resource.RLIMIT_AS, _address_space() + memory_bytes)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (value, value))


def _address_space() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 1 << 30
