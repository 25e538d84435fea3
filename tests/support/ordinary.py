"""Runs a command as an ordinary user, also from a run of tests that root started.

Root's interpreter may lie where nobody else may enter. Then the command sees it through a view of the file system of
its own; nothing outside of that is changed.
"""

import ctypes
import os
import pwd
import stat
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

USER = "nobody"
_CLONE_NEWNS = 0x00020000
_MS_BIND, _MS_REC, _MS_PRIVATE = 0x1000, 0x4000, 0x40000


def run(command: Sequence[str], *, said: str = "", timeout_s: float = 120) -> subprocess.CompletedProcess[str]:
    """Run a command as an ordinary user: as ourselves if we are one, else as `nobody`."""
    launch = [] if os.geteuid() else [sys.executable, __file__]
    return subprocess.run(
        [*launch, *command], input=said, capture_output=True, text=True, timeout=timeout_s, check=False, cwd="/"
    )


@cache
def can_run() -> bool:
    """Whether there is a way to be an ordinary user here."""
    return bool(os.geteuid()) or run([sys.executable, "-c", ""]).returncode == 0


def give(path: Path) -> Path:
    """Make a file or directory the ordinary user's."""
    if os.geteuid() == 0:
        os.chown(path, pwd.getpwnam(USER).pw_uid, -1)
    return path


def main(command: list[str]) -> None:
    """The launcher, as root."""
    closed = [place for place in _parents() if not stat.S_IMODE(place.stat().st_mode) & stat.S_IXOTH]
    if closed:
        _show(Path(sys.base_prefix), below=closed[0])
    account = pwd.getpwnam(USER)
    os.setgroups([])
    os.setgid(account.pw_gid)
    os.setuid(account.pw_uid)
    os.execve(command[0], command, {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"})


def _parents() -> list[Path]:
    return list(reversed(Path(sys.base_prefix).resolve().parents))


def _show(tree: Path, *, below: Path) -> None:
    """Put an open directory with nothing but this tree in the place of a closed one, for this process alone."""
    libc = ctypes.CDLL(None, use_errno=True)
    aside = tempfile.mkdtemp()
    steps = (
        lambda: libc.unshare(_CLONE_NEWNS),
        lambda: libc.mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None),
        lambda: libc.mount(bytes(tree), aside.encode(), None, _MS_BIND | _MS_REC, None),
        lambda: libc.mount(b"tmpfs", bytes(below), b"tmpfs", 0, b"mode=755"),
        lambda: tree.mkdir(parents=True),
        lambda: libc.mount(aside.encode(), bytes(tree), None, _MS_BIND | _MS_REC, None),
    )
    for step in steps:
        if step():
            sys.exit("There is no way to be an ordinary user here.")


if __name__ == "__main__":
    main(sys.argv[1:])
