"""Convert texts to terms: folded, stemmed by language, without function words."""

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache
from itertools import pairwise

import Stemmer

from intelli.language.languages import DEFAULT, UNSPACED, languages

# Scripts without spaces between words: characters and their pairs are their terms.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"(\d+(?:[.,]\d+)*)|([{_UNSPACED}]+)|((?:(?![{_UNSPACED}_\d])\w)+\d*)")
_ASCII_WORD = re.compile(r"\d+(?:[.,]\d+)*|[a-z]+\d*")
_KANA = re.compile("[\u3040-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7af]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_LONGEST_HEADING = 120
_LITTLE_WORD = 3
_LETTER = re.compile(rf"[{_UNSPACED}]|\w")


def language_of(text: str) -> str:
    """The language whose little words are most in the text, among those we know; English when none are."""
    return find_language(text) or DEFAULT


def find_language(text: str) -> str | None:
    """Guess the language of a sentence or a question by its function words; None when it has none that we know.

    It only knows the languages with a word list. The language of a document is told by `identify.find_language`.
    """
    return next(iter(find_languages(text)), None)


def find_languages(text: str) -> list[str]:
    """Return the languages whose function words are most in a text: several where they have equally many."""
    if _is_mostly_unspaced(text):
        return [UNSPACED]
    counts = Counter(word for _, _, word in _WORD.findall(text.lower()[:20_000]) if word)
    found = {
        code: sum(times for word, times in counts.items() if word in language.stop_words)
        for code, language in languages().items()
    }
    most = max(found.values())
    return [code for code, count in found.items() if count == most] if most else []


def tongue_of(text: str) -> str:
    """The language to answer a text in: as `language_of`, but scripts without spaces are told from each other."""
    found = language_of(text)
    if found != UNSPACED:
        return found
    if _KANA.search(text):
        return "ja"
    if _HANGUL.search(text):
        return "ko"
    return UNSPACED if _HAN.search(text) else DEFAULT


def terms_of(text: str, language: str) -> list[str]:
    """The terms of a text in their order, with repeats."""
    stop = languages()[language].stop_words
    if text.isascii():
        # Most of most texts: the same terms, found faster.
        tokens = _ASCII_WORD.findall(text.lower())
        return [
            token if token[0].isdigit() else _stem(token[:64], language)
            for token in tokens
            if token[0].isdigit() or token not in stop
        ]
    found: list[str] = []
    for number, run, word in _WORD.findall(unicodedata.normalize("NFKC", text).lower()):
        if number:
            found.append(number.rstrip(".,"))
        elif run:
            found += _grams(run)
        elif word not in stop:
            found.append(_stem(word[:64], language))
    return found


def count_words(text: str) -> int:
    """Words, or characters where a script has no spaces."""
    return sum(len(run) if run else 1 for _, run, _ in _WORD.findall(text))


def is_heading(text: str) -> bool:
    """Whether a text looks like a title: short, without figures or a full stop, and written in capitals."""
    if len(text) > _LONGEST_HEADING or not text[-1].isalnum() or any(character.isdigit() for character in text):
        return False
    long_words = [word for _, _, word in _WORD.findall(text) if len(word) > _LITTLE_WORD]
    return len(long_words) > 1 and all(word[0].isupper() for word in long_words)


def _is_mostly_unspaced(text: str) -> bool:
    sample = _LETTER.findall(text[:2_000])
    unspaced = sum(1 for character in sample if character > "\u0e00")
    return unspaced * 3 > len(sample)


def _grams(run: str) -> list[str]:
    """Characters, which mostly mean something by themselves, and their pairs, which are most words."""
    stop = languages()[UNSPACED].stop_words
    singles = [character for character in run if character not in stop]
    pairs = [first + second for first, second in pairwise(run) if not {first, second, first + second} & stop]
    return singles + pairs


@lru_cache(maxsize=100_000)
def _stem(word: str, language: str) -> str:
    known = languages()[language]
    word = known.irregular.get(word, word)
    stem = _stemmer(known.stemmer).stemWord(word) if known.stemmer else word
    if not stem or stem.isascii():
        return stem or word
    kept = "".join(part for part in unicodedata.normalize("NFD", stem) if unicodedata.category(part) != "Mn")
    return unicodedata.normalize("NFC", kept) or stem


@cache
def _stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name, 0)
