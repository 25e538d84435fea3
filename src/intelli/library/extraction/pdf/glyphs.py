"""Glyphs of a page as arrays: a character and a box on the displayed page for each, in content order."""

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from intelli.library.extraction.pdf.native import loose_box_writer

MAX_GLYPHS: Final = 1_000_000  # of one page; a dense newspaper page has 30,000
HYPHEN: Final = 2  # pdfium's mark for a hyphen that only the line end made
SOFT_HYPHEN: Final = 0xAD
SPACE: Final = 32

Codes = npt.NDArray[np.int32]
Boxes = npt.NDArray[np.float64]

_LAM: Final = 0x644
_ALEFS: Final = (0x622, 0x623, 0x625, 0x627)
_SPACES: Final = (0x20, 0xA0, 0x1680, 0x180E, 0x202F, 0x205F, 0x3000, 0xFEFF, *range(0x2000, 0x200C), 0x2028, 0x2029)
_NONCHARACTERS: Final = (0xFFFE, 0xFFFF, 0x7F, 0x10FFFF)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Characters (32 for anything that separates words) and boxes; `indexes` are those of pdfium."""

    codes: Codes
    boxes: Boxes
    indexes: Codes
    unmapped: float  # share of glyphs whose font does not map them to characters
    outside: int  # visible characters beyond the edge of the page, left out
    total: int


def read_glyphs(page: pdfium.PdfPage, text_page: pdfium.PdfTextPage) -> Glyphs:
    """Read the glyphs of a page; those outside its edges become spaces and are counted."""
    total = text_page.count_chars()
    count = max(min(total, MAX_GLYPHS), 0)
    codes = _codes(text_page, count)
    boxes = to_display(page, _boxes(text_page, count))
    codes, boxes, indexes = _join_surrogates(codes, boxes)
    _fix_ligatures(codes, boxes)
    is_outside = _is_outside(boxes, page.get_size()) & (codes != SPACE)
    codes[is_outside] = SPACE
    return Glyphs(codes, boxes, indexes, _unmapped_share(text_page, count), int(is_outside.sum()), total)


def _codes(text_page: pdfium.PdfTextPage, count: int) -> Codes:
    unicode_of, handle = pdfium_c.FPDFText_GetUnicode, text_page.raw
    buffer = (ctypes.c_ushort * (count + 1))()
    written = pdfium_c.FPDFText_GetText(handle, 0, count, buffer) - 1
    codes = np.frombuffer(memoryview(buffer).cast("B"), dtype=np.uint16)[:count].astype(np.int32)
    doubtful: Iterable[int] = np.flatnonzero((codes == 0xFFFE) | (codes < SPACE) | (codes == ord("-"))).tolist()
    if written != count or ((codes >= 0xD800) & (codes < 0xE000)).any():
        # GetText left some characters out: its indexes no longer agree with those of the boxes.
        doubtful = range(count)
    for index in doubtful:
        codes[index] = min(unicode_of(handle, index), 0x10FFFF)
    for index in np.flatnonzero(codes == HYPHEN).tolist():
        if pdfium_c.FPDFText_IsHyphen(handle, index) != 1:
            codes[index] = SPACE
    is_space = (codes < SPACE) & (codes != HYPHEN) | np.isin(codes, _SPACES + _NONCHARACTERS)
    codes[is_space | (codes >= 0x80) & (codes < 0xA0)] = SPACE
    return codes


def _boxes(text_page: pdfium.PdfTextPage, count: int) -> Boxes:
    # The loose box spans ascent and descent of the font: even heights help to find lines, and highlights look right.
    raw = np.zeros((count, 4), dtype=np.float32)
    write_box, address, stride = loose_box_writer(text_page), raw.ctypes.data, raw.strides[0]
    for index in range(count):
        write_box(index, address + stride * index)
    boxes = np.nan_to_num(raw.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    for index in np.flatnonzero((boxes[:, 0] == boxes[:, 2]) & (boxes[:, 1] == boxes[:, 3])).tolist():
        boxes[index] = _nominal_box(text_page, index)
    return boxes


def _nominal_box(text_page: pdfium.PdfTextPage, index: int) -> tuple[float, float, float, float]:
    """Return a box estimated from origin and font size, for a glyph without one, as in some Type 3 fonts."""
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium_c.FPDFText_GetCharOrigin(text_page.raw, index, x, y)
    size = min(max(pdfium_c.FPDFText_GetFontSize(text_page.raw, index), 1.0), 100.0)
    return (x.value, y.value + 0.8 * size, x.value + 0.5 * size, y.value - 0.2 * size)


def to_display(page: pdfium.PdfPage, boxes: Boxes) -> Boxes:
    """Convert boxes of PDF space (left, top, right, bottom) to x0, y0, x1, y1 of the displayed page."""
    width, height = page.get_size()
    steps = 64  # PageToDevice answers in whole numbers
    x, y = ctypes.c_int(), ctypes.c_int()

    def device(left: float, top: float) -> tuple[float, float]:
        pdfium_c.FPDF_PageToDevice(page.raw, 0, 0, int(width * steps), int(height * steps), 0, left, top, x, y)
        return x.value / steps, y.value / steps

    origin, right, up = np.array(device(0, 0)), np.array(device(1000, 0)), np.array(device(0, 1000))
    matrix = np.array([(right - origin) / 1000, (up - origin) / 1000])
    one, other = boxes[:, :2] @ matrix + origin, boxes[:, 2:] @ matrix + origin
    return np.hstack([np.minimum(one, other), np.maximum(one, other)])


def _join_surrogates(codes: Codes, boxes: Boxes) -> tuple[Codes, Boxes, Codes]:
    """Combine surrogate pairs into one character and drop lone surrogates."""
    indexes = np.arange(len(codes), dtype=np.int32)
    is_half = (codes >= 0xD800) & (codes < 0xE000)
    if not is_half.any():
        return codes, boxes, indexes
    is_high = is_half & (codes < 0xDC00)
    is_low = is_half & ~is_high
    is_pair = np.zeros_like(is_half)
    is_pair[:-1] = is_high[:-1] & is_low[1:]
    firsts = np.flatnonzero(is_pair)
    codes[firsts] = 0x10000 + ((codes[firsts] - 0xD800) << 10) + (codes[firsts + 1] - 0xDC00)
    kept = ~is_half | is_pair
    return codes[kept], boxes[kept], indexes[kept]


def _fix_ligatures(codes: Codes, boxes: Boxes) -> None:
    """Swap the letters of lam-alef, one glyph with two letters, which pdfium reverses with the rest of the line."""
    if len(codes) < 2:
        return
    is_same = (boxes[:-1] == boxes[1:]).all(axis=1) & (codes[1:] == _LAM) & np.isin(codes[:-1], _ALEFS)
    for index in np.flatnonzero(is_same).tolist():
        codes[index], codes[index + 1] = codes[index + 1], codes[index]


def _is_outside(boxes: Boxes, size: tuple[float, float]) -> npt.NDArray[np.bool_]:
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    outside: npt.NDArray[np.bool_] = (x < 0) | (y < 0) | (x > size[0]) | (y > size[1])
    return outside


def _unmapped_share(text_page: pdfium.PdfTextPage, count: int) -> float:
    """Return the share of sampled glyphs whose font has no mapping to Unicode."""
    if count == 0:
        return 0.0
    sample = range(0, count, max(1, count // 200))
    errors: int = sum(pdfium_c.FPDFText_HasUnicodeMapError(text_page.raw, index) == 1 for index in sample)
    return errors / len(sample)
