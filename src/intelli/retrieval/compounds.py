"""Compounds: find the words that a word is made of: "Produktionskapazität" is "Produktion" and "Kapazität".

A table holds the words that compounds are made of, with what each costs before another word and as the last one: the
more compounds have it there, the less. A word is split where the cheapest row of parts costs less than its letters do.
`python -m bench.learn_compounds` learns the table.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

_TABLES = {"de": "compounds.de.tsv"}
_SHORTEST_WORD = 7
_SHORTEST_PART = 3
# Cost of a word that is not split, and of each of its letters: the higher, the more words are split.
WHOLE, LETTER = 4.0, 1.4
NEVER = float("inf")
_LINKS = ("", "s", "es", "n", "en")
_ENDINGS = ("", "s", "n", "e", "en", "es", "er", "ern")
# Endings of nouns with the link that stands only inside compounds: what it ends may be an unknown word.
_LINKED = ("ungs", "heits", "keits", "schafts", "ions", "täts", "lings", "tums")
_SHORTEST_LINKED = 7


@dataclass(frozen=True, slots=True)
class Costs:
    """Cost of a word as a part before another, and as the last one."""

    before: float
    last: float


class Splitter:
    """Splits the compounds of a language by a table of costs."""

    def __init__(self, costs: Mapping[str, Costs]) -> None:
        self._costs = costs

    def split(self, word: str) -> tuple[str, ...]:
        """Return the parts of a compound as they are written, links included; the word alone when it is none."""
        size = len(word)
        if size < _SHORTEST_WORD or not word.isalpha():
            return (word,)
        # For each beginning of the word: the least cost of its parts, and where the last of them begins.
        best = [(0.0, 0)] + [(NEVER, 0)] * size
        for end in (*range(_SHORTEST_PART, size - _SHORTEST_PART + 1), size):
            for start in (0, *range(_SHORTEST_PART, end - _SHORTEST_PART + 1)):
                if best[start][0] < best[end][0] and end - start < size:
                    cost = best[start][0] + self._cost(word[start:end], is_last=end == size)
                    best[end] = min(best[end], (cost, start))
        return tuple(_parts(word, best)) if best[size][0] < WHOLE + LETTER * size else (word,)

    def base(self, part: str, *, is_last: bool) -> str | None:
        """Return the form in the table that a part is an inflected or linked form of."""
        for ending in _ENDINGS if is_last else _LINKS:
            form = part.removesuffix(ending)
            known = self._costs.get(form) if len(form) + len(ending) == len(part) else None
            if known is not None and (known.last if is_last else known.before) < NEVER:
                return form
        return None

    def _cost(self, part: str, *, is_last: bool) -> float:
        base = self.base(part, is_last=is_last)
        if base is not None:
            return self._costs[base].last if is_last else self._costs[base].before
        is_linked = not is_last and len(part) >= _SHORTEST_LINKED and part.endswith(_LINKED)
        return LETTER * len(part) if is_linked else NEVER


def _parts(word: str, best: list[tuple[float, int]]) -> Iterator[str]:
    start = best[-1][1]
    if start:
        yield from _parts(word[:start], best[: start + 1])
    yield word[start:]


@cache
def splitter(language: str) -> Splitter | None:
    """Return the splitter of a language; None when its words are not split."""
    if language not in _TABLES:
        return None
    lines = (resources.files(__package__) / _TABLES[language]).read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t", 1) for line in lines if not line.startswith("#"))
    return Splitter({word: _read_costs(costs) for word, costs in rows})


@cache
def _read_costs(written: str) -> Costs:
    # Many words have the same costs, and share them.
    before, last = written.split("\t")
    return Costs(float(before), float(last))
