"""Tokens of a text, by the tokenizer of the bundled embedding; nothing is downloaded.

No token of its vocabulary crosses the beginning of a space, a line feed, the border of a digit, or the border between
an ASCII letter and an ASCII sign. So a text's tokens are those of such words, concatenated. Words repeat, and a lookup
is many times faster than tokenizing again. Tokens are stored as packed numbers, so that joining many is one copy of
bytes.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from tokenizers import Tokenizer

from intelli.reasoning.ports import Numbers

Spans = Iterable[tuple[int, int]]
NUMBER = np.dtype("<u2")
_SUM = np.uint32  # no text has so many characters or bytes of tokens
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
# Letters, signs and digits; next to a character beyond ASCII, letters and signs are not told apart.
_APART = r"(?![^\0-\x7f])"
_WORD = re.compile(rf"\n| *(?:[A-Za-z]++{_APART}|[\0-\t\v-\x1f!-/:-@\[-`{{-\x7f]++{_APART}|[0-9]+|[^0-9 \n]+)| +")
# After a line feed, or before the spaces that a word begins with.
_BETWEEN = re.compile(r"(?<=\n)|(?<=[^ \n])(?= )")
# What the tokenizer knows as one token wherever it stands, and its own sign for a space.
_UNUSUAL = re.compile("</?s>|<unk>|\N{LOWER ONE EIGHTH BLOCK}")
_LINE_FEED = "<0x0A>"
# Every token has a number below this.
VOCABULARY = 32_000
_KNOWN_WORDS = 200_000
_LONGEST_WORD = 64
_ENDLESS_WORD = 4096  # what is not even a word is cut up as far as someone asks
_TOGETHER = 256
_STRETCH_CHARS = 1 << 18
_BATCH = 64  # the more in one text, the longer each takes


def count_tokens(texts: Sequence[str]) -> list[int]:
    """Count the tokens of each text."""
    return [len(each) for each in numbers_of_each(texts)]


def token_numbers(text: str) -> Numbers:
    """Return the tokens of a text, as numbers in the vocabulary."""
    return _unpack(_word_tokenizer().packed(text))


def numbers_of_each(texts: Sequence[str]) -> Iterator[Numbers]:
    """Yield the tokens of each text, as numbers; new words of many texts are tokenized in one batch."""
    for start in range(0, len(texts), _TOGETHER):
        yield from map(_unpack, _word_tokenizer().packed_each(texts[start : start + _TOGETHER]))


def tokenize(text: str) -> "TokenizedText":
    """Tokenize a text once, for counting and reading the tokens of its spans."""
    return TokenizedText(_word_tokenizer(), text)


class WordTokenizer:
    """Tokenizer with a cache of words."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        line_feed = tokenizer.token_to_id(_LINE_FEED)
        assert line_feed is not None, "its vocabulary has every byte"
        self._line_feed = line_feed
        self._known: dict[str, bytes] = {"": b""}

    def packed(self, text: str) -> bytes:
        """Return the tokens of a text, as packed numbers."""
        if not text or _UNUSUAL.search(text):
            return _pack(self._tokenizer.encode(text, add_special_tokens=False).ids)
        return b"".join(self.read(_split_words(text)))

    def packed_each(self, texts: Sequence[str]) -> Iterator[bytes]:
        """Yield the tokens of each text, as packed numbers; their new words are tokenized in one batch."""
        spaced = [[] if not text or _UNUSUAL.search(text) else _split_words(text) for text in texts]
        self.learn_unknown(chain.from_iterable(spaced))
        for text, words in zip(texts, spaced, strict=True):
            yield b"".join(self.read(words)) if words else self.packed(text)

    def read(self, words: Sequence[str]) -> list[bytes]:
        """Return the tokens of each word, as it is tokenized inside a text."""
        known = self._known
        try:
            return list(map(known.__getitem__, words))
        except KeyError:
            learnt = self._learn(set(words).difference(known))
        if max(map(len, learnt)) > _LONGEST_WORD:
            return [learnt[word] if word in learnt else known[word] for word in words]
        known |= learnt  # which may be no longer what all others know
        return list(map(known.__getitem__, words))

    def learn_unknown(self, words: Iterable[str]) -> None:
        """Tokenize the unknown words in one batch, without those that are too long to be cached."""
        if unknown := {word for word in set(words).difference(self._known) if len(word) <= _LONGEST_WORD}:
            self._learn(unknown)

    def _learn(self, words: Iterable[str]) -> dict[str, bytes]:
        """Tokenize unknown words and cache them, except long ones, which rarely repeat."""
        learnt = self._tokenize(words)
        known = self._known = _bound_cache(self._known)
        known |= {word: tokens for word, tokens in learnt.items() if len(word) <= _LONGEST_WORD}
        return learnt

    def _tokenize(self, words: Iterable[str]) -> dict[str, bytes]:
        """Tokenize words, several in one text: after a line feed each is tokenized as if alone."""
        found = {"\n": _pack([self._line_feed])}
        listed = [word for word in words if word != "\n"]
        for start in range(0, len(listed), _BATCH):
            batch = listed[start : start + _BATCH]
            numbers = self._tokenizer.encode("\n".join(("", *batch, "")), add_special_tokens=False).ids
            feeds = [at for at, number in enumerate(numbers) if number == self._line_feed]
            packed = _pack(numbers)
            for word, (before, after) in zip(batch, pairwise(feeds), strict=True):
                found[word] = packed[(before + 1) * NUMBER.itemsize : after * NUMBER.itemsize]
        return found


