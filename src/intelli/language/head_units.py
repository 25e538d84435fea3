"""Units that the head of a table tells: "Revenue (EUR million)", "in TEUR", "EURm", "Share in %", "Capacity [t]"."""

import re
from dataclasses import dataclass

from intelli.language import scales, units
from intelli.language.languages import languages

_LONGEST = 200
_BRACKETS = re.compile(r"[(\[]([^()\[\]]{1,60})[)\]]")
_WORD = re.compile(r"[^\s,;/()\[\]]+")
_IN = frozenset({"in", "en"})
# Letters of a scale right beside a unit of money: "TEUR", "EURm", "\u20acm", "k\u20ac".
_BEFORE, _BEHIND = {"t": 3, "k": 3, "m": 6}, {"k": 3, "m": 6, "mn": 6, "mio": 6, "bn": 9, "b": 9}
_PLURAL = {f"{word}s": power for known in languages().values() for word, power in known.scales.items()}
_SCALES = _PLURAL | scales.SCALE_OF
_SIGNS = frozenset({*units.MARKS, *units.CODES})


@dataclass(frozen=True, slots=True)
class HeadUnit:
    """The unit that a head tells: its name, its power of ten, and the words."""

    name: str
    scale: int
    written: str


def find_unit(head: str) -> HeadUnit | None:
    """Return the unit that a head or caption of a table tells, None when it tells none.

    Words in brackets or behind "in" are a unit whatever they are: "(tonnes)", "in km".
    """
    text = head[:_LONGEST]
    for bracket in _BRACKETS.finditer(text):
        if found := _known(bracket[1]) or _free(bracket[1]):
            return found
    return _known(text) or _behind_in(text)


def _known(text: str) -> HeadUnit | None:
    """Return the unit of money or share that words tell, with its scale, or a scale alone behind "in"."""
    name, scale, told = "", 0, list[str]()
    words = _WORD.findall(text)
    for at, word in enumerate(words):
        bare = word.strip(".:*").casefold()
        found, power = _money(bare)
        is_scale = bare in _SCALES and bare not in scales.AMBIGUOUS
        if found:
            name, scale = name or found, max(scale, power)
        elif is_scale and (told or name or (at and words[at - 1].casefold() in _IN) or _leads_to_unit(words, at)):
            scale = max(scale, _SCALES[bare])
        else:
            continue
        told.append(word)
    return HeadUnit(name, scale, " ".join(told)) if told else None


def _leads_to_unit(words: list[str], at: int) -> bool:
    """Return whether a scale stands right before a unit, or is all that is said: "Mio. \u20ac", "millions"."""
    return len(words) == 1 or (at + 1 < len(words) and bool(_money(words[at + 1].strip(".:").casefold())[0]))


def _money(word: str) -> tuple[str, int]:
    """Return the unit of a word and the scale that is written together with it; an empty name for another word."""
    if word in _SIGNS or (len(word) > 1 and units.unit_of(word) and word[-1] not in units.MARKS):
        return units.unit_of(word), 0
    for sign in _SIGNS:
        if word.startswith(sign) and word[len(sign) :] in _BEHIND:
            return units.unit_of(sign), _BEHIND[word[len(sign) :]]
        if word.endswith(sign) and word[: -len(sign)] in _BEFORE and sign not in {"%", "\u2030"}:
            return units.unit_of(sign), _BEFORE[word[: -len(sign)]]
        if word == f"us{sign}":
            return units.unit_of(sign), 0
    return "", 0


def _free(text: str) -> HeadUnit | None:
    """Return words in brackets as a unit when they are few and have no figures, and are no year."""
    words = text.split()
    is_short = 0 < len(words) <= 3 and len(text) <= 24
    if not is_short or any(map(str.isdigit, text.replace("2", "").replace("3", ""))) or not words[0][0].isalpha():
        return None
    scale = next((_SCALES[word.casefold()] for word in words if word.casefold() in _SCALES), 0)
    name = " ".join(word for word in words if word.casefold() not in _SCALES and word.casefold() not in _IN)
    return HeadUnit(name, scale, text) if name else None


def _behind_in(text: str) -> HeadUnit | None:
    words = text.split()
    for at in range(len(words) - 1, 0, -1):
        if words[at - 1].casefold() in _IN and at == len(words) - 1:
            return _free(words[at].strip(".:,"))
    return None
