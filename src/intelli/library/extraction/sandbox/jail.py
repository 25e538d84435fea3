"""Takes from a process what it does not need: memory, time, files, the network. What the kernel lacks is left out."""

import contextlib
import ctypes
import os
import resource
import signal
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
# The same numbers on every architecture that Landlock knows.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_TCP = 0b11
_SCOPES = 0b11
_SYSTEM = (
    "/usr", "/lib", "/lib64", "/bin", "/sbin", "/opt/homebrew", "/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts",
    "/etc/localtime", "/dev/null", "/dev/zero", "/dev/urandom", "/proc/self", "/proc/meminfo", "/proc/cpuinfo",
    "/sys/devices/system/cpu",
)  # fmt: skip


def die_with(parent_pid: int) -> None:
    """Be killed when the parent is, where the kernel can do that."""
    if sys.platform == "linux":
        _libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent_pid:
        os._exit(1)


def limit(*, memory_bytes: int, cpu_s: int, wall_s: float, output_bytes: int) -> None:
    """Bound memory beyond what is in use now, computing time, wall time, size of files, and their number."""
    _cap(resource.RLIMIT_AS, _address_space() + memory_bytes)
    _cap(resource.RLIMIT_CPU, cpu_s, cpu_s + 5)
    _cap(resource.RLIMIT_FSIZE, output_bytes)
    _cap(resource.RLIMIT_CORE, 0)
    _cap(resource.RLIMIT_NOFILE, 64)
    # The zygote keeps the time; this is for the day it cannot.
    signal.setitimer(signal.ITIMER_REAL, wall_s + 10)


def confine(*, read: Iterable[Path], write: Path) -> None:
    """No network, and no files but these, as far as the kernel allows."""
    if sys.platform != "linux":
        return
    libc = _libc()
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET)
    with contextlib.suppress(OSError):
        _landlock(libc, [*_SYSTEM, sys.prefix, sys.base_prefix, *(part for part in sys.path if part), *read], write)


def can_confine() -> bool:
    """Whether the kernel can keep a process from files."""
    return sys.platform == "linux" and bool(_libc().syscall(_CREATE_RULESET, None, 0, 1) > 0)


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


def _landlock(libc: ctypes.CDLL, read: Iterable[str | Path], write: Path) -> None:
    """Let only these trees be reached. Raises OSError where the kernel has no Landlock."""
    version = libc.syscall(_CREATE_RULESET, None, 0, 1)
    if version < 1:
        raise OSError(ctypes.get_errno(), "no Landlock")
    everything = (1 << min(12 + version, 16)) - 1
    wanted = struct.pack("QQQ", everything, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    ruleset = libc.syscall(_CREATE_RULESET, wanted, 8 if version < 4 else 16 if version < 6 else 24, 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "no Landlock")
    try:
        for path in read:
            _allow(libc, ruleset, path, _READ & everything)
        _allow(libc, ruleset, write, everything)
        _allow(libc, ruleset, "/dev/null", _ON_FILES & everything)
        libc.syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str | Path, access: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        mask = access if Path(path).is_dir() else access & _ON_FILES
        libc.syscall(_ADD_RULE, ruleset, 1, struct.pack("=Qi", mask, place), 0)
    finally:
        os.close(place)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
