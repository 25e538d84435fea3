"""Split a sentence into comparable tokens: its figures, its content words, and the prepositions that join them."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files

from intelli.citations.numbers import numbers_of, words_of
from intelli.reasoning.extractive import languages, words

_TOKEN = re.compile(r"[^\W_]+|[.!?](?=\s|$)|[,;:()\u2013\u2014\[\]\u3002]")
_NOT = re.compile(r"n[\u2019']t\b", re.IGNORECASE)
_CANNOT = re.compile(r"\bcan(?:not|[\u2019']t)\b", re.IGNORECASE)
_WONT = re.compile(r"\bwon[\u2019']t\b", re.IGNORECASE)
_DOUBLED = re.compile(r"(.)\1")
_YEARS = range(1500, 2101)
_LEAST_MISSPELT = 6


@dataclass(frozen=True, slots=True)
class TextToken:
    """A figure or a content word.

    `lead` is the preposition before it; `opens` says that a clause may begin here, `sentence` is the number of its
    sentence.
    """

    key: str
    written: str
    lead: str
    opens: bool
    is_apart: bool
    sentence: int
    is_number: bool = False

    @property
    def is_year(self) -> bool:
        """True for a number that may be a year."""
        return self.is_number and self.written.isdigit() and int(self.written) in _YEARS

    @property
    def is_name(self) -> bool:
        """True when it is capitalised."""
        return self.written[:1].isupper()

    @property
    def is_negation(self) -> bool:
        """True when it negates the sentence."""
        return self.written.lower() in _word_lists()["negations"]

    @property
    def is_limit(self) -> bool:
        """True when it limits how far the statement holds."""
        return self.written.lower() in _word_lists()["limits"]

    @property
    def is_claim(self) -> bool:
        """True when it makes the statement merely claimed, expected or supposed."""
        return self.is_negation or self.written.lower() in _word_lists()["claims"]


def tokenize(text: str, language: str) -> list[TextToken]:
    """Split a text into tokens, in order."""
    return list(_tokens(_expand_contractions(text), language))


def is_time_preposition(preposition: str) -> bool:
    """Return whether a preposition, or none, only relates something to a time."""
    return not preposition or preposition in _word_lists()["timely"]


def spelling_key(word: str) -> str:
    """Return a key that is the same after a spelling correction: double letters are single, "ei" is "ie"."""
    if len(word) < _LEAST_MISSPELT:
        return word
    return _DOUBLED.sub(r"\1", word).replace("ei", "ie")


def _expand_contractions(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text)
    return _NOT.sub(" not", _WONT.sub("will not", _CANNOT.sub("can not", plain)))


def _tokens(text: str, language: str) -> Iterator[TextToken]:
    known, lists = languages.languages()[language], _word_lists()
    lead, opens, is_apart, sentence = "", True, False, 0
    for written, value in _pieces(text):
        low = written.lower()
        if value is None and not written[0].isalnum():
            opens, sentence = True, sentence + (written in ".!?\u3002")
            continue
        is_guard = any(low in lists[name] for name in ("negations", "limits", "claims"))
        if value is None and not is_guard and (low in known.stop_words or low in lists["fillers"]):
            opens = opens or low in lists["boundaries"]
            lead = low if low in known.prepositions else lead
            is_apart = True
            continue
        key = value or " ".join(words.terms_of(written, language)) or low
        yield TextToken(key, written, lead, opens, is_apart, sentence, is_number=value is not None)
        # A preposition that limits as well ("over", "before") leads what follows it, too.
        lead = low if value is None and low in known.prepositions else ""
        opens, is_apart = False, False


def _pieces(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield words and signs; a figure with its scale is one piece, paired with its value."""
    figures = numbers_of(text)
    taken = {at for figure in figures for at in range(figure.start, figure.end)}
    # "One" is as often somebody as a number.
    counted = [each for each in words_of(text) if each.value > 1 and each.start not in taken]
    at = 0
    for number in sorted((*figures, *counted), key=lambda each: each.start):
        yield from ((match[0], None) for match in _TOKEN.finditer(text, at, number.start))
        yield number.written.strip(), _format_value(number.worth)
        at = number.end
    yield from ((match[0], None) for match in _TOKEN.finditer(text, at))


def _format_value(worth: Decimal) -> str:
    written = format(worth, "f")
    return written.rstrip("0").rstrip(".") if "." in written else written


@cache
def _word_lists() -> dict[str, frozenset[str]]:
    read = tomllib.loads(files(__package__).joinpath("compare.toml").read_text(encoding="utf-8"))
    return {name: frozenset(said.split()) for name, said in read.items()}
