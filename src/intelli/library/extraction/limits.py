"""Limits on how much of a file is read: pages, cells, characters, archive entries and OCR."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one file. An archive and everything inside it count as one file."""

    max_pages: int = 3000
    max_cells: int = 2_000_000
    max_archive_bytes: int = 400 << 20
    max_entry_bytes: int = 200 << 20
    max_entries: int = 20_000
    archive_depth: int = 3
    max_chars: int = 50_000_000
    ocr_languages: str = "eng"
    ocr_pages: int = 200
    ocr_s: float = 480.0
