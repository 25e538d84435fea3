"""Reads pages one by one: text layer, OCR where the text layer is missing or unusable, and annotations."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import pypdfium2 as pdfium

from intelli.library.extraction import ocr
from intelli.library.extraction.layout.page import DraftPage, PageWriter, draft_page
from intelli.library.extraction.layout.vocabulary import Vocabulary
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.pdf.draw_page import Undrawable, draw_page
from intelli.library.extraction.pdf.glyph_style import GlyphStyleReader
from intelli.library.extraction.pdf.glyphs import MAX_GLYPHS, Glyphs, read_glyphs
from intelli.library.extraction.pdf.notes import read_notes
from intelli.library.extraction.pdf.visibility import has_unseen_words, picture_cover, stroke_count
from intelli.library.extraction.pdf.words import PageWords, read_words

_OCR_DPI = 200
_OCR_PIXELS = 25_000_000
_OCR_PAGE_S = 60.0
_MANY_STROKES = 30
_LETTER = (612.0, 792.0)  # for a page that cannot be loaded and so has no size


@dataclass(slots=True)
class PageWarnings:
    """Numbers of the pages with problems that are reported as warnings."""

    damaged: list[int] = field(default_factory=list)
    cut: list[int] = field(default_factory=list)
    unseen: list[int] = field(default_factory=list)
    outside: list[int] = field(default_factory=list)
    unrecognised: list[int] = field(default_factory=list)  # pictures of text, and tesseract is missing
    postponed: list[int] = field(default_factory=list)  # beyond what recognition may do for one file
    failed: list[int] = field(default_factory=list)  # tesseract gave up
    garbled: list[int] = field(default_factory=list)  # the font hides its characters


class PageReader:
    """Reads the pages of one document; collects warnings and tracks the remaining OCR budget."""

    def __init__(self, document: pdfium.PdfDocument, limits: Limits) -> None:
        self.findings = PageWarnings()
        self._document = document
        self._limits = limits
        self._can_recognise = ocr.is_available()
        self._recognised = 0
        self._vocabulary = Vocabulary()
        self._deadline = time.monotonic() + limits.ocr_s

    def read(self, number: int, start: int) -> DraftPage:
        """Read the page with this number; `start` is the offset of its text in the document."""
        try:
            page = self._document[number - 1]
        except pdfium.PdfiumError:
            self.findings.damaged.append(number)
            return DraftPage(number, start, *_LETTER)
        try:
            return self._read(page, number, start)
        except pdfium.PdfiumError:
            self.findings.damaged.append(number)
            return DraftPage(number, start, *page.get_size())
        finally:
            page.close()

    def _read(self, page: pdfium.PdfPage, number: int, start: int) -> DraftPage:
        text_page = page.get_textpage()
        try:
            glyphs = read_glyphs(page, text_page)
            words = read_words(glyphs, GlyphStyleReader(text_page), size=page.get_size(), rotation=page.get_rotation())
        finally:
            text_page.close()
        size = page.get_size()
        draft = draft_page(number, start=start, size=size, runs=words.runs, vocabulary=self._vocabulary)
        draft.quality = round(1 - glyphs.unmapped, 3)
        if _needs_ocr(page, glyphs, draft):
            draft = self._recognise(page, draft)
        self._record_warnings(page, draft, glyphs, words)
        return _append_notes(page, draft)

    def _record_warnings(self, page: pdfium.PdfPage, draft: DraftPage, glyphs: Glyphs, words: PageWords) -> None:
        """Record the warnings of a page."""
        number, found = draft.number, self.findings
        if glyphs.total > MAX_GLYPHS:
            found.cut.append(number)
        if glyphs.outside:
            found.outside.append(number)
        if not draft.is_ocr and glyphs.unmapped > 0.3:
            found.garbled.append(number)
        if not draft.is_ocr and (words.invisible or words.pale) and has_unseen_words(page, words):
            found.unseen.append(number)

    def _recognise(self, page: pdfium.PdfPage, draft: DraftPage) -> DraftPage:
        """Recognise the page by OCR; return the draft when that is impossible, too costly, or not better."""
        if not self._can_recognise:
            self.findings.unrecognised.append(draft.number)
            return draft
        remaining_s = self._deadline - time.monotonic()
        if self._recognised >= self._limits.ocr_pages or remaining_s < 1:
            self.findings.postponed.append(draft.number)
            return draft
        self._recognised += 1
        try:
            found = _recognise_page(page, draft, self._limits.ocr_languages, min(_OCR_PAGE_S, remaining_s))
        except (ocr.RecognitionFailed, Undrawable):
            self.findings.failed.append(draft.number)
            return draft
        return found if _is_better(found, draft) else draft


def _needs_ocr(page: pdfium.PdfPage, glyphs: Glyphs, draft: DraftPage) -> bool:
    """Return whether a page needs OCR: no text layer, an unreadable one, or only a stamp on a scan."""
    if glyphs.unmapped > 0.3:
        return True
    letters = len(draft.text)
    if letters >= 100:
        return False
    if letters < 20 and stroke_count(page) > _MANY_STROKES:
        return True
    return picture_cover(page) > (0.02 if letters < 20 else 0.6)


def _recognise_page(page: pdfium.PdfPage, draft: DraftPage, languages: str, timeout_s: float) -> DraftPage:
    """Render a page and recognise its text by OCR."""
    scale = min(_OCR_DPI / 72, math.sqrt(_OCR_PIXELS / max(draft.width * draft.height, 1.0)))
    image = draw_page(page, scale, in_gray=True)
    found = ocr.recognise(image, width_pt=draft.width, languages=languages, timeout_s=timeout_s)
    recognised = draft_page(draft.number, start=draft.start, size=(draft.width, draft.height), runs=found.runs)
    recognised.is_ocr, recognised.quality = True, round(found.confidence, 3)
    return recognised


def _is_better(recognised: DraftPage, draft: DraftPage) -> bool:
    if draft.quality < 0.7:
        return bool(recognised.text)
    return len(recognised.text) > 2 * len(draft.text)


def _append_notes(page: pdfium.PdfPage, draft: DraftPage) -> DraftPage:
    """Append the annotations of a page to its draft."""
    notes = read_notes(page)
    if not notes:
        return draft
    writer = PageWriter(draft)
    for note in notes:
        writer.write_note(note.text, note.box)
    return writer.finish()


def page_list(numbers: Sequence[int]) -> str:
    """Format page numbers: "Page 4", "Pages 2-5, 9"; at most ten ranges."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    shown = [f"{first}" if first == last else f"{first}-{last}" for first, last in ranges[:10]]
    more = ", …" if len(ranges) > 10 else ""
    return f"{'Page' if len(numbers) == 1 else 'Pages'} {', '.join(shown)}{more}"
