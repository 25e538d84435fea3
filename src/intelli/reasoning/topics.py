"""Topics of a passage in its own words: names in it, subjects of its sentences; and the question about one."""

import re
from collections.abc import Iterator

from intelli.language import sentences, words
from intelli.language.languages import languages
from intelli.reasoning.extractive import phrases, question

_CAPITAL = r"[A-Z\u00c0-\u00d6\u00d8-\u00de\u0410-\u042f]"
_NAME = re.compile(rf"(?<!\w){_CAPITAL}[\w'\u2019-]{{1,80}}+(?: {_CAPITAL}[\w'\u2019-]{{1,80}}+){{1,3}}(?!\w)")
_TOKEN = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|\S")
# One word alone may mean anything; more than these are half a sentence.
_WORDS = range(2, 4)
# A source's words that would tell a reader, or a model, what to do.
_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|obey|pretend|reveal|execute|jailbreak|you are now|act as|"
    r"(?:previous|prior|above) (?:instructions?|prompts?)|system prompt|ignoriere|vergiss|ignorez|ignora)\b",
    re.IGNORECASE,
)
_MOST_SHOUTED = 3
# What follows these is as often something to do.
_BEFORE_VERBS = frozenset({"to", "zu", "te"})
# Between a preposition and its thing stand at most an article and one more little word.
_MOST_BETWEEN = 2


def topics_of(text: str, language: str) -> list[str]:
    """Names first, then what stands behind a preposition, which is a thing and not what happens to it; each once."""
    stop = languages()[language].stop_words
    text = _without_orders(text)
    names = [match[0] for match in _NAME.finditer(text) if not _is_verb(match[0].split()[0].lower(), stop)]
    return list({each.casefold(): each for each in reversed([*names, *_things(text, language)])}.values())[::-1]


def _without_orders(text: str) -> str:
    """A text without the sentences that give orders: what those name is not what the text is about."""
    if _ORDER.search(text) is None:
        return text
    spans = [text[each.start : each.end] for each in sentences.split(text)]
    return "\n\n".join(span for span in spans if _ORDER.search(span) is None)


def _is_verb(word: str, stop: frozenset[str]) -> bool:
    """Whether a word that begins like a name is none: "Introducing Acme", "The Acme"."""
    return word in stop or word.endswith("ing")


def _things(text: str, language: str) -> Iterator[str]:
    """Two or three words between a preposition and whatever ends them; what the end of the text cuts is left out."""
    known = languages()[language]
    tokens = list(_TOKEN.finditer(text))
    for place, token in enumerate(tokens):
        if token[0].lower() not in known.prepositions - _BEFORE_VERBS:
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


def is_worth_asking(topic: str) -> bool:
    """Whether a topic says what one would ask about: no word for anything, and nothing that gives orders."""
    tokens = [match[0].lower() for match in _TOKEN.finditer(topic) if match[0][0].isalpha()]
    is_vague = bool(tokens) and (tokens[-1] in question.heads("vague") or question.heads("headings").issuperset(tokens))
    is_shouted = len(tokens) > _MOST_SHOUTED and topic.isupper()
    return bool(tokens) and not is_vague and not is_shouted and _ORDER.search(topic) is None


def is_new(topic: str, told: set[str], language: str) -> bool:
    """Whether a topic has a term of its own beside those that were told."""
    terms = words.terms_of(topic, language)
    return bool(terms) and not told.issuperset(terms)


def question_about(topic: str, *, file_name: str, asked: str) -> str:
    """What could be asked next about a topic of a file, in the language of what was asked before."""
    name, _, ending = file_name.rpartition(".")
    called = " ".join((name or ending).replace("_", " ").split())
    return phrases.phrases_in(words.tongue_of(asked)).follow_up.format(called, topic)