class TokenizedText:
    """A text with prefix sums of its tokens by word, so that the tokens of a span's words are a slice.

    The first word of a span has a space before it though, and the last may be a part of one. A text with special
    tokens, or with an extremely long word, is tokenized span by span.
    """

    def __init__(self, words: WordTokenizer, text: str) -> None:
        self._words = words
        self._text = text
        # Arrays, because the words of a whole book as objects take a hundred times its size.
        self._ends, self._sums = array("I"), array("I", [0])
        self._packed = b""
        self._is_usual = not _UNUSUAL.search(text) and self._sum_up()

    def count(self, spans: Spans) -> list[int]:
        """Count the tokens of each span."""
        spans, words = list(spans), self._words
        if not self._is_usual:
            return [len(words.packed(self._text[start:end])) // NUMBER.itemsize for start, end in spans]
        parts = [self._parts(start, end) for start, end in spans]
        words.learn_unknown(word for part in parts for word in (*_split_words(part.first), part.rest))
        return [
            (len(words.packed(part.first)) + part.end - part.start + len(words.read([part.rest])[0])) // NUMBER.itemsize
            for part in parts
        ]

    def numbers(self, start: int, end: int, *, heading: str | None = None) -> Numbers:
        """Return the tokens of a span; with a heading, those of the heading, a line feed and the span."""
        if not self._is_usual or (heading and _UNUSUAL.search(heading)):
            body = self._text[start:end]
            return _unpack(self._words.packed(f"{heading}\n{body}" if heading else body))
        part = self._parts(start, end)
        begin = [self._words.packed(part.first)]
        if heading:
            begin = [self._words.packed(heading), *self._words.read(["\n", *_WORD.findall(part.first)])]
        return _unpack(b"".join((*begin, self._packed[part.start : part.end], *self._words.read([part.rest]))))

    def _sum_up(self) -> bool:
        """Compute the prefix sums; return False when a word is too long."""
        packed, size_bytes = list[bytes](), 0
        for start, end in _stretches(self._text):
            cut = _WORD.findall(self._text, start, end)
            if max(map(len, cut)) > _ENDLESS_WORD:
                return False
            each = self._words.read(cut)
            self._ends.frombytes(_end_positions(cut, start))
            self._sums.frombytes(_end_positions(each, size_bytes))
            packed.append(b"".join(each))
            size_bytes += len(packed[-1])
        self._packed = b"".join(packed)
        return True

    def _parts(self, start: int, end: int) -> "_Parts":
        ends, sums = self._ends, self._sums
        first, last = bisect_right(ends, start), bisect_right(ends, end)
        if first == last:
            return _Parts(self._text[start:end], 0, 0, "")
        return _Parts(self._text[start : ends[first]], sums[first + 1], sums[last], self._text[ends[last - 1] : end])


class _Parts(NamedTuple):
    """A span: its part of the first word, the byte range of its whole words' tokens, its part of the last word."""

    first: str
    start: int
    end: int
    rest: str


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Yield ranges of about one size that split a text between words."""
    start = 0
    while len(text) - start > _STRETCH_CHARS and (found := _BETWEEN.search(text, start + _STRETCH_CHARS)):
        yield start, found.end()
        start = found.end()
    if start < len(text):
        yield start, len(text)


def _pack(numbers: Sequence[int]) -> bytes:
    return np.array(numbers, NUMBER).tobytes()


def _unpack(packed: bytes) -> Numbers:
    return np.frombuffer(packed, NUMBER)


def _split_words(text: str) -> list[str]:
    """Split a text into words, with a space before the first, as the tokenizer adds one."""
    return _WORD.findall(f" {text}")


def _end_positions(parts: Sequence[str] | Sequence[bytes], start: int) -> bytes:
    """Return the packed end positions of consecutive parts."""
    lengths = np.fromiter(map(len, parts), _SUM, len(parts))
    return (np.cumsum(lengths, dtype=_SUM) + _SUM(start)).tobytes()


def _bound_cache(known: dict[str, bytes]) -> dict[str, bytes]:
    """Return the cache, or an empty one when it is too large; concurrent readers keep the old one."""
    return known if len(known) <= _KNOWN_WORDS else {"": b""}


@cache
def _word_tokenizer() -> WordTokenizer:
    tokenizer = Tokenizer.from_str(files("wordllama").joinpath(_TOKENIZER).read_text(encoding="utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return WordTokenizer(tokenizer)
