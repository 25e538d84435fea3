"""Split texts into sentences, as spans, with care for abbreviations, initials, decimals and scripts without spaces."""

import re
from dataclasses import dataclass

from intelli.language.languages import abbreviations

# A sentence longer than this is cut where it breathes: extraction leaves tables and lists without any full stop.
_MAX_CHARACTERS = 1_200
# What ends a sentence, with the quotes and brackets that close after it; and what always does.
_CLOSING = "\"'\u201d\u2019\u00bb)\\]"
_STOPS = ".!?\u2026\u061f\u0964"
_WIDE_STOPS = "\u3002\uff01\uff1f\uff61"
_WIDE_CLOSING = "\u300d\u300f\u201d\u2019\uff09"
# A statement that opens a list takes so much of the list with it.
_MAX_LIST = 600
_OPENS_LIST = (":", "\uff1a")
_BULLET = r"(?:[-*\u2022\u2023\u25aa\u2013]|\d{1,3}[.)])\s"
# A line with cells is a row of a table.
_ROW = r"(?:[^\n\t|]{0,400}(?:\t|\s\|\s)|\|[^\n|]{0,400}\|)"
_END = re.compile(
    rf"(?<![{_STOPS}])[{_STOPS}]++[{_CLOSING}]*+(?=\s)|[{_WIDE_STOPS}]++[{_WIDE_CLOSING}]*+"
    rf"|\n\s*\n|\f|\n(?=\s*{_BULLET}|{_ROW})"
)
_PAGE_BREAK = "\f"
# So far back is looked from a page break: a text of many pages is still read in linear time.
_SIGHT = 200
_CELLS = re.compile(r"[\t|]")
_ITEM = re.compile(_BULLET)
_CODE = re.compile(r"\s*\n[ \t]*(?P<fence>```|~~~)[^\n]*\n.*?\n[ \t]*(?P=fence)(?=\s|$)", re.DOTALL)
# A heading of Markdown is a line of its own, however close its text follows.
_HEADING = re.compile(r"^#{1,6}[ \t][^\n]*$", re.MULTILINE)
# A link of Markdown stands by itself.
# What a number with a full stop stands before, in languages that write ordinals so.
_COUNTED = re.compile(
    r"\s+(?:Jan|Feb|M\u00e4r|Mrz|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|J\u00e4n)[a-z\u00e4]*\b|"
    r"\s+(?:Jahrhundert|Quartal|Halbjahr|Gesch\u00e4ftsjahr|Lebensjahr|Jahrestag|Tag|Woche|Monat|Sitzung|Auflage|Platz|Stock|"
    r"Etage|Kapitel|Klasse|Mal|Runde|Stelle)\w{0,3}\b"
)
_YEAR_DIGITS = 4
_LINK = re.compile(r"\[[^\]\n]{0,200}\]\(")
_QUOTES_OPEN = "\"'\u201c\u201e\u00ab"
_LAST_WORD = re.compile(r"([^\s(\[\"'“„«]{1,40})$")
_ENUMERATION = re.compile(r"^\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})$")


@dataclass(frozen=True, slots=True)
class SentenceSpan:
    """A span of a text; `text[start:end]` begins and ends with a visible character."""

    start: int
    end: int


def split(text: str) -> list[SentenceSpan]:
    """The sentences of a text in order, and its headings, in linear time."""
    found: list[SentenceSpan] = []
    start = 0
    for heading in _HEADING.finditer(text):
        found += _between(text, start, heading.start()) + _trimmed(text, heading.start(), heading.end())
        start = heading.end()
    return found + _between(text, start, len(text))


def statements(text: str) -> list[SentenceSpan]:
    """The sentences that say something by themselves: one that opens a list is given with the list, or not at all."""
    found = split(text)
    return [
        SentenceSpan(each.start, end)
        for number, each in enumerate(found)
        if _HEADING.match(text, each.start) is None and (end := _end_of_list(text, found, number)) is not None
    ]


def _between(text: str, start: int, end: int) -> list[SentenceSpan]:
    """The sentences of a stretch without headings."""
    found: list[SentenceSpan] = []
    for mark in _END.finditer(text, start, end):
        if mark.start() < start or not _ends(text, start, mark):
            continue
        found += _pieces(text, start, mark.end())
        start = mark.end()
    return found + _pieces(text, start, end)


