"""Landlock: the kernel limits a process to named paths, and blocks signals and abstract sockets to others."""

import os
import struct
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from intelli.kit.libc import libc

_PR_SET_NO_NEW_PRIVS = 38
# The same numbers on every architecture that Landlock knows.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION, _BENEATH = 1, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
# Number of file rights in each version; asking for one more is an error, and nothing would be protected.
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_TCP_SINCE, _SCOPES_SINCE = 4, 6
_TCP, _SCOPES = 0b11, 0b11


@dataclass(frozen=True, slots=True)
class AllowedPaths:
    """Accessible paths: trees to read, a folder whose files may be changed but not created, programs to run."""

    read: Sequence[str | Path] = ()
    write: Path | None = None
    run: Sequence[str | Path] = ()


@cache
def version() -> int:
    """Return the Landlock version of the kernel; 0 for none."""
    if sys.platform != "linux":
        return 0
    return max(int(libc().syscall(_CREATE_RULESET, None, 0, _VERSION)), 0)


def restrict(allowed: AllowedPaths) -> bool:
    """Limit this thread and all that it starts to these paths, irrevocably. Return False where the kernel cannot."""
    offered = version()
    if not offered:
        return False
    system = libc()
    rights, wanted = ruleset(offered)
    handle = system.syscall(_CREATE_RULESET, wanted, len(wanted), 0)
    if handle < 0:
        return False
    try:
        _allow(handle, allowed.read, (_READ_FILE | _READ_DIR) & rights)
        _allow(handle, allowed.run, (_EXECUTE | _READ_FILE) & rights)
        _allow(handle, ["/dev/null"], (_READ_FILE | _WRITE_FILE | _TRUNCATE) & rights)
        if allowed.write is not None:
            _allow(handle, [allowed.write], (_READ_FILE | _READ_DIR | _WRITE_FILE | _TRUNCATE) & rights)
        system.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        return bool(system.syscall(_RESTRICT_SELF, handle, 0) == 0)
    finally:
        os.close(handle)


def ruleset(offered: int) -> tuple[int, bytes]:
    """Return the file rights that a version controls, and the ruleset request that denies all that it controls."""
    rights = (1 << _FILE_RIGHTS.get(offered, max(_FILE_RIGHTS.values()))) - 1
    parts = [rights]
    if offered >= _TCP_SINCE:
        parts.append(_TCP)
    if offered >= _SCOPES_SINCE:
        parts.append(_SCOPES)
    return rights, struct.pack(f"={len(parts)}Q", *parts)


def _allow(handle: int, paths: Iterable[str | Path], rights: int) -> None:
    for path in paths:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue  # a missing path needs no rule
        try:
            mask = rights if Path(path).is_dir() else rights & _ON_FILES
            libc().syscall(_ADD_RULE, handle, _BENEATH, struct.pack("=Qi", mask, place), 0)
        finally:
            os.close(place)
