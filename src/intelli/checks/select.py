"""Select the statements of a text that can be checked: no headings, frames, greetings or questions.

Nothing here waits or reads: the functions run in processes of their own.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from intelli.citations import prove
from intelli.citations.parse import segments
from intelli.citations.prove import CitingText
from intelli.citations.statements import CitedStatement
from intelli.citations.wire import StatementKind
from intelli.deliverables import gml, prose

_LEAST_LETTERS = 3
# A line by itself with no more words and no full stop names what follows.
_HEADING_WORDS = 12
_MARKED_HEADING = re.compile(r"\s*#{1,6}\s")
_ITEM_MARK = re.compile(r"\s*(?:[-*+\u2022\u2013]|\d{1,3}[.)]|[a-z]\))\s")
_ENDS = (".", "!", "\u2026", "\u3002", ";")
_QUESTION_ENDS = ("?", "\uff1f")
_FRAME_ENDS = (":", "\uff1a")
_CLOSING = "\"'\u201d\u201c\u2019\u00bb)]* "
_GREETING = re.compile(
    r"(?:dear|hello|hi|good (?:morning|afternoon|evening)|(?:kind|best|warm)(?:est)? (?:regards|wishes)|regards|"
    r"sincerely|yours (?:sincerely|faithfully|truly)|thank(?:s| you)|many thanks|cheers|sehr geehrte[rs]?|liebe[rs]?|"
    r"hallo|guten (?:morgen|tag|abend)|gru\u00df|(?:mit )?(?:freundlichen|besten|herzlichen) gr\u00fc\u00dfen|"
    r"(?:viele|beste|liebe|herzliche) gr\u00fc\u00dfe|vielen dank|danke|hochachtungsvoll)\b",
    re.IGNORECASE,
)
_GREETING_WORDS = 9
# A mark of a list of sources that is not here: "[3]", "[1, 4-6]".
_LOOSE_MARK = re.compile(r"(?<!\s)\s*+\[\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3}){0,9}\]")


@dataclass(frozen=True, slots=True)
class OpenStatement:
    """A statement to check, its place in the text that is shown, and the identifiers that it cites."""

    number: int
    cited: CitedStatement
    start: int
    end: int
    identifiers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SelectedText:
    """A text as it is shown, without citation tags, and its statements."""

    text: str
    statements: tuple[OpenStatement, ...]


def select(text: str, skipped: Sequence[Sequence[int]]) -> SelectedText:
    """Select the statements of a text with citation tags. `skipped` are ranges that hold none, in order."""
    citing = prove.read(text)
    stated = [
        each
        for each in citing.statements
        if not _is_skipped(skipped, each.start, each.end) and is_statement(each, text)
    ]
    return _selected(replace(citing, statements=tuple(stated)))


def select_paper(content: str, language: str) -> SelectedText:
    """Select the statements of a deliverable's GML, with what they cite."""
    return _selected(prose.citing_of(gml.parse(content, language=language)))


def _selected(citing: CitingText) -> SelectedText:
    shown = _ShownText(citing.text)
    found = (
        OpenStatement(
            number=number,
            cited=replace(each, text=_LOOSE_MARK.sub("", each.text)),
            start=shown.place(each.start),
            end=shown.place(each.end),
            identifiers=tuple(dict.fromkeys(citing.cited[ordinal] for ordinal in each.ordinals)),
        )
        for number, each in enumerate(citing.statements)
    )
    return SelectedText(shown.text, tuple(found))


def is_statement(statement: CitedStatement, text: str) -> bool:
    """Return whether some words of a text state something that sources can say or deny."""
    said = statement.text.strip()
    if sum(character.isalnum() for character in said) < _LEAST_LETTERS:
        return False
    if statement.ordinals:
        return True
    last = said.rstrip(_CLOSING)
    if last.endswith(_QUESTION_ENDS) or last.endswith(_FRAME_ENDS):
        return False
    if _GREETING.match(said) and len(said.split()) <= _GREETING_WORDS:
        return False
    return not _is_heading(statement, text)


def _is_heading(statement: CitedStatement, text: str) -> bool:
    """Return whether the words are a heading: marked as one, or a short line by itself without a full stop."""
    if statement.kind is not StatementKind.SENTENCE:
        return False
    begin = text.rfind("\n", 0, statement.start) + 1
    end = text.find("\n", statement.end)
    line = text[begin : end if end >= 0 else len(text)]
    if _MARKED_HEADING.match(line):
        return True
    if _ITEM_MARK.match(line) or "\t" in line or "|" in line:
        return False
    is_alone = line.strip() == text[statement.start : statement.end].strip()
    bare = line.strip().rstrip(_CLOSING)
    return is_alone and not bare.endswith(_ENDS) and len(bare.split()) <= _HEADING_WORDS


def _is_skipped(skipped: Sequence[Sequence[int]], start: int, end: int) -> bool:
    at = bisect_right(skipped, start, key=lambda each: each[0]) - 1
    return at >= 0 and start < skipped[at][1] and (start + end) / 2 <= skipped[at][1]


class _ShownText:
    """A text without its citation tags and the space before them, and the way from one to the other."""

    def __init__(self, text: str) -> None:
        removed: list[tuple[int, int]] = []
        at = 0
        for segment in segments(text):
            end = at + len(segment.text)
            if segment.ordinal is not None:
                begin = _before_spaces(text, at)
                removed.append((max(begin, removed[-1][1] if removed else 0), end))
            at = end
        kept = zip([0, *(end for _, end in removed)], [*(start for start, _ in removed), len(text)], strict=True)
        self.text = "".join(text[start:end] for start, end in kept)
        self._removed = removed
        self._ends = [end for _, end in removed]
        self._lengths = list(accumulate((end - start for start, end in removed), initial=0))

    def place(self, offset: int) -> int:
        """Return where a character of the text stands when it is shown."""
        number = bisect_right(self._ends, offset)
        inside = 0
        if number < len(self._removed) and self._removed[number][0] < offset:
            inside = offset - self._removed[number][0]
        return offset - self._lengths[number] - inside


def _before_spaces(text: str, at: int) -> int:
    while at and text[at - 1] == " ":
        at -= 1
    return at
