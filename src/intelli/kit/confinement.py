"""Confinement of a process that handles untrusted data: files, sockets, processes, memory, time.

A confined process was forked or started for one task; confinement cannot be undone. Protections that the kernel lacks
are skipped, and `missing()` lists them. On Linux, Landlock restricts files and seccomp system calls; elsewhere only the
resource limits apply.
"""

import contextlib
import ctypes
import os
import resource
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from intelli.kit import landlock, seccomp
from intelli.kit.landlock import AllowedPaths
from intelli.kit.libc import libc
from intelli.kit.seccomp import Policy

__all__ = [
    "AllowedPaths",
    "Policy",
    "adopt_orphans",
    "close_files",
    "confine",
    "die_with",
    "libraries",
    "limit",
    "loaders",
    "missing",
    "prepare",
]

_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 36, 38
_CAPABILITY_VERSION_3 = 0x20080522
_MOST_FILES = 64
_NO_CORE = 1  # not 0: only 1 keeps a core dump collector of the system from being run
# Libraries and fonts that a task may need. Not all of /usr: user data may be below it.
_SYSTEM = (
    "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/opt/homebrew/lib", "/etc/ld.so.cache",
    "/etc/alternatives", "/etc/fonts", "/etc/localtime", "/usr/share/fonts", "/usr/share/X11/fonts",
    "/usr/share/fontconfig", "/usr/local/share/fonts", "/usr/share/zoneinfo", "/dev/zero", "/dev/urandom",
    "/proc/self", "/proc/meminfo", "/proc/cpuinfo", "/sys/devices/system/cpu",
)  # fmt: skip


class _Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


def die_with(parent_pid: int) -> None:
    """Have the kernel kill this process when its parent ends (Linux). Exit at once if the parent has ended already."""
    if sys.platform == "linux":
        libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent_pid:
        os._exit(1)


def prepare(*policies: Policy) -> None:
    """Probe the kernel and compile the filters of the policies, once before many processes are forked."""
    if not missing():
        for policy in policies:
            seccomp.build_filter(policy)


def adopt_orphans() -> None:
    """Become the parent of processes that a child leaves behind (Linux), so that they can be waited for."""
    if sys.platform == "linux":
        libc().prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def close_files(keep: Sequence[int]) -> None:
    """Close every descriptor but these and the three standard ones: each gives access to something.

    Call it before `limit`.
    """
    first = 3
    for number in sorted(each for each in keep if each >= first):
        os.closerange(first, number)
        first = number + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


def limit(*, cpu_s: int, wall_s: float, output_bytes: int, memory_bytes: int | None = None) -> None:
    """Limit CPU time, wall time, size and number of files, and memory beyond what is in use now."""
    if memory_bytes is not None:
        _set_limit(resource.RLIMIT_AS, _address_space() + memory_bytes)
    _set_limit(resource.RLIMIT_CPU, cpu_s, cpu_s + 5)
    _set_limit(resource.RLIMIT_FSIZE, output_bytes)
    _set_limit(resource.RLIMIT_CORE, _NO_CORE)
    _set_limit(resource.RLIMIT_NOFILE, _MOST_FILES)
    # The waiting process enforces the wall time; this timer is a fallback for the case that it cannot.
    signal.setitimer(signal.ITIMER_REAL, wall_s + 10)


def confine(reach: AllowedPaths, policy: Policy = Policy()) -> None:
    """Restrict this single-threaded process to these paths and this policy, as far as the kernel can."""
    if sys.platform != "linux":
        return
    libc().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    landlock.restrict(reach)
    if not seccomp.is_available():
        libc().unshare(
            _CLONE_NEWUSER | _CLONE_NEWNET
        )  # the next best: no network, though Unix sockets with a path remain
    _drop_capabilities()
    seccomp.restrict(policy)


def missing() -> list[str]:
    """List what a confined process could still do on this kernel but should not; empty when nothing is missing."""
    found = []
    if not landlock.version():
        found.append("open other files of this user (the kernel has no Landlock)")
    if not seccomp.is_available():
        found.append("open sockets and start processes (the kernel does not filter system calls)")
    return found


def libraries() -> list[str]:
    """Return the paths of code and fonts, ours and the system's."""
    return [*_SYSTEM, *(part for part in sys.path if part)]


def loaders() -> list[str]:
    """Return the paths of the dynamic loaders, which the kernel needs to start a dynamically linked program."""
    return [str(path) for pattern in ("lib*/ld-linux*", "lib/ld-musl*") for path in Path("/").glob(pattern)]


def _drop_capabilities() -> None:
    """Drop all capabilities, also of root: it keeps the ownership of files, which Landlock restricts."""
    nothing = (ctypes.c_uint32 * 6)()
    libc().capset(ctypes.byref(_Header(_CAPABILITY_VERSION_3, 0)), nothing)


def _set_limit(kind: int, soft: int, hard: int | None = None) -> None:
    """Set a resource limit, but never above the current hard limit."""
    _, ceiling = resource.getrlimit(kind)
    hard = soft if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (soft, hard))


def _address_space() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 1 << 30
