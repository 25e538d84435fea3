"""Names in a text, and the facts about the things they name."""

import re
from collections import Counter
from collections.abc import Iterator

from intelli.language import sentences, times
from intelli.language.languages import languages
from intelli.reasoning.verbs.extract import ExtractedFacts, ExtractInput, NamedThing, StatedFact
from intelli.reasoning.without_model import fact_patterns

_CAPITAL = r"[A-Z\u00c0-\u00d6\u00d8-\u00de\u0410-\u042f]"
_NAME = re.compile(
    rf"{_CAPITAL}[\w&'\u2019-]*(?:\.(?=\s{_CAPITAL}))?(?:\s(?:of|de|von|van|der|la|du|di)?\s?{_CAPITAL}[\w&'\u2019-]*|\s\d{{1,4}}\b)*"
)
_ORGANISATION = re.compile(
    r"\b(?:Inc|Ltd|LLC|GmbH|AG|SE|Corp|Corporation|Company|Co|Group|Bank|University|Universit\u00e4t|Institute|Ministry|"
    r"Agency|Association|Foundation|Council|Committee|SA|S\.A|plc|Holdings?)\b\.?"
)
_EVENT = re.compile(r"\b(?:War|Conference|Summit|Olympics|Festival|Treaty|Agreement|Act)\b")
_PLACE_BEFORE = re.compile(r"\b(?:in|at|near|from|to|nach|aus|bei|\u00e0|en|a)\s$")
_PERSON_BEFORE = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|President|CEO|Chancellor|Minister|Herr|Frau)\.?\s$")
# What a thing is when nothing tells more.
_ANY = "concept"


def extract(asked: ExtractInput) -> ExtractedFacts:
    """Names that stand as such, and what is said of things in the ways that are known."""
    told = fact_patterns.read(asked)
    counts: Counter[str] = Counter()
    kinds: dict[str, str] = {}
    for name, kind in _names(asked):
        counts[name] += 1
        kinds.setdefault(name, kind)
    told_of = {_known(name, asked.known): _kind_in(kind, asked.kinds) for name, kind in told.kinds.items()}
    named = told_of | {name: told_of[name] if told_of.get(name, _ANY) != _ANY else kind for name, kind in kinds.items()}
    things = [
        NamedThing(name=name, kind=kind, confidence=min(0.9, (0.7 if name in told_of else 0.4) + 0.1 * counts[name]))
        for name, kind in named.items()
    ]
    facts = [_with_known(fact, asked.known) for fact in (*told.facts, *fact_patterns.declared(asked))]
    return ExtractedFacts(things=tuple(things), facts=tuple(dict.fromkeys(facts)))


def _names(asked: ExtractInput) -> Iterator[tuple[str, str]]:
    text = asked.passage.text
    stop = frozenset().union(*(language.stop_words for language in languages().values()))
    for sentence in sentences.split(text):
        quote = text[sentence.start : sentence.end]
        for match in _NAME.finditer(quote):
            name = match.group().strip(" .")
            if not _is_mere_word(match, stop) and not times.is_time(name):
                yield _known(name, asked.known), _kind(quote, match, asked.kinds)


def _kind_in(kind: str, kinds: tuple[str, ...]) -> str:
    return kind if kind in kinds else kinds[-1] if kinds else _ANY


def _with_known(fact: StatedFact, known: tuple[str, ...]) -> StatedFact:
    return fact.model_copy(update={"subject": _known(fact.subject, known), "object": _known(fact.object, known)})


def _is_mere_word(name: re.Match[str], stop: frozenset[str]) -> bool:
    """The first word of a sentence is written large whatever it is: alone it is no name unless it stays large."""
    word = name.group()
    first, *others = word.lower().split()
    if (first in stop and not any(other.isalpha() for other in others)) or len(word) < 2:
        return True
    return (
        name.start() == 0 and " " not in word and not any(letter.isupper() or letter.isdigit() for letter in word[1:])
    )


def _known(name: str, known: tuple[str, ...]) -> str:
    folded = name.casefold()
    return next((each for each in known if each.casefold() == folded), name)


def _kind(quote: str, name: re.Match[str], kinds: tuple[str, ...]) -> str:
    before = quote[max(0, name.start() - 20) : name.start()]
    guesses = (
        ("organisation", _ORGANISATION.search(name.group())),
        ("event", _EVENT.search(name.group())),
        ("person", _PERSON_BEFORE.search(before)),
        ("place", _PLACE_BEFORE.search(before)),
        ("product", re.search(r"\d", name.group())),
        ("person", re.fullmatch(r"\w+(?:\s\w\.?)?\s\w+", name.group())),
    )
    return next((kind for kind, holds in guesses if holds and kind in kinds), kinds[-1] if kinds else _ANY)
