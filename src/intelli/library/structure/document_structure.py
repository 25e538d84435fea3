"""The structure of a document: its pieces, and its tables as values. Built with the reading, stored beside it."""

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from intelli.library.extraction.model import Extraction, PieceKind
from intelli.library.structure import contents, find_tables, pieces
from intelli.library.structure.document_table import DocumentTable
from intelli.library.structure.pieces import STATEMENT_KINDS, Piece

MOST_PIECES = 1_000_000
_JOINED = frozenset({PieceKind.PARAGRAPH, PieceKind.LIST_ITEM, PieceKind.FOOTNOTE, PieceKind.QUOTED_REPLY})
_MOST_JOINED = 20
_LINE_ENDS = str.maketrans("\n\t\f", "   ")


@dataclass(frozen=True, slots=True)
class PiecePlace:
    """Where a span of the text stands: the piece that has most of it, and the pieces that are the headings above."""

    piece: Piece
    headings: tuple[Piece, ...]

    @property
    def is_statement(self) -> bool:
        """Whether a finding may rest on it."""
        return self.piece.kind in STATEMENT_KINDS


@dataclass(frozen=True)
class DocumentStructure:
    """Pieces and tables of a text, in order."""

    pieces: Sequence[Piece]
    tables: Sequence[DocumentTable]

    @cached_property
    def _starts(self) -> list[int]:
        return [piece.start for piece in self.pieces]

    def place_of(self, start: int, end: int) -> PiecePlace | None:
        """Return where a span stands; None when no piece has a part of it."""
        best: tuple[int, int] | None = None
        for index in self._touched(start, end):
            piece = self.pieces[index]
            shared = min(end, piece.end) - max(start, piece.start)
            if shared >= 0 and (best is None or shared > best[0]):
                best = (shared, index)
        if best is None:
            return None
        piece = self.pieces[best[1]]
        return PiecePlace(piece, tuple(self._headings(piece)))

    def between(self, start: int, end: int) -> list[Piece]:
        """Return the pieces that a span touches."""
        return [self.pieces[index] for index in self._touched(start, end)]

    def whole_statement(self, start: int) -> list[Piece]:
        """Return the piece at a place with those that go on with its sentence: on the next page, in the next column."""
        at = max(bisect.bisect_right(self._starts, start) - 1, 0)
        if not self.pieces:
            return []
        while at and self.pieces[at].continues:
            at = self._prose_before(at)
        found = [self.pieces[at]]
        while len(found) < _MOST_JOINED and (after := self._prose_after(at)) and self.pieces[after].continues:
            at = after
            found.append(self.pieces[at])
        return found

    def _touched(self, start: int, end: int) -> Iterator[int]:
        at = max(bisect.bisect_right(self._starts, start) - 1, 0)
        for index in range(at, len(self.pieces)):
            if self.pieces[index].start >= max(end, start + 1):
                return
            if self.pieces[index].end > start:
                yield index

    def _headings(self, piece: Piece) -> Iterator[Piece]:
        above: list[Piece] = []
        while piece.heading >= 0:
            piece = self.pieces[piece.heading]
            above.append(piece)
        yield from reversed(above)

    def _prose_before(self, at: int) -> int:
        return next((other for other in range(at - 1, -1, -1) if self.pieces[other].kind in _JOINED), 0)

    def _prose_after(self, at: int) -> int:
        after = range(at + 1, min(at + 1 + _MOST_JOINED, len(self.pieces)))
        return next((other for other in after if self.pieces[other].kind in _JOINED), 0)


def flow(text: str, piece: Piece) -> str:
    """Return the words of a piece on one line: what broke its lines becomes blanks, and every place stays the same.

    Rows of tables and code keep their lines.
    """
    words = text[piece.start : piece.end]
    return words.translate(_LINE_ENDS) if piece.kind in _JOINED else words


def build(extraction: Extraction) -> DocumentStructure:
    """Build the structure of an extraction. CPU-bound."""
    listed = contents.find_contents(extraction)
    found = find_tables.find_blocks(extraction, listed)
    prose = frozenset(found.prose)
    built = pieces.build_pieces(extraction, contents=listed, prose=prose, records=found.record_spans)[:MOST_PIECES]
    return DocumentStructure(built, find_tables.build_tables(extraction, built, found))
