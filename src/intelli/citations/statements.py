"""Split a text into statements: what is checked, each with the citations that it rests on.

A statement is a sentence, an item of a list, a clause with citations of its own, or a cell of a table with the heads of
its row and column. Citations side by side belong to one statement. A sentence without a citation rests on the next one
of its block: a mark at the end of three sentences answers for all three. What only introduces a list, says that sources
are silent, is the writer's own reckoning or cited what does not exist rests on nothing.
"""

import html
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from intelli.citations.own_words import kind_of
from intelli.citations.parse import segments
from intelli.citations.wire import StatementKind
from intelli.language import sentences, text_tables
from intelli.reasoning.citation_stream import NO_SOURCE

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMPHASIS = re.compile(r"(?<!\\)(?:\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w))")
# What a citation stood before.
_SPACED = re.compile(r"(?<!\s)\s++([.,;:!?])")
# The space before a mark is entered at its beginning alone: a run of empty lines is not read anew from each of them.
_LINE_START = re.compile(r"(?:\A\s*+|(?<!\s)([^\S\n]*+\n)\s*+|^)(?:#{1,6}\s++|[-*+\u2022]\s++|>\s++|\|)", re.MULTILINE)
# Where a block ends: a paragraph, an item of a list, a row of a table, a heading.
_BLOCK = re.compile(r"\n\s*\n|\f|\n(?=\s{0,8}(?:[-*+\u2022]\s|\d{1,3}[.)]\s|#{1,6}\s|>\s|\|))")
_ITEM = re.compile(r"\s*(?:[-*+\u2022]|\d{1,3}[.)])\s")
_HEADING = re.compile(r"\s*#{1,6}\s")
# A sentence that goes on about what sources are silent on: "They also do not say …", "Nor is it known …".
_GOES_ON = re.compile(
    r"(?:They|It|Nor|Neither|Sie|Es|Auch|Ebenso)\b(?=.{0,60}\b(?:not?|nor|neither|nicht|kein\w*|nichts)\b)"
)
_UNCITED = {StatementKind.ABSENCE, StatementKind.OWN}


@dataclass(frozen=True, slots=True)
class CitedStatement:
    """Plain words of a text with the ordinals of the citations that they rest on; none when they rest on nothing.

    `start` and `end` say where the words are in the text, citations and marks included. `context` is the sentence
    around a clause. `cells` are the values of a table row with the heads of their columns. `is_inherited` says that the
    citations are those of a later sentence of its block, `is_calculated` that a program made it from cited figures,
    which alone have to be in the sources.
    """

    text: str
    ordinals: tuple[int, ...]
    start: int
    end: int
    kind: StatementKind = StatementKind.SENTENCE
    context: str = ""
    row: str = ""
    cells: tuple[tuple[str, str], ...] = ()
    is_inherited: bool = False
    is_calculated: bool = False


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

    def ordinals(self, start: int, end: int) -> tuple[int, ...]:
        """The citations that stand behind `start` and not behind `end`."""
        return tuple(range(bisect_right(self.citations, start), bisect_right(self.citations, end)))


def statements_of(text: str, *, by_sentence: bool = False) -> list[CitedStatement]:
    """Return every statement of a text, in order; each ordinal belongs to at least one of them.

    `by_sentence` leaves sentences without a citation of their own uncited: for telling what was edited.
    """
    words = _words(text)
    tables = text_tables.find_tables(words.text)
    found: list[CitedStatement] = []
    for block in _blocks(words.text, tables):
        if isinstance(block, text_tables.TableText):
            found += _of_table(words, block, _introduction(found))
        else:
            found += _of_block(words, block)
    missed = set(range(len(words.citations))) - {ordinal for each in found for ordinal in each.ordinals}
    if missed:
        found.append(CitedStatement("", tuple(sorted(missed)), len(text), len(text)))
    return [replace(each, ordinals=()) if each.is_inherited else each for each in found] if by_sentence else found


