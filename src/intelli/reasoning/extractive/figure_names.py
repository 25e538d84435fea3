"""Name a figure from the words around it: the measure and its owner; no name where they are unclear.

A figure is the value of a subject ("revenue came to"), its change ("rose by"), the object of an action ("handled 4.2
million tonnes of cargo") or of a noun ("a budget of"), or precedes the thing it counts.
"""

import re
from collections.abc import Sequence, Set

from intelli.language.words import language_of
from intelli.reasoning.extractive import clauses
from intelli.reasoning.extractive.figure_actions import name_of_action
from intelli.reasoning.extractive.figure_spot import SCALES, Spot, join_owner
from intelli.reasoning.extractive.figure_words import known_words

_LABEL = re.compile(r"(?:^|[.;!?]\s)([^.;:!?,()]{3,60}):\s+$")
# Behind a figure that only says how far another lies from something, or how old or far something is.
_APART = re.compile(
    r"(?:\s*\([^)]{0,40}\))?\s+(?:(?:above|below|under|over|more|less|fewer|higher|lower|short|ahead|better|worse|shorter|"
    r"longer|larger|smaller|bigger|faster|slower|older|younger|cheaper|heavier|lighter|warmer|colder|greater|earlier|later|"
    r"old|ago|away|prior|north|south|east|west|in favour|in favor|of age)\b|"
    r"(?:\u00fcber|unter|mehr|weniger|unterhalb|oberhalb|h\u00f6her|niedriger|k\u00fcrzer|l\u00e4nger|alt)\b|"
    r"(?:de plus|de moins|m\u00e1s|menos)\b)",
    re.IGNORECASE,
)
# "10 mL/min" is measured in something else than it seems; of "9-12%" and "96%, 86% and 72%" none is the figure.
_MANY = re.compile(r"/|\s?[-\u2013]\s?\d|(?:,|,?\s+(?:and|or|und|oder))\s+[$\u20ac\u00a3]?\d")
# A part of a whole is neither a change nor the whole: "made up 62 percent of revenue", "of which $1 million".
_PART = re.compile(r"\b(?:(?:made|makes?|making)\s+up|of which|including|davon|dont)$", re.IGNORECASE)
_EACH = re.compile(r"^(?:(?:a|an|per|each|every|pro|je|im)\s+[a-z\u00e4\u00f6\u00fc]+\s*,?\s*)+", re.IGNORECASE)
_TOTAL = re.compile(r"\b(?:an?|the|eine?|insgesamt)\s+(?:total|average|sum|gesamtzahl)\s+(?:of|von)\s*$", re.IGNORECASE)
_HEIGHT = re.compile(r"(?<!\s)\s++in\s++h\u00f6he\s++von$", re.IGNORECASE)
_OPENING = re.compile(r"^(?:in|during|at the end of|im jahr)\s+(?:fiscal\s+)?\d{4},?\s+", re.IGNORECASE)
_LONGEST = 80
_MOST_WORDS = 11
_MOST_OF_TAIL = 4
_SHORT = 3
# Of other languages only the plainest sentences are understood.
_READ = frozenset({"en", "de"})
_EACH_ONE = frozenset({"each", "every", "one", "an", "a", "jede", "jeden", "jedes"})


def name(spot: Spot) -> str:
    """What is measured, as a name that begins with a capital letter; empty where the sentence does not tell."""
    if _is_aside(spot):
        return ""
    words = spot.bare_before.split()
    tail = _EACH.sub("", spot.bare_after.strip()).split()
    found = _named(spot, words, tail)
    found = " ".join(found.split()).strip(" ,;:'\"\u2019")
    return f"{found[:1].upper()}{found[1:]}" if _says_something(found) else ""


def telling(made: str) -> set[str]:
    """The words of a name that say something."""
    known = known_words()
    said = {clauses.low(word) for word in made.split()}
    return {word for word in said if word and word not in known.generic | known.determiners | known.prepositions}


def is_telling(made: str) -> bool:
    """Whether a name can say what is measured: that of a measure, or several words."""
    said = telling(made)
    return bool(said & known_words().measured) or (len(said) > 1 and _says_something(made))


