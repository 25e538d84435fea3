"""Tell what a document is, in one line: its title, kind, date, period and parties, each at the words it comes from."""

from collections.abc import Iterator

from intelli.language import dates
from intelli.reasoning.document_answers.document_phrases import DocumentPhrases
from intelli.reasoning.document_answers.source_document import (
    AnswerLine,
    CitedRange,
    PieceRole,
    SourceDocument,
    SourceFact,
    SourcePiece,
)
from intelli.reasoning.document_answers.whole_sentences import flow_of, joined_from, shown, title_of

_MOST_PARTIES = 4
_LONGEST_TITLE, _LONGEST_BELOW = 200, 240
_MOST_COLUMNS = 8
_FEW_WORDS = 3
# Facts that stand so close together are cited as one.
_NEAR = 400


def tell_facts(document: SourceDocument, at: int, said: DocumentPhrases) -> AnswerLine | None:
    """Return the line with what a document tells of itself; None where it tells nothing."""
    title = title_of(document)
    told = [_shorten(shown(document.text[title.start : title.end]))] if title else []
    heads = told[0].casefold() if told else ""
    facts: list[SourceFact] = []
    for name, fact in ((said.kind, document.kind), (said.date, document.date), (said.period, document.period)):
        if fact is not None and not _is_of_chapter(document, fact, title):
            facts.append(fact)
            if _written(fact).casefold() not in heads:
                told.append(f"{name}: {_written(fact)}")
    parties = [each for each in document.parties if each.words.casefold() not in heads][:_MOST_PARTIES]
    if parties:
        told.append(f"{said.parties}: {', '.join(each.words.rstrip('.') for each in parties)}")
    ranges = ([(title.start, title.end)] if title else []) + [
        (each.start, each.end) for each in (*facts, *parties) if each.start is not None and each.end is not None
    ]
    cited = tuple(CitedRange(at, *each) for each in _joined(ranges))
    return AnswerLine(", ".join(told), cited) if told and cited else None


def tell_below_title(document: SourceDocument, at: int) -> AnswerLine | None:
    """Return the line below the title that is no sentence: whom it is between, where and when, who was present."""
    title = title_of(document)
    if title is None:
        return None
    index = document.pieces.index(title) + 1
    while index < len(document.pieces) and document.pieces[index].role in {PieceRole.PROSE, PieceRole.ITEM}:
        joined = joined_from(document, index)
        words = shown(flow_of(document, [document.pieces[each] for each in joined])[0])
        if words.endswith((",", ":")) or _is_sentence(words):
            return None
        if len(words) <= _LONGEST_BELOW and words.count(" ") >= _FEW_WORDS:
            cited = CitedRange(at, document.pieces[index].start, document.pieces[joined[-1]].end)
            return AnswerLine(words, (cited,))
        index = joined[-1] + 1
    return None


def tell_table(document: SourceDocument, at: int, said: DocumentPhrases) -> AnswerLine | None:
    """Return a line on the first table of a document with the names of its columns."""
    for piece in document.pieces:
        if piece.role is PieceRole.TABLE and piece.columns and piece.lines:
            cited = CitedRange(at, piece.start, piece.lines[0].end)
            columns = [" ".join(each.split()) for each in piece.columns[:_MOST_COLUMNS] if each.strip()]
            return AnswerLine(said.table.format(", ".join(columns)), (cited,))
    return None


def _is_of_chapter(document: SourceDocument, fact: SourceFact, title: SourcePiece | None) -> bool:
    """Whether a fact was read from a heading that is not the title, and so may be one of a part only."""
    return fact.start is not None and any(
        piece.role is PieceRole.HEADING and piece is not title and piece.start <= fact.start < piece.end
        for piece in document.pieces
    )


def _written(fact: SourceFact) -> str:
    """The words of a fact; of a date without the time of the day."""
    days = dates.dates_of(fact.words)
    return days[0].written if len(days) == 1 and days[0].year is not None else fact.words


def _is_sentence(words: str) -> bool:
    return words.endswith((".", "!", "?")) and ":" not in words


def _shorten(title: str) -> str:
    return title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE].rpartition(' ')[0]} …"


def _joined(ranges: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield ranges in order, those that are near each other as one."""
    at: tuple[int, int] | None = None
    for start, end in sorted(ranges):
        if at is not None and start - at[1] <= _NEAR:
            at = (at[0], max(at[1], end))
            continue
        if at is not None:
            yield at
        at = (start, end)
    if at is not None:
        yield at
