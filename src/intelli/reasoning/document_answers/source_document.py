"""Values of documents: their names, what they tell of themselves, and their pieces with what each is to a reader."""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

# Documents that are read for one question.
MOST_DOCUMENTS = 40


class PieceRole(StrEnum):
    """What a piece of a document is to an answer. On OTHER no statement may rest, such as a mail's header."""

    TITLE = "title"
    HEADING = "heading"
    PROSE = "prose"
    ITEM = "item"
    TABLE = "table"
    CONTENTS = "contents"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class SourceFact:
    """What a document tells of itself, in its words; `start` and `end` are their place in its text, if any."""

    words: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line of a table, in words, with the characters it takes."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SourcePiece:
    """A part of the text. `heading` is the index of the piece that is the heading above, -1 without one.

    `lines` are the rows of a table in words, `columns` the names of its columns.
    """

    start: int
    end: int
    role: PieceRole
    heading: int = -1
    continues: bool = False
    lines: tuple[ToldLine, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document: its name, its text, its facts, and its pieces in order. `day` is its date."""

    name: str
    text: str
    pieces: tuple[SourcePiece, ...]
    kind: SourceFact | None = None
    date: SourceFact | None = None
    day: dt.date | None = None
    period: SourceFact | None = None
    parties: tuple[SourceFact, ...] = ()

    def words(self, piece: SourcePiece) -> str:
        """The words of a piece on one line."""
        return " ".join(self.text[piece.start : piece.end].split())


@dataclass(frozen=True, slots=True)
class CitedRange:
    """Characters of a document that a line of an answer rests on."""

    document: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line of an answer with what it rests on, the most important first; one that `goes_on` is no line of its own."""

    text: str
    cited: tuple[CitedRange, ...]
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class DocumentsAnswer:
    """An answer: what leads over to its lines, and the lines."""

    lead: str
    lines: tuple[AnswerLine, ...]
