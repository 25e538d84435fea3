"""The zygote: a process with the parsers loaded that forks one child per order and reports how each ended.

It has one thread. When the extractor's end of the socket closes, it kills its children and ends.
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
from intelli.library.extraction.sandbox.orders import (
    READING,
    ChildEnd,
    ChildExit,
    ChildOrder,
    MessageLines,
    encode_line,
)

_READERS = ("readers", "pdf", "image", "render")
# Modules that the readers import lazily: loaded here, since each child would load them again.
_LATE = (
    "encodings.utf_16_le",
    "numpy.ma",
    "python_calamine",
    *(f"PIL.{name}ImagePlugin" for name in ("Bmp", "Gif", "Jpeg", "Png", "Ppm", "Tiff", "WebP")),
)
_RECEIVE_BYTES = 1 << 16


@dataclass(slots=True)
class _Running:
    """A running child; `helper` is the pid of the process that runs programs for it, 0 until the child needs one."""

    order: ChildOrder
    deadline: float
    pipes: "_Pipes | None" = None
    is_late: bool = False
    helper: int = 0


@dataclass(frozen=True, slots=True)
class _Pipes:
    """Two pipes between a child and its helper.

    The child has `requests_out` and `answers_in`, the helper `requests_in` and `answers_out`.
    """

    requests_in: int
    requests_out: int
    answers_in: int
    answers_out: int

    @classmethod
    def make(cls) -> "_Pipes":
        requests_in, requests_out = os.pipe()
        answers_in, answers_out = os.pipe()
        return cls(requests_in, requests_out, answers_in, answers_out)


class Zygote:
    """Event loop of the zygote: waits for orders, for children to end, and for their deadlines."""

    def __init__(self, extractor: socket.socket, root: str) -> None:
        self._extractor = extractor
        self._root = root
        self._lines = MessageLines()
        self._children: dict[int, _Running] = {}
        self._prepared = set[str]()
        self._wakeup, sender = socket.socketpair()
        for end in (self._wakeup, sender):
            end.setblocking(False)
        self._wakeup_sender = sender
        signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._selector = selectors.DefaultSelector()
        self._selector.register(extractor, selectors.EVENT_READ)
        self._selector.register(self._wakeup, selectors.EVENT_READ)

    def serve(self) -> None:
        """Serve orders until the extractor closes its end of the socket."""
        self._send({"ready": os.getpid()})
        while True:
            events = self._selector.select(self._seconds_to_deadline())
            ready = {key.fileobj for key, _ in events}
            if self._wakeup in ready:
                with contextlib.suppress(BlockingIOError):
                    self._wakeup.recv(_RECEIVE_BYTES)
            self._reap()
            self._kill_late()
            for key, _ in events:
                if key.data is not None:
                    self._start_helper(key.data)
            if self._extractor in ready and not self._receive():
                return

    def end(self) -> None:
        """Kill all running children and remove their folders."""
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
        may_use_ocr = order.task in READING and order.limits.ocr_s > 0 and tesseract.find_program() is not None
        try:
            pipes = _Pipes.make() if may_use_ocr else None
            pid = os.fork()
        except OSError:
            self._report_end(ChildEnd(order.number, code=ChildExit.MEMORY))
            return
        if pid == 0:
            self._run_child(order, own_pid, pipes)
        self._children[pid] = _Running(order, time.monotonic() + order.wall_s, pipes)
        if pipes is not None:
            os.close(pipes.requests_out)
            os.close(pipes.answers_in)
            self._selector.register(pipes.requests_in, selectors.EVENT_READ, pid)

    def _start_helper(self, pid: int) -> None:
        """Start a helper for a child that has written a request, which the helper reads; then close our pipe ends."""
        running = self._children.get(pid)
        if running is None or running.pipes is None:
            return
        pipes = running.pipes
        own_pid = os.getpid()
        if _has_bytes(pipes.requests_in):
            with contextlib.suppress(OSError):
                running.helper = os.fork()
                if running.helper == 0:
                    self._run_helper(running.order, own_pid, pipes)
        self._close_pipes(running)

    def _close_pipes(self, running: _Running) -> None:
        """Close our ends of the pipes to a child."""
        if running.pipes is not None:
            self._selector.unregister(running.pipes.requests_in)
            os.close(running.pipes.requests_in)
            os.close(running.pipes.answers_out)
            running.pipes = None

    def _prepare(self, module: str) -> None:
        """Import and prepare a step's module once, for all later orders. If that fails, the child reports it."""
        if module and module not in self._prepared:
            self._prepared.add(module)
            with contextlib.suppress(Exception):
                importlib.import_module(module).prepare()
            gc.freeze()

    def _run_child(self, order: ChildOrder, parent_pid: int, pipes: _Pipes | None) -> None:
        code: int = ChildExit.FAILED
        try:
            self._close_inherited()
            code = child.run(order, parent_pid, helper=(pipes.requests_out, pipes.answers_in) if pipes else ())
        finally:
            # No exit handlers and no flushing: they belong to the zygote.
            os._exit(code)

    def _run_helper(self, order: ChildOrder, parent_pid: int, pipes: _Pipes) -> None:
        try:
            self._close_inherited()
            child.run_helper(order, parent_pid, requests_in=pipes.requests_in, answers_out=pipes.answers_out)
        finally:
            os._exit(0)

    def _close_inherited(self) -> None:
        """Close the zygote's sockets and selector in a forked process."""
        signal.set_wakeup_fd(-1)
        self._selector.close()
        for end in (self._extractor, self._wakeup, self._wakeup_sender):
            end.close()

    def _cancel(self, number: object) -> None:
        for pid, running in self._children.items():
            if running.order.number == number:
                _kill(pid)

    def _seconds_to_deadline(self) -> float | None:
        """Return the seconds until the next deadline; None without one."""
        deadlines = [running.deadline for running in self._children.values() if not running.is_late]
        return max(0.0, min(deadlines) - time.monotonic()) if deadlines else None

    def _kill_late(self) -> None:
        now = time.monotonic()
        for pid, running in self._children.items():
            if running.deadline <= now and not running.is_late:
                running.is_late = True
                _kill(pid)

    def _reap(self) -> None:
        """Reap the children that have ended, with their helpers, and report each end."""
        for pid in list(self._children):
            ended, status, usage = os.wait4(pid, os.WNOHANG)
            if not ended:
                continue
            _kill_group(pid)  # processes that the child has started, where it is able to
            running = self._children.pop(pid)
            self._close_pipes(running)
            if running.helper:
                _end_group(running.helper)
            is_signalled = os.WIFSIGNALED(status)
            scale = 1 if sys.platform == "darwin" else 1024
            self._report_end(
                ChildEnd(
                    running.order.number,
                    code=0 if is_signalled else os.WEXITSTATUS(status),
                    signal=os.WTERMSIG(status) if is_signalled else 0,
                    is_late=running.is_late,
                    peak_bytes=usage.ru_maxrss * scale,
                )
            )

    def _report_end(self, end: ChildEnd) -> None:
        self._send({"end": asdict(end)})

    def _send(self, message: dict[str, object]) -> None:
        with contextlib.suppress(ConnectionError):
            self._extractor.sendall(encode_line(message))


def _kill(pid: int) -> None:
    _kill_group(pid)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _has_bytes(pipe: int) -> bool:
    """Return whether a pipe has data; a pipe is also readable when its other end was closed."""
    waiting = bytearray(4)
    fcntl.ioctl(pipe, termios.FIONREAD, waiting)
    return any(waiting)


def _end_group(pid: int) -> None:
    """Kill a process group and wait for all its processes: the zygote adopts orphans."""
    _kill(pid)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)
        while True:
            os.waitpid(-pid, 0)


def preload() -> None:
    """Import all modules that children need, so that no child has to."""
    mimetypes.init()  # reads files that a child may not
    for name in (*(f"intelli.library.extraction.{name}" for name in _READERS), *_LATE):
        importlib.import_module(name)


def main(descriptor: int, root: str) -> None:
    """Load the parsers, then serve orders on the socket `descriptor`; `root` is the parent of the result folders."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the extractor ends it by closing its socket
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
