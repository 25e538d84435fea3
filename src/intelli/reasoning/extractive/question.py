"""Parse a question: the kind of its answer, its subject, its time, and its significant words."""

import re
import tomllib
from collections.abc import Iterator, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from intelli.language import dates, negation, periods, words
from intelli.language.languages import languages

_TOKEN = re.compile(r"[^\W_]+(?:[-'\u2019][^\W_]+)*")
_SPAN_OF_YEARS = re.compile(
    rf"\b(?P<first>{periods.RECENT_YEAR})\s*(?:-|\u2013|to|and|until|bis|und|\u00e0|et|a|y|al|\u043f\u043e)\s*(?P<last>{periods.RECENT_YEAR})\b"
)
_LONGEST_SPAN = 50
_SINCE = re.compile(r"\b(?:since|after|seit|nach|depuis|desde|dal)\b", re.IGNORECASE)
_OWNING = re.compile(r"(?<=\w)['\u2019]s\b")
_POSSESSIVE = re.compile(r"['\u2019]s?$")
_ASKED_NOUN = re.compile(
    r"\b(?:how\s+(?:many|much)(?:\s+(?:is|are|was|were)\s+(?:the|an?))?|"
    r"what(?:['\u2019]s|\s+(?:is|are|was|were|will\s+be))(?:\s+(?:the|an?|its|their|his|her|our|my|your))?|"
    r"(?:what|which)(?=\s+(?:percentage|share|proportion|amount|number)))\s+",
    re.IGNORECASE,
)
_INTERROGATIVE = re.compile(
    r"^\W*(?:(?:in|on|at|to|for|from|by|with|of|and|but|bis|seit|ab|mit|bei|f\u00fcr|von|zu|an|auf|\u00fcber|unter|nach|um|"
    r"aus|und|aber)\s+)?(?:what|who|whom|whose|which|when|where|why|how|was|wer|wem|wen|wessen|welche[mnrs]?|wann|warum|"
    r"wieso|weshalb|wie|wo(?:her|hin|rum|zu|mit|f\u00fcr|bei|ran|rauf|rin|durch|gegen|nach|von|vor|r\u00fcber)?|quel(?:le)?s?|qui|"
    r"que|quoi|comment|pourquoi|quand|combien|qu\u00e9|qui\u00e9n(?:es)?|cu\u00e1l(?:es)?|c\u00f3mo|cu\u00e1ndo|d\u00f3nde|cu\u00e1nt[oa]s?)\b",
    re.IGNORECASE,
)
_COSTS = re.compile(
    r"^(?>.*?\bwhat\s+(?:do|does|did|will|would)\b).*\b(?:cost|weigh|charge|earn|measure)\b",
    re.IGNORECASE | re.MULTILINE,
)
# Whose it is: "Acme Corp's".
_OWNER = re.compile(r"(?:[^\W\d_][\w-]*\s){0,4}?[^\W\d_][\w-]*['\u2019]s?\s+")
_EXCLUDED = re.compile(r"\b(?:exclu\w+|ausgeschlossen\w*)\b", re.IGNORECASE)
_ARTICLES = frozenset(
    {"a", "an", "the", "my", "our", "its", "their", "der", "die", "das", "le", "la", "les", "el", "los"}
)
_LONGEST_QUESTION = 1_000
_LONGEST_LABEL = 8
# What may stand between the words of a name.
_BETWEEN = (" ", "\n", "\u00a0", " \n")
_GERMAN = "de"
# Languages whose months are told by their plain names; Russian has stems of its own in the table.
_MONTH_LANGUAGES = ("en", "de", "fr", "es", "it")


class QuestionKind(StrEnum):
    """Kind of an answer; OPEN when any sentence on the subject is one."""

    PHONE = "phone"
    MAIL = "mail"
    LINK = "link"
    SHARE = "share"
    COUNT = "count"
    AMOUNT = "amount"
    OFTEN = "often"
    EXTENT = "extent"
    COURSE = "course"
    WHEN = "when"
    PERSON = "person"
    WHO = "who"
    WHETHER = "whether"
    WHY = "why"
    MEASURE = "measure"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class NamedSubject:
    """A name in a question: its terms in order, and its possible abbreviation."""

    terms: tuple[str, ...]
    initials: str

    def is_in(self, terms: Set[str]) -> bool:
        """Return whether terms hold the name, in full or by its initials."""
        return terms >= set(self.terms) or bool(self.initials and self.initials in terms)


