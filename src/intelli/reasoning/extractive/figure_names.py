"""Naming a figure: what is measured and whose it is, from the words around it; no name where that cannot be told.

A figure is the worth of a subject ("revenue came to"), how far it was moved ("rose by"), the object of an action
("handled 4.2 million tonnes of cargo"), that of a noun ("a budget of"), or stands before what it counts.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from intelli.reasoning.extractive import clauses, languages
from intelli.reasoning.extractive.figure_words import known_words
from intelli.reasoning.extractive.words import language_of

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
_CURRENCY = re.compile(r"[$\u20ac\u00a3\u00a5]|\b(?:dollars?|euros?|pounds?|yen|usd|eur|gbp|chf)\b", re.IGNORECASE)
_LONGEST = 80
_MOST_WORDS = 11
_MOST_OF_TAIL = 4
_SHORT = 3
# Of other languages only the plainest sentences are understood.
_READ = frozenset({"en", "de"})
_SCALES = frozenset(
    {"thousand", "million", "millions", "billion", "trillion", "bn", "mio", "mrd", "millionen", "milliarden"}
)
_EACH_ONE = frozenset({"each", "every", "one", "an", "a", "jede", "jeden", "jedes"})


@dataclass(frozen=True, slots=True)
class Spot:
    """A figure in its sentence. `after` is where the figure before it ends, `said` what that was called."""

    text: str
    start: int
    end: int
    unit: str
    after: int = 0
    said: str = ""
    bare_before: str = ""
    bare_after: str = ""

    @property
    def is_money(self) -> bool:
        """Whether it is a sum of money."""
        return _CURRENCY.search(self.unit) is not None


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
    if words and clauses.is_time(spot.unit) and clauses.low(words[-1]) in {"over", "up", "than"}:
        # How long something took place is not how long it is.
        return ""
    total = _TOTAL.search(" ".join(words))
    words = clauses.approximated(" ".join(words)[: total.start()].split() if total else words)
    lowered = {clauses.low(word) for word in words}
    if known.imagined & lowered or (
        words and clauses.low(words[-1]) == "von" and (known.increase | known.decrease) & lowered
    ):
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


def _of_verb(spot: Spot, words: list[str], tail: list[str]) -> str:
    """The subject of a verb that says what it is worth, or the object of one that acts."""
    known = known_words()
    at = clauses.group_start(words)
    group = [clauses.low(word) for word in words[at:]]
    verbs = set(group) - known.reached - known.moved - known.approximate
    if not verbs:
        return _inverted(words) or _of_action(spot, words, tail)
    if not verbs & (known.being | known.level | known.increase | known.decrease):
        return _of_action(spot, words, tail)
    change, subject = clauses.change_of(group), words[:at]
    if subject and clauses.low(subject[0]) == "f\u00fcr" and tail and clauses.low(tail[0]) in known.hoped:
        return f"{clauses.subject_of(subject[1:])} ({clauses.low(tail[0])})"
    is_when = group[-1] in {"at", "by"} and clauses.is_time(spot.unit) and not verbs & known.level
    is_agent = group[-1] in known.moved and not verbs & (known.increase | known.decrease)
    if is_when or is_agent or _is_described(spot, group, tail):
        return ""
    hoped = next((f" ({word})" for word in group if word in known.hoped), "")
    made = clauses.subject_of(subject)
    return f"{made}{change or hoped}" if made else ""


def _is_described(spot: Spot, group: Sequence[str], tail: Sequence[str]) -> bool:
    """Whether a plain "is" leads to a figure that an adjective follows: "was 94.1% effective" is not its worth."""
    is_bare = not spot.unit or spot.unit.lower().split()[-1] in _SCALES
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


def _of_action(spot: Spot, words: list[str], tail: list[str]) -> str:
    """What was done to how much of what: the thing and the verb, and who did it."""
    known = known_words()
    verb = clauses.low(words[-1])
    is_past = verb.endswith(("ed", "te", "ten")) or verb in known.acting
    if verb in {"auf", "to"} and len(words) > 1 and clauses.low(words[-2]) in {"anspruch", "entitled"}:
        words, verb, is_past = words[:-2], "", True
    elif not is_past or (verb in known.modal and verb not in known.owning) or not clauses.is_low(words[-1]):
        return ""
    whole = words[:-1] if verb else words
    if whole and clauses.low(whole[-1]).endswith("ly"):
        return ""
    who = _actor([word for word in whole if clauses.low(word) not in known.modal | known.being | known.owning])
    if who is None:
        return ""
    counted = next((word for word in spot.unit.lower().split() if word in known.counted), "")
    thing = counted or _object(spot, tail)
    done = verb if verb.endswith("ed") or verb in {"spent", "sold", "built", "lent", "paid"} else ""
    if thing and (done or who):
        return _joined(f"{thing} {done}".strip(), who, spot)
    aim = _aim(tail) if spot.is_money else ""
    if aim and verb:
        return _joined(f"{verb} {aim}", who, spot)
    return _joined(verb, who, spot) if spot.is_money and who and verb in known.telling else ""


def _object(spot: Spot, tail: Sequence[str]) -> str:
    """What a figure is a figure of: "tonnes of cargo", "412,000 items", "30 Tage Urlaub"."""
    if not tail:
        return ""
    known = known_words()
    first = clauses.low(tail[0])
    if first in {"of", "von"}:
        return clauses.phrase_of(tail[1:])
    unit = [word for word in spot.unit.lower().split() if word not in known.counted]
    is_count = not spot.is_money and (not unit or unit[-1] in _SCALES or unit[-1] in known.times)
    return clauses.phrase_of(tail) if is_count and first not in known.prepositions and tail[0][:1].isalpha() else ""


def _aim(tail: Sequence[str]) -> str:
    """What money went into or came from."""
    if not tail or clauses.low(tail[0]) not in {"on", "in", "into", "for", "from", "f\u00fcr", "an"}:
        return ""
    thing = clauses.phrase_of(tail[1:])
    return f"{clauses.low(tail[0])} {thing}" if thing else ""


def _of_noun(spot: Spot, words: list[str], tail: list[str]) -> str:
    """The noun before "of", with whose it is where that is told."""
    known = known_words()
    if _counts(spot, tail):
        return ""
    words = _HEIGHT.sub("", f"{' '.join(words)} von").split() if clauses.low(words[-1]) == "h\u00f6he" else words
    words = words[:-1] if words and words[-1] == "von" else words
    at = len(words)
    while (
        at
        and clauses.low(words[at - 1]) not in known.determiners | known.prepositions
        and not clauses.is_verb(words[at - 1])
    ):
        at -= 1
        # "A prevalence of anxiety of 15%".
        at -= 2 if at > 2 and clauses.low(words[at - 1]) == "of" and not clauses.is_little(words[at - 2]) else 0
    is_set_off = at > 0 and clauses.low(words[at - 1]) in known.determiners
    noun = clauses.noun_of(words[at:], is_set_off=is_set_off) if language_of(spot.text) == "de" else words[at:]
    rest = words[: at - 1] if is_set_off else words[:at]
    if rest and clauses.low(rest[-1]) in {"per", "pro", "je", "each", "every"}:
        return ""
    made = " ".join(noun[-_MOST_OF_TAIL:])
    if not made or made.lower() in known.generic or any(map(str.isdigit, made)):
        return ""
    if len(noun) == 1 and not _belongs(made) and made.lower() not in known.measured and not _owner(rest):
        return ""
    if at == 0 or not rest:
        is_needed = _belongs(made) and made.lower() not in known.measured
        return _with_whom(spot, made, spot.said if is_needed else "", tail, is_needed=is_needed)
    owner = _owner(rest)
    return _with_whom(spot, made, owner or (spot.said if _belongs(made) else ""), tail, is_needed=_belongs(made))


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
    return _joined(made, owner, spot) if owner or is_each or not is_needed else ""


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
    return _joined(thing, owner, spot) if owner else ""


def _first(spot: Spot, tail: list[str]) -> str:
    """A figure that a sentence begins with: what it counts, and what that does."""
    before = _OPENING.sub("", spot.text[: spot.start])
    if before.strip() and not _is_only_leading(before):
        return ""
    known = known_words()
    counted = next((word for word in spot.unit.lower().split() if word in known.counted), "")
    rest = tail[1:] if tail and clauses.low(tail[0]) == "of" else tail
    said = [word for word in ([counted] if counted else []) + rest if clauses.low(word) not in known.being]
    while said and clauses.low(said[0]) in known.determiners:
        said = said[1:]
    while said and clauses.low(said[-1]) in known.prepositions | known.determiners:
        said = said[:-1]
    lowered = [clauses.low(word) for word in said]
    is_whole = 1 < len(said) <= _MOST_WORDS and not any(any(map(str.isdigit, word)) for word in said)
    # What it counts has to do something: "Staff work part time".
    is_told = any(map(clauses.is_verb, said[1:])) and not known.relative & set(lowered)
    is_named = bool(said) and lowered[0] not in known.pronouns | known.prepositions
    return " ".join(said) if is_whole and is_told and is_named and not spot.is_money else ""


def _is_only_leading(before: str) -> bool:
    total = _TOTAL.search(before.rstrip())
    return not clauses.approximated((before[: total.start()] if total else before).split())


def _label(spot: Spot) -> str:
    """A name before a colon, if it is that of a measure."""
    found = _LABEL.search(spot.text[: spot.start])
    words = found[1].split() if found else []
    is_measure = bool({clauses.low(word) for word in words} & known_words().measured)
    return found[1] if found and is_measure and len(words) <= _MOST_WORDS else ""


def _actor(words: Sequence[str]) -> str | None:
    """Who acts; nothing where it goes without saying, None where it cannot be told."""
    known = known_words()
    lowered = [clauses.low(word) for word in words if clauses.low(word) not in known.approximate]
    bare = [word for word in lowered if word not in known.determiners]
    if len(bare) <= 1 and set(bare) <= known.actors | {"we", "wir"}:
        return ""
    # "Employees the opportunity": a second thing stands between who acts and the verb.
    is_one = not any(word in known.determiners for word in bare[1:]) and bare == lowered[len(lowered) - len(bare) :]
    return (clauses.subject_of(words) or None) if is_one or known.prepositions & set(bare) else None


def _belongs(made: str) -> bool:
    return made.lower() in known_words().belonging


def _joined(made: str, whose: str, spot: Spot) -> str:
    """A thing and whose it is; a capital letter that only began the sentence goes."""
    is_opening = spot.text.lstrip().startswith(whose) or whose == spot.said
    if whose and is_opening and _is_plain_word(whose):
        return f"{made}, {whose[:1].lower()}{whose[1:]}"
    return ", ".join(filter(None, (made, whose)))


def _is_plain_word(text: str) -> bool:
    """Whether a name is that of no one: no word but the first has a capital letter."""
    first, *rest = text.split()
    return (
        first[1:].islower() and not any(word[:1].isupper() for word in rest) and language_of(text) == languages.DEFAULT
    )


def _says_something(made: str) -> bool:
    bare = re.sub(r"(?:(?<!\s)\s++)?+\((?:in|de)crease\)$", "", made)
    is_word = any(
        len(word) >= _SHORT and word.strip("(),.'\u2019-").replace("-", "").isalpha() for word in bare.split()
    )
    is_word = is_word and made[:1].isalnum()
    return bare.lower() not in known_words().generic | known_words().pronouns and is_word and len(made) <= _LONGEST + 40
