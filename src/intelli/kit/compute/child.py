"""What happens in a child: it takes on its limits, then computes one call after the other."""

import contextlib
import signal
import socket

from intelli.kit.compute import frames
from intelli.kit.compute.calls import STARVED, Call, raised
from intelli.kit.compute.limits import cap

# The pool keeps the time; this is for the day it cannot.
_GRACE_S = 10.0


def serve(pool: socket.socket, *, memory_bytes: int) -> None:
    """Compute what is asked for until the pool is gone, or memory was refused."""
    cap(memory_bytes=memory_bytes)
    with contextlib.suppress(EOFError, OSError):
        answer = b""  # the first one says that the child is there
        while answer != STARVED:
            pool.sendall(frames.pack(answer))
            answer = _answer(frames.read(pool))
        pool.sendall(frames.pack(answer))


def _answer(message: bytes) -> bytes:
    try:
        call = Call.load(message)
        signal.setitimer(signal.ITIMER_REAL, call.time_s + _GRACE_S)
        return call.returned(call.function(*call.arguments))
    except MemoryError:
        return STARVED
    except Exception as error:  # noqa: BLE001  # the edge of every computation
        return raised(error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
