"""A reader that was taken over: loaded in the place of the child step, it tries every way out of the jail.

Run as a program it reads a file by the real extractor, with itself inside, and prints what it found open.
"""

import asyncio
import ctypes
import fcntl
import json
import mmap
import os
import platform
import resource
import signal
import socket
import sys
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path

from intelli.library import prepared_text
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Extraction, Unreadable
from intelli.library.extraction.sandbox import Caps, ChildStep, Extractor, link

Attempt = Callable[[], object]
_RESULT_FD = 3
# Numbers on x86_64. A call that does not exist is refused as well, so these are tried outside of the jail too.
_RAW = {
    "ptrace": (101, 16), "process_vm_readv": (310,), "process_vm_writev": (311,), "pidfd_open": (434, 1, 0),
    "pidfd_getfd": (438, 0, 0, 0), "pidfd_send_signal": (424, 0, 0, 0, 0), "io_uring_setup": (425, 8, 0),
    "userfaultfd": (323, 1), "perf_event_open": (298, 0, 0, -1, -1, 0), "bpf": (321, 0, 0, 0),
    "keyctl": (250, 0, -3, 0), "add_key": (248, 0, 0, 0, 0, 0), "mount": (165, 0, 0, 0, 0, 0),
    "unshare": (272, 268435456), "setns": (308, 0, 0), "chroot": (161, 0), "open_by_handle_at": (304, -1, 0, 0),
    "name_to_handle_at": (303, -1, 0, 0, 0, 0), "kexec_load": (246, 0, 0, 0, 0), "init_module": (175, 0, 0, 0),
    "inotify_init": (294, 0), "fanotify_init": (300, 0, 0), "memfd_create": (319, 0, 0), "shmget": (29, 0, 4096, 896),
    "msgget": (68, 0, 896), "semget": (64, 0, 1, 896), "mq_open": (240, 0, 0, 0, 0), "seccomp": (317, 2, 0, 0),
    "personality": (135, 0), "setsid": (112,), "setpgid": (109, 0, 0), "clone3": (435, 0, 0),
    "sched_setaffinity": (203, 0, 0, 0), "syslog": (103, 10, 0, 0), "landlock": (444, 0, 0, 1),
    "kcmp": (312, 1, 1, 0, 0, 0), "sync": (162,),
}  # fmt: skip


def prepare() -> None:
    """Nothing takes a moment."""


def dump(extraction: Extraction, *, mode: str, told: dict[str, str]) -> bytes:
    """What a taken-over child leaves."""
    return _MODES[mode](extraction, told)


def _report(extraction: Extraction, told: dict[str, str]) -> bytes:
    return json.dumps(attempts(told)).encode()


def _other_abi(*_: object) -> bytes:
    ctypes.CDLL(None).syscall(0x40000000 + 39)
    return b"survived"


def _sleep(*_: object) -> bytes:
    while True:
        time.sleep(60)


def _garbage(*_: object) -> bytes:
    return b'{"bytes": [1e999, 0, 0]}\n'


def _bomb(*_: object) -> bytes:
    return b"[" * 3_000_000


_MODES = {"report": _report, "other abi": _other_abi, "sleep": _sleep, "garbage": _garbage, "bomb": _bomb}


def attempts(told: dict[str, str]) -> dict[str, str]:
    """Every attempt by its name: "open", or what it was refused with."""
    tried = {**_sockets(told), **_files(told), **_changes(told), **_processes(told), **_calls(), **_leftovers()}
    return {name: _outcome(attempt) for name, attempt in tried.items()}


def _outcome(attempt: Attempt) -> str:
    try:
        attempt()
    except (OSError, RuntimeError, ValueError) as error:
        return f"{type(error).__name__} {error}"
    return "open"


def _sockets(told: dict[str, str]) -> dict[str, Attempt]:
    def any_family() -> None:
        opened = []
        for family in range(64):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
                try:
                    opened.append(socket.socket(family, kind))
                except OSError:
                    continue
        if not opened:
            raise OSError("no family")

    def database() -> None:
        with socket.socket(socket.AF_UNIX) as stream:
            stream.connect(told["database"])

    return {"socket of any family": any_family, "database": database, "socket pair": socket.socketpair}


def _files(told: dict[str, str]) -> dict[str, Attempt]:
    def reopened() -> bytes:
        handle = os.open(told["secret"], os.O_PATH)
        try:
            return Path(f"/proc/self/fd/{handle}").read_bytes()
        finally:
            os.close(handle)

    read = ["/etc/passwd", "/etc/hosts", told["secret"], "/proc/self/root/etc/passwd", "/proc/1/environ"]
    read += [f"/proc/{told['server']}/{name}" for name in ("environ", "mem", "maps", "cmdline")]
    listed = ["/", "/tmp", "/proc", told["data"], f"/proc/{told['server']}/fd"]
    return {
        **{f"read {path}": (lambda path=path: _first(path)) for path in read},
        **{f"list {path}": (lambda path=path: list(Path(path).iterdir())) for path in listed},
        "reopen by descriptor": reopened,
    }


