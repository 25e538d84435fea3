"""Computes the numbers of list items and headings, which Word does not store."""

import re
from dataclasses import dataclass, field

from intelli.library.extraction.xml import XmlElement, attribute, child, children_of, local_name, val_attribute

_PLACEHOLDER = re.compile(r"%(\d)")
_DEEPEST = 9
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Level:
    """The number format of one level of a list."""

    kind: str = "decimal"
    text: str = "%1."
    start: int = 1


@dataclass(slots=True)
class _List:
    """The current counts of a list; lists that use the same pattern share them."""

    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counters of all lists of a document, advanced paragraph by paragraph."""

    def __init__(self, root: XmlElement | None) -> None:
        elements = children_of(root)
        patterns = {attribute(each, "abstractNumId"): each for each in elements if local_name(each) == "abstractNum"}
        counted: dict[str | None, _List] = {}
        self._lists: dict[str, _List] = {}
        for num in elements:
            if local_name(num) != "num":
                continue
            pattern = val_attribute(num, "abstractNumId")
            overrides = [each for each in num if local_name(each) == "lvlOverride"]
            levels = _read_levels(patterns.get(pattern)) | _read_overrides(overrides)
            if overrides or pattern not in counted:
                counted[pattern] = _List(levels)
            self._lists[attribute(num, "numId") or ""] = counted[pattern]

    def next_label(self, list_id: str | None, level: int) -> str | None:
        """Count the next item of a list and return its label, such as "2.1" or "-"; None if it is in no list."""
        found = self._lists.get(list_id or "")
        if list_id in (None, "0") or found is None:
            return None
        level = min(level, _DEEPEST)
        style = found.levels.get(level, _Level(kind="bullet"))
        found.counts[level] = found.counts.get(level, style.start - 1) + 1
        for deeper in range(level + 1, _DEEPEST + 1):
            found.counts.pop(deeper, None)
        if style.kind == "bullet":
            return "-"
        return (
            ""
            if style.kind == "none"
            else _PLACEHOLDER.sub(lambda sign: _format_count(found, int(sign[1]) - 1), style.text)
        )


def _format_count(counted: _List, level: int) -> str:
    """Return the current number of a level in the format of its list."""
    style = counted.levels.get(level, _Level())
    number = counted.counts.setdefault(level, style.start)
    return _format_number(number, style.kind)


def _format_number(number: int, kind: str) -> str:
    """Format a number as decimal, letters (1 → a, 27 → aa) or Roman numerals."""
    if kind in ("lowerLetter", "upperLetter") and 0 < number <= 26 * 20:
        letter = chr(97 + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter.upper() if kind == "upperLetter" else letter
    if kind in ("lowerRoman", "upperRoman") and 0 < number < 4000:
        letters = ""
        for size, sign in _ROMAN:
            letters += sign * (number // size)
            number %= size
        return letters.upper() if kind == "upperRoman" else letters
    return str(number)


def _read_levels(pattern: XmlElement | None) -> dict[int, _Level]:
    return dict(_read_level(each) for each in children_of(pattern) if local_name(each) == "lvl")


def _read_overrides(overrides: list[XmlElement]) -> dict[int, _Level]:
    found = {}
    for override in overrides:
        level = child(override, "lvl")
        if level is not None:
            number, style = _read_level(level)
            found[number] = style
    return found


def _read_level(element: XmlElement) -> tuple[int, _Level]:
    number, start = attribute(element, "ilvl") or "0", val_attribute(element, "start") or "1"
    style = _Level(
        val_attribute(element, "numFmt") or "decimal",
        val_attribute(element, "lvlText") or "",
        int(start) if start.isdecimal() else 1,
    )
    return (int(number) if number.isdecimal() else 0), style
