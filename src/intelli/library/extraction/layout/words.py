"""Positioned words, and the reading frame they are read in: text may run right, down, left or up."""

from dataclasses import dataclass
from enum import IntEnum

from intelli.library.extraction.model import Box


class Direction(IntEnum):
    """Direction in which a line of text runs on the displayed page, in quarter turns clockwise from right."""

    RIGHT = 0
    DOWN = 1
    LEFT = 2
    UP = 3
    OBLIQUE = 4  # a watermark across the page: read as one line


@dataclass(frozen=True, slots=True)
class Style:
    """Font style of a word; `size` is the font size in points."""

    size: float
    is_bold: bool = False
    is_mono: bool = False


@dataclass(slots=True)
class PlacedWord:
    """A word with its box on the page and its box in the reading frame (`x0` to `y1`).

    In the reading frame lines run to the right and follow each other downwards.
    """

    text: str
    box: Box
    x0: float
    y0: float
    x1: float
    y1: float
    style: Style
    is_hyphenated: bool = False  # it ends in a hyphen that only the line end made
    is_rtl: bool = False


@dataclass(frozen=True, slots=True)
class ReadingFrame:
    """The coordinate system of a run of words on a page of this size, turned to its reading direction."""

    direction: Direction
    width: float
    height: float

    @property
    def measure(self) -> float:
        """The longest a line can be, in points."""
        return self.height if self.direction in {Direction.DOWN, Direction.UP} else self.width

    def to_page(self, box: Box) -> Box:
        """Convert a box of the frame to a box of the displayed page."""
        x0, y0, x1, y1 = box
        match self.direction:
            case Direction.DOWN:
                return (self.width - y1, x0, self.width - y0, x1)
            case Direction.LEFT:
                return (self.width - x1, self.height - y1, self.width - x0, self.height - y0)
            case Direction.UP:
                return (y0, self.height - x1, y1, self.height - x0)
            case _:
                return box


@dataclass(slots=True)
class WordRun:
    """Consecutive words that share a reading frame."""

    frame: ReadingFrame
    words: list[PlacedWord]
