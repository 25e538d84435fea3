"""Data of quality tests: our small sample, and the public sets if they are beside the repository."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

_ROOT = Path(__file__).parents[2]
SAMPLE = _ROOT / "tests" / "data" / "quality"
BESIDE = _ROOT.parent / "shared" / "data"
_COMPARED = 2000
_COMMENT, _LINK, _WORD = (
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"!?\[([^\]]*)\]\([^)]*\)"),
    re.compile(r"[^\W_]+"),
)


def where_there(*rows: tuple[Any, ...]) -> list[Any]:
    """The rows of parameters whose folder, the first of each, is there."""
    found = [row for row in rows if row[0].is_dir()]
    return [
        pytest.param(*row, id=f"{'sample' if row[0] == SAMPLE else 'beside'}{number}")
        for number, row in enumerate(found)
    ]


def words(text: str) -> list[str]:
    """The words of a text, without comments and the addresses of links where it is Markdown."""
    return _WORD.findall(_LINK.sub(r"\1", _COMMENT.sub(" ", text)).casefold())


def recall(wanted: list[str], found: list[str]) -> float:
    """The share of the wanted words that were found, wherever they stand."""
    return sum((Counter(wanted) & Counter(found)).values()) / len(wanted)


def order(wanted: list[str], found: list[str]) -> float:
    """The share of the wanted words that were found in their order: the longest common subsequence."""
    one, other = wanted[:_COMPARED], found[:_COMPARED]
    longest = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for place, each in enumerate(other, 1):
            before, longest[place] = (
                longest[place],
                before + 1 if word == each else max(longest[place], longest[place - 1]),
            )
    return longest[-1] / len(one)