@dataclass(frozen=True, slots=True)
class CapitalRun:
    """Capitalised words from `start` to `end`; at the beginning of a sentence any word is capitalised."""

    words: tuple[str, ...]
    start: int
    end: int
    is_first: bool


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """Criteria of an answer to a question.

    `terms` must occur in a passage, without the words that only tell the kind of the answer; `noun` are the terms of
    the requested thing ("vacation days"), the last its head.
    """

    text: str
    kind: QuestionKind
    terms: tuple[str, ...]
    noun: tuple[str, ...]
    names: tuple[NamedSubject, ...]
    years: frozenset[str]
    language: str
    is_question: bool

    @property
    def is_pointed(self) -> bool:
        """Whether one sentence can answer it."""
        return self.kind is not QuestionKind.OPEN


def read(question: str) -> ParsedQuestion:
    """What a question, or one of its facets, asks for. What follows a long one is material, and asks for nothing."""
    question = question[:_LONGEST_QUESTION]
    language = words.language_of(question)
    asked = _asked(question, language)
    noun = _stems(asked, language)
    kind = _kind(question, asked, language)
    years = _years(question, kind)
    terms = tuple(words.terms_of(_OWNING.sub("", question), language))
    needless = _said_anyway(kind, language) | (frozenset(periods.LONE_YEAR.findall(question)) - years)
    # A row has the most without saying so.
    needless |= frozenset(words.terms_of(_extreme(question), language))
    bare = tuple(term for term in terms if term not in needless)
    return ParsedQuestion(
        text=question,
        kind=kind,
        terms=bare or terms,
        noun=noun,
        names=tuple(_names(question, language)),
        years=years,
        language=language,
        is_question=kind is not QuestionKind.OPEN or _INTERROGATIVE.match(question) is not None,
    )


def asks(text: str) -> bool:
    """Whether a text is worded as a question."""
    return _INTERROGATIVE.match(text) is not None or _patterns("kinds")["whether"].match(text) is not None


def sends_off(text: str) -> bool:
    """Whether a text only tells its reader to find something out, which is no answer to it."""
    return _patterns("leaning")["sending"].match(text) is not None


def denies(text: str) -> bool:
    """Whether a text says that something is not so."""
    return negation.is_negated(text, heads("denying")) or _EXCLUDED.search(text) is not None


def matter(question: str) -> str:
    """A question for a number or an address by which somebody is reached, as what stands beside one; else nothing."""
    if len(question) > _LONGEST_QUESTION or _kind(question, [], "") not in {
        QuestionKind.PHONE,
        QuestionKind.MAIL,
        QuestionKind.LINK,
    }:
        return ""
    language = words.language_of(question)
    known, stop = told(language), languages()[language].stop_words
    kept = [match[0] for match in _TOKEN.finditer(question) if match[0].lower() not in stop]
    return " ".join(word for word in kept if not known.issuperset(words.terms_of(word, language)))


def span_of_years(question: str) -> re.Match[str] | None:
    """Where a question names a span of years, with its `first` and its `last`."""
    return _SPAN_OF_YEARS.search(question)


def capitalised(text: str, language: str) -> Iterator[CapitalRun]:
    """Runs of words that are written like names, without little words."""
    stop = languages()[language].stop_words
    found: list[str] = []
    start = end = 0
    for match in _TOKEN.finditer(text):
        is_name = _is_large(match[0]) and match[0].lower() not in stop
        if found and (not is_name or text[end : match.start()] not in _BETWEEN):
            yield CapitalRun(tuple(found), start, end, _opens(text, start))
            found = []
        if is_name:
            start = start if found else match.start()
            found.append(match[0])
        end = match.end()
    if found:
        yield CapitalRun(tuple(found), start, end, _opens(text, start))


def _opens(text: str, at: int) -> bool:
    """Whether a word stands where every word is written large: at the beginning of a sentence, a cell or an item."""
    before = text[max(0, at - 12) : at]
    bare = before.rstrip(" \"'\u201c\u201e\u00ab(\u00a0")
    return not bare or not (bare[-1].isalnum() or bare[-1] in ",;)%&/\u2019'")


def sign(name: str) -> re.Pattern[str]:
    """By what a kind of answer shows in a sentence."""
    return _patterns("signs")[name]


def heads(name: str) -> frozenset[str]:
    """One of the lists of words, as they are written."""
    return _heads()[name]


def leans(text: str) -> bool:
    """Whether a sentence begins with a word that means what the one before it names."""
    return _patterns("leaning")["opening"].match(text) is not None