def _is_aside(spot: Spot) -> bool:
    before = spot.text[: spot.start]
    is_inside = before.rfind("(") > before.rfind(")")
    first = clauses.low(before.split(maxsplit=1)[0]) if before.strip() else ""
    is_apart = _APART.match(spot.text, spot.end) or _PART.search(before.rstrip())
    is_one_of_many = _MANY.match(spot.text, spot.end) is not None
    # "An 8-year period": it belongs to the word behind it.
    is_joined = "-" in spot.text[spot.start + 1 : spot.end]
    return is_inside or is_one_of_many or is_joined or first in known_words().conditions or is_apart is not None


def _named(spot: Spot, words: list[str], tail: list[str]) -> str:
    known = known_words()
    if _is_duration(spot, words):
        return ""
    total = _TOTAL.search(" ".join(words))
    words = clauses.approximated(" ".join(words)[: total.start()].split() if total else words)
    lowered = {clauses.low(word) for word in words}
    if _is_imagined(words, lowered):
        return ""
    hoped = " (expected)" if known.expecting & lowered else ""
    if language_of(spot.text) not in _READ:
        return _of_verb(spot, words, []) if words else ""
    if not words:
        return _label(spot) or _first(spot, tail)
    if clauses.low(words[-1]) in {"of", "von", "de"} and len(words) > 1:
        made = _of_noun(spot, words[:-1], tail)
    elif clauses.low(words[-1]) in known.determiners:
        made = _before_noun(spot, words[:-1], tail)
    else:
        made = _of_verb(spot, words, tail)
    return f"{made}{hoped}" if made else ""


def _is_duration(spot: Spot, words: Sequence[str]) -> bool:
    """Return whether a time says how long something took place, which is not how long it is: "over three years"."""
    return bool(words) and clauses.is_time(spot.unit) and clauses.low(words[-1]) in {"over", "up", "than"}


def _is_imagined(words: Sequence[str], lowered: set[str]) -> bool:
    """Return whether the clause names no real value: "if revenue were", "ein Anstieg von"."""
    known = known_words()
    is_rise_by = bool(words) and clauses.low(words[-1]) == "von" and bool((known.increase | known.decrease) & lowered)
    return bool(known.imagined & lowered) or is_rise_by


def _of_verb(spot: Spot, words: list[str], tail: list[str]) -> str:
    """The subject of a verb that says what it is worth, or the object of one that acts."""
    known = known_words()
    at = clauses.group_start(words)
    group = [clauses.low(word) for word in words[at:]]
    verbs = set(group) - known.reached - known.moved - known.approximate
    if not verbs:
        return _inverted(words) or name_of_action(spot, words, tail)
    if not verbs & (known.being | known.level | known.increase | known.decrease):
        return name_of_action(spot, words, tail)
    change, subject = clauses.change_of(group), words[:at]
    if subject and clauses.low(subject[0]) == "f\u00fcr" and tail and clauses.low(tail[0]) in known.hoped:
        return f"{clauses.subject_of(subject[1:])} ({clauses.low(tail[0])})"
    if _is_when_or_agent(spot, group, verbs) or _is_described(spot, group, tail):
        return ""
    hoped = next((f" ({word})" for word in group if word in known.hoped), "")
    made = clauses.subject_of(subject)
    return f"{made}{change or hoped}" if made else ""


def _is_when_or_agent(spot: Spot, group: Sequence[str], verbs: set[str]) -> bool:
    """Return whether the figure says when something happened or who did it, instead of what it is worth."""
    known = known_words()
    is_when = group[-1] in {"at", "by"} and clauses.is_time(spot.unit) and not verbs & known.level
    return is_when or (group[-1] in known.moved and not verbs & (known.increase | known.decrease))


