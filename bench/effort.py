"""CPU time and memory of a process and all its descendants; shared pages are counted once."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType
from typing import Self

import psutil

_LOOK_S = 0.1


class Effort:
    """Measures CPU time and peak memory while the block lasts, sampled ten times a second."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._before = 0.0
        self._last = 0.0
        self.peak_bytes = 0

    def __enter__(self) -> Self:
        self._before = self._last = processor_s(self._pid)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end.set()
        self._thread.join()
        self._look()

    @property
    def processor_s(self) -> float:
        """Seconds of one processor."""
        return self._last - self._before

    def _watch(self) -> None:
        while not self._end.wait(_LOOK_S):
            self._look()

    def _look(self) -> None:
        self._last = max(self._last, processor_s(self._pid))
        self.peak_bytes = max(self.peak_bytes, taken_bytes(self._pid))


def _family(pid: int) -> Iterator[psutil.Process]:
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        yield from (process, *process.children(recursive=True))


def processor_s(pid: int) -> float:
    """Seconds of one processor so far. Those that have ended are in the times of who waited for them."""
    spent = 0.0
    for process in _family(pid):
        with suppress(psutil.Error):
            spent += sum(process.cpu_times()[:4])
    return spent


def taken_bytes(pid: int) -> int:
    """Memory now. To ask takes some time itself."""
    taken = 0
    for process in _family(pid):
        with suppress(psutil.Error):
            taken += process.memory_full_info().pss
    return taken
