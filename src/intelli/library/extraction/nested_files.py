"""Files inside a file: entries of archives, attachments of e-mails. All levels together share one budget."""

import mimetypes
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO

from intelli.library.extraction import scratch
from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import ExtractedAttachment, Extraction, Refusal, Unreadable

_TOO_DEEP = "It lies in more archives within archives than are opened. Upload it on its own."
_BOMB = "The file unpacks to far more than its size, as attacks do. It was not read."
_TOO_LARGE = "There is no room left for it: what is packed here is too large together. Upload it on its own."
_RATIO = 100
_UNKNOWN = "application/octet-stream"
Read = Callable[[Path, str, Limits, "NestedFiles"], Extraction]


class NestedFiles:
    """Reads files inside another file, as long as depth, bytes, pages and time are left."""

    def __init__(self, read: Read, limits: Limits, *, size_bytes: int) -> None:
        self._read = read
        self._limits = limits
        self._size_bytes = size_bytes
        self._depth = 0
        self._bytes = 0
        self._pages = 0
        self._recognised = 0
        self._started_at = time.monotonic()

    def include(self, assembly: TextAssembler, file: IO[bytes], *, name: str, size_bytes: int) -> ExtractedAttachment:
        """Append a file to its container's text. Warn when it is unreadable; raise Unreadable when it is hostile."""
        media_type = guess_media_type(name)
        try:
            inner = self._extract(file, name, size_bytes, assembly.chars_left)
        except Unreadable as refused:
            if refused.refusal is Refusal.HOSTILE:
                raise
            assembly.warn(f"{name}: {refused.reason}")
        else:
            assembly.include(inner, part=name)
            media_type = inner.media_type
        return ExtractedAttachment(name, media_type, size_bytes)

    def _extract(self, file: IO[bytes], name: str, size_bytes: int, max_chars: int) -> Extraction:
        if self._depth >= self._limits.archive_depth:
            raise Unreadable(Refusal.UNSUPPORTED, _TOO_DEEP)
        self._bytes += size_bytes
        if self._bytes > self._limits.max_archive_bytes:
            is_bomb = self._bytes > _RATIO * self._size_bytes
            raise Unreadable(*(Refusal.HOSTILE, _BOMB) if is_bomb else (Refusal.TOO_LARGE, _TOO_LARGE))
        self._depth += 1
        try:
            with scratch.open_file() as copy:
                shutil.copyfileobj(file, copy, 1 << 20)
                copy.flush()
                inner = self._read(Path(copy.name), name, self._remaining_limits(max_chars), self)
        finally:
            self._depth -= 1
        self._pages += len(inner.pages)
        self._recognised += sum(page.is_ocr for page in inner.pages)
        return inner

    def _remaining_limits(self, max_chars: int) -> Limits:
        """Return the limits minus what was used so far."""
        return replace(
            self._limits,
            max_chars=max_chars,
            max_pages=max(1, self._limits.max_pages - self._pages),
            ocr_pages=max(0, self._limits.ocr_pages - self._recognised),
            ocr_s=max(0.0, self._limits.ocr_s - (time.monotonic() - self._started_at)),
        )


def guess_media_type(name: str) -> str:
    """Guess the media type from a file name; application/octet-stream when unknown."""
    return mimetypes.guess_type(name, strict=False)[0] or _UNKNOWN