def _is_described(spot: Spot, group: Sequence[str], tail: Sequence[str]) -> bool:
    """Whether a plain "is" leads to a figure that an adjective follows: "was 94.1% effective" is not its worth."""
    is_bare = not spot.unit or spot.unit.lower().split()[-1] in SCALES
    is_plain = group[-1] in known_words().being or is_bare
    nexts = clauses.low(tail[0]) if tail else ""
    return is_plain and bool(nexts) and nexts.isalpha() and nexts not in known_words().prepositions


def _inverted(words: Sequence[str]) -> str:
    """A verb before its subject, as German has it: "lag der Umsatz bei"."""
    known = known_words()
    first = clauses.low(words[0])
    last = len(words)
    while last > 1 and clauses.low(words[last - 1]) in known.reached | known.moved:
        last -= 1
    is_verb = first in known.being | known.level | known.increase | known.decrease
    # "Betrug der Stromverbrauch 14.200 MWh" needs no word that leads to the figure.
    is_led = last < len(words) or (
        first in known.level and clauses.low(words[1 if last > 1 else 0]) in known.determiners
    )
    if not is_verb or not is_led or any(clauses.is_verb(word) for word in words[1:last]):
        return ""
    made = clauses.subject_of(words[1:last])
    return f"{made}{clauses.change_of([clauses.low(words[-1]), first][::-1])}" if made else ""


def _of_noun(spot: Spot, words: list[str], tail: list[str]) -> str:
    """The noun before "of", with whose it is where that is told."""
    known = known_words()
    if _counts(spot, tail):
        return ""
    words = _HEIGHT.sub("", f"{' '.join(words)} von").split() if clauses.low(words[-1]) == "h\u00f6he" else words
    words = words[:-1] if words and words[-1] == "von" else words
    at = _noun_start(words)
    is_set_off = at > 0 and clauses.low(words[at - 1]) in known.determiners
    noun = clauses.noun_of(words[at:], is_set_off=is_set_off) if language_of(spot.text) == "de" else words[at:]
    rest = words[: at - 1] if is_set_off else words[:at]
    made = " ".join(noun[-_MOST_OF_TAIL:])
    if not _is_noun_name(made, noun, rest):
        return ""
    if not rest:
        is_needed = _belongs(made) and made.lower() not in known.measured
        return _with_whom(spot, made, spot.said if is_needed else "", tail, is_needed=is_needed)
    owner = _owner(rest)
    return _with_whom(spot, made, owner or (spot.said if _belongs(made) else ""), tail, is_needed=_belongs(made))


def _noun_start(words: Sequence[str]) -> int:
    """Return where the noun before "of" begins: behind the last determiner, preposition or verb."""
    known = known_words()
    at = len(words)
    while at and not _ends_noun(words[at - 1], known.determiners | known.prepositions):
        at -= 1
        # "A prevalence of anxiety of 15%".
        at -= 2 if at > 2 and clauses.low(words[at - 1]) == "of" and not clauses.is_little(words[at - 2]) else 0
    return at


def _ends_noun(word: str, little: Set[str]) -> bool:
    return clauses.low(word) in little or clauses.is_verb(word)


def _is_noun_name(made: str, noun: Sequence[str], rest: Sequence[str]) -> bool:
    """Return whether a noun can name a figure: it is no rate ("per"), not generic, and a lone one tells whose it is."""
    known = known_words()
    is_rate = bool(rest) and clauses.low(rest[-1]) in {"per", "pro", "je", "each", "every"}
    if is_rate or not made or made.lower() in known.generic or any(map(str.isdigit, made)):
        return False
    return len(noun) != 1 or _belongs(made) or made.lower() in known.measured or bool(_owner(rest))


def _counts(spot: Spot, tail: Sequence[str]) -> bool:
    """Whether a figure counts what follows it: "a petition of 5,100 names"."""
    unit = spot.unit.lower().split()
    follows = bool(tail) and tail[0][:1].isalpha() and not clauses.is_little(tail[0])
    is_span = clauses.is_time(spot.unit) and bool(tail) and clauses.low(tail[0]) in {"of", "von"}
    return (follows and not spot.is_money) or is_span or bool(set(unit) & known_words().counted)


