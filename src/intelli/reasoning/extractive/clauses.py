"""Clauses around figures: where each begins and ends, its verbs, and its words that can be a name."""

import re
from collections.abc import Sequence

from intelli.reasoning.extractive.figure_words import known_words

_HARD = re.compile(r"[.;:!?(\[\u2014\u2013]\s|[(\[]")
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_SOFT = re.compile(r",\s(?:and\s|und\s|et\s|y\s)?|\s(?:and|und|et|y)\s")
_TURN = re.compile(r",?\s(?:but|while|whereas|w\u00e4hrend|aber|tandis que|pero)\s")
_END = re.compile(r"[.;:!?](?=\s|$)|[()\[\]]|,\s|\s(?:and|but|while|whereas|und|et|aber|compared|verglichen)\s")
# "From $31 million to $36 million": both are figures of what rose.
_ON_TO = re.compile(
    r"(?:\s+in\s+\S+)?,?\s+(?:to|auf|\u00e0|a|hasta)\s+(?:(?:about|nearly|rund|etwa|knapp)\s+)?", re.IGNORECASE
)
_JOINED = re.compile(r"\d-[^\W\d_]")
_POINTING = frozenset({"there", "it", "es", "not"})
_LONGEST = 80
_MOST_WORDS = 11
_MOST_OF_TAIL = 4
_SHORT = 3


def clause(text: str, start: int, after: int) -> str:
    """The words before a figure that may name it: those of its clause, behind the figure before it."""
    before = _ASIDE.sub(lambda match: " " * len(match[0]), text[:start])
    begin = _clause_start(before)
    is_when = is_time(before[:after]) and _begins_with_verb(before[after:])
    if after > begin and (is_when or _belongs_on(before[begin:after])):
        # "Mortality at 30 days was", "the mean age of the 529 respondents was": it is part of the subject.
        return before[begin:]
    if after > begin and _ON_TO.fullmatch(before, after):
        words = _until_digit(before[begin:].split())
        is_moved = bool(words) and (
            low(words[-1]) in known_words().compared | known_words().moved or _is_change(words[-1])
        )
        while words and low(words[-1]) in known_words().compared | known_words().moved:
            words.pop()
        # "Doses of 0.15 to 0.3 mg", "ranged from 3 to 5%": neither end is the figure.
        if not is_moved or not any(map(_is_change, words)) or is_time(before[:after]):
            return "between"
        return f"{' '.join(words)} to"
    return before[max(begin, after) :] if after > begin else before[begin:]


def tail(text: str, end: int) -> str:
    """The words behind a figure up to the end of its clause."""
    behind = _ASIDE.sub(" ", text[end:])
    stop = _END.search(behind)
    return behind[: stop.start() if stop else len(behind)]


def is_on_to(text: str, start: int, after: int) -> bool:
    """Whether a figure is what another was changed to."""
    return bool(after) and _ON_TO.fullmatch(text, after, start) is not None


def is_little(word: str) -> bool:
    """Whether a word is a verb or leads to something, and so is no part of a name."""
    return (
        is_verb(word) or low(word) in known_words().prepositions | known_words().approximate | known_words().determiners
    )


def _clause_start(before: str) -> int:
    """Where the clause begins that a text ends with. A comma or an "and" ends one only if it is one."""
    begin = 0
    found = [
        (match.start(), -match.end(), is_hard)
        for pattern, is_hard in ((_HARD, True), (_TURN, True), (_SOFT, False))
        for match in pattern.finditer(before)
    ]
    # Of two that begin at one place the longer one says more: ", while".
    for start, minus_end, is_hard in sorted(found):
        if start >= begin and (is_hard or _is_clause(before[begin:start].split())):
            begin = -minus_end
    return begin


def _is_clause(words: Sequence[str]) -> bool:
    known = known_words()
    first = low(words[0]) if words else ""
    leading = known.prepositions | known.subordinate | known.conditions | known.pronouns
    leads = first in leading or (len(words) == 1 and first.endswith("ly"))
    return leads or any(is_verb(word) or any(map(str.isdigit, word)) for word in words)


def group_start(words: Sequence[str]) -> int:
    """Where the verbs begin that stand before a figure."""
    known = known_words()
    at = len(words)
    own = known.being | known.level | known.increase | known.decrease | known.modal | known.reached | known.moved
    while at and (low(words[at - 1]) in own | known.approximate or _is_participle(words, at - 1)):
        at -= 1
    # What only leads on is no verb: it belongs to the subject.
    while at < len(words) and low(words[at]) in known.approximate and low(words[at]) not in own:
        at += 1
    return at


def _is_participle(words: Sequence[str], at: int) -> bool:
    """Whether a word ends a passive that sets a figure: "was reduced", "is capped"."""
    known = known_words()
    before = {low(word) for word in words[max(0, at - 2) : at]}
    return low(words[at]) in known.setting | known.hoped and bool(before & (known.being | known.modal))


def change_of(group: Sequence[str]) -> str:
    """What a figure says of its name when it is not its worth but how much that changed."""
    known = known_words()
    if group and group[-1] in known.reached:
        return ""
    if known.being & set(group) and not (known.moved | {"up", "down"}) & set(group):
        return ""
    return next((f" ({kind})" for kind, verbs in _changes().items() if verbs & set(group)), "")


def is_change_of(word: str, text: str) -> bool:
    """Whether a word is what `change_of` adds to a name, and a text says that change by a verb of its own."""
    verbs = _changes().get(word.strip("()"), frozenset())
    return bool(verbs.intersection(map(low, text.split())))


