"""Seccomp filter: a process keeps the system calls for computing and reading files, and loses all others for good.

It is an allow list, so that a call which nobody thought of is refused: sockets, new processes, signals to other
processes, tracing, namespaces, links, changes of owner or mode, and whatever a later kernel adds.
"""

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from intelli.kit.libc import libc

_PR_SET_NO_NEW_PRIVS = 38
_SET_MODE_FILTER, _GET_ACTION_AVAIL = 1, 2
_ALLOW, _KILL_PROCESS = 0x7FFF0000, 0x80000000
# ENOSYS: the C library then falls back to another call, where EPERM would make it fail.
_REFUSE = 0x00050000 | 38
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_OTHER_ABI = 0x40000000  # x32 on x86_64; no call of another architecture has such a number

_CLONE_THREAD = 0x00010000
_NEW_NAMESPACES = 0x7E020080
_AF_UNIX = 1
# Operations on its own descriptors. Without F_SETOWN no other process can be sent a signal.
_FCNTL = (0, 1, 2, 3, 4, 5, 6, 7, 1030)
_IOCTL = (0x5401, 0x541B, 0x5421, 0x5450, 0x5451)  # is it a terminal, how much is there, flags of the descriptor
_PRCTL = (3, 15, 16, 0x53564D41)  # names of threads and of memory
_PRCTL_OF_FORKS = (1, 38)  # to end with its parent, and to filter what it starts

# The numbers on x86_64 and aarch64; None where an architecture has only the newer form of the call.
_Numbers = Mapping[str, tuple[int | None, int | None]]
_CALLS: _Numbers = {
    # files that are open, or that Landlock lets be opened
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67), "pwrite64": (18, 68),
    "preadv": (295, 69), "pwritev": (296, 70), "preadv2": (327, 286), "lseek": (8, 62), "open": (2, None),
    "openat": (257, 56), "close": (3, 57), "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None),
    "dup3": (292, 24), "stat": (4, None), "fstat": (5, 80), "lstat": (6, None), "newfstatat": (262, 79),
    "statx": (332, 291), "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439),
    "readlink": (89, None), "readlinkat": (267, 78), "getdents": (78, None), "getdents64": (217, 61),
    "getcwd": (79, 17), "statfs": (137, 43), "fstatfs": (138, 44), "ftruncate": (77, 46), "fadvise64": (221, 223),
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72), "umask": (95, 166),
    # memory
    "brk": (12, 214), "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226), "mremap": (25, 216),
    "madvise": (28, 233), "mincore": (27, 232), "membarrier": (324, 283),
    # its own signals and the end
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigtimedwait": (128, 137),
    "sigaltstack": (131, 132), "restart_syscall": (219, 128), "exit": (60, 93), "exit_group": (231, 94),
    # who it is, and its limits
    "getpid": (39, 172), "gettid": (186, 178), "getppid": (110, 173), "getpgrp": (111, None), "getpgid": (121, 155),
    "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "getresuid": (118, 148), "getresgid": (120, 150), "getrlimit": (97, 163), "setrlimit": (160, 164),
    "getrusage": (98, 165), "sysinfo": (99, 179), "uname": (63, 160), "capget": (125, 90), "getrandom": (318, 278),
    # time and waiting
    "futex": (202, 98), "set_robust_list": (273, 99), "set_tid_address": (218, 96), "rseq": (334, 293),
    "arch_prctl": (158, None), "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "getcpu": (309, 168),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115),
    "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153), "nanosleep": (35, 101), "alarm": (37, None),
    "setitimer": (38, 103), "getitimer": (36, 102),
}  # fmt: skip
_OF_THREADS: _Numbers = {
    "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22),
    "eventfd2": (290, 19), "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126),
}  # fmt: skip
_OF_FORKS: _Numbers = {
    "pipe": (22, None), "pipe2": (293, 59), "fork": (57, None), "vfork": (58, None), "wait4": (61, 260),
    "waitid": (247, 95), "seccomp": (317, 277),
}  # fmt: skip
_OF_PROGRAMS: _Numbers = {"execve": (59, 221)}
_CHECKED_CALLS: _Numbers = {
    "fcntl": (72, 25), "ioctl": (16, 29), "prctl": (157, 167), "kill": (62, 129), "tgkill": (234, 131),
    "prlimit64": (302, 261), "clone": (56, 220), "socketpair": (53, 199),
}  # fmt: skip
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_SECCOMP = {"x86_64": 317, "aarch64": 277}

