"""Axis labels and scales chosen so that no text overlaps, however narrow a chart is drawn."""

import re
from collections.abc import Sequence
from typing import Any

# Of a phone, or a pane beside a text; what can be read there can be read everywhere.
_NARROW = 330
_NARROW_BARS = 120
_CHARACTER = 6.4
_BETWEEN = 12
# How many steps are left out so that what is left begins years, halves or decades.
_STRIDES = (
    (re.compile(r"Q[1-4]", re.IGNORECASE), (1, 2, 4, 8, 16, 20, 40)),
    (re.compile(r"H[12]", re.IGNORECASE), (1, 2, 4, 10, 20)),
    (re.compile(r"[A-Za-z]{3,}|\d{4}[-/]\d"), (1, 2, 3, 6, 12, 24, 60, 120)),
    (re.compile(r""), (1, 2, 5, 10, 20, 25, 50, 100)),
)
_FIRST_OF_YEAR = re.compile(r"Q1|H1|Jan|[-/]0?1$", re.IGNORECASE)


def choose_labels(labels: Sequence[str]) -> list[str]:
    """Return the labels that fit, at even distances and, where possible, starting with the first period of a year."""
    room = max(2, int(_NARROW / (max(map(len, labels), default=0) * _CHARACTER + _BETWEEN)))
    strides = next(strides for pattern, strides in _STRIDES if pattern.search(labels[0] if labels else ""))
    stride = next((each for each in strides if -(-len(labels) // each) <= room), len(labels))
    begin = next((at for at in range(min(stride, len(labels))) if _FIRST_OF_YEAR.search(labels[at])), 0)
    return list(labels[begin if stride > 1 else 0 :: stride])


def widen_scale(values: Sequence[float], written: Sequence[str]) -> dict[str, Any]:
    """Return the scale of horizontal bars with room for the values that are written at their ends."""
    low, high = min(0.0, *values), max(0.0, *values)
    text = (max(map(len, written), default=0) * _CHARACTER + _BETWEEN) / _NARROW_BARS
    spare = (high - low) * min(text, 0.5)
    if not spare:
        return {}
    return {"scale": {"domain": [low - spare if low < 0 else 0, high + spare if high > 0 else 0], "nice": False}}
