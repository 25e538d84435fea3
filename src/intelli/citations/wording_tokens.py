"""Split a sentence into comparable tokens: its figures, its content words, and the prepositions that join them."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from intelli.language import languages, words
from intelli.language.dates import dates_of
from intelli.language.numbers import numbers_of, words_of
from intelli.language.periods import is_year

_TOKEN = re.compile(r"[^\W_]+|[.!?](?=\s|$)|[,;:()\u2013\u2014\[\]\u3002]")
_NOT = re.compile(r"n[\u2019']t\b", re.IGNORECASE)
_CANNOT = re.compile(r"\bcan(?:not|[\u2019']t)\b", re.IGNORECASE)
_WONT = re.compile(r"\bwon[\u2019']t\b", re.IGNORECASE)
_DOUBLED = re.compile(r"(.)\1")
_LEAST_MISSPELT = 6


@dataclass(frozen=True, slots=True)
class TextToken:
    """A figure or a content word.

    `lead` is the preposition before it; `opens` says that a clause may begin here, `sentence` is the number of its
    sentence. `spelling` is the same for a word and its usual misspellings.
    """

    key: str
    written: str
    lead: str
    opens: bool
    is_apart: bool
    sentence: int
    is_number: bool = False
    spelling: str = ""

    @property
    def is_year(self) -> bool:
        """True for a number that may be a year."""
        return self.is_number and self.written.isdigit() and is_year(int(self.written))

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


@lru_cache(maxsize=4096)
def tokenize(text: str, language: str) -> tuple[TextToken, ...]:
    """Split a text into tokens, in order."""
    return tuple(_tokens(_expand_contractions(text), language))


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
            # Of the text's own language: "of" joins clauses in Dutch, and nothing in English.
            opens = opens or low in known.boundaries
            lead = low if low in known.prepositions else lead
            is_apart = True
            continue
        key = value or " ".join(words.terms_of(written, language)) or low
        spelling = spelling_key(low) if value is None else ""
        yield TextToken(key, written, lead, opens, is_apart, sentence, is_number=value is not None, spelling=spelling)
        # A preposition that limits as well ("over", "before") leads what follows it, too.
        lead = low if value is None and low in known.prepositions else ""
        opens, is_apart = False, False


def _pieces(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield words and signs; a figure with its scale, or a date, is one piece, paired with its value."""
    days = [each for each in dates_of(text) if each.day is not None]
    taken = {at for day in days for at in range(day.start, day.end)}
    figures = [each for each in numbers_of(text) if each.start not in taken]
    taken |= {at for figure in figures for at in range(figure.start, figure.end)}
    # "One" is as often somebody as a number.
    counted = [each for each in words_of(text) if each.value > 1 and each.start not in taken]
    found = [(each.start, each.end, each.written.strip(), _format_value(each.worth)) for each in (*figures, *counted)]
    found += [(day.start, day.end, day.written, f"{day.year or ''}-{day.month}-{day.day}") for day in days]
    at = 0
    for start, end, written, value in sorted(found):
        yield from ((match[0], None) for match in _TOKEN.finditer(text, at, start))
        yield written, value
        at = end
    yield from ((match[0], None) for match in _TOKEN.finditer(text, at))


def _format_value(worth: Decimal) -> str:
    written = format(worth, "f")
    return written.rstrip("0").rstrip(".") if "." in written else written


@cache
def _word_lists() -> dict[str, frozenset[str]]:
    """The lists by their names, of all languages together: a text may quote another's words."""
    known = languages.languages().values()
    names = ("negations", "limits", "claims", "fillers", "timely")
    return {name: frozenset[str]().union(*(getattr(each, name) for each in known)) for name in names}