Instruction = tuple[int, int, int, int]
_INSTRUCTION, _VALUE = struct.Struct("=HBBI"), struct.Struct("=I")
_OWN_PID = 0xFEEDF00D  # placeholder in a filter for the pid of the process; no process has such a number


@dataclass(frozen=True, slots=True)
class Policy:
    """Permissions beyond computing: start threads, fork processes that inherit the filter, execute programs."""

    threads: bool = False
    forks: bool = False
    programs: bool = False


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


@cache
def is_available() -> bool:
    """Return True when the kernel supports seccomp filters, on an architecture whose call numbers we have."""
    if sys.platform != "linux" or platform.machine() not in _ARCHITECTURES:
        return False
    action = ctypes.c_uint32(_REFUSE & 0xFFFF0000)
    return bool(_call(_GET_ACTION_AVAIL, ctypes.byref(action)) == 0)


def restrict(policy: Policy) -> bool:
    """Apply a policy to this thread and all that it starts, irrevocably. Return False where the kernel cannot.

    Call it before other threads are started: they would stay unrestricted.
    """
    if not is_available():
        return False
    packed = build_filter(policy).replace(_VALUE.pack(_OWN_PID), _VALUE.pack(os.getpid()))
    program = _Program(len(packed) // _INSTRUCTION.size, packed)
    libc().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    return bool(_call(_SET_MODE_FILTER, ctypes.byref(program)) == 0)


@cache
def build_filter(policy: Policy) -> bytes:
    """Compile the filter, with a placeholder for the pid. Cached, so that it is built once before many forks."""
    return b"".join(_INSTRUCTION.pack(*each) for each in _instructions(policy))


def _instructions(policy: Policy) -> list[Instruction]:
    """Build the filter: a call of another ABI kills the process, a call that is on no list is refused."""
    column, architecture = _ARCHITECTURES[platform.machine()]
    extras = ((policy.threads, _OF_THREADS), (policy.forks, _OF_FORKS), (policy.programs, _OF_PROGRAMS))
    calls = {**_CALLS, **{name: each for wanted, more in extras if wanted for name, each in more.items()}}
    numbers = [number for each in calls.values() if (number := each[column]) is not None]
    allowed = [(_EQUAL, len(numbers) - at, 0, number) for at, number in enumerate(numbers)]
    return [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, 0, 1, _OTHER_ABI),
        (_RETURN, 0, 0, _KILL_PROCESS),
        *_argument_checks(policy, column),
        *allowed,
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _argument_checks(policy: Policy, column: int) -> Iterator[Instruction]:
    """Yield checks of calls whose arguments decide. Each block begins with the number of the call loaded."""
    checks = {
        "fcntl": _one_of(1, _FCNTL),
        "ioctl": _one_of(1, _IOCTL),
        "prctl": _one_of(0, (*_PRCTL, *(_PRCTL_OF_FORKS if policy.forks else ()))),
        "kill": _one_of(0, (_OWN_PID,)),
        "tgkill": _one_of(0, (_OWN_PID,)),
        "prlimit64": _one_of(0, (0, _OWN_PID)),
    }
    if policy.forks:
        checks["clone"] = _without(_NEW_NAMESPACES)
    elif policy.threads:
        checks["clone"] = _threads_only()
    if policy.threads:
        checks["socketpair"] = _one_of(0, (_AF_UNIX,))  # a pair of its own leads nowhere
    for name, check in checks.items():
        number = _CHECKED_CALLS[name][column]
        assert number is not None, "every architecture has these"
        yield (_EQUAL, 0, len(check), number)
        yield from check


def _one_of(argument: int, values: Sequence[int]) -> list[Instruction]:
    return [
        (_LOAD, 0, 0, _ARGUMENTS_AT + 8 * argument),
        *((_EQUAL, len(values) - at, 0, value) for at, value in enumerate(values)),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _without(bits: int) -> list[Instruction]:
    return [
        (_LOAD, 0, 0, _ARGUMENTS_AT),
        (_ANY_BIT, 0, 1, bits),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _threads_only() -> list[Instruction]:
    return [
        (_LOAD, 0, 0, _ARGUMENTS_AT),
        (_ANY_BIT, 1, 0, _NEW_NAMESPACES),
        (_ANY_BIT, 1, 0, _CLONE_THREAD),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _call(operation: int, argument: object) -> int:
    return int(libc().syscall(_SECCOMP[platform.machine()], operation, 0, argument))
