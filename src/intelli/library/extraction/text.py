"""Plain text: the file's own characters, decoded, with one block a paragraph."""

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
# Bytes that text in any encoding of single bytes has not, and UTF-16 without a mark is full of.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f]")
# None of these is ever within a character of several bytes.
_BETWEEN_WORDS = re.compile(rb'([\s,;"]+)')
_UNKNOWN = charset.CharsetGuess("cp1252", is_sure=False)
# What `surrogateescape` leaves of a byte that is not UTF-8, read as Windows Latin.
_WINDOWS = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, and the encoding it was read by when that had to be guessed and might have been another.

    When `is_mixed`, that is the encoding of the words that are not UTF-8, as the others are.
    """

    text: str
    doubt: str | None = None
    is_mixed: bool = False


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
    found = charset.likeliest(raw) or _UNKNOWN
    rest = _encoding_beside_utf8(raw, found)
    if rest is not None:
        words = (_word(part, rest.encoding) for part in _BETWEEN_WORDS.split(raw))
        return Decoded("".join(words), doubt=rest.encoding, is_mixed=True)
    return Decoded(raw.decode(found.encoding, "replace"), doubt=None if found.is_sure else found.encoding)


def _encoding_beside_utf8(raw: bytes, whole: charset.CharsetGuess) -> charset.CharsetGuess | None:
    """What words are read by that stand among others in UTF-8; None when the whole is better read by one encoding.

    Words of another encoding happen to be valid UTF-8 now and then: they look more like writing as what they are.
    """
    parts = [part for part in _BETWEEN_WORDS.split(raw[:_SAMPLE_BYTES]) if not part.isascii()]
    utf8 = b" ".join(part for part in parts if _is_utf8(part))
    alike = charset.score(utf8.decode(whole.encoding, "replace"), language_letters.ALL)
    if charset.score(utf8.decode(), language_letters.ALL) <= max(alike, 0):
        return None
    return charset.likeliest(b" ".join(part for part in parts if not _is_utf8(part))) or _UNKNOWN


def _is_utf8(part: bytes) -> bool:
    try:
        part.decode()
    except UnicodeDecodeError:
        return False
    return True


def _word(part: bytes, encoding: str) -> str:
    return part.decode() if _is_utf8(part) else part.decode(encoding, "replace")


def load(path: Path, limits: Limits) -> tuple[str, tuple[str, ...]]:
    """A text file's characters up to the limit, and a warning when there were more."""
    raw = path.read_bytes()
    if not raw:
        raise Unreadable(Refusal.EMPTY, "The file is empty. Upload it again if it should have content.")
    found = decoded(raw)
    # A NUL stands between words where a program padded its fields, and nowhere else in text.
    text = clean(found.text.replace("\0", " "))
    warnings = [_doubtful(found.doubt, is_mixed=found.is_mixed)] if found.doubt else []
    if "\0" in found.text:
        warnings.append("The file has NUL characters, which were read as spaces.")
    if len(text) > limits.max_chars:
        warnings.append(f"Only the first {limits.max_chars:,} characters were read.")
    return text[: limits.max_chars], tuple(warnings)


def _doubtful(encoding: str, *, is_mixed: bool) -> str:
    how = f"The file does not say how its letters are written. It was read as {encoding}"
    if is_mixed:
        how = f"The file mixes encodings. Some of its words are UTF-8, and the others were read as {encoding}"
    return f"{how}; if letters look wrong, save it as UTF-8 and upload it again."


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
            yield Block(begun[1], last, BlockKind.PARAGRAPH, BlockLocation(line=begun[0]))
            begun = None
    if begun:
        yield Block(begun[1], last, BlockKind.PARAGRAPH, BlockLocation(line=begun[0]))


def extract_text(path: Path, limits: Limits) -> Extraction:
    """A plain text file as it is."""
    text, warnings = load(path, limits)
    return Extraction(text, tuple(paragraphs(text)), "text/plain", warnings=warnings)
