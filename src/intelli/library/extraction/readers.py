"""Registry of formats: the reader of each format, and the fallback for when a reader crashes."""

from collections.abc import Callable, Mapping
from pathlib import Path

from intelli.library.extraction.archive import extract_archive
from intelli.library.extraction.docx import extract_docx
from intelli.library.extraction.epub import extract_epub
from intelli.library.extraction.formats import FileFormat, sniff
from intelli.library.extraction.html import extract_html
from intelli.library.extraction.image import extract_image
from intelli.library.extraction.json import extract_json, extract_json_lines
from intelli.library.extraction.legacy.doc import extract_doc
from intelli.library.extraction.legacy.outlook import extract_outlook
from intelli.library.extraction.legacy.ppt import extract_ppt
from intelli.library.extraction.legacy.rtf import extract_rtf
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.mail import extract_mail
from intelli.library.extraction.markdown import extract_markdown
from intelli.library.extraction.model import Extraction, Refusal, Unreadable
from intelli.library.extraction.nested_files import NestedFiles
from intelli.library.extraction.odf import extract_odp, extract_odt
from intelli.library.extraction.pdf import extract_pdf
from intelli.library.extraction.pptx import extract_pptx
from intelli.library.extraction.sheet import extract_sheet, extract_sheet_slowly
from intelli.library.extraction.subtitles import extract_subtitles
from intelli.library.extraction.table import extract_csv
from intelli.library.extraction.text import extract_text

Reader = Callable[[Path, Limits], Extraction]
Opener = Callable[[Path, Limits, NestedFiles], Extraction]

_READERS: Mapping[FileFormat, Reader] = {
    FileFormat.PDF: extract_pdf,
    FileFormat.IMAGE: extract_image,
    FileFormat.DOCX: extract_docx,
    FileFormat.PPTX: extract_pptx,
    FileFormat.SHEET: extract_sheet,
    FileFormat.DOC: extract_doc,
    FileFormat.PPT: extract_ppt,
    FileFormat.RTF: extract_rtf,
    FileFormat.ODT: extract_odt,
    FileFormat.ODP: extract_odp,
    FileFormat.EPUB: extract_epub,
    FileFormat.HTML: extract_html,
    FileFormat.MARKDOWN: extract_markdown,
    FileFormat.CSV: extract_csv,
    FileFormat.JSON: extract_json,
    FileFormat.JSON_LINES: extract_json_lines,
    FileFormat.SUBTITLES: extract_subtitles,
    FileFormat.TEXT: extract_text,
}
# Formats that contain other files: their readers get a reader for those.
_OPENERS: Mapping[FileFormat, Opener] = {
    FileFormat.ARCHIVE: extract_archive,
    FileFormat.MAIL: extract_mail,
    FileFormat.OUTLOOK: extract_outlook,
}
# Formats read in pure Python, in time bounded by their length: several files may share a process.
_PLAIN = {
    FileFormat.TEXT,
    FileFormat.MARKDOWN,
    FileFormat.CSV,
    FileFormat.JSON,
    FileFormat.JSON_LINES,
    FileFormat.SUBTITLES,
}
# Readers for a second attempt after the first reader crashed.
_FALLBACKS: Mapping[FileFormat, Reader] = {FileFormat.SHEET: extract_sheet_slowly, FileFormat.JSON: extract_text}


def read(path: Path, *, name: str | None, limits: Limits) -> Extraction:
    """Extract a file with the reader of its format. Raises Unreadable."""
    return _read(path, name, limits, NestedFiles(_read, limits, size_bytes=path.stat().st_size))


def read_plain(path: Path, *, name: str | None, limits: Limits) -> Extraction | None:
    """Extract a file in a plain text format; None for other formats and for files that cause any error."""
    try:
        found = sniff(path, name)
        return _READERS[found](path, limits) if found in _PLAIN else None
    except Exception:  # noqa: BLE001  # the file is then read by itself, which reports what is wrong with it
        return None


def read_again(path: Path, *, name: str | None, limits: Limits) -> Extraction:
    """Extract a file whose reader crashed with the slower fallback reader. Raises Unreadable if there is none."""
    fallback = _FALLBACKS.get(sniff(path, name))
    if fallback is None:
        raise Unreadable(Refusal.UNSUPPORTED, "There is no other reader for this format.")
    return fallback(path, limits)


def _read(path: Path, name: str | None, limits: Limits, inside: NestedFiles) -> Extraction:
    found = sniff(path, name)
    if opener := _OPENERS.get(found):
        return opener(path, limits, inside)
    return _READERS[found](path, limits)
