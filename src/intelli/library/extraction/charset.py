"""Guesses the encoding of text without a declared one.

The bytes are decoded by every candidate, and the text that looks most like written language wins.
"""

import codecs
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from unicodedata import category

from intelli.library.extraction import language_letters
from intelli.library.extraction.language_letters import COMMON_IDEOGRAPHS, COMMON_SYLLABLES, WrittenLanguage

# Each encoding with the languages it is for and a penalty for rare ones. Of equal scores the first in this order wins.
_ENCODINGS: Mapping[str, tuple[tuple[WrittenLanguage, ...], float]] = {
    "cp1252": (language_letters.WESTERN, 0.0),
    "cp1250": (language_letters.CENTRAL, 0.0),
    "cp1251": (language_letters.CYRILLIC, 0.0),
    "koi8-u": (language_letters.CYRILLIC, 0.0),
    "cp932": (language_letters.IDEOGRAPHIC, 0.0),
    "gb18030": (language_letters.IDEOGRAPHIC, 0.0),
    "big5": (language_letters.IDEOGRAPHIC, 0.0),
    "euc_jp": (language_letters.IDEOGRAPHIC, 0.0),
    "cp949": (language_letters.IDEOGRAPHIC, 0.0),
    "mac_roman": (language_letters.WESTERN, 0.0),
    "iso8859-15": (language_letters.WESTERN, 0.0),
    "iso8859-2": (language_letters.CENTRAL, 0.0),
    "cp1253": (language_letters.GREEK, 0.0),
    "iso8859-7": (language_letters.GREEK, 0.0),
    "cp1254": (language_letters.TURKISH, 0.0),
    "cp1257": (language_letters.BALTIC, 0.0),
    "cp1255": (language_letters.HEBREW, 0.0),
    "cp1256": (language_letters.ARABIC, 0.0),
    "cp866": (language_letters.CYRILLIC, 0.5),
    "cp850": (language_letters.WESTERN, 0.5),
    "cp852": (language_letters.CENTRAL, 1.5),
    "iso8859-5": (language_letters.CYRILLIC, 1.5),
    "mac_cyrillic": (language_letters.CYRILLIC, 1.5),
    "mac_latin2": (language_letters.CENTRAL, 2.0),
    "cp437": (language_letters.WESTERN, 2.0),
    "utf-16-le": (language_letters.ALL, 2.0),
    "utf-16-be": (language_letters.ALL, 2.0),
}
_SAMPLE_BYTES = 6_000
_BEFORE_BYTES = 200
_ODD = re.compile(rb"[\x80-\xff]")
_TELLING = 400  # bytes outside ASCII that count: more do not improve the guess
_WEIGHED_CHARS = 3_000
_AROUND_WORDS = ".,:;!?()\"'"
# By how many points, over all characters, a decoding must be better than the next to count as sure.
_CLEAR = 1.5
_PLAUSIBLE = 0.25  # least points of a character, on average, of a decoding that counts as sure
_FREQUENT = 12  # the first letters of an alphabet, which make most of a text

_OPENING, _CLOSING, _DASHES = "“„«‘‚‹¿¡", "”»’›", "–—"
_MONEY, _AFTER_NUMBERS = "€£¥¢", "°²³½¼¾‰ªº"
_FAIR_SIGNS, _FIGURING = "§©®™…•·µ№†", "±×÷"
_FINAL = "םןךףץς"  # letters that only end words
_CJK_SIGNS = "、。，！？：；（）「」『』《》“”・ー％￥【】〜〇々"
# Each script with the first character after it; those without a name are not alphabets of ours.
_SCRIPTS = (
    ("\u0370", ""),
    ("\u0400", "greek"),
    ("\u0530", "cyrillic"),
    ("\u0590", ""),
    ("\u0600", "hebrew"),
    ("\u0700", "arabic"),
)


@dataclass(frozen=True, slots=True)
class CharsetGuess:
    """A guessed encoding; `is_sure` is False when another one fits nearly as well."""

    encoding: str
    is_sure: bool