def _changes() -> dict[str, frozenset[str]]:
    return {"increase": known_words().increase, "decrease": known_words().decrease}


def subject_of(words: Sequence[str]) -> str:
    """A subject as a name; none where it only points at something, or is a clause of its own."""
    known = known_words()
    lowered = [low(word) for word in words]
    cut = max((at + 1 for at, word in enumerate(lowered) if word in known.subordinate), default=0)
    kept = list(words[cut:])
    while len(kept) > 1 and _is_running_head(kept[0], kept[1]):
        kept = kept[1:]
    while kept and (low(kept[0]) in known.determiners - known.pronouns or low(kept[0]).endswith("ly")):
        kept = kept[1:]
    while kept and low(kept[-1]) in known.prepositions | known.approximate:
        kept.pop()
    if (
        not kept
        or low(kept[0]) in known.pronouns | known.prepositions
        or any(map(_is_finite, kept))
        or _POINTING & set(map(low, kept))
    ):
        return ""
    return _short(kept)


def _is_running_head(word: str, following: str) -> bool:
    """Whether the name of a section runs into its first sentence: "RESULTS Median age", "Results The rate"."""
    known = known_words()
    begins = following[:1].isupper()
    is_little_word = low(following) in known.determiners | known.prepositions
    return begins and len(word) > _SHORT and (word.isupper() or (word[:1].isupper() and is_little_word))


def _short(words: Sequence[str]) -> str:
    """A name that can be read at a glance: a longer one without what only adds to it."""
    known = known_words()
    line = " ".join(words)
    if len(words) <= _MOST_WORDS and len(line) <= _LONGEST:
        return line
    at = next((at for at, word in enumerate(words) if at and low(word) in known.prepositions - {"of"}), len(words))
    line = " ".join(words[:at])
    return line if at <= _MOST_WORDS and len(line) <= _LONGEST else ""


def phrase_of(words: Sequence[str]) -> str:
    """The noun that words begin with, and what belongs to it."""
    known = known_words()
    kept: list[str] = []
    for word in words:
        bare = low(word)
        if not kept and bare in known.determiners - known.pronouns:
            continue
        ends = known.prepositions | known.pronouns | known.relative | known.determiners
        if bare in ends or any(map(str.isdigit, word)) or (kept and _is_done(word)):
            break
        kept.append(word.strip(".,;:"))
        if len(kept) == _MOST_OF_TAIL or word[-1:] in ".,;:":
            break
    return " ".join(kept)


def noun_of(words: Sequence[str], *, is_set_off: bool) -> list[str]:
    """The noun at the end, where nouns have a capital letter, and the words before it that stand behind its article."""
    at = len(words)
    while at and words[at - 1][:1].isupper():
        at -= 1
    are_adjectives = is_set_off and not any(word[:1].isupper() for word in words[:at])
    return list(words) if are_adjectives else list(words[at:])


def approximated(words: Sequence[str]) -> list[str]:
    """Words without those at the end that say how exact a figure is."""
    known = known_words()
    last = len(words)
    while last and low(words[last - 1]) in known.approximate:
        last -= 1
    ended = list(words[:last])
    # "To" and "at" also belong to verbs: "amounted to", "stood at".
    if last < len(words) and low(words[last]) in {"to", "at"} and ended and is_verb(ended[-1]):
        ended.append(words[last])
    return ended


def _is_change(word: str) -> bool:
    return low(word) in known_words().increase | known_words().decrease


def _until_digit(words: Sequence[str]) -> list[str]:
    """Words up to the first figure; a digit inside of a name, as in CO2, is none."""
    starts = (at for at, word in enumerate(words) if word.lstrip("($\u20ac\u00a3+-\u2212")[:1].isdigit())
    return list(words[: next(starts, len(words))])


def _is_done(word: str) -> bool:
    """Whether a word behind a noun tells what was done with it, and is no part of its name."""
    return _is_finite(word) or (is_low(word) and low(word).endswith("ed"))


def is_verb(word: str) -> bool:
    """Whether a word is a verb, as far as words alone tell."""
    known = known_words()
    bare = low(word)
    verbs = known.being | known.level | known.increase | known.decrease | known.modal | known.owning | known.acting
    return bare in verbs or (bare.endswith("ed") and is_low(word) and len(bare) > _SHORT + 1)


def _is_finite(word: str) -> bool:
    known = known_words()
    return low(word) in known.being | known.level | known.modal | known.owning


def is_time(text: str) -> bool:
    """Whether a text ends with a unit of time."""
    return bool(text.split()) and low(text.rsplit(maxsplit=1)[-1]) in known_words().times


def _belongs_on(text: str) -> bool:
    """Whether a text ends with a figure that only tells which: "the 529", "a 12-month"."""
    words = text.split()
    is_set_off = len(words) > 1 and low(words[-2]) in known_words().determiners
    is_bare = bool(words) and words[-1].isdigit()
    is_joined = bool(words) and _JOINED.search(words[-1]) is not None
    return is_joined or (is_set_off and is_bare)


def _begins_with_verb(text: str) -> bool:
    words = text.split()
    return (
        bool(words)
        and low(words[0]) in known_words().being | known_words().level | known_words().increase | known_words().decrease
    )


def is_low(word: str) -> bool:
    """Whether a word begins with a small letter."""
    return word[:1].islower()


def low(word: str) -> str:
    """A word as lists have it: bare of marks, in small letters."""
    return word.strip(".,;:()\"'\u201c\u201d\u2019").lower()
