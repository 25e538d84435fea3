"""The tokens of a text, by the tokenizer that comes with the bundled embedding; nothing is fetched.

No token of its vocabulary goes on over the beginning of a space or over a line feed, so a text's tokens are those of
its words one after the other. Words repeat, and looking one up is many times quicker than cutting it up again.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate, chain, pairwise

from tokenizers import Tokenizer

Numbers = tuple[int, ...]
Spans = Iterable[tuple[int, int]]
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_WORD = re.compile(r"\n| *[^ \n]+| +")
# Nor does a token go on from a letter of ASCII to a digit or a sign, or back: words that differ in these share pieces.
_PIECE = re.compile(r" *(?:[A-Za-z]+|[0-9]+|[^A-Za-z0-9 ]+)| +")
# What the tokenizer knows as one token wherever it stands, and its own sign for a space.
_UNUSUAL = re.compile("</?s>|<unk>|\N{LOWER ONE EIGHTH BLOCK}")
_LINE_FEED = "<0x0A>"
# Every token has a number below this.
VOCABULARY = 32_000
_KNOWN_WORDS = 200_000
_LONGEST_WORD = 64
_ENDLESS_WORD = 4096  # what is not even a word is cut up as far as someone asks
_TOGETHER = 256
_BATCH = 64  # the more in one text, the longer each takes


def count_tokens(texts: Sequence[str]) -> list[int]:
    """The number of tokens of each text."""
    words = _words()
    return [words.count(text) for text in texts]


def tally(text: str) -> Callable[[Spans], list[int]]:
    """What tells how many tokens spans of a text have, each by itself; the text is cut up once for all of them."""
    return _words().tally(text)


def token_numbers(text: str) -> list[int]:
    """The tokens of a text, by their numbers in the vocabulary."""
    return _words().numbers(text)


def numbers_of_each(texts: Sequence[str]) -> Iterator[list[int]]:
    """The same for several, of which new words are learnt together."""
    for start in range(0, len(texts), _TOGETHER):
        yield from _words().numbers_of_each(texts[start : start + _TOGETHER])


class Words:
    """A tokenizer that remembers the words it has met."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        line_feed = tokenizer.token_to_id(_LINE_FEED)
        assert line_feed is not None, "its vocabulary has every byte"
        self._line_feed = line_feed
        self._known: dict[str, Numbers] = {}
        self._pieces: dict[str, Numbers] = {}

    def numbers(self, text: str) -> list[int]:
        """The tokens of a text, by their numbers in the vocabulary."""
        if not text or _UNUSUAL.search(text):
            return list(self._tokenizer.encode(text, add_special_tokens=False).ids)
        return list(chain.from_iterable(self._read(_spaced(text))))

    def numbers_of_each(self, texts: Sequence[str]) -> Iterator[list[int]]:
        """The same for several texts: at the first word that is new, all new words of theirs are learnt."""
        cut = [[] if _UNUSUAL.search(text) else _spaced(text) for text in texts]
        for text, words in zip(texts, cut, strict=True):
            try:
                numbers = list(chain.from_iterable(map(self._known.__getitem__, words)))
            except KeyError:
                self._learn(_unknown(chain.from_iterable(cut), self._known))
                numbers = self.numbers(text)
            yield numbers if words and text else self.numbers(text)

    def count(self, text: str) -> int:
        """How many they are."""
        if not text or _UNUSUAL.search(text):
            return len(self.numbers(text))
        return sum(map(len, self._read(_spaced(text))))

    def tally(self, text: str) -> Callable[[Spans], list[int]]:
        """What counts the tokens of spans of a text."""
        words = _WORD.findall(text)
        if _UNUSUAL.search(text) or max(map(len, words), default=0) > _ENDLESS_WORD:
            return lambda spans: [self.count(text[start:end]) for start, end in spans]
        return _Tally(self, text, words)

    def count_as_it_is(self, words: Sequence[str]) -> list[int]:
        """How many tokens each of words has that stand inside of a text."""
        return [len(numbers) for numbers in self._read(words)]

    def _read(self, words: Sequence[str]) -> list[Numbers]:
        known = self._known
        try:
            return [known[word] for word in words]
        except KeyError:
            learnt = self._learn(_unknown(words, known))
            return [learnt[word] if word in learnt else known[word] for word in words]

    def _learn(self, words: Iterable[str]) -> dict[str, Numbers]:
        """The tokens of words that were not known; a long one is rarely met again, and not kept."""
        short, long = dict[str, list[str]](), list[str]()
        for word in words:
            if len(word) > _LONGEST_WORD:
                long.append(word)
            else:
                short[word] = _PIECE.findall(word) if word.isascii() else [word]
        pieces = self._pieces = _bounded(self._pieces)
        pieces |= self._cut_up({piece for parts in short.values() for piece in parts if piece not in pieces})
        learnt = {word: tuple(chain.from_iterable(map(pieces.__getitem__, parts))) for word, parts in short.items()}
        known = self._known = _bounded(self._known)
        known |= learnt
        return {**learnt, **self._cut_up(long)} if long else learnt

    def _cut_up(self, pieces: Iterable[str]) -> dict[str, Numbers]:
        """Have the tokenizer cut pieces up, some in one text: after a line feed each stands as it is."""
        found = dict[str, Numbers]()
        listed = [piece for piece in pieces if piece != "\n"]
        for start in range(0, len(listed), _BATCH):
            batch = listed[start : start + _BATCH]
            numbers = self._tokenizer.encode("\n".join(("", *batch, "")), add_special_tokens=False).ids
            feeds = [at for at, number in enumerate(numbers) if number == self._line_feed]
            for piece, (before, after) in zip(batch, pairwise(feeds), strict=True):
                found[piece] = tuple(numbers[before + 1 : after])
        found["\n"] = (self._line_feed,)
        return found


class _Tally:
    """The tokens of a text's words, summed up, so that those of most words of a span are a difference."""

    def __init__(self, words: Words, text: str, cut: Sequence[str]) -> None:
        self._words = words
        self._text = text
        self._ends = list(accumulate(map(len, cut)))
        self._sums = [0, *accumulate(words.count_as_it_is(cut))]

    def __call__(self, spans: Spans) -> list[int]:
        return [self._count(start, end) for start, end in spans]

    def _count(self, start: int, end: int) -> int:
        """The first word of a span has a space before it, and the last may be a part of one."""
        ends, sums = self._ends, self._sums
        first, last = bisect_right(ends, start), bisect_right(ends, end)
        if first == last or end <= ends[first]:
            return self._words.count(self._text[start:end])
        tokens = self._words.count(self._text[start : ends[first]]) + sums[last] - sums[first + 1]
        rest = self._text[ends[last - 1] : end]
        return tokens + (self._words.count_as_it_is([rest])[0] if rest else 0)


def _spaced(text: str) -> list[str]:
    """The words of a text; the tokenizer puts a space before it, too."""
    return _WORD.findall(f" {text}")


def _unknown(words: Iterable[str], known: Mapping[str, Numbers]) -> set[str]:
    # Not as a difference of sets: that would go through all that is known.
    return {word for word in words if word not in known}


def _bounded(known: dict[str, Numbers]) -> dict[str, Numbers]:
    """What is known, or nothing when it has become too much; whoever reads it at this moment keeps it."""
    return known if len(known) <= _KNOWN_WORDS else {}


@cache
def _words() -> Words:
    tokenizer = Tokenizer.from_str(files("wordllama").joinpath(_TOKENIZER).read_text(encoding="utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return Words(tokenizer)
