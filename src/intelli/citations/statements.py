"""Find the statement of each citation: the plain text before it that it answers for.

A citation answers for everything that its block says since the citation before it, however many sentences that is: a
mark at the end of three sentences is checked against all three. Citations side by side share a statement. One within a
sentence has the text since the one before it; the last of a sentence has the rest of the sentence too. Words before a
colon that introduce several cited items belong to none of the citations.
"""

import html
import re
from bisect import bisect_right
from dataclasses import dataclass

from intelli.citations.parse import segments
from intelli.reasoning.extractive import sentences

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMPHASIS = re.compile(r"(?<!\\)(?:\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w))")
# What a citation stood before.
_SPACED = re.compile(r"(?<!\s)\s++([.,;:!?])")
# The space before a mark is entered at its beginning alone: a run of empty lines is not read anew from each of them.
_LINE_START = re.compile(r"(?:\A\s*+|(?<!\s)([^\S\n]*+\n)\s*+|^)(?:#{1,6}\s++|[-*+\u2022]\s++|>\s++|\|)", re.MULTILINE)
# Where a block ends: a paragraph, an item of a list, a row of a table, a heading.
_BLOCK = re.compile(r"\n\s*\n|\f|\n(?=\s{0,8}(?:[-*+\u2022]\s|\d{1,3}[.)]\s|#{1,6}\s|>\s|\|))")


@dataclass(frozen=True, slots=True)
class CitedStatement:
    """Some words of a text with the ordinals of the citations that they rest on; none when they rest on nothing.

    `start` and `end` say where the words stand in the text, citations and marks included.
    """

    text: str
    ordinals: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Words:
    """A text without its citations, and the way back: where each stretch of words begins here and there."""

    text: str
    here: list[int]
    there: list[int]
    citations: list[int]

    def place(self, offset: int) -> int:
        """Where a character stands in the text with citations."""
        at = max(bisect_right(self.here, offset) - 1, 0)
        return self.there[at] + offset - self.here[at] if self.here else 0


def statements_of(text: str, *, by_sentence: bool = False) -> list[CitedStatement]:
    """Every statement of a text, in order; each ordinal belongs to one of them.

    `by_sentence` leaves sentences without a citation apart: for telling what was edited, not for checking.
    """
    words = _words(text)
    found: list[CitedStatement] = []
    ordinal = 0
    for block in _blocks(words.text):
        # Sentences of the block that no citation has answered for yet.
        waiting: list[sentences.SentenceSpan] = []
        for sentence, stop in block:
            mine = []
            while ordinal < len(words.citations) and words.citations[ordinal] <= stop:
                mine.append((ordinal, words.citations[ordinal]))
                ordinal += 1
            groups = _groups(words.text, mine)
            if not groups:
                waiting.append(sentence)
                continue
            if by_sentence:
                found += [_statement(words, (), each.start, each.end) for each in waiting]
                waiting = []
            found += _cited(words, groups, waiting[0].start if waiting else sentence.start, sentence)
            waiting = []
        found += [_statement(words, (), each.start, each.end) for each in waiting]
    if ordinal < len(words.citations):
        rest = tuple(range(ordinal, len(words.citations)))
        found.append(CitedStatement("", rest, len(text), len(text)))
    return found


def _cited(
    words: _Words, groups: list[tuple[tuple[int, ...], int]], start: int, sentence: sentences.SentenceSpan
) -> list[CitedStatement]:
    """The statements of a sentence with citations; the first begins at `start`, with what waited for one."""
    found: list[CitedStatement] = []
    frame = words.text.rfind(":", sentence.start, groups[0][1]) + 1 if len(groups) > 1 else 0
    if frame and start == sentence.start and _says(words.text[frame : groups[0][1]]):
        found.append(_statement(words, (), start, frame))
        start = frame
    for number, (group, at) in enumerate(groups, start=1):
        end = sentence.end if number == len(groups) else at
        found.append(_statement(words, group, start, end))
        start = end
    return found


def plain(text: str) -> str:
    """Markdown as the words that it shows."""
    bare = _EMPHASIS.sub("", _LINE_START.sub(r"\1", text))
    words = _SPACED.sub(r"\1", html.unescape(_ESCAPED.sub(r"\1", bare)))
    return words.strip().lstrip("/,;:|").lstrip()


def _statement(words: _Words, ordinals: tuple[int, ...], start: int, end: int) -> CitedStatement:
    last = words.place(end - 1) + 1 if end > start else words.place(start)
    return CitedStatement(plain(words.text[start:end]), ordinals, words.place(start), last)


def _words(text: str) -> _Words:
    pieces: list[str] = []
    words = _Words("", [], [], [])
    here = there = 0
    for segment in segments(text):
        if segment.ordinal is None:
            words.here.append(here)
            words.there.append(there)
            pieces.append(segment.text)
            here += len(segment.text)
        else:
            words.citations.append(here)
        there += len(segment.text)
    return _Words("".join(pieces), words.here, words.there, words.citations)


def _blocks(text: str) -> list[list[tuple[sentences.SentenceSpan, int]]]:
    """Sentences by the blocks they stand in, each with how far citations belong to it: up to where the next begins."""
    found = _whole(text, sentences.split(text))
    stops = [each.start for each in found[1:]] + [len(text)] * bool(found)
    breaks = [mark.end() for mark in _BLOCK.finditer(text)]
    blocks: dict[int, list[tuple[sentences.SentenceSpan, int]]] = {}
    for each, stop in zip(found, stops, strict=True):
        blocks.setdefault(bisect_right(breaks, each.start), []).append((each, stop))
    return list(blocks.values())


def _whole(text: str, found: list[sentences.SentenceSpan]) -> list[sentences.SentenceSpan]:
    """Sentences; the number of an item of a list belongs to what it numbers."""
    whole: list[sentences.SentenceSpan] = []
    start: int | None = None
    for each in found:
        begin = each.start if start is None else start
        if any(character.isalpha() for character in text[each.start : each.end]):
            whole.append(sentences.SentenceSpan(begin, each.end))
            start = None
        else:
            start = begin
    return [*whole, sentences.SentenceSpan(start, found[-1].end)] if start is not None else whole


def _groups(text: str, citations: list[tuple[int, int]]) -> list[tuple[tuple[int, ...], int]]:
    """Citations that nothing is said between, with where they stand."""
    groups: list[tuple[tuple[int, ...], int]] = []
    for ordinal, at in citations:
        if groups and not _says(text[groups[-1][1] : at]):
            groups[-1] = (*groups[-1][0], ordinal), groups[-1][1]
        else:
            groups.append(((ordinal,), at))
    return groups


def _says(text: str) -> bool:
    return any(character.isalnum() for character in text)
