"""Style of glyphs: font size, weight, angle and visibility, read once per text object."""

import ctypes
import math
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from intelli.library.extraction.pdf.native import address_of, as_page_object, text_object_finder

_FORCE_BOLD = 1 << 18
_BOLD_NAMES = (b"bold", b"heavy", b"black")
_MONO_NAMES = (b"mono", b"courier", b"consol", b"typewriter", b"cmtt", b"menlo")
_UNSEEN_MODES = {pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium_c.FPDF_TEXTRENDERMODE_CLIP}


@dataclass(frozen=True, slots=True)
class GlyphStyle:
    """Style of the glyphs of one text object; `turn` is clockwise, in radians, before the page is rotated."""

    size: float = 0.0
    turn: float = 0.0
    is_bold: bool = False
    is_mono: bool = False
    is_invisible: bool = False
    is_pale: bool = False  # white or nearly: unseen unless something dark is behind it


class GlyphStyleReader:
    """Reads the styles of the glyphs of one page; caches them by text object and font."""

    def __init__(self, text_page: pdfium.PdfTextPage) -> None:
        self._handle = text_page.raw
        self._find_object = text_object_finder(text_page)
        self._objects: dict[int, GlyphStyle] = {}
        self._fonts: dict[int, tuple[bool, bool]] = {}

    def style_of(self, index: int) -> GlyphStyle:
        """Return the style of the glyph with this pdfium index."""
        address = self._find_object(index)
        if address is None:
            return GlyphStyle(size=pdfium_c.FPDFText_GetFontSize(self._handle, index))
        known = self._objects.get(address)
        if known is None:
            known = self._objects[address] = self._read(as_page_object(address), index)
        return known

    def _read(self, pointer: object, index: int) -> GlyphStyle:
        size, matrix = ctypes.c_float(), pdfium_c.FS_MATRIX()
        pdfium_c.FPDFTextObj_GetFontSize(pointer, size)
        pdfium_c.FPDFPageObj_GetMatrix(pointer, matrix)
        is_bold, is_mono = self._font(pointer)
        alpha, luma = _colour(pointer)
        return GlyphStyle(
            size=abs(size.value) * math.hypot(matrix.c, matrix.d),
            turn=max(pdfium_c.FPDFText_GetCharAngle(self._handle, index), 0.0),
            is_bold=is_bold,
            is_mono=is_mono,
            is_invisible=alpha < 8 or pdfium_c.FPDFTextObj_GetTextRenderMode(pointer) in _UNSEEN_MODES,
            is_pale=luma > 240,
        )

    def _font(self, pointer: object) -> tuple[bool, bool]:
        font = pdfium_c.FPDFTextObj_GetFont(pointer)
        address = address_of(font)
        if not address:
            return False, False
        if address not in self._fonts:
            self._fonts[address] = _font_traits(font)
        return self._fonts[address]


def _font_traits(font: object) -> tuple[bool, bool]:
    """Return whether a font is bold and whether it is a typewriter font."""
    buffer = ctypes.create_string_buffer(256)
    length = pdfium_c.FPDFFont_GetBaseFontName(font, buffer, 256)
    name = buffer.raw[: min(length, 256)].lower()
    flags = max(pdfium_c.FPDFFont_GetFlags(font), 0)
    weight = pdfium_c.FPDFFont_GetWeight(font)
    is_bold = weight >= 600 or bool(flags & _FORCE_BOLD) or any(part in name for part in _BOLD_NAMES)
    # East Asian fonts are of fixed pitch as well; only a name tells a typewriter font for certain.
    return is_bold, any(part in name for part in _MONO_NAMES)


def _colour(pointer: object) -> tuple[int, float]:
    """Return alpha (0 to 255) and luma (0 to 255) of the fill colour; opaque black if pdfium has none."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium_c.FPDFPageObj_GetFillColor(pointer, red, green, blue, alpha):
        return 255, 0.0
    return alpha.value, 0.299 * red.value + 0.587 * green.value + 0.114 * blue.value
