"""Opening a PDF: an empty password is tried, a broken file is repaired once, the rest is refused with its reason."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from intelli.library.extraction.model import Refusal, Unreadable

_NO_RIGHTS = {pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY}
_LOCKED = "This PDF is protected by a password. Remove the protection and upload it again."
_BROKEN = "This PDF is damaged and could not be repaired. Save or export it again from the program that made it."
# As far from either end as parsers look.
_HEAD_BYTES, _TAIL_BYTES = 1024, 4096
_STARTXREF = re.compile(rb"startxref\s+(\d{1,18})\b")
_TABLE = re.compile(rb"\s*(?:xref\b|\d+\s+\d+\s+obj\b)")
_TABLE_BYTES = 64
_EMPTY = "This file is empty. Upload it again."


def is_whole(path: Path) -> bool:
    """Whether the file ends with the place of its table of objects; else the parser pieces together what it finds."""
    with path.open("rb") as file:
        begin = max(file.read(_HEAD_BYTES).find(b"%PDF-"), 0)
        size = file.seek(0, io.SEEK_END)
        file.seek(max(size - _TAIL_BYTES, 0))
        told = _STARTXREF.findall(file.read())
        return bool(told) and any(_is_table(file, int(told[-1]) + shift) for shift in {0, begin})


def _is_table(file: BinaryIO, place: int) -> bool:
    file.seek(place)
    return _TABLE.match(file.read(_TABLE_BYTES)) is not None


@contextmanager
def opened(path: Path) -> Iterator[pdfium.PdfDocument]:
    """The document, with at least one page that can be loaded."""
    document = _open(path)
    try:
        yield document
    finally:
        document.close()


def _open(path: Path) -> pdfium.PdfDocument:
    if path.stat().st_size == 0:
        raise Unreadable(Refusal.EMPTY, _EMPTY)
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if error.err_code in _NO_RIGHTS:
            raise Unreadable(Refusal.ENCRYPTED, _LOCKED) from error
        return _repaired(path)
    if _has_page(document):
        return document
    document.close()
    return _repaired(path)


def _repaired(path: Path) -> pdfium.PdfDocument:
    # In memory: the process that reads hostile files has few places to write to.
    copy = io.BytesIO()
    try:
        with pikepdf.open(path) as broken:
            broken.save(copy)
        document = pdfium.PdfDocument(copy)
    except pikepdf.PasswordError as error:
        raise Unreadable(Refusal.ENCRYPTED, _LOCKED) from error
    except (pikepdf.PikepdfError, pdfium.PdfiumError, ValueError, TypeError, RuntimeError, RecursionError) as error:
        raise Unreadable(Refusal.DAMAGED, _BROKEN) from error
    if _has_page(document):
        return document
    document.close()
    raise Unreadable(Refusal.DAMAGED, _BROKEN)


def _has_page(document: pdfium.PdfDocument) -> bool:
    return any(_loads(document, index) for index in range(min(len(document), 20)))


def _loads(document: pdfium.PdfDocument, index: int) -> bool:
    try:
        document[index].close()
    except pdfium.PdfiumError:
        return False
    return True
