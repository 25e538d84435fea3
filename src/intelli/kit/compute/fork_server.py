"""Client of the fork server: starts its process, requests children from it and has them killed.

Requests are messages of fixed length: FORK, which carries the child's end of a socket, and KILL. The fork server ends,
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
    """Handle on a fork server, started on first use and restarted when it died. Pools of a process may share one."""

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
        """Start the process before the first child is requested, so that it has imported its modules by then."""
        with self._lock:
            self._ensure()

    def fork(self, *, memory_bytes: int) -> tuple[int, socket.socket]:
        """Fork a child; return its number and our end of its socket. Raise OSError when the request cannot be sent."""
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
        """Kill a child; one that has already exited is only reaped."""
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
        # It has our import path but none of our environment variables, which include secrets.
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
