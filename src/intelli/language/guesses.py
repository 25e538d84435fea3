"""Guesses: what the writer of a sentence only supposes."""

import re

_GUESS = re.compile(
    r"\b(?:i (?:think|believe|guess|suspect|reckon|suppose|assume)|(?:my|only a|just a|rough) guess|"
    r"ich (?:glaube|denke|vermute|dachte|sch\u00e4tze|nehme an)|je (?:pense|crois|suppose)|"
    r"(?:creo|supongo) que)\b",
    re.IGNORECASE,
)


def is_guess(sentence: str) -> bool:
    """Return whether its writer only supposes what a sentence says."""
    return _GUESS.search(sentence) is not None
