"""The tokens of a text, by the tokenizer that comes with the bundled embedding; nothing is fetched.

No token of its vocabulary goes on over the beginning of a space or over a line feed, so a text's tokens are those of
its words one after the other. Words repeat, and looking one up is many times quicker than cutting it up again.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain

from tokenizers import Tokenizer

_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_WORD = re.compile(r"\n| *[^ \n]+| +")
# What the tokenizer knows as one token wherever it stands, and its own sign for a space.
_UNUSUAL = re.compile("</?s>|<unk>|\N{LOWER ONE EIGHTH BLOCK}")
_KNOWN_WORDS = 100_000
_LONGEST_WORD = 64
_BATCH = 512  # encodings are large: only their numbers are kept


def count_tokens(texts: Sequence[str]) -> list[int]:
    """The number of tokens of each text."""
    words = _words()
    return [words.count(text) for text in texts]


def token_numbers(text: str) -> list[int]:
    """The tokens of a text, by their numbers in the vocabulary."""
    return _words().numbers(text)


class Words:
    """A tokenizer that remembers the words it has met."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, tuple[int, ...]] = {}

    def numbers(self, text: str) -> list[int]:
        """The tokens of a text, by their numbers in the vocabulary."""
        if not text or _UNUSUAL.search(text):
            return list(self._tokenizer.encode(text, add_special_tokens=False).ids)
        return list(chain.from_iterable(self._read(text)))

    def count(self, text: str) -> int:
        """How many they are."""
        if not text or _UNUSUAL.search(text):
            return len(self.numbers(text))
        return sum(map(len, self._read(text)))

    def _read(self, text: str) -> list[tuple[int, ...]]:
        words = _WORD.findall(f" {text}")  # the tokenizer puts a space before a text, too
        known = self._known
        try:
            return [known[word] for word in words]
        except KeyError:
            learnt = self._learn({word for word in words if word not in known})
            return [learnt[word] if word in learnt else known[word] for word in words]

    def _learn(self, words: Iterable[str]) -> dict[str, tuple[int, ...]]:
        """The tokens of words that were not known; a long one is rarely met again, and not kept."""
        learnt = dict[str, tuple[int, ...]]()
        missing = list(words)
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            # After a line feed a word stands as it is. The first two tokens are that one's and the space's before it.
            encodings = self._tokenizer.encode_batch_fast([f"\n{word}" for word in batch], add_special_tokens=False)
            learnt.update((word, tuple(encoding.ids[2:])) for word, encoding in zip(batch, encodings, strict=True))
        if len(self._known) > _KNOWN_WORDS:
            self._known = {}  # whoever reads the old ones at this moment keeps them
        self._known.update((word, numbers) for word, numbers in learnt.items() if len(word) <= _LONGEST_WORD)
        return learnt


@cache
def _words() -> Words:
    tokenizer = Tokenizer.from_str(files("wordllama").joinpath(_TOKENIZER).read_text(encoding="utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return Words(tokenizer)