def plain(text: str) -> str:
    """Markdown as the words that it shows."""
    bare = _EMPHASIS.sub("", _LINE_START.sub(r"\1", text))
    words = _SPACED.sub(r"\1", html.unescape(_ESCAPED.sub(r"\1", bare)))
    return words.strip().lstrip("/,;:|").lstrip()


_Sentence = tuple[sentences.SentenceSpan, int]


def _of_block(words: _Words, block: Sequence[_Sentence]) -> list[CitedStatement]:
    """The statements of a paragraph or an item of a list."""
    found: list[CitedStatement] = []
    waiting: list[CitedStatement] = []
    at = bisect_right(words.citations, block[0][0].start - 1)
    for sentence, stop in block:
        mine: list[tuple[int, int]] = []
        while at < len(words.citations) and words.citations[at] <= stop:
            mine.append((at, words.citations[at]))
            at += 1
        groups = _groups(words.text, mine)
        if not groups:
            bare = _statement(words, (), sentence)
            is_silent = (waiting or found)[-1:] and (waiting or found)[-1].kind is StatementKind.ABSENCE
            waiting.append(
                replace(bare, kind=StatementKind.ABSENCE) if is_silent and _GOES_ON.match(bare.text) else bare
            )
            continue
        cited = _cited(words, groups, sentence)
        first = next((each.ordinals for each in cited if each.ordinals), ())
        found += [*(_inherit(each, first) for each in waiting), *cited]
        waiting = []
    return found + waiting


def _inherit(statement: CitedStatement, ordinals: tuple[int, ...]) -> CitedStatement:
    if statement.kind in _UNCITED or statement.text.endswith((":", "?")) or NO_SOURCE in statement.text:
        return statement
    return replace(statement, ordinals=ordinals, is_inherited=True)


def _cited(
    words: _Words, groups: list[tuple[tuple[int, ...], int]], sentence: sentences.SentenceSpan
) -> list[CitedStatement]:
    """The statements of a sentence with citations: itself, or its clauses where these have citations of their own."""
    if len(groups) == 1:
        return [_statement(words, groups[0][0], sentence)]
    found: list[CitedStatement] = []
    start, context = sentence.start, plain(words.text[sentence.start : sentence.end])
    frame = words.text.rfind(": ", sentence.start, groups[0][1]) + 1
    if frame and _says(words.text[frame : groups[0][1]]):
        found.append(_statement(words, (), sentences.SentenceSpan(start, frame)))
        start = frame
    for number, (group, at) in enumerate(groups, start=1):
        end = sentence.end if number == len(groups) else at
        clause = _statement(words, group, sentences.SentenceSpan(start, end))
        kind = clause.kind if clause.kind in _UNCITED else StatementKind.CLAUSE
        found.append(replace(clause, kind=kind, context=context))
        start = end
    return found


def _statement(words: _Words, ordinals: tuple[int, ...], span: sentences.SentenceSpan) -> CitedStatement:
    start, end = span.start, span.end
    last = words.place(end - 1) + 1 if end > start else words.place(start)
    said = words.text[start:end]
    line = words.text.rfind("\n", 0, start) + 1
    is_item = _ITEM.match(words.text, line) is not None and not words.text[line:start].strip()
    kind = kind_of(plain(said))
    if kind is None or (kind is StatementKind.OWN and ordinals):
        kind = StatementKind.ITEM if is_item else StatementKind.SENTENCE
    mark = _ITEM.match(said)
    return CitedStatement(plain(said[mark.end() if mark else 0 :]), ordinals, words.place(start), last, kind)


def _of_table(words: _Words, table: text_tables.TableText, before: tuple[int, ...]) -> list[CitedStatement]:
    """The rows of a table; cells with citations of their own are statements of their own."""
    heads = [plain(cell.text) for cell in table.head]
    found: list[CitedStatement] = []
    for row in table.rows:
        cells = [_TableCell(plain(cell.text), words.ordinals(cell.start - 1, cell.edge), cell) for cell in row]
        own = [cell for cell in cells[1:] if cell.ordinals and cell.is_said]
        found += _by_cell(words, heads, cells) if len(own) > 1 else [_whole_row(words, heads, cells, before)]
    return found


