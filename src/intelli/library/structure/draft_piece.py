"""A piece whose kind may still change once those around it are known."""

from dataclasses import dataclass

from intelli.library.extraction.model import Block, PieceKind


@dataclass(slots=True)
class DraftPiece:
    """A range of the text, what it seems to be, the block it was read from, and its level if it is a heading."""

    start: int
    end: int
    kind: PieceKind
    block: Block
    level: int = 0
