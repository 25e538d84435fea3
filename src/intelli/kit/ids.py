"""Identifiers: UUID version 7, sortable by creation, made in Python so that a row's id is known before its insert."""

import os
import threading
import time
from uuid import UUID


class _Ticker:
    """Generator of strictly increasing pairs of a millisecond and a 12-bit counter; safe across threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ms = 0
        self._counter = 0

    def tick(self) -> tuple[int, int]:
        """Return the next pair. A full counter borrows from the next millisecond rather than repeating."""
        with self._lock:
            ms = time.time_ns() // 1_000_000
            if ms > self._ms:
                self._ms, self._counter = ms, int.from_bytes(os.urandom(2)) & 0x3FF
            elif self._counter == 0xFFF:
                self._ms, self._counter = self._ms + 1, 0
            else:
                self._counter += 1
            return self._ms, self._counter


_ticker = _Ticker()


def uuid7() -> UUID:
    """Return a new UUIDv7 (RFC 9562). Ids of one process sort in order of creation, also within a millisecond."""
    ms, counter = _ticker.tick()
    tail = int.from_bytes(os.urandom(8)) & ((1 << 62) - 1)
    return UUID(int=ms << 80 | 0x7 << 76 | counter << 64 | 0b10 << 62 | tail)
