"""Program of the fork server: a process that has imported the modules, so that forking a child takes milliseconds."""

import gc
import importlib
import os
import signal
import socket
import sys
from collections.abc import Sequence

from intelli.kit.compute import child, limits
from intelli.kit.compute.fork_server import KILL, MESSAGE


def main(descriptor: int, modules: Sequence[str]) -> None:
    """Import the modules, then fork and kill children on request until the control socket closes."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the parent process ends us by closing its side of the socket
    limits.lower_priority()
    for module in modules:
        importlib.import_module(module)
    gc.freeze()
    children: dict[int, int] = {}
    control = socket.socket(fileno=descriptor)
    try:
        _serve(control, children)
    finally:
        for each in list(children):
            _kill(children, each)


def _serve(control: socket.socket, children: dict[int, int]) -> None:
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, MESSAGE.size, 1)
        if len(message) < MESSAGE.size:
            return
        verb, number, memory_bytes = MESSAGE.unpack(message)
        if verb == KILL:
            _kill(children, number)
            continue
        with socket.socket(fileno=descriptors[0]) as pool:
            parent_pid = os.getpid()
            try:
                pid = os.fork()
            except OSError:
                continue  # the pool sees its socket close
            if pid == 0:
                _become_child(control, pool, parent_pid, memory_bytes)
            children[number] = pid


def _become_child(control: socket.socket, pool: socket.socket, parent_pid: int, memory_bytes: int) -> None:
    try:
        limits.die_with_parent(parent_pid)
        control.close()
        child.serve(pool, memory_bytes=memory_bytes)
    finally:
        # No exit handlers and no flushing: they belong to the fork server.
        os._exit(0)


def _kill(children: dict[int, int], number: int) -> None:
    pid = children.pop(number, None)
    if pid is not None:
        # The kernel does not reuse a pid before waitpid, so this kills no other process.
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
