"""Main loop of a child process: it sets its limits, then runs one call after the other."""

import contextlib
import signal
import socket

from intelli.kit.compute import frames
from intelli.kit.compute.calls import STARVED, Call, encode_error
from intelli.kit.compute.limits import limit_memory

# The pool enforces the time limit; this timer is a fallback for the case that the pool cannot.
_GRACE_S = 10.0


def serve(pool: socket.socket, *, memory_bytes: int) -> None:
    """Run calls until the pool closes its socket or an allocation fails; after that the process must end."""
    limit_memory(memory_bytes=memory_bytes)
    with contextlib.suppress(EOFError, OSError):
        answer = b""  # the first, empty answer tells the pool that the child is ready
        while answer != STARVED:
            pool.sendall(frames.pack(answer))
            answer = _answer(frames.read(pool))
        pool.sendall(frames.pack(answer))


def _answer(message: bytes) -> bytes:
    try:
        call = Call.load(message)
        signal.setitimer(signal.ITIMER_REAL, call.time_s + _GRACE_S)
        return call.encode_result(call.function(*call.arguments))
    except MemoryError:
        return STARVED
    except Exception as error:  # noqa: BLE001  # the edge of every computation
        return encode_error(error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