def _first(path: str) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(1) if not path.endswith("mem") else os.pread(file.fileno(), 1, 0x400000)


def _changes(told: dict[str, str]) -> dict[str, Attempt]:
    secret, given = told["secret"], told["given"]
    return {
        "symbolic link": lambda: Path("link").symlink_to(secret),
        "hard link": lambda: Path("hard").hardlink_to(given),
        "pipe with a name": lambda: os.mkfifo("fifo"),
        "new file": lambda: Path("new").write_bytes(b""),
        "new folder": lambda: Path("folder").mkdir(),
        "file in /tmp": lambda: Path(f"/tmp/jail-{os.getpid()}").write_bytes(b""),
        "file in /dev/shm": lambda: Path(f"/dev/shm/jail-{os.getpid()}").write_bytes(b""),
        "replace the result": lambda: Path("stderr").replace("result"),
        "remove the result": lambda: Path("result").unlink(),
        "write to the given file": lambda: Path(given).open("ab").close(),
        "truncate the given file": lambda: os.truncate(given, 0),
        "mode of the folder": lambda: Path().chmod(0o777),
        "mode of the secret": lambda: Path(secret).chmod(0o644),
        "owner": lambda: os.chown(given, -1, os.getgid()),
        "times": lambda: os.utime(given),
        "attribute": lambda: os.setxattr(given, "user.x", b"x"),
        "huge result": lambda: os.ftruncate(_RESULT_FD, 1 << 40),
        "more memory": lambda: resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2),
        "larger files": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 60,) * 2),
        "memory shared by name": lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), 4096),
    }


def _processes(told: dict[str, str]) -> dict[str, Attempt]:
    def thread() -> None:
        running = threading.Thread(target=lambda: None)
        running.start()
        running.join()

    others = {name: int(told[name]) for name in ("server", "init")} | {"parent": os.getppid()}
    return {
        **{f"signal to {name}": (lambda pid=pid: os.kill(pid, 0)) for name, pid in others.items()},
        "signal to all": lambda: os.kill(-1, 0),
        "signal to the group": lambda: os.kill(0, 0),
        "signal by a file": lambda: fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid()),
        "fork": lambda: os.fork() or os._exit(0),
        "thread": thread,
        "program": lambda: os.execv("/bin/true", ["true"]),
        "spawn": lambda: os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0),
        "limits of another": lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CORE, (0, 0)),
        "priority of another": lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19),
        "outlive the parent": lambda: _checked(ctypes.CDLL(None, use_errno=True).prctl(1, 0, 0, 0, 0)),
        "typing into a terminal": lambda: fcntl.ioctl(0, termios.TIOCSTI, b"x"),
    }


def _calls() -> dict[str, Attempt]:
    if platform.machine() != "x86_64":
        return {}
    libc = ctypes.CDLL(None, use_errno=True)

    def call(numbers: tuple[int, ...]) -> Attempt:
        def attempt() -> None:
            ctypes.set_errno(0)
            if libc.syscall(*map(ctypes.c_long, numbers)) < 0 and ctypes.get_errno() == 38:
                raise OSError("no such call")

        return attempt

    return {f"call {name}": call(numbers) for name, numbers in _RAW.items()}


def _checked(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


def _leftovers() -> dict[str, Attempt]:
    def descriptors() -> None:
        own = ("pipe:", "/proc/", "/dev/null", str(Path.cwd()))
        links = [str(each.readlink()) for each in Path("/proc/self/fd").iterdir() if each.is_symlink()]
        if all(each.startswith(own) for each in links):
            raise OSError("none but its own")

    def secrets() -> None:
        if not any(name.startswith(("INTELLI", "PG")) for name in os.environ):
            raise OSError("no variable of ours")

    return {"descriptor of another": descriptors, "variable of ours": secrets}


async def main(mode: str, given: Path, secret: Path, database: str) -> None:
    """Have a file read with this module inside."""
    # The zygote finds no code but the installed: it is told where this is.
    link._ENVIRONMENT["PYTHONPATH"] = str(Path(__file__).parents[3])
    told = {"secret": str(secret), "data": str(secret.parent), "database": database, "given": str(given)}
    told |= {"server": str(os.getpid()), "init": "1"}
    if mode == "free":
        tried = {**_files(told), **_calls()}
        sys.stdout.write(json.dumps({name: _outcome(attempt) for name, attempt in tried.items()}))
        return
    extractor = Extractor(Limits(ocr_s=0), Caps(wall_s=1)) if mode == "sleep" else Extractor(Limits(), Caps())
    collect = bytes.decode if mode == "report" else prepared_text.collect
    step = ChildStep("tests.library.extraction.attacker", collect, {"mode": mode, "told": told})
    try:
        sys.stdout.write(str(await extractor.prepare(given, name=given.name, step=step)))
    except Unreadable as refused:
        sys.stdout.write(json.dumps({"refusal": refused.refusal, "reason": refused.reason}))
    finally:
        await extractor.close()


if __name__ == "__main__":
    signal.alarm(120)
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]))
