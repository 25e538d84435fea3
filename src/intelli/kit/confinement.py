"""Takes from a process that handles strangers' data what it does not need: files, sockets, processes, memory, time.

Whoever is confined was forked or started for one task; there is no way back. What the kernel lacks is left out, and
`missing()` names it. On Linux, Landlock keeps the files and seccomp the system calls; elsewhere the limits remain.
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
_NO_CORE = 1  # not 0: a system's collector of core dumps is kept away by 1 alone
# What libraries and fonts a task may come to need. Not all of /usr: someone's data may lie below it.
_SYSTEM = (
    "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/opt/homebrew/lib", "/etc/ld.so.cache",
    "/etc/alternatives", "/etc/fonts", "/etc/localtime", "/usr/share/fonts", "/usr/share/X11/fonts",
    "/usr/share/fontconfig", "/usr/local/share/fonts", "/usr/share/zoneinfo", "/dev/zero", "/dev/urandom",
    "/proc/self", "/proc/meminfo", "/proc/cpuinfo", "/sys/devices/system/cpu",
)  # fmt: skip


class _Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


def die_with(parent_pid: int) -> None:
    """Be killed when the parent is, where the kernel can do that."""
    if sys.platform == "linux":
        libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent_pid:
        os._exit(1)


def prepare(*policies: Policy) -> None:
    """Look once at what the kernel offers, and make the filters of policies, before many processes are forked."""
    if not missing():
        for policy in policies:
            seccomp.prepared(policy)


def adopt_orphans() -> None:
    """Become the parent of processes that a child leaves behind, so that they can be waited for."""
    if sys.platform == "linux":
        libc().prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def close_files(keep: Sequence[int]) -> None:
    """Close every descriptor but these and the three standard ones: each is a way to something. Before `limit`."""
    first = 3
    for number in sorted(each for each in keep if each >= first):
        os.closerange(first, number)
        first = number + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


def limit(*, cpu_s: int, wall_s: float, output_bytes: int, memory_bytes: int | None = None) -> None:
    """Bound computing time, wall time, size and number of files, and memory beyond what is in use now."""
    if memory_bytes is not None:
        _cap(resource.RLIMIT_AS, _address_space() + memory_bytes)
    _cap(resource.RLIMIT_CPU, cpu_s, cpu_s + 5)
    _cap(resource.RLIMIT_FSIZE, output_bytes)
    _cap(resource.RLIMIT_CORE, _NO_CORE)
    _cap(resource.RLIMIT_NOFILE, _MOST_FILES)
    # Whoever waits keeps the time; this is for the day they cannot.
    signal.setitimer(signal.ITIMER_REAL, wall_s + 10)


def confine(reach: AllowedPaths, policy: Policy = Policy()) -> None:
    """Keep this process, of one thread, to these files and this policy, as far as the kernel can."""
    if sys.platform != "linux":
        return
    libc().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    landlock.restrict(reach)
    if not seccomp.is_available():
        libc().unshare(_CLONE_NEWUSER | _CLONE_NEWNET)  # the next best: no network, though sockets with a path
    _drop_capabilities()
    seccomp.restrict(policy)


def missing() -> list[str]:
    """What a confined process could still do here that it should not."""
    found = []
    if not landlock.version():
        found.append("open other files of this user (the kernel has no Landlock)")
    if not seccomp.is_available():
        found.append("open sockets and start processes (the kernel does not filter system calls)")
    return found


def libraries() -> list[str]:
    """Where code and fonts are, ours and the system's."""
    return [*_SYSTEM, *(part for part in sys.path if part)]


def loaders() -> list[str]:
    """What the kernel needs to start a program that is linked dynamically."""
    return [str(path) for pattern in ("lib*/ld-linux*", "lib/ld-musl*") for path in Path("/").glob(pattern)]


def _drop_capabilities() -> None:
    """As root too: what is left of it is the ownership of files, which Landlock keeps."""
    nothing = (ctypes.c_uint32 * 6)()
    libc().capset(ctypes.byref(_Header(_CAPABILITY_VERSION_3, 0)), nothing)


def _cap(kind: int, soft: int, hard: int | None = None) -> None:
    """Lower a limit, never above the hard one that is in force already."""
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
