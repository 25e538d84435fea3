"""The zygote: a process with the parsers loaded, that forks one child for each order and tells how it ended.

It has one thread, ends when the extractor's side of its socket closes, and takes its children along.
"""

import contextlib
import fcntl
import gc
import importlib
import mimetypes
import os
import selectors
import shutil
import signal
import socket
import sys
import termios
import time
from dataclasses import asdict, dataclass

from intelli.kit import confinement
from intelli.kit.confinement import Policy
from intelli.library.extraction import tesseract
from intelli.library.extraction.sandbox import child
from intelli.library.extraction.sandbox.orders import READING, ChildEnd, ChildExit, ChildOrder, MessageLines, line

_READERS = ("readers", "pdf", "image", "render")
# What those load when they come to need it: each child would do so anew.
_LATE = (
    "encodings.utf_16_le",
    "numpy.ma",
    "python_calamine",
    *(f"PIL.{name}ImagePlugin" for name in ("Bmp", "Gif", "Jpeg", "Png", "Ppm", "Tiff", "WebP")),
)
_RECEIVE_BYTES = 1 << 16


@dataclass(slots=True)
class _Running:
    """A child at work; `helper` is the process that runs programs for it, once it has asked through its pipes."""

    order: ChildOrder
    deadline: float
    pipes: "_Pipes | None" = None
    is_late: bool = False
    helper: int = 0


@dataclass(frozen=True, slots=True)
class _Pipes:
    """The two ways between a child and its helper: the ends of the one, and of the other."""

    asked: int
    asking: int
    hearing: int
    told: int

    @classmethod
    def make(cls) -> "_Pipes":
        asked, asking = os.pipe()
        hearing, told = os.pipe()
        return cls(asked, asking, hearing, told)