def guess_encoding(raw: bytes) -> CharsetGuess | None:
    """Guess the encoding of bytes that are not UTF-8; None when no decoding looks like written language."""
    telling = _sample_lines(raw)
    weight = min(sum(byte > 0x7F for byte in telling), _TELLING)
    scored: dict[str, tuple[float, int, str]] = {}
    for order, (encoding, (languages, penalty)) in enumerate(_ENCODINGS.items()):
        text = _try_decode(raw[:_SAMPLE_BYTES] if encoding.startswith("utf-16") else telling, encoding)
        if text is None:
            continue
        points = score(text, languages) * weight - penalty
        # If two encodings decode to the same text, the better one counts.
        scored[text] = max(scored.get(text, (points, -order, encoding)), (points, -order, encoding))
    if not scored:
        return None
    (points, _, encoding), *others = sorted(scored.values(), reverse=True)
    if points < -weight:
        return None
    margin = points - others[0][0] if others else _CLEAR
    return CharsetGuess(encoding, is_sure=points >= _PLAUSIBLE * weight and margin >= _CLEAR)


def _sample_lines(raw: bytes) -> bytes:
    """Return a sample: the lines with bytes outside ASCII, never beginning inside a multi-byte character."""
    pieces: list[bytes] = []
    size, place = 0, 0
    while size < _SAMPLE_BYTES and (found := _ODD.search(raw, place)):
        start = max(raw.rfind(b"\n", place, found.start()) + 1, place, found.start() - _BEFORE_BYTES)
        line_end = raw.find(b"\n", found.start())
        line_end = len(raw) if line_end < 0 else line_end + 1
        pieces.append(raw[start : min(line_end, start + _SAMPLE_BYTES - size)])
        size += len(pieces[-1])
        place = line_end
    return b"".join(pieces)


def detect_utf16(raw: bytes) -> str | None:
    """Detect UTF-16 without a byte order mark; return its encoding with byte order, else None."""
    sample = raw[:_SAMPLE_BYTES]
    if len(raw) < 4:
        return None
    for encoding, high in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[::2])):
        if high.count(0) > len(high) * 0.4:
            return encoding
        text = _try_decode(sample, encoding)
        if text and len(text) > 3 and all(map(_is_writing, text)) and score(text, language_letters.ALL) > 0.5:
            return encoding
    return None


def looks_like_writing(text: str) -> bool:
    """Return whether the characters outside ASCII are used as in some language."""
    return score(text, language_letters.ALL) > 0


def score(text: str, languages: Sequence[WrittenLanguage]) -> float:
    """Return the mean points of the characters outside ASCII: the higher, the more the text looks like writing.

    Letters and known words of one of the languages count, and signs where they are usual: "5 €" scores, "a€b" does not.
    """
    text = text[:_WEIGHED_CHARS]
    amount = sum(char > "\x7f" for char in text)
    if amount == 0:
        return 0.0
    words = {word.strip(_AROUND_WORDS).lower() for word in text.split()}
    points = max(sum(_score_letters(text, language)) + _score_words(words, language) for language in languages)
    points += sum(_score_sign(before, char, after) for before, char, after in _with_neighbours(text) if _is_sign(char))
    points += 0.5 * sum(one in _FINAL and not _alphabet(other) for one, other in pairwise(text + " "))
    points -= 2 * sum(max(one, other) > "\x7f" and _clash(one, other) for one, other in pairwise(text))
    return points / amount


