"""A question into its facets: its separate questions, the sides of a comparison, its clauses, its years and names."""

import re
from collections.abc import Iterable

from intelli.reasoning.extractive import leaning, words
from intelli.reasoning.thoughts import Plan, PlanAsked, PlannedTask

_MAX_TITLE = 80
_QUESTIONS = re.compile(r"(?<=[?\u061f\uff1f;])\s*|\n+")
_COMPARED = re.compile(
    r"\b(?:compare|comparison of|comparison between|differences? between|contrast|vergleiche?|unterschiede? zwischen|"
    r"compare[rz]?|diff\u00e9rences? entre|comparar?|diferencias? entre|differenza tra|diferen\u00e7as? entre|"
    r"\u0441\u0440\u0430\u0432\u043d\u0438)\s+"
    r"(?P<one>.+?)\s+(?:and|with|to|against|und|mit|et|avec|y|con|e|com|\u0438|\u0441)\s+(?P<other>.+)",
    re.IGNORECASE,
)
_VERSUS = re.compile(r"(?P<one>.+?)\s+(?:vs\.?|versus)\s+(?P<other>.+)", re.IGNORECASE)
_ASPECT = re.compile(
    r"\s+(?:in terms of|regarding|with respect to|in|on|for|by|bez\u00fcglich|hinsichtlich|bei|en|sur)\s+"
)
_CLAUSE = re.compile(
    r",?\s+(?:and|und|et|y|e|en|\u0438|sowie|as well as)\s+"
    r"(?=(?:what|how|why|when|where|who|which|is|are|do|does|did|was|were|can|"
    r"was|wie|warum|wann|wo|wer|welche[rsnm]?|quel(?:le)?s?|comment|pourquoi|quand|qu[e\u00e9]|c\u00f3mo|cu\u00e1ndo|"
    r"d\u00f3nde|come|quando|perch\u00e9|como|\u043a\u0430\u043a|\u043f\u043e\u0447\u0435\u043c\u0443|\u043a\u043e\u0433\u0434\u0430)\b)",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"(?P<head>[^,]+), (?P<middle>[^,]+(?:, [^,]+)*?),? (?:and|und|et|y|e) (?P<last>[^,]+?)"
    r"(?P<tail> (?:of|for|in|at|von|bei|de|del|di) .+)"
)
_SPAN_OF_YEARS = re.compile(
    r"\b(?P<first>(?:19|20)\d\d)\s*(?:-|\u2013|to|and|until|bis|und|\u00e0|et|a|y|al|\u043f\u043e)\s*(?P<last>(?:19|20)\d\d)\b"
)
_OPENING = re.compile(
    r"^(?:please|bitte|can you|could you|tell me|show me|give me|find out|find|explain|describe|summari[sz]e|"
    r"nenne|zeige|erkl\u00e4re|beschreibe)\b[\s,]*(?:about\s+)?",
    re.IGNORECASE,
)
_ASKS_FIGURE = re.compile(
    r"\b(?:how (?:much|many|long|old|far|often|large|big|high|tall)|"
    r"what (?:percentage|share|number|amount|date|year|price)|when|"
    r"wie ?viele?|wie (?:lange|oft|hoch|gro\u00df|alt)|wann|combien|quand|cu[a\u00e1]nt[oa]s?|cu[a\u00e1]ndo|"
    r"quant[oiae]|quando|hoeveel|wanneer|\u0441\u043a\u043e\u043b\u044c\u043a\u043e|\u043a\u043e\u0433\u0434\u0430|"
    r"\u0643\u0645|\u0645\u062a\u0649)\b|\u591a\u5c11|\u4f55\u65f6|\u4ec0\u4e48\u65f6\u5019",
    re.IGNORECASE,
)
_CAPITALISED = r"[A-Z\u00c0-\u00de\u0410-\u042f][\w-]+"
_NAME = re.compile(rf"(?<=[^.?!\s])\s+({_CAPITALISED}(?:\s+{_CAPITALISED})*)")
_MOST_YEARS = 4
_MOST_NAMES = 3
# A message longer than this is searched as it is: what follows is material, not the question.
_MAX_CHARACTERS = 2_000


