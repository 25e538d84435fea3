"""What a passage is about, in its own words: names that it has, and things that its sentences speak of."""

import re
from collections.abc import Iterator

from intelli.reasoning.extractive import words
from intelli.reasoning.extractive.languages import languages

_CAPITAL = r"[A-Z\u00c0-\u00d6\u00d8-\u00de\u0410-\u042f]"
_NAME = re.compile(rf"(?<!\w){_CAPITAL}[\w'\u2019-]+(?: {_CAPITAL}[\w'\u2019-]+){{1,3}}(?!\w)")
_TOKEN = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|\S")
# One word alone may mean anything; more than these are half a sentence.
_WORDS = range(2, 4)
# Between a preposition and its thing stand at most an article and one more little word.
_MOST_BETWEEN = 2


def topics_of(text: str, language: str) -> list[str]:
    """Names first, then what stands behind a preposition, which is a thing and not what happens to it; each once."""
    stop = languages()[language].stop_words
    names = [match[0] for match in _NAME.finditer(text) if match[0].split()[0].lower() not in stop]
    return list({each.casefold(): each for each in reversed([*names, *_things(text, language)])}.values())[::-1]


def _things(text: str, language: str) -> Iterator[str]:
    """Two or three words between a preposition and whatever ends them; what the end of the text cuts is left out."""
    known = languages()[language]
    tokens = list(_TOKEN.finditer(text))
    for place, token in enumerate(tokens):
        if token[0].lower() not in known.prepositions:
            continue
        first = place + 1
        while first < len(tokens) and first <= place + _MOST_BETWEEN and tokens[first][0].lower() in known.stop_words:
            first += 1
        last = first
        while last < len(tokens) and _goes_on(text, tokens, last, known.stop_words):
            last += 1
        if last - first in _WORDS and last < len(tokens):
            yield " ".join(text[tokens[first].start() : tokens[last - 1].end()].split())


def _goes_on(text: str, tokens: list[re.Match[str]], at: int, stop: frozenset[str]) -> bool:
    token = tokens[at]
    is_apart = at > 0 and "\n\n" in text[tokens[at - 1].end() : token.start()]
    return token[0][0].isalpha() and token[0].lower() not in stop and not is_apart


def is_new(topic: str, told: set[str], language: str) -> bool:
    """Whether a topic has a term of its own beside those that were told."""
    terms = words.terms_of(topic, language)
    return bool(terms) and not told.issuperset(terms)
