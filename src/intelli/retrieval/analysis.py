"""Text analysis: split a text into words by script, stem them by language, and hash each stem to a term number.

A term's number is a hash of its stemmer and its stem, so no table of words is stored, and stems of one language never
match a passage in another. A compound is one term, and its parts are further terms, which its length does not count.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import chain, pairwise

import Stemmer

from intelli.retrieval import compounds, stemmers

# Raise it when the same text would give other terms, or more is written of it: what an older version wrote is then
# analysed again in the background.
VERSION = 3
_MAX_WORD = 64
# The namespace of terms made of the characters of unspaced scripts.
_RUN = "run"
# Ranges with combining characters: scanning all of Unicode would take the first search half a second.
_WITH_MARKS = (range(0x300, 0x20000), range(0xE0000, 0xE0200))
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_PLAIN_WORD = re.compile(r"[^\W_]+")
# Any character that may be unspaced or combining, that is, outside Latin, Greek, Cyrillic and signs: a quick test.
_UNTRIED = re.compile("[^\u0000-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1eff\u2000-\u20cf\u2100-\u2bff]")
# Invisible characters inside words: soft hyphens, zero-width spaces and joiners.
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]+")
_KNOWN_WORDS = 100_000  # of each language
# A shorter part of a compound is no term.
_SHORTEST_PART = 4
# A compound of more parts than this has terms for its parts, but not for rows of them.
_MOST_IN_ROWS = 4
Parts = tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class _KnownWords:
    """Terms of the words of a language that were analysed before; for compounds, those of their parts too."""

    terms: dict[str, int] = field(default_factory=dict)
    parts: dict[str, frozenset[int]] = field(default_factory=dict)


_KNOWN: dict[str, _KnownWords] = {}


@dataclass(frozen=True, slots=True)
class AnalysedText:
    """A passage as the lexical index stores it: the count of each term, and its length in terms."""

    counts: Mapping[int, int]
    length: int


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of a query, with its term in each language it was analysed for.

    Where it is a compound, `parts_in` has its parts, each as the terms that stand for it.
    """

    term_in: Mapping[str, int]
    parts_in: Mapping[str, Parts] = field(default_factory=dict)

    @property
    def terms(self) -> set[int]:
        """Its terms in all languages, without those of its parts."""
        return set(self.term_in.values())

    @property
    def part_terms(self) -> set[int]:
        """The terms of its parts in all languages."""
        return {term for parts in self.parts_in.values() for part in parts for term in part}


def analyse(text: str, language: str) -> AnalysedText:
    """Analyse a passage: count its terms."""
    words, runs = _split(text)
    counts = _count(words, language)
    if not runs:
        return AnalysedText(counts, len(words))
    pairs = Counter(pair for run in runs for pair in _pairs(run))
    # So that a query of one character also matches inside longer runs.
    singles = Counter(character for run in runs if len(run) > 1 for character in run)
    length = len(words) + pairs.total()
    for gram, times in (pairs + singles).items():
        number = _number(_RUN, gram)
        counts[number] = counts.get(number, 0) + times
    return AnalysedText(counts, length)


def _count(words: Sequence[str], language: str) -> dict[int, int]:
    """Count the terms of words, and of the parts of compounds."""
    known = _known_words(language)
    try:
        counts = Counter(map(known.terms.__getitem__, words))
    except KeyError:
        words = _bounded(words)
        _learn(known, set(words).difference(known.terms), language)
        counts = Counter(map(known.terms.__getitem__, words))
    if known.parts:
        counts.update(chain.from_iterable(known.parts[word] for word in words if word in known.parts))
    return counts


def _learn(known: _KnownWords, words: Iterable[str], language: str) -> None:
    for word in words:
        # First the parts: another thread takes a word with a term as known.
        if terms := _terms_inside(word, language):
            known.parts[word] = terms
        known.terms[word] = _term(word, language)


def parse_query(text: str, languages: Iterable[str]) -> list[QueryWord]:
    """Return the distinct words of a query, each analysed for every one of the languages."""
    words, runs = _split(text)
    known = sorted(set(languages))
    unspaced = [language for language in known if language in stemmers.UNSPACED_LANGUAGES] or known
    found: dict[frozenset[int], QueryWord] = {}
    for word in _bounded(words):
        parts = {language: parts for language in known if (parts := _parts(word, language))}
        read = QueryWord({language: _term(word, language) for language in known}, parts)
        found.setdefault(frozenset(read.terms), read)
    for pair in (pair for run in runs for pair in _pairs(run)):
        read = QueryWord(dict.fromkeys(unspaced, _number(_RUN, pair)))
        found.setdefault(frozenset(read.terms), read)
    return list(found.values())