def plan(asked: PlanAsked) -> Plan:
    """The whole question first, then each facet that is not the whole."""
    question = leaning.standing(asked.question, asked.conversation)
    facets = split(question)[: asked.max_tasks]
    if len(facets) > 2 and len(list(filter(None, _QUESTIONS.split(asked.question)))) > 1:
        # Several questions in one message: the message as a whole is no question of its own.
        facets = facets[1:]
    tasks = tuple(PlannedTask(title=_title(facet), message=facet, queries=_queries(facet)) for facet in facets)
    return Plan(title=_title(question), summary=_summary(tasks), tasks=tasks)


def split(question: str) -> list[str]:
    """The question and its facets, each different from those before it."""
    return _distinct([question, *_facets(question[:_MAX_CHARACTERS])], words.language_of(question))


def asks_for_figure(question: str) -> bool:
    """Whether a number or a date is wanted."""
    return _ASKS_FIGURE.search(question) is not None


def _facets(question: str) -> Iterable[str]:
    parts = [part for whole in _QUESTIONS.split(question) for part in _CLAUSE.split(whole)]
    names = list(dict.fromkeys(_NAME.findall(question)))[:_MOST_NAMES]
    for stripped in filter(None, (part.strip(" ,;") for part in parts)):
        part = _named(stripped, names)
        yield part
        yield from _sides(part)
        yield from _listed(part)
        yield from _years(part)


def _named(part: str, names: list[str]) -> str:
    """A clause that names nothing speaks of what the rest of the question names."""
    if any(name in part for name in names):
        return part
    return " ".join([part.rstrip("?"), *names])


def _sides(text: str) -> Iterable[str]:
    """Each side of a comparison, with what they are compared in."""
    match = _COMPARED.search(text) or _VERSUS.search(text)
    if match is None:
        return
    one, other = match["one"].strip(" ?.!"), match["other"].strip(" ?.!")
    other, *aspect = _ASPECT.split(other, maxsplit=1)
    for side in (one, other):
        yield " ".join([side, *aspect])


def _listed(text: str) -> Iterable[str]:
    """Each of several things asked of one: "revenue, margin and growth of X"."""
    match = _LISTED.search(text)
    if match is None:
        return
    tail = match["tail"].strip(" ?.!")
    for item in (_last_words(match["head"]), *match["middle"].split(", "), match["last"]):
        yield f"{item.strip()} {tail}"


def _last_words(text: str) -> str:
    """What a listing begins with, without the question before it."""
    return re.split(r"\b(?:is|are|was|were|the|of|ist|sind|die|der|das|sont|les|son|los|las)\b", text)[-1]


def _years(text: str) -> Iterable[str]:
    """The question for each end of a span of years; for every year when they are few."""
    match = _SPAN_OF_YEARS.search(text)
    if match is None:
        return
    first, last = int(match["first"]), int(match["last"])
    years = range(first, last + 1) if 0 < last - first < _MOST_YEARS else (first, last)
    before = re.sub(r"\b(?:from|between|von|zwischen|de|entre)\s*$", "in ", text[: match.start()])
    for year in years:
        yield f"{before}{year}{text[match.end() :]}"


def _distinct(facets: Iterable[str], language: str) -> list[str]:
    """Facets with terms of their own, each set of terms once."""
    seen: set[frozenset[str]] = set()
    kept: list[str] = []
    for facet in facets:
        terms = frozenset(words.terms_of(facet, language))
        if kept and (not terms or terms in seen):
            continue
        seen.add(terms)
        kept.append(facet)
    return kept


def _queries(facet: str) -> tuple[str, ...]:
    query = _OPENING.sub("", facet).strip(" ?\u061f\uff1f.!")
    return (query or facet,)


def _title(text: str) -> str:
    title = _OPENING.sub("", text).strip(" .!")
    if len(title) <= _MAX_TITLE:
        return title or text[:_MAX_TITLE]
    return title[:_MAX_TITLE].rsplit(" ", 1)[0] + "\u2026"


def _summary(tasks: tuple[PlannedTask, ...]) -> str:
    return "; ".join(task.title for task in tasks)