class Zygote:
    """Waits for orders, for children to end, and for the moment a child is late."""

    def __init__(self, extractor: socket.socket, root: str) -> None:
        self._extractor = extractor
        self._root = root
        self._lines = MessageLines()
        self._children: dict[int, _Running] = {}
        self._prepared = set[str]()
        self._bell, bell = socket.socketpair()
        for end in (self._bell, bell):
            end.setblocking(False)
        self._other_end = bell
        signal.set_wakeup_fd(bell.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._selector = selectors.DefaultSelector()
        self._selector.register(extractor, selectors.EVENT_READ)
        self._selector.register(self._bell, selectors.EVENT_READ)

    def serve(self) -> None:
        """Until the extractor is gone."""
        self._say({"ready": os.getpid()})
        while True:
            events = self._selector.select(self._patience())
            ready = {key.fileobj for key, _ in events}
            if self._bell in ready:
                with contextlib.suppress(BlockingIOError):
                    self._bell.recv(_RECEIVE_BYTES)
            self._bury()
            self._kill_late()
            for key, _ in events:
                if key.data is not None:
                    self._hear_child(key.data)
            if self._extractor in ready and not self._receive():
                return

    def end(self) -> None:
        """Kill what is running and remove what it left."""
        for pid, running in self._children.items():
            _kill(pid)
            if running.helper:
                _kill(running.helper)
        for pid in self._children:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
        shutil.rmtree(self._root, ignore_errors=True)

    def _receive(self) -> bool:
        try:
            data = self._extractor.recv(_RECEIVE_BYTES)
        except ConnectionError:
            return False
        for message in self._lines.feed(data):
            if isinstance(order := message.get("order"), dict):
                self._fork(ChildOrder.load(order))
            else:
                self._cancel(message.get("cancel"))
        return bool(data)

    def _fork(self, order: ChildOrder) -> None:
        self._prepare(order.module)
        own_pid = os.getpid()
        is_seeing = order.task in READING and order.limits.ocr_s > 0 and tesseract.find() is not None
        try:
            pipes = _Pipes.make() if is_seeing else None
            pid = os.fork()
        except OSError:
            self._tell(ChildEnd(order.number, code=ChildExit.MEMORY))
            return
        if pid == 0:
            self._become_child(order, own_pid, pipes)
        self._children[pid] = _Running(order, time.monotonic() + order.wall_s, pipes)
        if pipes is not None:
            os.close(pipes.asking)
            os.close(pipes.hearing)
            self._selector.register(pipes.asked, selectors.EVENT_READ, pid)

    def _hear_child(self, pid: int) -> None:
        """Start a helper for a child that asks for one; what it asks is for the helper to read."""
        running = self._children.get(pid)
        if running is None or running.pipes is None:
            return
        pipes = running.pipes
        own_pid = os.getpid()
        if _has_bytes(pipes.asked):
            with contextlib.suppress(OSError):
                running.helper = os.fork()
                if running.helper == 0:
                    self._become_helper(running.order, own_pid, pipes)
        self._let_go(running)

    def _let_go(self, running: _Running) -> None:
        """Close our ends of the pipes."""
        if running.pipes is not None:
            self._selector.unregister(running.pipes.asked)
            os.close(running.pipes.asked)
            os.close(running.pipes.told)
            running.pipes = None

    def _prepare(self, module: str) -> None:
        """Load what an order needs, for all that follow; when that fails, so will the child, and is told of."""
        if module and module not in self._prepared:
            self._prepared.add(module)
            with contextlib.suppress(Exception):
                importlib.import_module(module).prepare()
            gc.freeze()

    def _become_child(self, order: ChildOrder, parent_pid: int, pipes: _Pipes | None) -> None:
        code: int = ChildExit.FAILED
        try:
            self._forget_all()
            code = child.live(order, parent_pid, helper=(pipes.asking, pipes.hearing) if pipes else ())
        finally:
            # No exit handlers and no flushing: they belong to the zygote.
            os._exit(code)

    def _become_helper(self, order: ChildOrder, parent_pid: int, pipes: _Pipes) -> None:
        try:
            self._forget_all()
            child.assist(order, parent_pid, asked=pipes.asked, told=pipes.told)
        finally:
            os._exit(0)

    def _forget_all(self) -> None:
        """In a process that was forked: let go of what the zygote holds."""
        signal.set_wakeup_fd(-1)
        self._selector.close()
        for held in (self._extractor, self._bell, self._other_end):
            held.close()

    def _cancel(self, number: object) -> None:
        for pid, running in self._children.items():
            if running.order.number == number:
                _kill(pid)

    def _patience(self) -> float | None:
        deadlines = [running.deadline for running in self._children.values() if not running.is_late]
        return max(0.0, min(deadlines) - time.monotonic()) if deadlines else None

    def _kill_late(self) -> None:
        now = time.monotonic()
        for pid, running in self._children.items():
            if running.deadline <= now and not running.is_late:
                running.is_late = True
                _kill(pid)

    def _bury(self) -> None:
        for pid in list(self._children):
            ended, status, usage = os.wait4(pid, os.WNOHANG)
            if not ended:
                continue
            _kill_group(pid)  # what the child has started itself, where it can
            running = self._children.pop(pid)
            self._let_go(running)
            if running.helper:
                _end_group(running.helper)
            is_signalled = os.WIFSIGNALED(status)
            scale = 1 if sys.platform == "darwin" else 1024
            self._tell(
                ChildEnd(
                    running.order.number,
                    code=0 if is_signalled else os.WEXITSTATUS(status),
                    signal=os.WTERMSIG(status) if is_signalled else 0,
                    is_late=running.is_late,
                    peak_bytes=usage.ru_maxrss * scale,
                )
            )

    def _tell(self, end: ChildEnd) -> None:
        self._say({"end": asdict(end)})

    def _say(self, message: dict[str, object]) -> None:
        with contextlib.suppress(ConnectionError):
            self._extractor.sendall(line(message))


def _kill(pid: int) -> None:
    _kill_group(pid)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _has_bytes(pipe: int) -> bool:
    """Whether something was written to a pipe; it can also be read from when the other side has gone."""
    waiting = bytearray(4)
    fcntl.ioctl(pipe, termios.FIONREAD, waiting)
    return any(waiting)


def _end_group(pid: int) -> None:
    """Kill a process with all that it started, and wait for them: what has lost its parent is ours."""
    _kill(pid)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)
        while True:
            os.waitpid(-pid, 0)


def preload() -> None:
    """Load what children need, so that none has to."""
    mimetypes.init()  # reads files that a child may not
    for name in (*(f"intelli.library.extraction.{name}" for name in _READERS), *_LATE):
        importlib.import_module(name)


def main(descriptor: int, root: str) -> None:
    """Load the parsers and serve."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the extractor says when to end, by closing its side
    preload()
    confinement.adopt_orphans()
    confinement.prepare(Policy())
    gc.freeze()
    zygote = Zygote(socket.socket(fileno=descriptor), root)
    try:
        zygote.serve()
    finally:
        zygote.end()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
