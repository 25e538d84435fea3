"""Scales: the words and letters that stand for a power of ten, "million", "Mrd", "bn"; one table for all languages."""

from collections.abc import Set

from intelli.language import languages

# A language's word for a scale is read in every text: sources quote each other's figures.
SCALE_OF = {word: power for known in languages.languages().values() for word, power in known.scales.items()}
# Letters that are a scale right behind a sum of money, "$5m", and may be anything behind another number.
LETTERS = {"k": 3, "m": 6, "mm": 6, "b": 9, "bn": 9, "tn": 12}
# Words for a scale that mean something else as often: a distance, "thousand" in other languages, a part of a name.
AMBIGUOUS = frozenset({"mil", "miles", "mille"})


def pattern(words: Set[str]) -> str:
    """The text of a regular expression that matches any of the words, the longest first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))
