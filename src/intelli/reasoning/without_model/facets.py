"""Split a question into facets: its separate questions, the sides of a comparison, its clauses, years and names."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from intelli.language import sentences, words
from intelli.reasoning import orders
from intelli.reasoning.extractive import follow_up
from intelli.reasoning.extractive import question as extractive_question
from intelli.reasoning.table_answers import question as table_question
from intelli.reasoning.table_answers.question import Operation
from intelli.reasoning.verbs.outline import ChapterRole, Order
from intelli.reasoning.verbs.understand import PlannedTask, ResearchPlan, UnderstandInput
from intelli.reasoning.without_model import commands, intents

_MAX_TITLE = 80
_QUESTIONS = re.compile(r"(?<=[?\u061f\uff1f;])\s*|\n+")
_COMPARED = re.compile(
    r"^(?>.*?\b(?:compare|comparison of|comparison between|differences? between|contrast|vergleiche?|"
    r"unterschiede? zwischen|"
    r"compare[rz]?|diff\u00e9rences? entre|comparar?|diferencias? entre|differenza tra|diferen\u00e7as? entre|"
    r"\u0441\u0440\u0430\u0432\u043d\u0438)\s++)"
    r"(?P<one>.+?)(?<!\s)\s++(?:and|with|to|against|und|mit|et|avec|y|con|e|com|\u0438|\u0441)\s++(?P<other>.+)",
    re.IGNORECASE | re.MULTILINE,
)
_VERSUS = re.compile(r"^(?P<one>.+?)(?<!\s)\s++(?:vs\.?|versus)\s++(?P<other>.+)", re.IGNORECASE | re.MULTILINE)
_ASPECT = re.compile(
    r"(?<!\s)\s++(?:in terms of|regarding|with respect to|in|on|for|by|bez\u00fcglich|hinsichtlich|bei|en|sur)\s++"
)
_CLAUSE = re.compile(
    r"(?:,|(?<!\s))\s++(?:and|und|et|y|e|en|\u0438|sowie|as well as)\s++"
    r"(?=(?:(?:by|in|at|for|to|from|with|of|on)\s+)?(?:what|how|why|when|where|who|which|is|are|do|does|did|was|were|can|"
    r"was|wie|warum|wann|wo|wer|welche[rsnm]?|quel(?:le)?s?|comment|pourquoi|quand|qu[e\u00e9]|c\u00f3mo|cu\u00e1ndo|"
    r"d\u00f3nde|come|quando|perch\u00e9|como|\u043a\u0430\u043a|\u043f\u043e\u0447\u0435\u043c\u0443|\u043a\u043e\u0433\u0434\u0430)\b)",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"(?:^|(?<=,)(?! ))(?P<head>[^,]+), (?P<middle>[^,]+(?:, [^,]+)*?),? (?:and|und|et|y|e) (?P<last>[^,]{1,600}?)"
    r"(?P<tail> (?:of|for|in|at|von|bei|de|del|di) .+)"
)
# Things of which each says of what it is: "the price of tea, the weight of lead".
_OF_ITS_OWN = re.compile(r" (?:of|for|in|at|von|bei|de|del|di) ")
_ASKING = re.compile(
    r"^.*?\b(?:is|are|was|were|ist|sind|war|waren|est|sont|es|son)\s+(?:(?:the|die|der|das|la|le|les|el|los|las)\s+)?",
    re.IGNORECASE,
)
# One thing asked of two: "the price of tea and of coffee".
_OF_EACH = re.compile(
    r"(?P<head>.+?) (?P<of>of|for|under|in|at|by|with|von|f\u00fcr|bei|de|para|di|per) (?P<one>.+?),? "
    r"(?:and|und|et|y|e) (?P=of) (?P<other>.+)",
    re.IGNORECASE,
)
# One thing asked of two that are named, or of two topics: "the duties of the CTO and the CFO", "about tea and coffee".
_OF_TWO = re.compile(
    r"(?P<head>.+?) (?P<of>of|for|under|von|f\u00fcr|de|para|di|per) "
    r"(?P<one>(?:the )?[A-Z]\S*(?: (?!and |und )\S+)*?),? "
    r"(?:and|und|et|y|e) (?P<other>(?:the )?[A-Z]\S*(?: \S+)*)"
)
_ABOUT_TWO = re.compile(
    r"(?P<head>.+?) (?P<of>about|regarding|\u00fcber|sobre) (?P<one>[^,]+?),? (?:and|und|et|y|e) (?P<other>[^,]+)"
)
# Things compared in several ways: "how do A and B compare on price, weight and colour".
_COMPARED_IN = re.compile(
    r"^(?:(?>.*?\bhow (?:do|does|did) )(?P<asked>.+?) compare|(?>.*?\bcompare )(?P<told>.+?)) "
    r"(?:on|in terms of|regarding|with respect to|by|for) (?P<ways>.+)",
    re.IGNORECASE | re.MULTILINE,
)
# Several things of which it is asked how they went: "how did revenue and costs develop since 2020".
_WENT = re.compile(
    r"(?P<head>.*?\b(?:how (?:did|do|does|has|have|had|will)|wie (?:hat|haben|hatten?) sich|"
    r"wie (?:entwickelten?|ver\u00e4nderten?|\u00e4nderten?) sich)) "
    r"(?P<what>.+?)"
    r"(?P<tail> (?:develop|evolve|change|perform|progress|fare|entwickelt|ver\u00e4ndert|ge\u00e4ndert)\w*\b.*|"
    r" (?:seit|von|in|im|zwischen|bis) .*|)",
    re.IGNORECASE,
)
_OWNER = re.compile(r"(?:[^\W\d_][\w-]*\s){0,4}?[^\W\d_][\w-]*['\u2019]s?\s+")
_OF = re.compile(r" (?:of|for|at|von|bei|der|des) .+")
_AND = re.compile(r",? (?:and|und|et|y|e) |, ")
_OPENING = re.compile(
    r"^(?:(?:please|bitte|can you|could you|tell me|show me|give me|find out|find|explain|describe|summari[sz]e|"
    r"nenne|zeige|erkl\u00e4re|beschreibe)\b[\s,]*)+(?:about\s+)?",
    re.IGNORECASE,
)
_CAPITALISED = r"[A-Z\u00c0-\u00de\u0410-\u042f][\w-]+"
_NAME = re.compile(rf"(?<=[^.?!\s])\s+({_CAPITALISED}(?:\s+{_CAPITALISED})*)")
# What is calculated of several cells is one question, whatever it names.
_CALCULATED = frozenset({Operation.SUM, Operation.MEAN, Operation.DIFFERENCE, Operation.SHARE, Operation.GAP})
_MARKS = ("?", "\u061f", "\uff1f")
_MOST_YEARS = 4
_MOST_FACETS = 20
_TOGETHER = "; "
_LONGEST_PAIR = 300
_MOST_NAMES = 3
# A message longer than this is searched as it is: what follows is material, not the question.
_MAX_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class _Facet:
    """What is looked for, and how it is headed where it is told."""

    text: str
    heading: str


def plan(asked: UnderstandInput) -> ResearchPlan:
    """The whole question first, then each facet that is not the whole."""
    ordered = _ordered(asked)
    if ordered:
        groups = _shared_out(ordered, asked.max_tasks)
        tasks = tuple(_task(group) for group in groups)
        return ResearchPlan(title=_title(asked.question), summary=_summary(tasks), tasks=tasks)
    # What is to be done with the answer is no part of what is to be found out.
    told = _without_form(commands.rest(asked.question) or asked.question)
    question = follow_up.standing(told, asked.conversation)
    facets = _split(question)
    if len(facets) > 2 and _is_several(told[:_MAX_CHARACTERS]):
        # The message as a whole is no question of its own.
        groups = _shared_out(facets[1:], asked.max_tasks)
    else:
        groups = [[facet] for facet in facets[: asked.max_tasks]]
    tasks = tuple(_task(group) for group in groups)
    return ResearchPlan(title=_title(question), summary=_summary(tasks), tasks=tasks)


def _ordered(asked: UnderstandInput) -> list[_Facet]:
    """What a paper is ordered to tell of by name; nothing where none is ordered."""
    order = orders.read_order(asked.question) if orders.orders_paper(asked.question) else Order()
    plain = [each for each in order.headings if orders.role_of(each) is ChapterRole.CHAPTER]
    return [_Facet(f"{each} {order.subject}".strip(), each) for each in plain]


def _shared_out(facets: list[_Facet], most: int) -> list[list[_Facet]]:
    """All things that are asked for, neighbours together where they are more than there may be tasks."""
    facets = facets[:_MOST_FACETS]
    size = -(-len(facets) // most)
    return [facets[start : start + size] for start in range(0, len(facets), size)]


def _task(group: list[_Facet]) -> PlannedTask:
    """A task for one facet, or for several, each of which is searched for."""
    each = [query for facet in group for query in _queries(facet.text)]
    texts = _TOGETHER.join(facet.text.strip(" ?.!;") for facet in group)
    title = _TOGETHER.join(facet.heading for facet in group)
    if len(group) == 1:
        return PlannedTask(title=title, message=group[0].text, queries=tuple(each))
    return PlannedTask(title=title, message=texts, queries=(texts, *each))


def of_task(query: str) -> list[str]:
    """The facets that one task has together; none when it is for one thing."""
    return query.split(_TOGETHER) if _TOGETHER in query else []


def _without_form(question: str) -> str:
    """A message without the sentences that only say in which form its answer is wanted; itself when that is all."""
    if len(question) > _MAX_CHARACTERS:
        return question
    said = [question[each.start : each.end] for each in sentences.split(question)]
    kept = [each for each in said if not intents.names_form_alone(each)]
    return " ".join(kept) if 0 < len(kept) < len(said) else question


def split(question: str) -> list[str]:
    """The question and its facets, each different from those before it."""
    return [facet.text for facet in _split(question)]


def is_comparison(question: str) -> bool:
    """Whether two things are to be seen side by side."""
    return bool(_COMPARED.search(question) or _VERSUS.search(question))


def _split(question: str) -> list[_Facet]:
    language = words.language_of(question)
    return _distinct([_Facet(question, heading(question)), *_facets(question[:_MAX_CHARACTERS])], language)


def _parts(question: str) -> list[str]:
    """The questions of a message, and the questions that one of them joins."""
    parts = [part for whole in _QUESTIONS.split(question) for part in _CLAUSE.split(whole)]
    return [stripped for part in parts if (stripped := part.strip(" ,;"))]


def _is_several(question: str) -> bool:
    """Whether a message asks several questions, or for several things."""
    return len(_parts(question)) > 1 or any(len(list(several(question))) > 1 for several in (_listed, _ways, _courses))


def _facets(question: str) -> Iterable[_Facet]:
    names = list(dict.fromkeys(_NAME.findall(question)))[:_MOST_NAMES]
    for part in _parts(question):
        text = _named(part, names).text
        listed = [*_courses(text)] or [*_listed(text)]
        if not listed:
            yield _named(part, names)
        for each in (*_sides(text), *_ways(text), *listed, *_of_each(text), *_years(text)):
            yield _Facet(each, heading(each))


def _named(part: str, names: list[str]) -> _Facet:
    """A clause that names nothing speaks of what the rest of the question names."""
    if not names or any(name in part for name in names):
        return _Facet(part, heading(part))
    return _Facet(f"{part.rstrip('?')} {', '.join(names)}", _about(heading(part), names))


def _about(line: str, names: list[str]) -> str:
    """A heading with what it is about, as one sentence."""
    mark = line[-1] if line.endswith(_MARKS) else ""
    return f"{line.removesuffix(mark)} ({', '.join(names)}){mark}"


def _sides(text: str) -> Iterable[str]:
    """Each side of a comparison, with what they are compared in."""
    match = _COMPARED.search(text) or _VERSUS.search(text)
    if (
        match is None
        or _LISTED.search(text)
        or list(_ways(text))
        or (match.re is _VERSUS and extractive_question.asks(text))
    ):
        # What is listed is compared thing by thing; in a whole sentence, what stands before "versus" is not one side.
        return
    one, other = match["one"].strip(" ?.!"), match["other"].strip(" ?.!")
    other, *aspect = _ASPECT.split(other, maxsplit=1)
    for side in (one, other):
        yield " ".join([side, *aspect])


def _ways(text: str) -> Iterable[str]:
    """Each way in which things are to be compared, when there are several."""
    match = _COMPARED_IN.search(text)
    ways = _AND.split(match["ways"].strip(" ?.!")) if match else []
    if match and len(ways) > 1:
        yield from (f"{way} of {match['asked'] or match['told']}" for way in ways)


def _listed(text: str) -> Iterable[str]:
    """Each of several things asked of one: "revenue, margin and growth of X"."""
    match = _LISTED.search(text)
    if match is None:
        return
    tail = match["tail"].strip(" ?.!")
    middle = match["middle"].split(", ")
    if any(_OF_ITS_OWN.search(item) for item in middle):
        yield from (_ASKING.sub("", item).strip() for item in (match["head"], *middle, f"{match['last']} {tail}"))
        return
    for item in (_last_words(match["head"]), *middle, match["last"]):
        yield f"{item.strip()} {tail}"


def _courses(text: str) -> Iterable[str]:
    """How each of several things went."""
    match = _WENT.fullmatch(text.strip(" ?.!")) if len(text) <= _LONGEST_PAIR else None
    things = (
        _AND.split(match["what"])
        if match and extractive_question.read(text).kind is extractive_question.QuestionKind.COURSE
        else []
    )
    if match is None or len(things) < 2:
        return
    owner = _OWNER.match(things[0])
    of = _OF.search(things[-1])
    for number, thing in enumerate(things):
        whose = owner[0] if owner and number and not _OWNER.match(thing) else ""
        of_whom = of[0] if of and not _OF.search(thing) else ""
        yield f"{match['head']} {whose}{thing.strip()}{of_whom}{match['tail']}"


def _of_each(text: str) -> Iterable[str]:
    """One thing asked of each of two."""
    if len(text) > _LONGEST_PAIR or is_comparison(text) or _LISTED.search(text) or _is_calculated(text):
        return
    bare = text.strip(" ?.!")
    match = _OF_EACH.fullmatch(bare) or _OF_TWO.fullmatch(bare) or _ABOUT_TWO.fullmatch(bare)
    if match is not None:
        yield from (f"{match['head']} {match['of']} {of}" for of in (match["one"], match["other"]))


def _last_words(text: str) -> str:
    """What a listing begins with, without the question before it."""
    return re.split(r"\b(?:is|are|was|were|the|of|ist|sind|die|der|das|sont|les|son|los|las)\b", text)[-1]


def _years(text: str) -> Iterable[str]:
    """The question for each end of a span of years; for every year when they are few. How something went is one."""
    match = extractive_question.span_of_years(text)
    if match is None or _is_calculated(text):
        return
    if extractive_question.read(text).kind is extractive_question.QuestionKind.COURSE:
        return
    first, last = int(match["first"]), int(match["last"])
    years = range(first, last + 1) if 0 < last - first < _MOST_YEARS else (first, last)
    before = re.sub(r"\b(?:from|between|von|zwischen|de|entre)\s*$", "in ", text[: match.start()])
    for year in years:
        yield f"{before}{year}{text[match.end() :]}"


def _is_calculated(text: str) -> bool:
    return table_question.read(text).operation in _CALCULATED


def _distinct(facets: Iterable[_Facet], language: str) -> list[_Facet]:
    """Facets with terms of their own, each set of terms once."""
    seen: set[frozenset[str]] = set()
    kept: list[_Facet] = []
    for facet in facets:
        terms = frozenset(words.terms_of(facet.text, language))
        if kept and (not terms or terms in seen):
            continue
        seen.add(terms)
        kept.append(facet)
    return kept


def _queries(facet: str) -> tuple[str, ...]:
    query = _OPENING.sub("", facet).strip(" ?\u061f\uff1f.!")
    # A number is found by what it stands beside: that rarely says "phone number".
    beside = extractive_question.matter(query)
    return (query or facet, beside) if beside and beside != query else (query or facet,)


def heading(text: str) -> str:
    """A facet as a line of its own: whole, beginning with a capital, with the mark of a question where it asks."""
    line = " ".join(text.split()).strip(" ,;.!")
    bare = _OPENING.sub("", line) or line
    asks = "?" if extractive_question.asks(bare) and not bare.endswith(_MARKS) else ""
    return f"{bare[:1].upper()}{bare[1:]}{asks}"


def _title(text: str) -> str:
    title = _OPENING.sub("", text).strip(" .!")
    if len(title) <= _MAX_TITLE:
        return title or text[:_MAX_TITLE]
    return title[:_MAX_TITLE].rsplit(" ", 1)[0] + "\u2026"


def _summary(tasks: tuple[PlannedTask, ...]) -> str:
    return "; ".join(task.title for task in tasks)
