"""Plain text: the file's own characters, decoded, with one block a paragraph."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from intelli.library.extraction import charset
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
# Bytes that text in any encoding of single bytes has not, and UTF-16 without a mark is full of.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f]")
# What `surrogateescape` leaves of a byte that is not UTF-8, read as Windows Latin.
_WINDOWS = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, and the encoding it was read by when that had to be guessed and might have been another."""

    text: str
    doubt: str | None = None


def decode(raw: bytes) -> str:
    """Bytes as text."""
    return decoded(raw).text


def decoded(raw: bytes) -> Decoded:
    """Bytes as text: by their mark, as UTF-8, as UTF-8 with stray Windows bytes, or by the likeliest encoding."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return Decoded(raw.decode(encoding, "replace"))
    controls = len(_CONTROL.findall(raw[:_SAMPLE_BYTES]))
    if controls and (order := charset.wide(raw)):
        return Decoded(raw.decode(order, "replace"))
    try:
        return Decoded(raw.decode("utf-8"))
    except UnicodeDecodeError:
        # No encoding makes text of what is none.
        is_binary = controls * 50 > len(raw[:_SAMPLE_BYTES])
        return Decoded(raw.decode("cp1252", "replace"), "cp1252") if is_binary else _decode_mixed(raw)


def _decode_mixed(raw: bytes) -> Decoded:
    escaped = raw.decode("utf-8", "surrogateescape")
    strays = sum("\udc80" <= char <= "\udcff" for char in escaped[:_SAMPLE_BYTES])
    letters = sum("\x7f" < char < "\ud800" or char > "\udfff" for char in escaped[:_SAMPLE_BYTES])
    if letters > strays and charset.is_writing(mixed := escaped.translate(_WINDOWS)):
        return Decoded(mixed)
    found = charset.likeliest(raw)
    if found is None:
        return Decoded(raw.decode("cp1252", "replace"), doubt="cp1252")
    return Decoded(raw.decode(found.encoding, "replace"), doubt=None if found.is_sure else found.encoding)


def load(path: Path, limits: Limits) -> tuple[str, tuple[str, ...]]:
    """A text file's characters up to the limit, and a warning when there were more."""
    raw = path.read_bytes()
    if not raw:
        raise Unreadable(Refusal.EMPTY, "The file is empty. Upload it again if it should have content.")
    found = decoded(raw)
    text = clean(found.text)
    warnings = [_doubtful(found.doubt)] if found.doubt else []
    if len(text) > limits.max_chars:
        warnings.append(f"Only the first {limits.max_chars:,} characters were read.")
    return text[: limits.max_chars], tuple(warnings)


def _doubtful(encoding: str) -> str:
    return (
        f"The file does not say how its letters are written. It was read as {encoding}; "
        "if letters look wrong, save it as UTF-8 and upload it again."
    )


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
