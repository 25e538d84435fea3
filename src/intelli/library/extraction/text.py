"""Plain text: the file's own characters, decoded, with one block a paragraph."""

import codecs
from collections.abc import Iterator
from pathlib import Path

from intelli.library.extraction.assemble import clean
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Block, BlockKind, Extraction, Place, Refusal, Unreadable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 200_000
# What `surrogateescape` leaves of a byte that is not UTF-8, read as Windows Latin.
_WINDOWS = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}


def decode(raw: bytes) -> str:
    """Bytes as text: by their mark, as UTF-8, as UTF-8 with stray Windows bytes, or by the likeliest encoding."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return raw.decode(encoding, "replace")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_mixed(raw)
    return text if "\0" not in text else _decode_wide(raw) or text


def _decode_wide(raw: bytes) -> str | None:
    """UTF-16 without a mark: in Latin text every other byte is zero."""
    sample = raw[:_SAMPLE_BYTES]
    for encoding, zeros in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[::2])):
        if zeros and zeros.count(0) > len(zeros) * 0.4:
            return raw.decode(encoding, "replace")
    return None


def _decode_mixed(raw: bytes) -> str:
    if b"\0" in raw[:_SAMPLE_BYTES] and (wide := _decode_wide(raw)):
        return wide
    escaped = raw.decode("utf-8", "surrogateescape")
    strays = sum("\udc80" <= char <= "\udcff" for char in escaped[:_SAMPLE_BYTES])
    letters = sum("\x7f" < char < "\ud800" or char > "\udfff" for char in escaped[:_SAMPLE_BYTES])
    if letters > strays:
        return escaped.translate(_WINDOWS)
    from charset_normalizer import from_bytes

    best = from_bytes(raw[:_SAMPLE_BYTES]).best()
    return raw.decode(best.encoding if best else "cp1252", "replace")


def load(path: Path, limits: Limits) -> tuple[str, tuple[str, ...]]:
    """A text file's characters up to the limit, and a warning when there were more."""
    raw = path.read_bytes()
    if not raw:
        raise Unreadable(Refusal.EMPTY, "The file is empty. Upload it again if it should have content.")
    text = clean(decode(raw))
    if len(text) <= limits.max_chars:
        return text, ()
    return text[: limits.max_chars], (f"Only the first {limits.max_chars:,} characters were read.",)


def lines(text: str) -> Iterator[tuple[int, int, int]]:
    """Number, start and end (without the line feed) of each line."""
    start, number = 0, 0
    while start < len(text):
        number += 1
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield number, start, end
        start = end + 1


def paragraphs(text: str) -> Iterator[Block]:
    """The stretches between blank lines."""
    begun: tuple[int, int] | None = None
    last = 0
    for number, start, end in lines(text):
        if text[start:end].strip():
            begun = begun or (number, start)
            last = end
        elif begun:
            yield Block(begun[1], last, BlockKind.PARAGRAPH, Place(line=begun[0]))
            begun = None
    if begun:
        yield Block(begun[1], last, BlockKind.PARAGRAPH, Place(line=begun[0]))


def extract_text(path: Path, limits: Limits) -> Extraction:
    """A plain text file as it is."""
    text, warnings = load(path, limits)
    return Extraction(text, tuple(paragraphs(text)), "text/plain", warnings=warnings)
