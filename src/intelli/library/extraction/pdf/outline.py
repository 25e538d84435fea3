"""The outline of a PDF: its own table of contents, the best source of headings where it exists."""

from itertools import islice

import pypdfium2 as pdfium

from intelli.library.extraction.layout.headings import OutlineEntry
from intelli.library.extraction.pdf.metadata import clean_line

_MAX_ENTRIES = 5_000
_MAX_DEPTH = 6


def outline_of(document: pdfium.PdfDocument) -> list[OutlineEntry]:
    """Return the outline entries that lead to a page, in order."""
    entries = []
    for bookmark in islice(document.get_toc(max_depth=_MAX_DEPTH), _MAX_ENTRIES):
        destination = bookmark.get_dest()
        index = destination.get_index() if destination else None
        title = clean_line(bookmark.get_title())
        if title and index is not None:
            entries.append(OutlineEntry(title, index + 1, bookmark.level + 1))
    return entries
