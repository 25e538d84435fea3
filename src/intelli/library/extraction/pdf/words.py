"""Groups glyphs into words, and words into runs of one reading direction, with boxes in the reading frame."""

import math
import unicodedata
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from intelli.library.extraction.layout.words import Direction, PlacedWord, ReadingFrame, Style, WordRun
from intelli.library.extraction.model import Box
from intelli.library.extraction.pdf.glyph_style import GlyphStyle, GlyphStyleReader
from intelli.library.extraction.pdf.glyphs import HYPHEN, SOFT_HYPHEN, SPACE, Boxes, Codes, Glyphs

Flags = npt.NDArray[np.bool_]
Indexes = npt.NDArray[np.int64]

_RTL_RANGES = ((0x590, 0x8FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFE), (0x10800, 0x10FFF), (0x1E800, 0x1EFFF))
_WIDE = 0x2E80  # from here on scripts that are also written downwards
_TINY_PT = 1.2


@dataclass(frozen=True, slots=True)
class _Tokens:
    """Glyph sequences between spaces: the index of the first glyph, style, direction and font size of each."""

    starts: Indexes
    traits: list[GlyphStyle]
    directions: list[Direction]
    sizes: list[float]


@dataclass(frozen=True, slots=True)
class PageWords:
    """The words of a page in runs, and the boxes of words that may not be visible."""

    runs: list[WordRun]
    invisible: list[Box]  # never painted
    pale: list[Box]  # painted in white, or too small to read


def read_words(glyphs: Glyphs, traits: GlyphStyleReader, *, size: tuple[float, float], rotation: int) -> PageWords:
    """Group the glyphs of a page into words, in content order; `rotation` is that of the page, in degrees."""
    seen = np.flatnonzero(glyphs.codes != SPACE)
    if not len(seen):
        return PageWords([], [], [])
    codes, boxes = glyphs.codes[seen], glyphs.boxes[seen]
    starts = np.flatnonzero(np.concatenate(([True], np.diff(seen) > 1)))
    looks = [traits.style_of(index) for index in glyphs.indexes[seen[starts]].tolist()]
    directions = _directions(looks, rotation, starts=starts, codes=codes, boxes=boxes)
    framed = _to_frames(boxes, _repeat_per_glyph(directions, starts, len(codes)), size)
    sizes = _sizes(looks, framed[starts])
    tokens = _Tokens(starts, looks, directions, sizes)
    first = _word_starts(tokens, codes, framed)
    return _build_words(tokens, _Spans.build(first, codes, framed=framed, boxes=_clip_to_page(boxes, size)), size)


def _directions(
    looks: list[GlyphStyle], rotation: int, *, starts: Indexes, codes: Codes, boxes: Boxes
) -> list[Direction]:
    known = {turn: _direction(turn, rotation) for turn in {look.turn for look in looks}}
    directions = [known[look.turn] for look in looks]
    for token in _find_downward(starts, codes, boxes):
        if directions[token] is Direction.RIGHT:
            directions[token] = Direction.DOWN
    return directions


