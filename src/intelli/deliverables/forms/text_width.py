"""Estimated width of text, in ems of a wide sans serif, since the reader's fonts are unknown."""

import unicodedata

_WIDE_SCRIPTS = frozenset("WF")
_SHAPES = (
    (0.38, frozenset(" .,:;'\u2019|!()[]{}-/\\iljtfrI\u00b7\u00a0\u202f\"")),
    (0.98, frozenset("mwMW@%+=<>~\u2014\u2026\u2030\u2212\u2248\u00b1")),
)
_UPPER, _LOWER = 0.74, 0.62


def ems(text: str) -> float:
    """Estimate the width of a line of text."""
    return sum(map(_em, text))


def is_wide(character: str) -> bool:
    """Return whether a character is of a script without spaces, which breaks everywhere."""
    return unicodedata.east_asian_width(character) in _WIDE_SCRIPTS


def _em(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if is_wide(character):
        return 1.0
    by_shape = next((width for width, shapes in _SHAPES if character in shapes), None)
    return by_shape or (_UPPER if character.isupper() else _LOWER)
