"""Grows the index of a peer from size to size, and measures its searches at each size."""

import json
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

_WARM_UPS = 20


def grow(
    passages: str,
    queries: str,
    sizes: Sequence[str],
    *,
    add: Callable[[list[str]], None],
    search: Callable[[str], object],
) -> Iterator[dict[str, object]]:
    """Figures at each size: milliseconds of every search, and the most memory that was taken so far."""
    asked = json.loads(Path(queries).read_text(encoding="utf-8"))
    with Path(passages).open(encoding="utf-8") as lines:
        filled = 0
        for size in map(int, sizes):
            begun = time.perf_counter()
            add([json.loads(line) for line in islice(lines, size - filled)])
            rate = (size - filled) / (time.perf_counter() - begun)
            filled = size
            times = [_milliseconds(search, query) for query in (*asked[:_WARM_UPS], *asked)][_WARM_UPS:]
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            yield {"chunks": size, "times": times, "chunks_per_s": rate, "peak_bytes": peak}


def _milliseconds(search: Callable[[str], object], query: str) -> float:
    begun = time.perf_counter()
    found = search(query)
    taken = (time.perf_counter() - begun) * 1000
    assert found, query
    return taken
