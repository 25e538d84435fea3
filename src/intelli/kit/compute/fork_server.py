"""Our hold on the fork server: it is started, asked for children, and has them killed.

It is told by messages of a fixed length: to fork a child, with the child's end of a socket, or to kill one. It ends,
with all its children, when our side of its socket closes.
"""

import atexit
import contextlib
import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Sequence

MESSAGE = struct.Struct("!cQQ")
FORK, KILL = b"f", b"k"
_PROGRAM = "intelli.kit.compute.fork_main"
_END_S = 5.0


class ForkServer:
    """Started when a child is first wanted, and again when it died. All pools of a process may share one."""

    def __init__(self, modules: Sequence[str]) -> None:
        self._modules = tuple(modules)
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()
        self._forked = 0

    @property
    def is_alive(self) -> bool:
        """True while the process runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Have the process loaded before the first child is wanted."""
        with self._lock:
            self._ensure()

    def fork(self, *, memory_bytes: int) -> tuple[int, socket.socket]:
        """A new child: its number, and our end of its socket. Raises OSError when there can be none."""
        ours, theirs = socket.socketpair()
        with theirs, self._lock:
            try:
                self._forked += 1
                message = MESSAGE.pack(FORK, self._forked, memory_bytes)
                socket.send_fds(self._ensure(), [message], [theirs.fileno()])
            except BaseException:
                ours.close()
                raise
            return self._forked, ours

    def kill(self, number: int) -> None:
        """Kill a child; one that has ended already is only buried."""
        with self._lock, contextlib.suppress(OSError):
            if self._socket is not None:
                self._socket.sendall(MESSAGE.pack(KILL, number, 0))

    def close(self) -> None:
        """End the process and its children."""
        with self._lock:
            self._end()

    def _ensure(self) -> socket.socket:
        if self._socket is None or not self.is_alive:
            self._end()
            self._socket = self._start()
        return self._socket

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        # It imports from where we do and sees no variable of ours: there are secrets among them.
        places = os.pathsep.join(place for place in sys.path if place)
        environment = {"PYTHONPATH": places, "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, "-P", "-m", _PROGRAM, str(theirs.fileno()), *self._modules]
        with theirs:
            try:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    env=environment,
                    cwd="/",
                    pass_fds=[theirs.fileno()],
                )
            except BaseException:
                ours.close()
                raise
        atexit.register(self.close)
        return ours

    def _end(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self._process is not None:
            try:
                self._process.wait(_END_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
            atexit.unregister(self.close)
