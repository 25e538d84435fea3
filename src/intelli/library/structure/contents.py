"""Recognises tables of contents: lines with a title and the number of a page, one below the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from intelli.language.languages import languages
from intelli.library.extraction.model import Block, BlockKind, Extraction
from intelli.library.structure.text_lines import bare_words, lines_of

_LEADERS = ".\u2026\u00b7_"
_BLANKS = " \t\u00a0"
_LEAST_LEADERS = 3
_LEAST_ENTRIES = 3
_TITLE_CHARS = 200
_DIGITS = 4
_MOST_BLOCKS_BELOW_TITLE = 3
_SHARE = 0.5
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ROMAN_CHARS = 7
_SKIPPED = frozenset({BlockKind.FURNITURE, BlockKind.CODE, BlockKind.NOTE, BlockKind.ATTACHMENT})


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line that may be one of a table of contents."""

    title: str
    page: int
    is_roman: bool
    has_leaders: bool


def find_contents(extraction: Extraction) -> frozenset[int]:
    """Return the indexes of the blocks that are tables of contents."""
    candidates = [_Candidate.read(extraction, at, block) for at, block in enumerate(extraction.blocks)]
    headings = frozenset(
        bare_words(extraction.text[block.start : block.end]) for block in extraction.blocks if block.level
    )
    found: set[int] = set()
    below_title = 0
    for group in _groups(candidates):
        below_title = _MOST_BLOCKS_BELOW_TITLE if group[0].is_title else below_title
        entries = [entry for each in group for entry in each.entries]
        if group[0].is_title or not entries:
            below_title -= not group[0].is_title
            continue
        if _is_contents(entries, headings, is_below_title=below_title > 0):
            found.update(each.index for each in group)
            below_title = _MOST_BLOCKS_BELOW_TITLE
        else:
            below_title -= 1
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A block with the lines of it that could be entries; none when most of its lines cannot."""

    index: int
    entries: tuple[_Entry, ...]
    is_title: bool = False
    is_skipped: bool = False

    @classmethod
    def read(cls, extraction: Extraction, index: int, block: Block) -> "_Candidate":
        # Tables of sheets and of files of values are data, whatever their columns hold.
        if block.kind in _SKIPPED or block.place.cells:
            return cls(index, (), is_skipped=True)
        if not extraction.text[block.end - 1].isalnum():
            return cls(index, ())
        if block.end - block.start <= _TITLE_CHARS and not extraction.text[block.end - 1].isdigit():
            is_title = bare_words(extraction.text[block.start : block.end]) in _titles()
            if is_title:
                return cls(index, (), is_title=True)
        lines = list(lines_of(extraction.text, block.start, block.end))
        entries = tuple(filter(None, (_entry(line.text) for line in lines)))
        # A title that is too long for its line takes another, which has no page.
        return cls(index, entries if len(entries) > _SHARE * len(lines) - 1 else ())


@cache
def _titles() -> frozenset[str]:
    return frozenset(phrase for known in languages().values() for phrase in known.contents)


def _groups(candidates: Sequence[_Candidate]) -> list[list[_Candidate]]:
    """Join blocks of entries that follow each other, page furniture aside."""
    groups: list[list[_Candidate]] = []
    for each in candidates:
        if each.is_skipped:
            continue
        is_next = groups and each.entries and groups[-1][-1].entries
        if is_next and _follows(groups[-1][-1].entries[-1], each.entries[0]):
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def _follows(before: _Entry, after: _Entry) -> bool:
    return after.page >= before.page or (before.is_roman and not after.is_roman)


def _is_contents(entries: Sequence[_Entry], headings: frozenset[str], *, is_below_title: bool) -> bool:
    if len(entries) < _LEAST_ENTRIES and not (is_below_title and len(entries) > 1):
        return False
    rising = sum(_follows(before, after) for before, after in pairwise(entries))
    if rising < 0.9 * (len(entries) - 1):
        return False
    if is_below_title or sum(each.has_leaders for each in entries) > _SHARE * len(entries):
        return True
    return sum(bare_words(each.title) in headings for each in entries) > _SHARE * len(entries)


def _entry(line: str) -> _Entry | None:
    """Return an entry of a line such as "4.1 Risks ........ 12", None for a line without title or page."""
    if len(line) > _TITLE_CHARS + _LEAST_LEADERS * 100:
        return None
    at = len(line)
    while at and line[at - 1].isalnum():
        at -= 1
    page, is_roman = _page_number(line[at:])
    if not page or not at or line[at - 1] not in _LEADERS + _BLANKS:
        return None
    title = line[:at].rstrip(_LEADERS + _BLANKS)
    leaders = sum(line.count(sign, len(title), at) for sign in _LEADERS) + 2 * line.count("\u2026", len(title), at)
    if not any(map(str.isalpha, title)):
        return None
    return _Entry(title, page, is_roman, leaders >= _LEAST_LEADERS)


def _page_number(written: str) -> tuple[int, bool]:
    """Return the number of a page and whether it is Roman; 0 for other words."""
    if written.isdecimal() and len(written) <= _DIGITS:
        return int(written), False
    if not written or len(written) > _ROMAN_CHARS or any(letter not in _ROMAN for letter in written):
        return 0, True
    values = [_ROMAN[letter] for letter in written]
    return sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True)), True
