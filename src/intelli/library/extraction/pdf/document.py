"""Extracts a PDF: reads all pages, then sets what depends on the whole document (furniture, headings, title)."""

import resource
import time
from collections.abc import Iterator
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from intelli.library.extraction import ocr
from intelli.library.extraction.layout.footnotes import mark_footnotes
from intelli.library.extraction.layout.furniture import mark_furniture
from intelli.library.extraction.layout.headings import OutlineEntry, assign_heading_levels, finish_blocks
from intelli.library.extraction.layout.page import DraftPage
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, Extraction, PieceKind, Refusal, Unreadable
from intelli.library.extraction.pdf.metadata import attachments_of, properties_of, title_of
from intelli.library.extraction.pdf.open_pdf import is_whole, open_pdf
from intelli.library.extraction.pdf.outline import outline_of
from intelli.library.extraction.pdf.reader import PageReader, PageWarnings, page_list

MEDIA_TYPE = "application/pdf"
PAGE_BREAK = "\f"
_DAMAGED = "This PDF is damaged: its end is missing or its index is broken, so pages or text may be missing too."


def extract_pdf(path: Path, limits: Limits) -> Extraction:
    """Extract the text of a PDF with the box of every word. Raises Unreadable when it has no text."""
    with open_pdf(path) as document:
        if document.get_formtype() != pdfium_c.FORMTYPE_NONE:
            document.init_forms()
        reader = PageReader(document, limits)
        pages = _read_pages(document, reader, limits)
        if not any(page.text for page in pages):
            raise _refusal(reader.findings, len(pages))
        outline = outline_of(document)
        _classify_blocks(pages, outline)
        return Extraction(
            text=PAGE_BREAK.join(page.text for page in pages),
            blocks=tuple(finish_blocks(pages)),
            media_type=MEDIA_TYPE,
            pages=tuple(page.to_text_page() for page in pages),
            title=title_of(document) or _find_title(pages) or (outline[0].title if outline else None),
            properties=properties_of(document),
            attachments=attachments_of(document, path),
            warnings=(
                *(() if is_whole(path) else (_DAMAGED,)),
                *_warnings(reader.findings, len(pages), len(document)),
            ),
        )


def _read_pages(document: pdfium.PdfDocument, reader: PageReader, limits: Limits) -> list[DraftPage]:
    pages: list[DraftPage] = []
    start = 0
    for number in range(1, min(len(document), limits.max_pages) + 1):
        page = reader.read(number, start)
        if pages and page.end > limits.max_chars:
            break
        pages.append(page)
        start = page.end + len(PAGE_BREAK)
        if _is_time_short():
            break
    return pages


def _is_time_short() -> bool:
    """Return whether 80 % of the CPU time limit is used: part of a document is better than none."""
    limit_s, _ = resource.getrlimit(resource.RLIMIT_CPU)
    return limit_s != resource.RLIM_INFINITY and time.process_time() > 0.8 * limit_s


def _classify_blocks(pages: list[DraftPage], outline: list[OutlineEntry]) -> None:
    """Mark furniture and headings; turn code into paragraphs when most of the text is set in a typewriter font."""
    mark_furniture(pages)
    assign_heading_levels(pages, outline)
    mark_footnotes(pages)
    _mark_title(pages)
    blocks = [block for page in pages for block in page.blocks]
    code = sum(block.end - block.start for block in blocks if block.kind is BlockKind.CODE)
    if code > 0.5 * sum(block.end - block.start for block in blocks):
        # Typed on a typewriter, not programmed.
        for block in blocks:
            block.kind = BlockKind.PARAGRAPH if block.kind is BlockKind.CODE else block.kind


def _find_title(pages: list[DraftPage]) -> str | None:
    """Return the largest heading of the first page with text; None without one."""
    first = next(page for page in pages if page.text)
    headings = [block for block in first.blocks if block.kind is BlockKind.HEADING]
    if not headings:
        return None
    largest = max(headings, key=lambda block: block.size)
    return " ".join(first.block_text(largest).split())


def _mark_title(pages: list[DraftPage]) -> None:
    """Mark the heading of the first page that is set larger than all others there, or is the only one."""
    first = next((page for page in pages if page.text), None)
    headings = [block for block in first.blocks if block.kind is BlockKind.HEADING] if first else []
    largest = max((block.size for block in headings), default=0.0)
    titles = [block for block in headings if block.size == largest]
    if len(titles) == 1:
        titles[0].told = PieceKind.TITLE


def _refusal(found: PageWarnings, page_count: int) -> Unreadable:
    if len(found.damaged) == page_count:
        return Unreadable(Refusal.DAMAGED, "The pages of this PDF are damaged. Save or export it again.")
    if found.unrecognised:
        return Unreadable(Refusal.NO_TEXT, f"This PDF holds pictures of pages and no text. {ocr.INSTALL}")
    if found.failed or found.postponed:
        return Unreadable(
            Refusal.NO_TEXT, "The text in the pictures of this PDF could not be recognised. Upload a version with text."
        )
    return Unreadable(
        Refusal.NO_TEXT, "This PDF has no text: its pages are blank, or show only pictures without words."
    )


def _warnings(found: PageWarnings, read: int, total: int) -> Iterator[str]:
    if read < total:
        yield f"Only the first {read:,} of {total:,} pages were read."
    for numbers, text in (
        (found.damaged, "damaged, could not be read."),
        (found.cut, "too much text for one page, only a part of it was read."),
        (found.unrecognised, f"pictures of text that were not read. {ocr.INSTALL}"),
        (found.postponed, "pictures of text that were not read, too many for one file. Split it to read them all."),
        (found.failed, "pictures of text that could not be recognised."),
        (found.garbled, "the font hides its characters, so the text may be wrong."),
        (found.unseen, "some words cannot be seen by a reader. They are part of the text."),
        (found.outside, "words beyond the edge of the page were left out."),
    ):
        if numbers:
            yield f"{page_list(numbers)}: {text}"
