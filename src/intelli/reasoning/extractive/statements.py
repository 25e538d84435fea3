"""Split passages into statements: sentences with the context they need.

A sentence that opens a list includes the list; one that begins with a pronoun includes the sentence that names its
referent.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

from intelli.language import grids, periods, sentences
from intelli.language.sentences import SentenceSpan
from intelli.reasoning.extractive import figure_words, question

# No more than these before a pronoun: what it means stands close by, or cannot be told.
_MOST_BEFORE = 2
_MOST_CHARACTERS = 600
_APART = re.compile(r"\n\s*\n|\f")
_ITEM = re.compile(r"\s*(?:[-*\u2022\u2023\u25aa\u2013]|\d{1,3}[.)])\s+")
_LIST = re.compile(r"[:\uff1a][^\S\n]*+\n\s*+(?:[-*\u2022\u2023\u25aa\u2013]|\d{1,3}[.)])\s")
_LONGEST_TITLE = 100
_WORD = re.compile(r"[^\W\d_]+")
# A year alone is part of many titles.
_FIGURE = re.compile(rf"\b(?!{periods.RECENT_YEAR}\b)\d")
# So far back is looked for the beginning of a paragraph.
_SIGHT = 2_000
# A sentence has so many words before it can break off; fewer are a name over what follows.
_LEAST_PROSE = 4
_HAS_END = re.compile(r"[.!?\u2026](?=\s|$)|[\u3002\uff01\uff1f]")
# An item of fewer words is nothing without what opens its list.
_LEAST_WORDS = 8


@dataclass(frozen=True, slots=True)
class StatementSpan:
    """A span of a text, and the start of the sentence before it that it needs; its own start where it needs none."""

    start: int
    end: int
    before: int


def statements(text: str) -> list[StatementSpan]:
    """What a text states, in order."""
    found = sentences.statements(text)
    left_out = _headers(text, found) | _listed(text, found) | _cut(text, found) | _title(text, found)
    left_out |= _captions(text, found)
    told = [
        StatementSpan(_lead(text, found, number), each.end, found[max(number - 1, 0)].start)
        for number, each in enumerate(found)
        if each.start not in left_out
    ]
    # What only announces a list is said with the list.
    announced = {one.start for one, each in pairwise(told) if one.start == each.start and _opens_list(text, each)}
    return [each for each in told if each.start not in announced or _opens_list(text, each)]


def bare(text: str) -> str:
    """A text without the mark or number of a list before it."""
    return text[match.end() :] if (match := _ITEM.match(text)) else text


def _lead(text: str, found: list[SentenceSpan], number: int) -> int:
    """Where the sentence begins that names what this one means."""
    first = number
    while first > 0 and number - first < _MOST_BEFORE and question.leans(text[found[first].start : found[first].end]):
        before = found[first - 1]
        is_far = found[number].end - before.start > _MOST_CHARACTERS
        is_apart = _APART.search(text, before.end, found[first].start) is not None
        if is_far or is_apart or grids.is_row(text[before.start : before.end]):
            break
        first -= 1
    # One that still leans on what is not there is better off alone.
    is_named = not question.leans(text[found[first].start : found[first].end])
    return found[first].start if is_named else found[number].start


def _opens_list(text: str, statement: StatementSpan) -> bool:
    return _LIST.search(text, statement.start, statement.end) is not None


def _listed(text: str, found: list[SentenceSpan]) -> set[int]:
    """Where short items begin that stand in a list with the sentence that opens it."""
    listed: set[int] = set()
    end = 0
    for each in found:
        if each.start < end and len(text[each.start : each.end].split()) < _LEAST_WORDS:
            listed.add(each.start)
        end = max(end, each.end)
    return listed


def _cut(text: str, found: list[SentenceSpan]) -> set[int]:
    """Where sentences begin of which only a part is there: said alone, it may say what nobody said."""
    cut = {each.start for number, each in enumerate(found) if _breaks_off(text, found, number)}
    cut |= {after.start for one, after in pairwise(found) if one.start in cut and text[after.start].islower()}
    has_end_only = len(found) > 1 and text[found[0].start].islower() and text[found[1].start].isupper()
    return cut | {found[0].start} if has_end_only else cut


def _breaks_off(text: str, found: list[SentenceSpan], number: int) -> bool:
    """Whether a sentence ends without its mark and goes on behind a break, or, where lines are wrapped, beyond it."""
    each = found[number]
    line = text[each.start : each.end]
    if sentences.is_final(line) or grids.is_row(line) or _ITEM.match(line) or not line[0].isupper():
        return False
    following = found[number + 1] if number + 1 < len(found) else None
    if following is not None and text[following.start].islower():
        return len(line.split()) >= _LEAST_PROSE
    is_last = following is None or "\f" in text[each.end : following.start]
    return is_last and _is_wrapped(text, each)


def _is_wrapped(text: str, sentence: SentenceSpan) -> bool:
    """Whether a sentence stands in a paragraph of whole sentences that run over the ends of lines."""
    first = max(0, sentence.start - _SIGHT)
    breaks = list(_APART.finditer(text, first, sentence.start))
    lines = text[breaks[-1].end() if breaks else first : sentence.end].splitlines()
    runs_on = any(line.strip() and not sentences.is_final(line.rstrip()) for line in lines[:-1])
    return runs_on and any(map(_HAS_END.search, lines))


def _title(text: str, found: list[SentenceSpan]) -> set[int]:
    """Where a title begins: a short first line by itself that ends in a word, and states no figure and no value."""
    if len(found) < 2 or found[0].end - found[0].start > _LONGEST_TITLE:
        return set()
    line = text[found[0].start : found[0].end]
    is_alone = _APART.match(text, found[0].end) is not None and "\n" not in line
    states = line[-1] in ".!?;:" or _FIGURE.search(line) or question.leans(line) or _is_label(line)
    return {found[0].start} if is_alone and not states else set()


def _captions(text: str, found: list[SentenceSpan]) -> set[int]:
    """Where a line begins that only says what the table below it holds."""
    captions = set[int]()
    for one, after in pairwise(found):
        line = text[one.start : one.end]
        is_over = grids.is_row(text[after.start : after.end]) and not grids.is_row(line) and "\n" not in line
        if is_over and len(line.split()) < _LEAST_WORDS and not _FIGURE.search(line) and not _has_verb(line):
            captions.add(one.start)
    return captions


def _has_verb(line: str) -> bool:
    known = figure_words.known_words()
    kinds = (known.being, known.level, known.increase, known.decrease, known.modal, known.acting, known.owning)
    said = {word.lower() for word in _WORD.findall(line)}
    return any(not said.isdisjoint(verbs) for verbs in kinds)


def _is_label(line: str) -> bool:
    """Whether a line gives a value to a name, which a document that calls itself by one does not."""
    return ": " in line and question.heads("papers").isdisjoint(_WORD.findall(line.lower()))


def _headers(text: str, found: list[SentenceSpan]) -> set[int]:
    """Where lines begin that name the columns of a table: the first of several, without figures."""
    headers: set[int] = set()
    if "\t" not in text and "|" not in text:
        return headers
    is_inside = False
    for number, each in enumerate(found):
        is_row = grids.is_row(line := text[each.start : each.end])
        following = found[number + 1 : number + 2]
        has_more = any(grids.is_row(text[one.start : one.end]) for one in following)
        if is_row and not is_inside and has_more and grids.is_header(line):
            headers.add(each.start)
        is_inside = is_row
    return headers