def _direction(turn: float, rotation: int) -> Direction:
    """Return the direction of text turned by `turn` radians on a page rotated by `rotation` degrees."""
    quarters = turn / (math.pi / 2)
    if abs(quarters - round(quarters)) > 0.1:
        return Direction.OBLIQUE
    return Direction((round(quarters) + rotation // 90) % 4)


def _find_downward(starts: Indexes, codes: Codes, boxes: Boxes) -> list[int]:
    """Return the tokens of upright East Asian characters that follow each other downwards."""
    if codes.max() < _WIDE or len(codes) < 2:
        return []
    step = np.diff((boxes[:, :2] + boxes[:, 2:]) / 2, axis=0, append=0.0)
    step[np.append(starts[1:] - 1, len(codes) - 1)] = 0.0  # the step to the next token is not the token's own
    across, down = np.add.reduceat(np.abs(step[:, 0]), starts), np.add.reduceat(step[:, 1], starts)
    is_wide = np.add.reduceat(codes >= _WIDE, starts, dtype=np.int64) > 1
    return [int(token) for token in np.flatnonzero(is_wide & (down > 2 * across))]


def _repeat_per_glyph(values: list[Direction], starts: Indexes, count: int) -> npt.NDArray[np.int64]:
    return np.repeat(np.array(values, dtype=np.int64), np.diff(starts, append=count))


def _to_frames(boxes: Boxes, directions: npt.NDArray[np.int64], size: tuple[float, float]) -> Boxes:
    """Convert boxes of the page to boxes of their reading frames: the inverse of `ReadingFrame.to_page`."""
    width, height = size
    framed = boxes.copy()
    x0, y0, x1, y1 = boxes.T
    for direction, columns in (
        (Direction.DOWN, (y0, width - x1, y1, width - x0)),
        (Direction.LEFT, (width - x1, height - y1, width - x0, height - y0)),
        (Direction.UP, (height - y1, x0, height - y0, x1)),
    ):
        has_direction = directions == direction
        if has_direction.any():
            framed[has_direction] = np.column_stack(columns)[has_direction]
    return framed


def _clip_to_page(boxes: Boxes, size: tuple[float, float]) -> Boxes:
    return np.clip(boxes, 0.0, (*size, *size))


def _sizes(looks: list[GlyphStyle], first_boxes: Boxes) -> list[float]:
    """Return the font size of each token; where the box contradicts it, a size derived from the box's height.

    Files may scale text in ways that the text object does not show. But a font without ascent and descent has boxes
    as high as each letter, and their height is no sign of scaling.
    """
    heights = (first_boxes[:, 3] - first_boxes[:, 1]).tolist()
    tallest: dict[float, float] = {}
    for look, height in zip(looks, heights, strict=True):
        tallest[look.size] = max(tallest.get(look.size, 0.0), height)
    return [
        look.size if _is_plausible(height, tallest[look.size], look.size) else max(height / 1.2, 0.1)
        for look, height in zip(looks, heights, strict=True)
    ]


def _is_plausible(height: float, tallest: float, size: float) -> bool:
    return 0.35 * size <= height <= 2.5 * size and tallest >= 0.62 * size


def _word_starts(tokens: _Tokens, codes: Codes, boxes: Boxes) -> Indexes:
    """Return where words begin: at each token, and inside one where the next glyph is too far away."""
    count = len(codes)
    token_of = np.repeat(np.arange(len(tokens.starts)), np.diff(tokens.starts, append=count))
    size = np.maximum(np.array(tokens.sizes)[token_of], 4.0)
    last = _last_base(codes, boxes)
    x0, y0, x1, y1 = boxes.T
    before_x0, before_y0, before_x1, before_y1 = boxes[last].T
    height = np.maximum(np.maximum(y1 - y0, before_y1 - before_y0), 1.0)
    is_apart = np.minimum(y1, before_y1) - np.maximum(y0, before_y0) < -0.1 * height
    is_far = np.maximum(x0 - before_x1, before_x0 - x1) > 0.9 * size
    is_back = (x0 < before_x0 - height) & ~_is_rtl(codes)
    is_oblique = np.array([direction is Direction.OBLIQUE for direction in tokens.directions])[token_of]
    breaks = (is_apart | is_far | is_back) & ~is_oblique & _is_base(codes, boxes) & (token_of[last] == token_of)
    breaks[tokens.starts] = True
    return np.flatnonzero(breaks)


def _is_base(codes: Codes, boxes: Boxes) -> Flags:
    """Return which glyphs take up space of their own: no accents, nothing without width."""
    accents = [code for code in np.unique(codes[codes >= 0x300]).tolist() if unicodedata.combining(chr(code))]
    flags: Flags = (boxes[:, 2] > boxes[:, 0]) & ~np.isin(codes, accents)
    return flags


def _last_base(codes: Codes, boxes: Boxes) -> Indexes:
    """Return for each glyph the index of the last glyph before it that takes up space of its own."""
    places = np.where(_is_base(codes, boxes), np.arange(len(codes)), 0)
    latest = np.maximum.accumulate(places)
    return np.concatenate(([0], latest[:-1]))


def _is_rtl(codes: Codes) -> Flags:
    flags = np.zeros(len(codes), dtype=bool)
    if codes.max() >= _RTL_RANGES[0][0]:
        for low, high in _RTL_RANGES:
            flags |= (codes >= low) & (codes <= high)
    return flags


@dataclass(frozen=True, slots=True)
class _Spans:
    """Words as ranges of the glyph arrays."""

    starts: list[int]
    ends: list[int]
    framed: list[Box]
    boxes: list[Box]
    is_rtl: list[bool]
    is_hyphenated: list[bool]
    text: str

    @classmethod
    def build(cls, starts: Indexes, codes: Codes, *, framed: Boxes, boxes: Boxes) -> "_Spans":
        ends = np.append(starts[1:], len(codes))
        is_hyphen = (codes == HYPHEN) | (codes == SOFT_HYPHEN)
        characters = np.where(is_hyphen, ord("-"), codes)
        return cls(
            starts.tolist(),
            ends.tolist(),
            list(map(tuple, _union_boxes(framed, starts).tolist())),
            list(map(tuple, _union_boxes(boxes, starts).round(2).tolist())),
            np.logical_or.reduceat(_is_rtl(codes), starts).tolist(),
            is_hyphen[ends - 1].tolist(),
            "".join(map(chr, characters.tolist())),
        )


def _union_boxes(boxes: Boxes, starts: Indexes) -> Boxes:
    return np.hstack([np.minimum.reduceat(boxes[:, :2], starts), np.maximum.reduceat(boxes[:, 2:], starts)])


def _build_words(tokens: _Tokens, spans: _Spans, size: tuple[float, float]) -> PageWords:
    """Build the words from their spans and group them into runs of one direction."""
    page = PageWords([], [], [])
    token_of = (np.searchsorted(tokens.starts, spans.starts, side="right") - 1).tolist()
    styles: dict[tuple[float, bool, bool], Style] = {}
    for number, (start, end, token) in enumerate(zip(spans.starts, spans.ends, token_of, strict=True)):
        look, direction = tokens.traits[token], tokens.directions[token]
        key = (round(tokens.sizes[token], 1), look.is_bold, look.is_mono)
        word = PlacedWord(
            spans.text[start:end],
            spans.boxes[number],
            *spans.framed[number],
            style=styles.setdefault(key, Style(*key)),
            is_hyphenated=spans.is_hyphenated[number],
            is_rtl=spans.is_rtl[number],
        )
        if not page.runs or page.runs[-1].frame.direction is not direction:
            page.runs.append(WordRun(ReadingFrame(direction, *size), []))
        page.runs[-1].words.append(word)
        if look.is_invisible or look.is_pale or key[0] < _TINY_PT:
            (page.pale if look.is_pale and key[0] >= _TINY_PT else page.invisible).append(spans.boxes[number])
    return page