def _end_of_list(text: str, found: list[SentenceSpan], number: int) -> int | None:
    """Where a sentence ends with the list, or the code, that it opens; None when it opens one that is not there."""
    opening = found[number]
    if text[opening.end - 1] not in _OPENS_LIST:
        return opening.end
    if code := _CODE.match(text, opening.end, opening.start + _MAX_LIST):
        return code.end()
    end = None
    for following in range(number + 1, len(found)):
        item = found[following]
        if _ITEM.match(text, item.start) is None or item.end - opening.start > _MAX_LIST:
            break
        end = item.end
    return end


def _ends(text: str, start: int, mark: re.Match[str]) -> bool:
    """Whether a mark ends the sentence: a full stop may belong to an abbreviation, an initial or a number."""
    if mark.group()[0] not in ".!?…":
        return not (_PAGE_BREAK in mark.group() and _runs_over(text, start, mark))
    if _next_character(text, mark.end()).islower():
        return False
    if mark.group()[0] != "." or mark.group().startswith(".."):
        return True
    before = _LAST_WORD.search(text, max(start, mark.start() - 40), mark.start())
    return before is None or not (_belongs(text, start, before) or _is_ordinal(text, before, mark.end()))


def _runs_over(text: str, start: int, mark: re.Match[str]) -> bool:
    """Whether a sentence goes on behind a page break: it has no end before it, and what follows begins small."""
    before = text[max(start, mark.start() - _SIGHT) : mark.start()].rstrip()
    is_row = _CELLS.search(before, before.rfind("\n") + 1) is not None
    return bool(before) and not is_final(before) and not is_row and _next_character(text, mark.end()).islower()


def is_final(text: str) -> bool:
    """Whether a text ends with the mark of a sentence, or with one that opens what follows."""
    bare = text.rstrip(_CLOSING + _WIDE_CLOSING)
    return bare.endswith((*_STOPS, *_WIDE_STOPS, *_OPENS_LIST))


def _is_ordinal(text: str, before: re.Match[str], end: int) -> bool:
    """Whether a number with a full stop counts what follows it: the 30th of May, the 3rd quarter."""
    number = before.group(1).lstrip("*_")
    return number.isdigit() and len(number) < _YEAR_DIGITS and _COUNTED.match(text, end) is not None


def _belongs(text: str, start: int, before: re.Match[str]) -> bool:
    """Whether a full stop belongs to the word before it."""
    word = before.group(1).lstrip("*_")
    if word.lower() in abbreviations() or (len(word) == 1 and word.isalpha()):
        return True
    if word.isdigit() and before.start() > start and text[before.start() - 1] in _QUOTES_OPEN:
        return True  # the number of a heading that is quoted: “5. Limitations”
    if _ENUMERATION.match(word) is None or before.start() - start > 20:
        return False
    return not text[start : before.start()].strip()


def _next_character(text: str, position: int) -> str:
    for index in range(position, min(position + 40, len(text))):
        if text[index] == "[" and _LINK.match(text, index):
            return text[index]
        if not text[index].isspace() and text[index] not in "\"'“„«([":
            return text[index]
    return ""


def _pieces(text: str, start: int, end: int) -> list[SentenceSpan]:
    """The stretch without the space around it, in several pieces when it is too long."""
    found: list[SentenceSpan] = []
    while end - start > _MAX_CHARACTERS:
        cut = _last_breath(text, start, start + _MAX_CHARACTERS)
        found += _trimmed(text, start, cut)
        start = cut
    return found + _trimmed(text, start, end)


def _last_breath(text: str, start: int, end: int) -> int:
    half = start + (end - start) // 2
    for mark in ("\n", "; ", ": ", ", ", " "):
        at = text.rfind(mark, half, end)
        if at > half:
            return at + len(mark)
    return end


def _trimmed(text: str, start: int, end: int) -> list[SentenceSpan]:
    stretch = text[start:end]
    bare = stretch.strip()
    first = start + len(stretch) - len(stretch.lstrip())
    return [SentenceSpan(first, first + len(bare))] if any(map(str.isalnum, bare)) else []
