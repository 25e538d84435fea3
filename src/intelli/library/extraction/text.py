"""Reader of plain text: the characters of the file, decoded, with one block per paragraph."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from intelli.library.extraction import charset, language_letters
from intelli.library.extraction.assemble import clean
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Block, BlockKind, BlockLocation, Extraction, Refusal, Unreadable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 200_000
# Bytes that occur in no text of a single-byte encoding, and often in UTF-16 without a mark.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f]")
# None of these bytes occurs inside a multi-byte character.
_BETWEEN_WORDS = re.compile(rb'([\s,;"]+)')
_UNKNOWN = charset.CharsetGuess("cp1252", is_sure=False)
# What `surrogateescape` leaves of a byte that is not UTF-8, read as Windows Latin.
_WINDOWS = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}


@dataclass(frozen=True, slots=True)
class Decoded:
    """Decoded text; `doubt` is the encoding when it was guessed and is not certain.

    When `is_mixed`, `doubt` is the encoding of the words that are not UTF-8; the others are UTF-8.
    """

    text: str
    doubt: str | None = None
    is_mixed: bool = False


def decode(raw: bytes) -> str:
    """Decode bytes of unknown encoding; invalid ones become replacement characters."""
    return detect_and_decode(raw).text


def detect_and_decode(raw: bytes) -> Decoded:
    """Decode bytes: by byte order mark, as UTF-8, as UTF-8 with single Windows bytes, or by the likeliest encoding."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return Decoded(raw.decode(encoding, "replace"))
    controls = len(_CONTROL.findall(raw[:_SAMPLE_BYTES]))
    if controls and (order := charset.detect_utf16(raw)):
        return Decoded(raw.decode(order, "replace"))
    try:
        return Decoded(raw.decode("utf-8"))
    except UnicodeDecodeError:
        # Binary data is text in no encoding.
        is_binary = controls * 50 > len(raw[:_SAMPLE_BYTES])
        return Decoded(raw.decode("cp1252", "replace"), "cp1252") if is_binary else _decode_mixed(raw)


def _decode_mixed(raw: bytes) -> Decoded:
    """Decode bytes that are not valid UTF-8, or not throughout."""
    escaped = raw.decode("utf-8", "surrogateescape")
    strays = sum("\udc80" <= char <= "\udcff" for char in escaped[:_SAMPLE_BYTES])
    letters = sum("\x7f" < char < "\ud800" or char > "\udfff" for char in escaped[:_SAMPLE_BYTES])
    if letters > strays and charset.looks_like_writing(mixed := escaped.translate(_WINDOWS)):
        return Decoded(mixed)
    found = charset.guess_encoding(raw) or _UNKNOWN
    rest = _guess_beside_utf8(raw, found)
    if rest is not None:
        words = (_decode_word(part, rest.encoding) for part in _BETWEEN_WORDS.split(raw))
        return Decoded("".join(words), doubt=rest.encoding, is_mixed=True)
    return Decoded(raw.decode(found.encoding, "replace"), doubt=None if found.is_sure else found.encoding)


def _guess_beside_utf8(raw: bytes, whole: charset.CharsetGuess) -> charset.CharsetGuess | None:
    """Guess the encoding of words that occur among words in UTF-8; None when one encoding fits the whole text better.

    Words of another encoding are sometimes valid UTF-8 by chance: they look more like writing in their own encoding.
    """
    parts = [part for part in _BETWEEN_WORDS.split(raw[:_SAMPLE_BYTES]) if not part.isascii()]
    utf8 = b" ".join(part for part in parts if _is_utf8(part))
    alike = charset.score(utf8.decode(whole.encoding, "replace"), language_letters.ALL)
    if charset.score(utf8.decode(), language_letters.ALL) <= max(alike, 0):
        return None
    return charset.guess_encoding(b" ".join(part for part in parts if not _is_utf8(part))) or _UNKNOWN


def _is_utf8(part: bytes) -> bool:
    try:
        part.decode()
    except UnicodeDecodeError:
        return False
    return True


def _decode_word(part: bytes, encoding: str) -> str:
    """Decode a word as UTF-8, or by the encoding if it is not valid UTF-8."""
    return part.decode() if _is_utf8(part) else part.decode(encoding, "replace")


def load_text(path: Path, limits: Limits) -> tuple[str, tuple[str, ...]]:
    """Return the characters of a text file up to the limit, and warnings. Raises Unreadable when it is empty."""
    raw = path.read_bytes()
    if not raw:
        raise Unreadable(Refusal.EMPTY, "The file is empty. Upload it again if it should have content.")
    found = detect_and_decode(raw)
    # In text, a NUL occurs only between words, where a program padded its fields.
    text = clean(found.text.replace("\0", " "))
    warnings = [_encoding_warning(found.doubt, is_mixed=found.is_mixed)] if found.doubt else []
    if "\0" in found.text:
        warnings.append("The file has NUL characters, which were read as spaces.")
    if len(text) > limits.max_chars:
        warnings.append(f"Only the first {limits.max_chars:,} characters were read.")
    return text[: limits.max_chars], tuple(warnings)


def _encoding_warning(encoding: str, *, is_mixed: bool) -> str:
    """Return the warning that the encoding was guessed."""
    how = f"The file does not say how its letters are written. It was read as {encoding}"
    if is_mixed:
        how = f"The file mixes encodings. Some of its words are UTF-8, and the others were read as {encoding}"
    return f"{how}; if letters look wrong, save it as UTF-8 and upload it again."


def iter_lines(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield number (from 1), start and end (without the line feed) of each line."""
    start, number = 0, 0
    while start < len(text):
        number += 1
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield number, start, end
        start = end + 1


def split_paragraphs(text: str) -> Iterator[Block]:
    """Yield the ranges between blank lines as blocks."""
    begun: tuple[int, int] | None = None
    last = 0
    for number, start, end in iter_lines(text):
        if text[start:end].strip():
            begun = begun or (number, start)
            last = end
        elif begun:
            yield Block(begun[1], last, BlockKind.PARAGRAPH, BlockLocation(line=begun[0]))
            begun = None
    if begun:
        yield Block(begun[1], last, BlockKind.PARAGRAPH, BlockLocation(line=begun[0]))


def extract_text(path: Path, limits: Limits) -> Extraction:
    """Extract a plain text file as it is."""
    text, warnings = load_text(path, limits)
    return Extraction(text, tuple(split_paragraphs(text)), "text/plain", warnings=warnings)
