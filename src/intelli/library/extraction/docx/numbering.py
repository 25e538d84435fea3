"""The numbers in front of list items and headings, which Word computes and does not store."""

import re
from dataclasses import dataclass, field

from intelli.library.extraction.xml import XmlElement, attribute, child, inner, local, value

_PLACEHOLDER = re.compile(r"%(\d)")
_DEEPEST = 9
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Level:
    kind: str = "decimal"
    text: str = "%1."
    start: int = 1


@dataclass(slots=True)
class _List:
    """A list as it is counted; lists of the same pattern go on counting together."""

    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts through a document."""

    def __init__(self, root: XmlElement | None) -> None:
        elements = inner(root)
        patterns = {attribute(each, "abstractNumId"): each for each in elements if local(each) == "abstractNum"}
        counted: dict[str | None, _List] = {}
        self._lists: dict[str, _List] = {}
        for num in elements:
            if local(num) != "num":
                continue
            pattern = value(num, "abstractNumId")
            overrides = [each for each in num if local(each) == "lvlOverride"]
            levels = _levels(patterns.get(pattern)) | _overridden(overrides)
            if overrides or pattern not in counted:
                counted[pattern] = _List(levels)
            self._lists[attribute(num, "numId") or ""] = counted[pattern]

    def label(self, list_id: str | None, level: int) -> str | None:
        """The label of the next item of a list; None when the paragraph is in no list."""
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
            "" if style.kind == "none" else _PLACEHOLDER.sub(lambda sign: _written(found, int(sign[1]) - 1), style.text)
        )


def _written(counted: _List, level: int) -> str:
    style = counted.levels.get(level, _Level())
    number = counted.counts.setdefault(level, style.start)
    return _in_letters(number, style.kind)


def _in_letters(number: int, kind: str) -> str:
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


def _levels(pattern: XmlElement | None) -> dict[int, _Level]:
    return dict(_level(each) for each in inner(pattern) if local(each) == "lvl")


def _overridden(overrides: list[XmlElement]) -> dict[int, _Level]:
    found = {}
    for override in overrides:
        level = child(override, "lvl")
        if level is not None:
            number, style = _level(level)
            found[number] = style
    return found


def _level(element: XmlElement) -> tuple[int, _Level]:
    number, start = attribute(element, "ilvl") or "0", value(element, "start") or "1"
    style = _Level(
        value(element, "numFmt") or "decimal",
        value(element, "lvlText") or "",
        int(start) if start.isdecimal() else 1,
    )
    return (int(number) if number.isdecimal() else 0), style
