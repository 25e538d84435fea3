"""Choose what is told of a document: what it is, and of each chapter its heading with the statements that lead it."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from intelli.reasoning.document_answers.document_phrases import DocumentPhrases
from intelli.reasoning.document_answers.source_document import (
    AnswerLine,
    CitedRange,
    PieceRole,
    SourceDocument,
    SourcePiece,
)
from intelli.reasoning.document_answers.told_facts import tell_below_title, tell_facts, tell_table
from intelli.reasoning.document_answers.whole_sentences import (
    WholeSentence,
    headings_above,
    sentences_of,
    shown,
    title_of,
)

_MOST_LINES, _MOST_SENTENCES, _MOST_OF_CHAPTER = 10, 18, 3
_FEW_CHAPTERS = 3
_FEW_ROWS, _LONGEST_LABEL = 3, 120
# A chapter that sums up is told whole, up to so many characters.
_WHOLE = 1_000
_SUMS_UP = re.compile(
    r"^\W*+(?:[\d.]++\s++)?(?:abstract|summary|executive summary|in short|in brief|overview|key points|highlights|"
    r"zusammenfassung|überblick|kurzfassung|auf einen blick|résumé|resumen|sommario|resumo|samenvatting)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Chapter:
    """What stands below one of the outermost headings, or below a label; `heading` is its index, -1 without one.

    At `most` so many of its sentences are told; of one that `is_listed` each in a line of its own.
    """

    label: str
    heading: int
    sentences: list[WholeSentence] = field(default_factory=list)
    tables: list[SourcePiece] = field(default_factory=list)
    most: int = 1
    is_listed: bool = False


def summarise(document: SourceDocument, at: int, said: DocumentPhrases) -> tuple[AnswerLine, ...]:
    """Return the lines that tell what a document is and what its chapters say; none where it has no statement."""
    head = list(_head(document, at, said))
    told_already = {(each.start, each.end) for line in head for each in line.cited}
    chapters = [each for each in _chapters(document, told_already) if _telling(each) or each.tables]
    room = _MOST_LINES - len(head)
    chapters = _choose(chapters, room)
    told = sum(bool(_telling(each)) for each in chapters)
    for chapter in chapters:
        chapter.most = max(1, min(_MOST_OF_CHAPTER, _MOST_SENTENCES // max(told, 1)))
        if told < _FEW_CHAPTERS:
            chapter.most, chapter.is_listed = room // max(told, 1), True
    lines = [line for chapter in chapters for line in _tell(document, at, chapter, said)]
    starts = [number for number, line in enumerate(lines) if not line.goes_on]
    return (*head, *lines[: [*starts, len(lines)][min(room, len(starts))]]) if lines else ()


def _head(document: SourceDocument, at: int, said: DocumentPhrases) -> Iterator[AnswerLine]:
    facts, below = tell_facts(document, at, said), tell_below_title(document, at)
    if facts is not None:
        text = f"{said.title}: {facts.text}" if title_of(document) else f"{facts.text[0].upper()}{facts.text[1:]}"
        yield AnswerLine(text, facts.cited)
    if below is not None and not (document.date and document.parties):
        yield AnswerLine(f"{said.below_title}: {below.text}", below.cited)


def _chapters(document: SourceDocument, told_already: Collection[tuple[int, int]]) -> list[_Chapter]:
    """Return the chapters in order: by the outermost headings of which there are several, else by labels."""
    depth = _depth(document)
    found: dict[tuple[int, str], _Chapter] = {}
    title = title_of(document)

    def chapter(heading: int, label: str = "") -> _Chapter:
        above = headings_above(document, heading)
        outer = above[min(depth, len(above) - 1)] if above else -1
        if outer >= 0 and document.pieces[outer] is title:
            outer = -1
        label = label if outer < 0 else ""
        named = label or (shown(document.words(document.pieces[outer])) if outer >= 0 else "")
        return found.setdefault((outer, label), _Chapter(named, outer))

    for sentence in sentences_of(document):
        if not any(start <= sentence.start < end for start, end in told_already):
            chapter(sentence.heading, sentence.label).sentences.append(sentence)
    for piece in document.pieces:
        if piece.role is PieceRole.TABLE and piece.lines:
            chapter(piece.heading).tables.append(piece)
    return sorted(found.values(), key=_start)


def _depth(document: SourceDocument) -> int:
    """Return how many headings stand above all others: the title and those that are alone on their level."""
    chains = [
        headings_above(document, at)
        for at, piece in enumerate(document.pieces)
        if piece.role in {PieceRole.TITLE, PieceRole.HEADING}
    ]
    for depth in range(3):
        if len({chain[depth] for chain in chains if len(chain) > depth}) > 1:
            return depth
    return 0


def _start(chapter: _Chapter) -> int:
    return min(each.start for each in (_telling(chapter) or chapter.sentences or chapter.tables))


def _telling(chapter: _Chapter) -> list[WholeSentence]:
    return [each for each in chapter.sentences if each.is_alone and not each.is_guess]


def _choose(chapters: Sequence[_Chapter], room: int) -> list[_Chapter]:
    """Return as many chapters as there is room for: first those that say most, in the order of the document."""
    if len(chapters) <= room:
        return list(chapters)
    first = chapters[0]
    weighed = sorted(chapters[1:], key=lambda each: -_weight(each))[: room - 1]
    return [each for each in chapters if each is first or any(each is other for other in weighed)]


def _weight(chapter: _Chapter) -> int:
    """How much a chapter says, in characters up to those of a few sentences; one that sums up says most."""
    length = sum(len(each.text) for each in _telling(chapter))
    return _WHOLE * bool(_SUMS_UP.match(chapter.label)) + min(length, _WHOLE)


def _tell(document: SourceDocument, at: int, chapter: _Chapter, said: DocumentPhrases) -> Iterator[AnswerLine]:
    telling = _telling(chapter)
    if not telling:
        yield from _tell_tables(document, at, chapter, said)
        return
    if _SUMS_UP.match(chapter.label) and sum(len(each.text) for each in telling) <= _WHOLE:
        chapter.most, chapter.is_listed = len(telling), False
    for number, each in enumerate(telling[: chapter.most]):
        start = each.start if number else _start_of(document, chapter, each)
        label = _label(chapter) if not number or chapter.is_listed else ""
        goes_on = number > 0 and not chapter.is_listed
        yield AnswerLine(f"{label}{_closed(each.text)}", (CitedRange(at, start, each.end),), goes_on)


def _closed(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…", "”", '"', "“", "»")) else f"{text.rstrip(';')}."


def _label(chapter: _Chapter) -> str:
    label = chapter.label.rstrip(":. ")
    return f"{label}: " if label and len(label) <= _LONGEST_LABEL else ""


def _start_of(document: SourceDocument, chapter: _Chapter, first: WholeSentence) -> int:
    """Return where a chapter begins: at its heading, if nothing stands between it and the first statement."""
    if chapter.heading < 0:
        return first.start
    head = document.pieces[chapter.heading]
    return first.start if document.text[head.end : first.start].strip(" \n\t*-#\u2022") else head.start


def _tell_tables(document: SourceDocument, at: int, chapter: _Chapter, said: DocumentPhrases) -> Iterator[AnswerLine]:
    """Yield a line on the first table of a chapter without sentences: its rows, or how many it has."""
    table = chapter.tables[0]
    rows = table.lines[:_FEW_ROWS]
    if len(table.lines) <= 2 * _FEW_ROWS + 2:
        text = "; ".join(row.text for row in rows)
        yield AnswerLine(f"{_label(chapter)}{text}", tuple(CitedRange(at, row.start, row.end) for row in rows))
        return
    alone = SourceDocument(document.name, document.text, (table,))
    line = tell_table(alone, at, said)
    if line is not None:
        yield AnswerLine(f"{_label(chapter)}{line.text}", line.cited)