def _kind(question: str, asked: list[str], language: str) -> QuestionKind:
    for name, pattern in _patterns("kinds").items():
        if pattern.search(question) and not (name == QuestionKind.WHETHER and _asks_in_german(question, language)):
            return QuestionKind(name)
    if _COSTS.search(question):
        return QuestionKind.AMOUNT
    head = asked[-1].lower() if asked else ""
    return QuestionKind.MEASURE if {head, head.removesuffix("s")} & heads("quantity") else QuestionKind.OPEN


def _asks_in_german(question: str, language: str) -> bool:
    """Whether the first word is the German "was", which asks for a thing."""
    return language == _GERMAN and question.lstrip()[:4].lower() == "was "


def _asked(question: str, language: str) -> list[str]:
    """The words for what is asked for, up to what it is asked of."""
    match = _ASKED_NOUN.search(question)
    start = match.end() if match else 0
    if match is None and len(question.split()) > _LONGEST_LABEL:
        return []
    found: list[str] = []
    known = languages()[language]
    start = owner.end() if (owner := _OWNER.match(question, start)) else start
    for token in _TOKEN.finditer(question, start):
        word = token[0]
        if word.lower() in known.stop_words:
            if word.lower() in _ARTICLES and not found:
                continue
            # A label of a few words is a noun only with what it is of: "price of the hippo".
            return found if match or word.lower() in known.prepositions else []
        if found and _is_large(word) != _is_large(found[0]) and language != _GERMAN:
            break
        found.append(word)
    return found if match else []


def _years(question: str, kind: QuestionKind) -> frozenset[str]:
    """The years that a question is about, all of a span over which something went; what is since one comes after it."""
    if kind is QuestionKind.COURSE and _SINCE.search(question):
        return frozenset()
    span = span_of_years(question) if kind is QuestionKind.COURSE else None
    between = range(int(span["first"]), int(span["last"]) + 1)[:_LONGEST_SPAN] if span else ()
    return frozenset(periods.LONE_YEAR.findall(question)) | frozenset(map(str, between))


def _extreme(question: str) -> str:
    """The words that ask for an end of a scale."""
    found = (pattern.search(question) for pattern in _patterns("extremes").values())
    return next((match[0] for match in found if match), "")


def _stems(found: list[str], language: str) -> tuple[str, ...]:
    return tuple(term for word in found for term in words.terms_of(_POSSESSIVE.sub("", word), language))


def _names(question: str, language: str) -> Iterator[NamedSubject]:
    """What a question names, and the numbers by which it names something."""
    for run in capitalised(question, language):
        is_plain = language == _GERMAN or (run.is_first and len(run.words) == 1)
        kept = [word for word in run.words if not is_plain or word[1:] != word[1:].lower()]
        terms = tuple(term for word in kept for term in words.terms_of(_POSSESSIVE.sub("", word), language))
        if terms:
            yield NamedSubject(terms, "".join(word[0] for word in kept).lower() if len(kept) > 1 else "")
    for token in _TOKEN.finditer(question):
        if token[0].isdigit() and len(token[0]) > 1 and not periods.LONE_YEAR.match(token[0]):
            yield NamedSubject((token[0],), "")


def _is_large(word: str) -> bool:
    return word[0].isupper() or (word[1:] != word[1:].lower() and word[0].isalpha())


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads(files(__package__).joinpath("question.toml").read_text(encoding="utf-8"))


@cache
def _patterns(part: str) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(_filled(pattern), re.IGNORECASE) for name, pattern in _table()[part].items()}


def _filled(pattern: str) -> str:
    """A pattern of the table with its slots filled from the language room."""
    months = dict.fromkeys(name for code in _MONTH_LANGUAGES for name in dates.month_names(code))
    return pattern.replace("<YEAR>", periods.DATED_YEAR).replace("<MONTH>", "|".join(months))


@cache
def _heads() -> dict[str, frozenset[str]]:
    return {name: frozenset(listed.split()) for name, listed in _table()["heads"].items()}


@cache
def told(language: str) -> frozenset[str]:
    """Terms that only say of which kind an answer is: the answer itself tells that."""
    return _terms_of_heads("told", language)


@cache
def _said_anyway(kind: QuestionKind, language: str) -> frozenset[str]:
    """Terms of a question that an answer of a kind need not have."""
    if kind is QuestionKind.OPEN:
        return frozenset()
    return told(language) | (_terms_of_heads("course", language) if kind is QuestionKind.COURSE else frozenset())


def _terms_of_heads(name: str, language: str) -> frozenset[str]:
    return frozenset(term for word in heads(name) for term in words.terms_of(word, language))