def _with_neighbours(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each character with its neighbours; a space stands for a missing one."""
    return zip(" " + text, text, text[1:] + " ", strict=False)


def _is_sign(char: str) -> bool:
    return char > "\x7f" and not _alphabet(char)


def _score_words(words: set[str], language: WrittenLanguage) -> float:
    """Return points for common words of the language, at most 3."""
    return min(3.0, 1.0 * len(words & language.words))


def _score_letters(text: str, language: WrittenLanguage) -> Iterator[float]:
    """Yield points for alphabetic letters: the most for frequent letters of the language, negative for foreign ones."""
    for char in text:
        if char <= "\x7f" or not _alphabet(char):
            continue
        place = language.letters.find(char.lower())
        yield -2.0 if place < 0 else 1.0 if place < _FREQUENT else 0.5


@cache
def _alphabet(char: str) -> str:
    """Return the alphabet of a letter; empty for other characters and for scripts that are not alphabets."""
    if category(char) not in {"Lu", "Ll", "Lo", "Lm"}:
        return ""
    if char < "\u0250" or "\u1e00" <= char < "\u1f00":
        return "latin" if char not in "ªº" else ""
    return next((name for end, name in _SCRIPTS if char < end), "")


def _clash(one: str, other: str) -> bool:
    """Return whether two neighbouring letters hardly ever occur in one word: "aж", "aB"."""
    if _alphabet(one) and _alphabet(other):
        return _alphabet(one) != _alphabet(other) or one in _FINAL or (one.islower() and other.isupper())
    return (bool(_alphabet(one)) and _is_cjk(other)) or (_is_cjk(one) and bool(_alphabet(other)))


def _is_cjk(char: str) -> bool:
    return "\u3040" <= char <= "\ud7ff" or "\uff66" <= char <= "\uff9f"


def _score_sign(before: str, char: str, after: str) -> float:
    """Return points for a character of no alphabet, by its neighbours."""
    if _is_cjk(char):
        return _score_ideograph(char)
    if char in _CJK_SIGNS and (char not in _OPENING + _CLOSING or _is_cjk(before) or _is_cjk(after)):
        return 0.8
    if category(char)[0] == "C" and char != "\xad":
        return -3.0
    for signs, fits, points, penalty in _SIGN_RULES:
        if char in signs:
            return points if fits(before, after) else penalty
    return -1.5


def _is_within_word(before: str, after: str) -> bool:
    return before.isalpha() and after.isalpha()


# Signs, whether they are usual between two neighbours, and the points if so and if not.
_SIGN_RULES: Sequence[tuple[str, Callable[[str, str], bool], float, float]] = (
    (_OPENING, lambda before, after: not before.isalnum() and not after.isspace(), 0.7, -0.7),
    (_CLOSING, lambda before, _: not before.isspace(), 0.7, -0.7),
    (_DASHES, lambda before, after: before.isspace() == after.isspace() and not before.isalpha(), 0.7, -0.1),
    (_MONEY, lambda before, after: any(near.isdigit() or near.isspace() for near in (before, after)), 1.0, -0.5),
    (
        _AFTER_NUMBERS,
        lambda before, after: (before.isalnum() or before.isspace()) and not _is_within_word(before, after),
        0.5,
        -1.0,
    ),
    (_FAIR_SIGNS, lambda before, after: not _is_within_word(before, after), 0.3, -1.0),
    (_FIGURING, lambda before, after: not before.isalpha() and not after.isalpha(), 0.3, -1.0),
    ("\xa0\xad", lambda *_: True, 0.1, 0.0),
)


@cache
def _score_ideograph(char: str) -> float:
    """Return points for a Chinese, Japanese or Korean character: encoding standards group the common ones in rows."""
    if char in COMMON_IDEOGRAPHS or char in COMMON_SYLLABLES:
        return 1.5
    if "\u3040" <= char < "\u3100":
        return 1.2
    if char >= "\uff66":
        return -0.7
    for encoding, first, last in (
        ("euc_kr", 0xB0, 0xC8),
        ("gb2312", 0xB0, 0xD7),
        ("big5", 0xA4, 0xC6),
        ("euc_jp", 0xB0, 0xCF),
    ):
        try:
            lead = char.encode(encoding)[0]
        except UnicodeEncodeError:
            continue
        if first <= lead <= last:
            return 0.6
    return -1.0


def _is_writing(char: str) -> bool:
    """Return whether a character can occur in text."""
    return category(char)[0] in "LNPZS" or char in "\t\n\r"


def _try_decode(raw: bytes, encoding: str) -> str | None:
    """Decode bytes strictly; None when a byte is invalid. A sample may end inside a character."""
    try:
        return codecs.getincrementaldecoder(encoding)("strict").decode(raw, len(raw) < _SAMPLE_BYTES)
    except UnicodeDecodeError:
        return None
