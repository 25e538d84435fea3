"""Figures with a name: what each is a figure of, for when, and the words it stands in."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from intelli.reasoning.extractive import figures, grids, languages
from intelli.reasoning.extractive.figures import Figure
from intelli.reasoning.thoughts import Finding, Measure

_YEAR = r"(?:1[5-9]|20)\d\d"
_PERIOD = re.compile(
    rf"\b(?:Q[1-4][ /]?{_YEAR}|"
    rf"(?:FY|fiscal year|fiscal|financial year|Gesch\u00e4ftsjahr|exercice)[ ]?(?:{_YEAR}|\d\d)|"
    rf"(?:first|second|third|fourth) quarter(?: of)?(?: fiscal)? {_YEAR}|H[12][ /]?{_YEAR}|"
    rf"(?:January|February|March|April|May|June|July|August|September|October|November|December) {_YEAR}|{_YEAR})\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:in|for|during|of|by|as of|as at|since|from|at the end of|the year ended|im jahr|im|en|nel|em)\s+"
    r"(?:the\s+)?$",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"[.;:!?()\u2014\u2013]\s|,\s(?:(?:while|whereas|but|and|w\u00e4hrend|und|tandis que)\s)?|"
    r"\s(?:and|but|while|whereas|und|et|y)\s"
)
_THAT = re.compile(r"\b(?:that|dass|que|che)\s", re.IGNORECASE)
# Whom a figure is for: "$6,350 for an individual".
_FOR_EACH = re.compile(
    r"\s+(?:for|f\u00fcr|pour|para)\s+"
    r"(?:an?|each|every|one|eine?n?|jede[nrs]?|une?|chaque|una?|cada)\s+(\w+)",
    re.IGNORECASE,
)
# Between two figures of one thing: "$6,350 for an individual and $12,700 for a family".
_ALSO = re.compile(rf"(?:{_FOR_EACH.pattern})?,?\s+(?:and|or|und|oder|et|ou|y|o)\s+", re.IGNORECASE)
# Behind a figure that only says how far another lies from something: "$1.5 million below the plan of $14 million".
_APART = re.compile(
    r"\s+(?:(?:above|below|under|over|more|less|fewer|higher|lower|short|ahead|better|worse)\b|"
    r"(?:\u00fcber|unter|mehr|weniger|unterhalb|oberhalb)\b|(?:de plus|de moins|m\u00e1s|menos)\b)",
    re.IGNORECASE,
)
# "From $31 million to $36 million": both are figures of what rose.
_ON_TO = re.compile(r"(?:\s+in\s+\S+)?,?\s+(?:to|auf|\u00e0|a|hasta)\s+", re.IGNORECASE)
# A part of a whole is neither a change nor the whole: "made up 62 percent of revenue", "of which $1 million".
_PART = re.compile(r"\b(?:(?:made|makes?|making)\s+up|of which|including|davon|dont)$", re.IGNORECASE)
_ARTICLES = frozenset({"a", "an", "the", "ein", "eine", "einen", "une", "un"})
_CLAUSE_END = re.compile(r"[.;:!?()]|,\s|\s(?:and|but|while|und|et)\s")
_LONGEST_NAME = 60
_MOST_WORDS = 8
_MOST = 24


@dataclass(frozen=True, slots=True)
class Named:
    """A figure of a finding with its name."""

    figure: Figure
    name: str
    period: str
    finding: Finding


def measures_of(findings: Sequence[Finding]) -> tuple[Measure, ...]:
    """The figures of findings that have a unit and a name, the best findings first, each once."""
    ranked = sorted(findings, key=lambda each: -each.relevance)
    named = [each for finding in ranked for each in of_finding(finding)]
    found: dict[tuple[str, str, str, str], Measure] = {}
    for each in named:
        measure = Measure(
            name=each.name,
            value=each.figure.written,
            unit=each.figure.unit,
            period=each.period,
            identifier=each.finding.identifier,
            quote=each.finding.quote,
        )
        # One finding gives one figure of a kind for a name and a period; others may be of another time.
        key = (each.name.lower(), each.period, each.figure.kind, each.finding.quote)
        found.setdefault(key, measure)
    return tuple(found.values())[:_MOST]


def of_finding(finding: Finding) -> list[Named]:
    """The figures of one finding that have a unit and a name."""
    if grids.is_row(finding.quote):
        return []
    text = finding.text
    found: list[Named] = []
    at, same = 0, ""
    for figure in figures.figures_of(text):
        start = text.find(figure.written, at)
        if start < 0:
            continue
        end = start + len(figure.written)
        is_same = bool(same and _ALSO.fullmatch(text, at, start) and _FOR_EACH.match(text, end))
        same = same if is_same else _name(text, start, end, figure, after=at)
        name = _whose(same, text, end)
        if _is_measured(figure) and name:
            found.append(Named(figure, name, _period(text, start, end), finding))
        at = end
    return found


def periods_of(text: str) -> list[str]:
    """The periods that a text names, as written."""
    return [match.group() for match in _PERIOD.finditer(text)]


def _is_measured(figure: Figure) -> bool:
    """A bare small number counts something that cannot be told from its words."""
    return bool(figure.unit) or re.search(r"\d[,.'\u2019\u00a0\u202f]\d{3}\b", figure.value) is not None


def _period(text: str, start: int, end: int) -> str:
    """The period nearest to a figure: the one that follows it in its clause, else the last before it."""
    stop = _CLAUSE_END.search(text, end)
    after = _PERIOD.search(text, end, stop.start() if stop else len(text))
    if after is not None:
        return after.group()
    before = [match.group() for match in _PERIOD.finditer(text, 0, start)]
    if before:
        return before[-1]
    anywhere = _PERIOD.search(text, end)
    return anywhere.group() if anywhere else ""


def _name(text: str, start: int, end: int, figure: Figure, *, after: int) -> str:
    """The words before a figure, behind the one before it, without what only leads to it; else those that follow it."""
    before = text[:start]
    if _APART.match(text, end) or _PART.search(before.rstrip()):
        return ""
    breaks = list(_BREAK.finditer(before))
    clause = _clause(before, breaks[-1].end() if breaks else 0, after)
    words = _THAT.split(_bare(clause))[-1].split()
    lowered = [word.lower().strip(",") for word in words]
    if lowered and (lowered[0] in _words().relative or lowered[-1] in _words().compared):
        return ""
    counted = next((word for word in figure.unit.lower().split() if word in _words().counted), None)
    if counted is not None:
        verb = words[-1] if words and words[-1].endswith("ed") else ""
        return f"{counted.capitalize()} {verb}".strip()
    change = _change(lowered)
    hoped = next((at for at, word in enumerate(lowered) if word in _words().expecting), None)
    if hoped is not None:
        words, change = words[hoped + 1 :], " (expected)"
    picked = _owned(_trimmed(words))[-_MOST_WORDS:]
    if not picked and breaks:
        said = _before_figures(_bare(before[: breaks[-1].start()]).split())
        picked = _trimmed(_trimmed(said)[:_MOST_WORDS]) if len(breaks) == 1 else []
    if not picked:
        stop = _CLAUSE_END.search(text, end)
        picked = _trimmed(_bare(text[end : stop.start() if stop else len(text)]).split()[:_MOST_WORDS])
    name = " ".join(picked).strip(" ,;:'\"\u2019")
    return f"{name[:1].upper()}{name[1:]}{change}" if _is_name(name) else ""


def _clause(before: str, start: int, after: int) -> str:
    """What of a clause names the figure behind it: nothing that names the one before, unless that only leads on."""
    if after <= start:
        return before[start:]
    if _ON_TO.fullmatch(before, after):
        words = _before_figures(before[start:].split())
        named = words[:-1] if words and words[-1].lower() in _words().compared else words
        return f"{' '.join(named)} to"
    return before[after:]


def _before_figures(words: Sequence[str]) -> list[str]:
    """Words up to the first with a digit: what another figure is called, not that figure."""
    return list(words[: next((at for at, word in enumerate(words) if any(map(str.isdigit, word))), len(words))])


def _whose(name: str, text: str, end: int) -> str:
    """A name with whom its figure is for."""
    whose = _FOR_EACH.match(text, end)
    return f"{name}, {whose[1]}" if name and whose else name


def _change(words: Sequence[str]) -> str:
    """What a figure says of its name when it is not its value but how much that changed."""
    known = _words()
    if not words or known.reached & set(words[-2:]):
        return ""
    changes = (("increase", known.increase), ("decrease", known.decrease))
    return next((f" ({kind})" for kind, verbs in changes if verbs & set(words)), "")


def _is_name(name: str) -> bool:
    if name.lower() in _words().generic:
        return False
    return len(name) <= _LONGEST_NAME and any(len(word) > 2 and word.isalpha() for word in name.split())


def _bare(clause: str) -> str:
    """A clause without its periods and the words that lead to them."""
    kept, at = "", 0
    for match in _PERIOD.finditer(clause):
        kept += _WHEN.sub("", clause[at : match.start()])
        at = match.end()
    return kept + clause[at:]


def _trimmed(words: Sequence[str]) -> list[str]:
    """Words without those at either end that name nothing."""
    left, right = 0, len(words)
    while right > left and _leads(words[right - 1]):
        right -= 1
    # After the first word a capital letter begins a name, even one that is written like a little word.
    while left < right and _leads(words[left]) and not (left and words[left][:1].isupper()):
        if left + 1 < right and words[left + 1] == "of" and words[left].lower() not in _stop_words():
            # "The costs of" something are a thing, though "costs" is mostly a verb.
            break
        left += 1
    if right - left > 1 and words[right - 1].endswith("ed"):
        return _trimmed(words[left : right - 1])
    return list(words[left:right])


def _owned(words: Sequence[str]) -> list[str]:
    """What something has is what is measured: "the plan has a limit of" names the limit, and whose it is."""
    at = next((at for at, word in enumerate(words) if word.lower() in _words().owning), None)
    thing = _trimmed(words[at + 1 :]) if at else []
    # Whom it is given to stands before it: "offers employees a limit of".
    given = next((number for number, word in enumerate(thing) if word.lower() in _ARTICLES), None)
    thing = thing[given + 1 :] if given else thing
    return [*thing[:-1], f"{thing[-1]},", *words[:at]] if thing else list(words)


def _leads(word: str) -> bool:
    bare = word.strip(",;:()\"'\u201c\u201d").lower()
    return bare in _words().verbs or bare in _stop_words() or not any(character.isalpha() for character in bare)


class _Words(BaseModel):
    """Words that lead to a figure. What `compared` leads to is a figure of another time or thing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verbs: languages.Words
    increase: languages.Words
    decrease: languages.Words
    reached: languages.Words
    compared: languages.Words
    relative: languages.Words
    owning: languages.Words
    counted: languages.Words
    generic: languages.Words
    expecting: languages.Words


@cache
def _words() -> _Words:
    text = files(__package__).joinpath("measures.toml").read_text(encoding="utf-8")
    return _Words.model_validate(tomllib.loads(text))


@cache
def _stop_words() -> frozenset[str]:
    return frozenset().union(*(language.stop_words for language in languages.languages().values()))