def _with_whom(spot: Spot, made: str, owner: str, tail: Sequence[str], *, is_needed: bool) -> str:
    aim = (
        clauses.phrase_of(tail[1:])
        if len(tail) > 1 and clauses.low(tail[0]) in {"for", "f\u00fcr"} and not owner
        else ""
    )
    is_each = len(tail) > 1 and clauses.low(tail[1]) in _EACH_ONE
    if aim and not is_each:
        return f"{made} {clauses.low(tail[0])} {aim}"
    return join_owner(made, owner, spot) if owner or is_each or not is_needed else ""


def _owner(rest: Sequence[str]) -> str:
    """Who has something: the subject of "has" and its like."""
    known = known_words()
    at = next((at for at in reversed(range(len(rest))) if clauses.low(rest[at]) in known.owning), None)
    return clauses.subject_of(rest[:at]) if at else ""


def _before_noun(spot: Spot, words: list[str], tail: list[str]) -> str:
    """A figure before its noun: "are subject to a $35 copay". Whose it is has to be told."""
    known = known_words()
    thing = clauses.phrase_of(tail) if tail and clauses.low(tail[0]) not in known.prepositions else ""
    if not thing or thing.lower().split()[-1] in known.generic:
        return ""
    at = next((at for at, word in enumerate(words) if clauses.low(word) in known.being | known.owning), None)
    rest = {clauses.low(word) for word in words[at + 1 :]} if at else {"?"}
    is_plain = rest <= {"subject", "to", "also", "only"} and at is not None
    owner = clauses.subject_of(words[:at]) if is_plain else ""
    return join_owner(thing, owner, spot) if owner else ""


def _first(spot: Spot, tail: list[str]) -> str:
    """A figure that a sentence begins with: what it counts, and what that does."""
    before = _OPENING.sub("", spot.text[: spot.start])
    if before.strip() and not _is_only_leading(before):
        return ""
    known = known_words()
    counted = next((word for word in spot.unit.lower().split() if word in known.counted), "")
    rest = tail[1:] if tail and clauses.low(tail[0]) == "of" else tail
    said = [word for word in ([counted] if counted else []) + rest if clauses.low(word) not in known.being]
    said = _without_little_ends(said)
    return " ".join(said) if _is_counted_clause(said) and not spot.is_money else ""


def _without_little_ends(said: list[str]) -> list[str]:
    known = known_words()
    while said and clauses.low(said[0]) in known.determiners:
        said = said[1:]
    while said and clauses.low(said[-1]) in known.prepositions | known.determiners:
        said = said[:-1]
    return said


def _is_counted_clause(said: Sequence[str]) -> bool:
    """Return whether words are what a figure counts and what that does: "Staff work part time"."""
    known = known_words()
    lowered = [clauses.low(word) for word in said]
    is_whole = 1 < len(said) <= _MOST_WORDS and not any(any(map(str.isdigit, word)) for word in said)
    is_told = any(map(clauses.is_verb, said[1:])) and not known.relative & set(lowered)
    return is_whole and is_told and lowered[0] not in known.pronouns | known.prepositions


def _is_only_leading(before: str) -> bool:
    total = _TOTAL.search(before.rstrip())
    return not clauses.approximated((before[: total.start()] if total else before).split())


def _label(spot: Spot) -> str:
    """A name before a colon, if it is that of a measure."""
    found = _LABEL.search(spot.text[: spot.start])
    words = found[1].split() if found else []
    is_measure = bool({clauses.low(word) for word in words} & known_words().measured)
    return found[1] if found and is_measure and len(words) <= _MOST_WORDS else ""


def _belongs(made: str) -> bool:
    return made.lower() in known_words().belonging


def _says_something(made: str) -> bool:
    bare = re.sub(r"(?:(?<!\s)\s++)?+\((?:in|de)crease\)$", "", made)
    is_word = any(
        len(word) >= _SHORT and word.strip("(),.'\u2019-").replace("-", "").isalpha() for word in bare.split()
    )
    is_word = is_word and made[:1].isalnum()
    return bare.lower() not in known_words().generic | known_words().pronouns and is_word and len(made) <= _LONGEST + 40
