"""Opens a PDF: tries an empty password, repairs a broken file once, and else raises Unreadable with the reason."""

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
# How far from either end parsers search.
_HEAD_BYTES, _TAIL_BYTES = 1024, 4096
_STARTXREF = re.compile(rb"startxref\s+(\d{1,18})\b")
_TABLE = re.compile(rb"\s*(?:xref\b|\d+\s+\d+\s+obj\b)")
_TABLE_BYTES = 64
_EMPTY = "This file is empty. Upload it again."


def is_whole(path: Path) -> bool:
    """Return whether the file ends with a valid offset of its cross-reference table; else parsers guess its objects."""
    with path.open("rb") as file:
        begin = max(file.read(_HEAD_BYTES).find(b"%PDF-"), 0)
        size = file.seek(0, io.SEEK_END)
        file.seek(max(size - _TAIL_BYTES, 0))
        offsets = _STARTXREF.findall(file.read())
        return bool(offsets) and any(_is_xref_table(file, int(offsets[-1]) + shift) for shift in {0, begin})


def _is_xref_table(file: BinaryIO, offset: int) -> bool:
    file.seek(offset)
    return _TABLE.match(file.read(_TABLE_BYTES)) is not None


@contextmanager
def open_pdf(path: Path) -> Iterator[pdfium.PdfDocument]:
    """Open a document that has at least one loadable page, and close it after the block. Raises Unreadable."""
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
        return _repair(path)
    if _has_page(document):
        return document
    document.close()
    return _repair(path)


def _repair(path: Path) -> pdfium.PdfDocument:
    # In memory: the confined process that reads files can create none.
    """Rewrite a broken file with pikepdf and open the copy."""
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
    return any(_is_loadable(document, index) for index in range(min(len(document), 20)))


def _is_loadable(document: pdfium.PdfDocument, index: int) -> bool:
    try:
        document[index].close()
    except pdfium.PdfiumError:
        return False
    return True
