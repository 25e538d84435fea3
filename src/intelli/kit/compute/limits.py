"""How a process takes on the limits of a computation."""

import contextlib
import ctypes
import os
import resource
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_LOWER_PRIORITY = 5
# The kernel ends a process with this value before all others when memory runs out.
_FIRST_TO_GO = "1000"


def yield_to_others() -> None:
    """Let the processes that answer requests go first, for computing time and for memory."""
    with contextlib.suppress(OSError):
        os.nice(_LOWER_PRIORITY)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_GO)


def end_with(parent_pid: int) -> None:
    """Be killed when the parent ends, where the kernel can do that."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent_pid:
        os._exit(1)


def cap(*, memory_bytes: int) -> None:
    """Bound the memory of this process beyond what it has now, and leave no core file behind."""
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
