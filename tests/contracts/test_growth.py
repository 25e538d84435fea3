"""No text stalls the process: what is done with text from outside takes a time that grows with its size alone."""

import time

import pytest
from tests.contracts.entrances import ENTRANCES, Entrance

# What people paste, and what they do not: rules, tables, code, numbers, names, half-open marks, each over and over.
_PIECES = (
    *'- a1A\n\t.(<["|_/:',
    *(
        "**",
        "\u2019",
        "\u00a0",
        "\u0301",
        "\u4e2d",
        "\u00ab",
        "\f",
        "a ",
        "A ",
        "1 ",
        "1. ",
        "A b. ",
        "a, ",
        "a\n\n",
        "&amp;",
    ),
    *(
        "| a | 1 |\n",
        "| - | - |\n",
        "- a\n",
        "# a\n\n",
        "```\n",
        "[1] ",
        '<a b="c">',
        "**a** ",
        "\u201ca b\u201d ",
        "a_b ",
    ),
    *("Revenue was 5 million in 2024. ", "Ann works for Acme. ", "compare a and b ", "what is a and ", "from a to b "),
    *("2024-01-01 ", "5% ", "1,000.5 ", "https://a.b/c ", "then ", "not "),
)
_SMALL, _LARGE = 1_000, 4_000
_HARMLESS_S = 0.03
# Four times the text takes four times as long, and sixteen times where each part of it meets each other.
_MOST_GROWTH = 8.0


@pytest.mark.parametrize("name", ENTRANCES)
def test_time_grows_with_the_text_alone(name: str):
    slow = {piece: grown for piece in _PIECES if (grown := _growth(ENTRANCES[name], piece)) > _MOST_GROWTH}
    assert slow == {}


def _growth(entrance: Entrance, piece: str) -> float:
    """Returns how much longer the larger text takes; 0 where even that one is harmless."""
    large = _seconds(entrance, piece, _LARGE)
    if large < _HARMLESS_S:
        return 0.0
    small = min(_seconds(entrance, piece, _SMALL) for _ in range(2))
    return min(large, _seconds(entrance, piece, _LARGE)) / small


def _seconds(entrance: Entrance, piece: str, size: int) -> float:
    # Some entrances think in a thread of their own, so that the time of this thread would not show it.
    began = time.process_time()
    entrance(piece * (size // len(piece) + 1))
    return time.process_time() - began
