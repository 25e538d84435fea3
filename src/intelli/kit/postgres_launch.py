"""Launcher that executes a PostgreSQL program as the right user, with no more rights than it needs for its files.

It runs as a file in a bare interpreter: it imports nothing of ours, and the program keeps its process id.
"""

import ctypes
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

_PR_SET_PDEATHSIG, _PR_SET_KEEPCAPS, _PR_SET_SECUREBITS = 1, 8, 28
_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE = 47, 2
_NO_SETUID_FIXUP = 1 << 2
_DAC_OVERRIDE, _DAC_READ_SEARCH, _SETPCAP = 1, 2, 8
_CAPABILITY_VERSION_3 = 0x20080522


def build_command(
    program: Sequence[str], *, account: tuple[int, int] | None, reach: Sequence[Path], parent_pid: int | None
) -> list[str]:
    """Build the command to run `program` as `account` (uid, gid), with access to `reach`, until `parent_pid` dies."""
    order = {"account": account, "reach": [str(path) for path in reach], "parent_pid": parent_pid}
    return [sys.executable, "-I", "-S", __file__, json.dumps(order), *program]


def main(order: str, program: list[str]) -> None:
    """Drop root, tie the process to its parent, and execute the program in its place."""
    wanted = json.loads(order)
    os.chdir("/")
    if wanted["account"]:
        _change_user(*wanted["account"], reach=[program[0], *wanted["reach"]])
    # After the change of user, which would clear it.
    if wanted["parent_pid"] and sys.platform == "linux":
        _die_with(wanted["parent_pid"])
    os.execv(program[0], program)  # noqa: S606  # no shell is meant: the arguments are ours


def _change_user(uid: int, gid: int, *, reach: list[str]) -> None:
    if sys.platform == "linux":
        _prctl(_PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)
    if sys.platform != "linux":
        return
    if _is_within_reach(reach):
        _set_capabilities(0, permitted=0)
        return
    _keep_access_to(reach)


def _keep_access_to(reach: list[str]) -> None:
    """Keep one capability to pass directories that only root may enter: CAP_DAC_READ_SEARCH, else CAP_DAC_OVERRIDE."""
    permitted = _permitted_capabilities()
    for capability in (_DAC_READ_SEARCH, _DAC_OVERRIDE):
        bit = 1 << capability
        if not permitted & bit:
            continue
        _set_capabilities(bit | permitted & (1 << _SETPCAP), permitted=permitted)
        # Without this bit access(2), with which PostgreSQL looks for its own programs, ignores the capability.
        _prctl(_PR_SET_SECUREBITS, _NO_SETUID_FIXUP)
        if _is_within_reach(reach):
            _set_capabilities(bit, permitted=bit)
            _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, capability)
            return
    closed = ", ".join(path for path in reach if not os.access(path, os.X_OK))
    sys.exit(
        f"The user {os.getuid()}, as whom PostgreSQL must run because it refuses root, cannot enter: {closed}. "
        "Start Intelli as a normal user, or use a data directory whose parents everyone may traverse (mode o+x)."
    )


def _is_within_reach(paths: list[str]) -> bool:
    return all(os.access(path, os.X_OK) for path in paths)


def _die_with(parent_pid: int) -> None:
    _prctl(_PR_SET_PDEATHSIG, signal.SIGINT)
    if os.getppid() != parent_pid:
        sys.exit("The process that asked for PostgreSQL ended before it was started.")


class _Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _Sets(ctypes.Structure):
    _fields_ = [("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32)]


def _set_capabilities(effective: int, *, permitted: int) -> None:
    low = 0xFFFFFFFF
    sets = (_Sets * 2)(
        _Sets(effective & low, permitted & low, effective & low),
        _Sets(effective >> 32, permitted >> 32, effective >> 32),
    )
    if _libc().capset(ctypes.byref(_Header(_CAPABILITY_VERSION_3, 0)), sets):
        raise OSError(ctypes.get_errno(), "capset")


def _permitted_capabilities() -> int:
    sets = (_Sets * 2)()
    if _libc().capget(ctypes.byref(_Header(_CAPABILITY_VERSION_3, 0)), sets):
        raise OSError(ctypes.get_errno(), "capget")
    return int(sets[0].permitted | sets[1].permitted << 32)


def _prctl(option: int, *arguments: int) -> None:
    padded = (*arguments, 0, 0, 0, 0)[:4]
    _libc().prctl(option, *(ctypes.c_ulong(argument) for argument in padded))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
