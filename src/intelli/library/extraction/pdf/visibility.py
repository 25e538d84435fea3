"""Visibility on a page: how far pictures cover it, and words that are in the text but cannot be seen."""

import ctypes
from collections.abc import Sequence

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from intelli.library.extraction.model import Box
from intelli.library.extraction.pdf.draw_page import Undrawable, draw_page
from intelli.library.extraction.pdf.words import PageWords

_MAX_OBJECTS = 20_000
_MIN_CONTRAST = 16  # of 255


def picture_cover(page: pdfium.PdfPage) -> float:
    """Return the largest share of the page (0 to 1) that one picture covers."""
    width, height = page.get_size()
    area = max(width * height, 1.0)
    return max((_area(page, item) / area for item in _objects(page) if _is_picture(item)), default=0.0)


def stroke_count(page: pdfium.PdfPage) -> int:
    """Count the objects painted on the page: letters may be drawn as outlines."""
    return max(int(pdfium_c.FPDFPage_CountObjects(page.raw)), 0)


def _objects(page: pdfium.PdfPage) -> list[object]:
    count = min(pdfium_c.FPDFPage_CountObjects(page.raw), _MAX_OBJECTS)
    return [pdfium_c.FPDFPage_GetObject(page.raw, index) for index in range(max(count, 0))]


def _is_picture(item: object) -> bool:
    # A form may contain a picture: scanners often wrap their pages in one.
    return pdfium_c.FPDFPageObj_GetType(item) in {pdfium_c.FPDF_PAGEOBJ_IMAGE, pdfium_c.FPDF_PAGEOBJ_FORM}


def _area(page: pdfium.PdfPage, item: object) -> float:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium_c.FPDFPageObj_GetBounds(item, left, bottom, right, top):
        return 0.0
    return abs((right.value - left.value) * (top.value - bottom.value))


def has_unseen_words(page: pdfium.PdfPage, words: PageWords) -> bool:
    """Return whether the page has words that cannot be seen, other than the text layer under a scan."""
    if words.invisible and picture_cover(page) < 0.5:
        return True
    return bool(words.pale) and _any_without_contrast(page, words.pale)


def _any_without_contrast(page: pdfium.PdfPage, boxes: Sequence[Box]) -> bool:
    """Render the page and return whether one of the boxes shows no contrast."""
    width, height = page.get_size()
    scale = min(1.0, 2000 / max(width, height))
    try:
        pixels = np.asarray(draw_page(page, scale, in_gray=True))
    except Undrawable:
        return False
    rows, columns = pixels.shape[0], pixels.shape[1]
    for x0, y0, x1, y1 in boxes:
        top, bottom = max(int(y0 * scale), 0), min(int(y1 * scale) + 1, rows)
        left, right = max(int(x0 * scale), 0), min(int(x1 * scale) + 1, columns)
        patch = pixels[top:bottom, left:right]
        if patch.size and int(patch.max()) - int(np.min(patch)) < _MIN_CONTRAST:
            return True
    return False
