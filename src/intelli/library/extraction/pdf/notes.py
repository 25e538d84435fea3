"""Annotations of a page: comments and filled form fields, which are not part of its content."""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from intelli.library.extraction.model import Box
from intelli.library.extraction.pdf.glyphs import to_display

_MAX_NOTES = 2_000
_MAX_CHARACTERS = 100_000
# A popup repeats the text of the comment it belongs to; a link has none.
_MUTE = {pdfium_c.FPDF_ANNOT_POPUP, pdfium_c.FPDF_ANNOT_LINK}
_FILLED = {
    pdfium_c.FPDF_FORMFIELD_TEXTFIELD,
    pdfium_c.FPDF_FORMFIELD_COMBOBOX,
    pdfium_c.FPDF_FORMFIELD_LISTBOX,
}
_TICKED = {pdfium_c.FPDF_FORMFIELD_CHECKBOX, pdfium_c.FPDF_FORMFIELD_RADIOBUTTON}
_PASSWORD_FIELD = 1 << 13


@dataclass(frozen=True, slots=True)
class PageNote:
    """A comment or a filled form field, with its box on the displayed page."""

    text: str
    box: Box


def read_notes(page: pdfium.PdfPage) -> list[PageNote]:
    """Read the notes of a page, in the order of the file."""
    count = min(pdfium_c.FPDFPage_GetAnnotCount(page.raw), _MAX_NOTES)
    notes: list[PageNote] = []
    for index in range(max(count, 0)):
        annotation = pdfium_c.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        try:
            notes.extend(_read_annotation(page, annotation))
        finally:
            pdfium_c.FPDFPage_CloseAnnot(annotation)
    return notes


def _read_annotation(page: pdfium.PdfPage, annotation: object) -> Iterator[PageNote]:
    subtype = pdfium_c.FPDFAnnot_GetSubtype(annotation)
    if subtype in _MUTE:
        return
    text = _field_text(page, annotation) if subtype == pdfium_c.FPDF_ANNOT_WIDGET else _contents(annotation)
    box = _box(page, annotation)
    if text and box:
        yield PageNote(text, box)


def _contents(annotation: object) -> str:
    return _read_string(lambda buffer, size: pdfium_c.FPDFAnnot_GetStringValue(annotation, b"Contents", buffer, size))


def _field_text(page: pdfium.PdfPage, annotation: object) -> str:
    """Return the label and value of a form field; empty for one that is not filled, not ticked or a password."""
    if page.formenv is None:
        return ""
    form = page.formenv.raw
    kind = pdfium_c.FPDFAnnot_GetFormFieldType(form, annotation)
    label = _read_string(
        lambda buffer, size: pdfium_c.FPDFAnnot_GetFormFieldAlternateName(form, annotation, buffer, size)
    )
    if kind in _TICKED:
        return label if pdfium_c.FPDFAnnot_IsChecked(form, annotation) else ""
    if kind not in _FILLED or pdfium_c.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD_FIELD:
        return ""
    value = _read_string(lambda buffer, size: pdfium_c.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size))
    return f"{label}: {value}" if label and value else value


def _read_string(ask: Callable[[object, int], int]) -> str:
    """Call a pdfium function that fills a UTF-16 buffer, and return the text without control characters."""
    size = ask(None, 0)
    if not 2 < size <= 2 * _MAX_CHARACTERS:
        return ""
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    ask(buffer, size)
    text = bytes(buffer)[:size].decode("utf-16-le", "ignore").rstrip("\0")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c if c.isprintable() else " " if c != "\n" else c for c in text).strip()


def _box(page: pdfium.PdfPage, annotation: object) -> Box | None:
    """Return the box of an annotation, moved onto the page if it lies outside; None when it has none."""
    rectangle = pdfium_c.FS_RECTF()
    if not pdfium_c.FPDFAnnot_GetRect(annotation, rectangle):
        return None
    corners = np.array([[rectangle.left, rectangle.top, rectangle.right, rectangle.bottom]], dtype=np.float64)
    if not np.isfinite(corners).all():
        return None
    x0, y0, x1, y1 = to_display(page, corners)[0].tolist()
    width, height = page.get_size()
    x0, y0 = min(max(x0, 0.0), width - 1), min(max(y0, 0.0), height - 1)
    return (round(x0, 2), round(y0, 2), round(min(max(x1, x0 + 1), width), 2), round(min(max(y1, y0 + 1), height), 2))
