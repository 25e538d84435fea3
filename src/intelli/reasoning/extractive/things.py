"""Names in a text and what is said between two of them, in the text's own words."""

import re
from collections import Counter
from itertools import pairwise

from intelli.reasoning.extractive import sentences, words
from intelli.reasoning.extractive.languages import languages
from intelli.reasoning.thoughts import ExtractAsked, Extracted, Fact, Named

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
_MAX_BETWEEN = 8
_DATE = re.compile(
    r"\b(?:since|from|seit|desde|depuis)\s+(?P<since>\d{4})|\b(?:until|till|bis|hasta)\s+(?P<until>\d{4})"
)


def extract(asked: ExtractAsked) -> Extracted:
    """Names that stand as such, and a fact for each two that a few words join within a sentence."""
    text = asked.passage.text
    stop = frozenset().union(*(language.stop_words for language in languages().values()))
    things: dict[str, Named] = {}
    facts: list[Fact] = []
    counts: Counter[str] = Counter()
    for sentence in sentences.split(text):
        quote = text[sentence.start : sentence.end]
        found = [name for name in _NAME.finditer(quote) if not _is_mere_word(name, stop)]
        for name in found:
            known = _known(name.group().strip(" ."), asked.known)
            counts[known] += 1
            kind = _kind(quote, name, asked.kinds)
            things.setdefault(known, Named(name=known, kind=kind, confidence=0.5))
        facts += [fact for one, other in pairwise(found) if (fact := _fact(quote, one, other, asked))]
    named = (
        thing.model_copy(update={"confidence": min(0.9, 0.4 + 0.1 * counts[name])}) for name, thing in things.items()
    )
    return Extracted(things=tuple(named), facts=tuple(facts))


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
    return next((kind for kind, holds in guesses if holds and kind in kinds), kinds[-1] if kinds else "concept")


def _fact(quote: str, one: re.Match[str], other: re.Match[str], asked: ExtractAsked) -> Fact | None:
    between = quote[one.end() : other.start()].strip()
    count = words.count_words(between)
    if not 1 <= count <= _MAX_BETWEEN or any(mark in between for mark in ",;:()"):
        return None
    dates = {name: match[name] for match in _DATE.finditer(quote) for name in ("since", "until") if match[name]}
    return Fact(
        subject=_known(one.group().strip(" ."), asked.known),
        relation=" ".join(between.split()),
        object=_known(other.group().strip(" ."), asked.known),
        quote=quote,
        valid_from=dates.get("since"),
        valid_until=dates.get("until"),
    )