def _known_words(language: str) -> _KnownWords:
    """Return the known words of a language: words repeat, and a dictionary is quicker than any call.

    When there are too many, they are forgotten; threads that use them keep them.
    """
    known = _KNOWN.get(language)
    if known is None or len(known.terms) > _KNOWN_WORDS:
        known = _KNOWN[language] = _KnownWords()
    return known


def _term(word: str, language: str) -> int:
    stemmer = stemmers.stemmer_of(word, language)
    return _number(stemmer, _stem(stemmer, word))


def _terms_inside(word: str, language: str) -> frozenset[int]:
    """Return the terms of a compound besides its own: of its parts, and of the shorter compounds in it."""
    parts = _split_compound(word, language)
    size = len(parts) if len(parts) <= _MOST_IN_ROWS else 0
    rows = ("".join(parts[start:end]) for start in range(size) for end in range(start + 2, size + 1))
    terms = {_term(row, language) for row in rows if row != word}
    return frozenset(terms.union(*_part_terms(parts, language)))


def _parts(word: str, language: str) -> Parts:
    return _part_terms(_split_compound(word, language), language)


def _split_compound(word: str, language: str) -> Sequence[str]:
    splitter = compounds.splitter(language)
    parts = splitter.split(word) if splitter else ()
    return parts if len(parts) > 1 else ()


def _part_terms(parts: Sequence[str], language: str) -> Parts:
    """Return the terms of each part. The stem of a verb may be the stem of its noun: "liefer" that of "Lieferung"."""
    terms = []
    for place, part in enumerate(parts):
        if len(part) >= _SHORTEST_PART:
            verb = {part} if part.endswith("er") and place < len(parts) - 1 else set()
            stemmer = stemmers.stemmer_of(part, language)
            terms.append(frozenset(_number(stemmer, _without_marks(stem)) for stem in {_stem(stemmer, part), *verb}))
    return tuple(terms)


def _split(text: str) -> tuple[list[str], list[str]]:
    """Split a text into lower-case words and runs of unspaced scripts (such as Chinese)."""
    if text.isascii():
        return _ASCII_WORD.findall(text.lower()), []
    folded = _UNSEEN.sub("", unicodedata.normalize("NFKC", text)).lower()
    if not _UNTRIED.search(folded) or not _special().search(folded):
        return _PLAIN_WORD.findall(folded), []
    words: list[str] = []
    runs: list[str] = []
    for run, word in _pattern().findall(folded):
        if run:
            runs.append(run)
        else:
            words.append(word)
    return words, runs


def _bounded(words: Sequence[str]) -> Sequence[str]:
    """Cut words to the longest length that is indexed."""
    return [word[:_MAX_WORD] for word in words] if max(map(len, words), default=0) > _MAX_WORD else words


def _pairs(run: str) -> list[str]:
    return [first + second for first, second in pairwise(run)] or [run]


def _stem(stemmer: str | None, word: str) -> str:
    stem = _stemmer(stemmer).stemWord(word) if stemmer else word
    # Stemmers need accents, but people leave them out of queries.
    return stem if stem.isascii() else _without_marks(stem)


@cache
def _stemmer(name: str) -> Stemmer.Stemmer:
    # Without its own cache, which costs more than it saves beside ours.
    return Stemmer.Stemmer(name, 0)


def _without_marks(stem: str) -> str:
    parts = unicodedata.normalize("NFD", stem)
    kept = "".join(part for part in parts if unicodedata.category(part) != "Mn")
    return unicodedata.normalize("NFC", kept) or stem


@lru_cache(maxsize=200_000)
def _number(stemmer: str | None, stem: str) -> int:
    """Return the number of a term, a signed 64-bit integer."""
    digest = blake2b(f"{stemmer or ''}:{stem}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


@cache
def _pattern() -> re.Pattern[str]:
    """Pattern of a run of an unspaced script, or of a word of another: letters and digits with their marks."""
    return re.compile(f"([{stemmers.UNSPACED}]+)|((?:(?![{stemmers.UNSPACED}_])[\\w{_mark_set()}])+)")


@cache
def _special() -> re.Pattern[str]:
    """Pattern of a character that `_PLAIN_WORD` does not handle: unspaced or combining."""
    return re.compile(f"[{stemmers.UNSPACED}{_mark_set()}]")


@cache
def _mark_set() -> str:
    return "".join(f"{chr(start)}-{chr(end)}" for start, end in _marks())


def _marks() -> list[tuple[int, int]]:
    """Return the ranges of combining characters, which `\\w` does not match."""
    ranges: list[tuple[int, int]] = []
    for code in chain(*_WITH_MARKS):
        if unicodedata.category(chr(code))[0] != "M":
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1] = (ranges[-1][0], code)
        else:
            ranges.append((code, code))
    return ranges