@dataclass(frozen=True, slots=True)
class _TableCell:
    """A cell: its plain words, its citations, and its place."""

    said: str
    ordinals: tuple[int, ...]
    place: text_tables.CellText

    @property
    def is_said(self) -> bool:
        """True when it has words, and not only citations."""
        return _says(self.said)


def _whole_row(
    words: _Words, heads: Sequence[str], cells: Sequence[_TableCell], before: tuple[int, ...]
) -> CitedStatement:
    """A row as one statement: on its own citations, else on those of the sentence before the table."""
    marks = tuple(ordinal for cell in cells for ordinal in cell.ordinals)
    pairs = [(_head(heads, at), cell.said) for at, cell in enumerate(cells) if cell.is_said]
    return _row(words, cells, cells[0].said, pairs, ordinals=marks or before)


def _by_cell(words: _Words, heads: Sequence[str], cells: Sequence[_TableCell]) -> list[CitedStatement]:
    """The cells of a row that have citations, each with the head of its row; those that have none, on all of these."""
    name = cells[0].said
    key = (_head(heads, 0), name)
    shared = tuple(ordinal for cell in cells if not cell.is_said for ordinal in cell.ordinals)
    found: list[CitedStatement] = []
    bare: list[tuple[str, str]] = []
    for at, cell in enumerate(cells):
        pair = (_head(heads, at), cell.said)
        if cell.ordinals and cell.is_said:
            found.append(_row(words, [cell], name, [key, pair] if at else [key], ordinals=cell.ordinals + shared))
        elif at and cell.is_said:
            bare.append(pair)
    if bare:
        # What follows from the others, such as a difference, has none of its own.
        of_row = tuple(dict.fromkeys(ordinal for each in found for ordinal in each.ordinals))
        found.append(_row(words, cells, name, [key, *bare], ordinals=shared or of_row))
    return found


def _head(heads: Sequence[str], at: int) -> str:
    return heads[at] if at < len(heads) else ""


def _row(
    words: _Words,
    cells: Sequence[_TableCell],
    name: str,
    pairs: Sequence[tuple[str, str]],
    *,
    ordinals: tuple[int, ...],
) -> CitedStatement:
    told = "; ".join(f"{head}: {said}" if head else said for head, said in pairs)
    start, end = cells[0].place.start, cells[-1].place.edge
    place = words.place(start), words.place(max(end - 1, start)) + 1
    return CitedStatement(told, ordinals, *place, StatementKind.CELL, row=name, cells=tuple(pairs))


def _introduction(found: Sequence[CitedStatement]) -> tuple[int, ...]:
    """The citations of the sentence that introduces a table."""
    return found[-1].ordinals if found and found[-1].text.endswith(":") else ()


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


def _blocks(text: str, tables: Sequence[text_tables.TableText]) -> "list[list[_Sentence] | text_tables.TableText]":
    """Tables, and sentences by the blocks they stand in, each with how far citations belong to it."""
    found: list[list[_Sentence] | text_tables.TableText] = []
    at = 0
    for table in tables:
        found += [*_paragraphs(text, at, table.start), table]
        at = table.end
    return found + list(_paragraphs(text, at, len(text)))


def _paragraphs(text: str, start: int, end: int) -> list[list[_Sentence]]:
    stretch = text[start:end]
    found = _whole(stretch, sentences.split(stretch))
    stops = [each.start for each in found[1:]] + [len(stretch)] * bool(found)
    breaks = [mark.end() for mark in _BLOCK.finditer(stretch)]
    blocks: dict[int, list[_Sentence]] = {}
    for each, stop in zip(found, stops, strict=True):
        if _HEADING.match(stretch, each.start) and not stretch[each.start : each.end].rstrip().endswith("."):
            continue
        moved = sentences.SentenceSpan(start + each.start, start + each.end)
        blocks.setdefault(bisect_right(breaks, each.start), []).append((moved, start + stop))
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
