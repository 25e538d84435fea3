"""Metadata of a PDF: title, author, dates, attached files. Values that programs made up are dropped."""

import mimetypes
import re
from itertools import islice
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium

from intelli.library.extraction.model import ExtractedAttachment

_MAX_ATTACHMENTS = 1_000
_JUNK_TITLE = re.compile(
    r"(untitled|title|document|slide|presentation|powerpoint presentation)\W*\d*$"
    r"|microsoft \w+ - |.*\.(docx?|pptx?|xlsx?|pdf|indd|tex|dvi|ps)$",
    re.IGNORECASE,
)


def clean_line(text: str) -> str:
    """Return text as one line without control characters and lone surrogates, cut to 500 characters."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:500]


def title_of(document: pdfium.PdfDocument) -> str | None:
    """Return the title in the metadata; None when it is missing or made up by a program ("Microsoft Word - a.doc")."""
    title = clean_line(document.get_metadata_value("Title"))
    is_junk = len(title) < 3 or not any(c.isalpha() for c in title) or _JUNK_TITLE.match(title)
    return None if is_junk else title


def properties_of(document: pdfium.PdfDocument) -> dict[str, str]:
    """Return those of author, subject, keywords and creation date (YYYY-MM-DD) that the file has."""
    names = {"author": "Author", "subject": "Subject", "keywords": "Keywords"}
    found = {ours: clean_line(document.get_metadata_value(theirs)) for ours, theirs in names.items()}
    found["created"] = _date(document.get_metadata_value("CreationDate"))
    return {name: value for name, value in found.items() if value}


def _date(text: str) -> str:
    found = re.match(r"(?:D:)?(\d{4})(\d{2})(\d{2})", text)
    return "-".join(found.groups()) if found else ""


def attachments_of(document: pdfium.PdfDocument, path: Path) -> tuple[ExtractedAttachment, ...]:
    """List the files attached to the PDF; the size of one that cannot be read is 0."""
    count = min(document.count_attachments(), _MAX_ATTACHMENTS)
    if count < 1:
        return ()
    sizes = _sizes(path)
    names = [_name(document, index) for index in range(count)]
    return tuple(
        ExtractedAttachment(name, mimetypes.guess_type(name)[0] or "application/octet-stream", sizes.get(name, 0))
        for name in names
        if name
    )


def _name(document: pdfium.PdfDocument, index: int) -> str:
    try:
        return clean_line(document.get_attachment(index).get_name())
    except pdfium.PdfiumError:
        return ""


def _sizes(path: Path) -> dict[str, int]:
    # Not by pdfium, which unpacks a file to compute its size: the file may be a decompression bomb.
    try:
        with pikepdf.open(path) as pdf:
            specs = islice(pdf.attachments.values(), _MAX_ATTACHMENTS)
            return {clean_line(spec.filename): max(spec.get_file().size, 0) for spec in specs}
    except (pikepdf.PikepdfError, ValueError, TypeError, KeyError, AttributeError, RuntimeError):
        return {}
