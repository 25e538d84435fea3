"""Detect sources that state different figures for one thing: the same subject, measure and conditions.

Doubtful cases are skipped: a false contradiction costs a reader more trust than a missed one.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice

from intelli.reasoning.extractive import figures, grids, sentences, words
from intelli.reasoning.extractive import question as extractive_question
from intelli.reasoning.extractive.figure_nouns import TOKEN, contrasts, listed_words, noun_of
from intelli.reasoning.extractive.figures import WrittenFigure
from intelli.reasoning.extractive.languages import languages
from intelli.reasoning.values import QuotedFinding, SourceDisagreement, SourceText, SourceValue

_CLAUSE = re.compile(
    r"[;:!?()]\s|,\s|\.\s|\s(?:and|or|while|whereas|but|und|oder|w\u00e4hrend|et|ou|y|o)\s", re.IGNORECASE
)
_OPENING = re.compile(
    r"^\W*(?:for|in|under|with|when|if|during|at|on|per|by|f\u00fcr|bei|im|unter|wenn|pour|si|para)\b[^,.;]{3,120},\s",
    re.IGNORECASE,
)
# What is made up, or only possible, contradicts nothing.
_SUPPOSED = re.compile(
    r"\b(?:for (?:example|instance)|e\.g\.|suppose|imagine|say,|zum beispiel|z\.\s?b\.|par exemple|por ejemplo|"
    r"(?:may|might|could|can|would) (?:be|cost|range|vary|have|pay)|rang(?:e|es|ing) from|between)\b",
    re.IGNORECASE,
)
_PER = re.compile(r"\b(?:per|each|every|pro|je|jede\w?|par|por|al|a)\s+(?:\d+\s+)?([^\W\d_]+)", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d.,])(?:1[5-9]|20)\d\d(?![\d.,]\d|\d)")
_RESPECTIVELY = re.compile(r"\b(?:respectively|beziehungsweise|respectivement|respectivamente)\b", re.IGNORECASE)
_CO = re.compile(r"\bco-(?=[a-z])", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['\u2019]s?\b(?!\w)")
_JOINING = re.compile(r"^(?:while|whereas|and|but|or|und|w\u00e4hrend|et|y)\s+", re.IGNORECASE)
_PARAGRAPH = re.compile(r"[^\n]+(?:\n[^\n]+)*")
_FIGURED = re.compile(r"\d")
_LAST_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]++)[.:]?+\s*+$")
_LONGEST_WORD = 40
# So far from a figure is looked for what it is of: a sentence of very many figures is still read in linear time.
_LONGEST_CLAUSE = 600
_LEAST_STEM = 4
_ALIKE = 0.5
_MOST_READINGS = 4
_MOST_COMPARED = 400
# So far into a passage is looked for what its headings name.
_SIGHT = 20_000
_MOST = 3
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class StatedFigure:
    """A figure with its measure, its owner, its conditions, its "per" unit and its years."""

    figure: WrittenFigure
    kind: str
    measure: frozenset[str]
    owner: frozenset[str]
    conditions: frozenset[str]
    scope: frozenset[str]
    years: frozenset[str]


@dataclass(frozen=True, slots=True)
class SourceStatement:
    """A sentence of a source with its figures, the names in it, and its context."""

    identifier: str
    text: str
    stated: tuple[StatedFigure, ...]
    names: frozenset[str]
    around: frozenset[str]
    implied: frozenset[str]


def disagreements_of(
    question: str, findings: Sequence[QuotedFinding], passages: Sequence[SourceText] = ()
) -> tuple[SourceDisagreement, ...]:
    """Where a finding's figure is given otherwise by another finding, or by another passage that was read."""
    language = words.language_of(question)
    by_identifier = {passage.identifier: passage for passage in passages}
    told = [tell(each.text, by_identifier.get(each.identifier), language, each.identifier) for each in findings]
    told = [_asked(each, _terms(question, language)) for each in told]
    others = [*told, *islice(_others(told, passages, language), _MOST_COMPARED)]
    found: dict[frozenset[str], tuple[str, dict[str, SourceValue]]] = {}
    for number, one in enumerate(told):
        for other in others[number + 1 :]:
            pair = conflict(one, other) if one.identifier != other.identifier else None
            if pair is None:
                continue
            _, readings = found.setdefault(pair[0].measure, (_about(one.text, pair[0].figure), {}))
            for each, side in zip(pair, (one, other), strict=True):
                value = each.figure.written
                if len(readings) < _MOST_READINGS:
                    readings.setdefault(value, SourceValue(value=value, identifier=side.identifier))
    all_of_them = [SourceDisagreement(about=about, readings=tuple(told.values())) for about, told in found.values()]
    return tuple(each for each in all_of_them if len({one.identifier for one in each.readings}) > 1)[:_MOST]


def _asked(told: SourceStatement, asked: frozenset[str]) -> SourceStatement:
    """Of the figures of a sentence, those that the question is closest to."""
    if len(told.stated) < 2:
        return told
    near = [len((each.conditions | each.measure) & asked) for each in told.stated]
    nearest = [each for each, shared in zip(told.stated, near, strict=True) if shared == max(near)]
    return replace(told, stated=tuple(nearest))


def tell(text: str, passage: SourceText | None, language: str, identifier: str = "") -> SourceStatement:
    """What a sentence states, read where it stands."""
    over = f"{passage.title} {passage.section or ''}" if passage else ""
    names = _names(text, language)
    over_terms = frozenset(words.terms_of(over, language))
    implied = _implied(over, passage.text[:_SIGHT], language) if passage and not names else frozenset[str]()
    return SourceStatement(
        identifier=identifier,
        text=text,
        stated=() if _is_supposed(text) else tuple(_stated(text, names, language)),
        names=names,
        around=over_terms | frozenset(words.terms_of(text, language)),
        implied=implied,
    )


def conflict(one: SourceStatement, other: SourceStatement) -> tuple[StatedFigure, StatedFigure] | None:
    """The two figures in which sentences contradict each other; of several, those with most conditions in common."""
    if _differ(one, other):
        return None
    pairs = [
        (ours, theirs)
        for ours in one.stated
        for theirs in other.stated
        if _is_same(ours, theirs) and ours.owner <= other.around and theirs.owner <= one.around
    ]
    if not pairs or any(_number(ours) == _number(theirs) for ours, theirs in pairs):
        return None
    return max(pairs, key=lambda pair: len(pair[0].conditions & pair[1].conditions))


def _implied(over: str, text: str, language: str) -> frozenset[str]:
    """What the names over a text tell of its subject: what the text speaks of by name; "draft" and "final" are not."""
    large = {match[0] for match in TOKEN.finditer(over.replace("_", " ")) if match[0][0].isupper()}
    return frozenset(term for word in large if _is_spoken_of(word, text) for term in words.terms_of(word, language))


def _is_spoken_of(word: str, text: str) -> bool:
    """Whether a word is written large within a sentence."""
    at = text.find(f" {word}")
    while at > 0 and not text[at - 1].isalpha():
        at = text.find(f" {word}", at + 1)
    return at > 0


def _others(
    told: Sequence[SourceStatement], passages: Sequence[SourceText], language: str
) -> Iterator[SourceStatement]:
    """Sentences of the passages with figures of what the findings measure."""
    measured = {term for each in told for stated in each.stated for term in stated.measure}
    known = {(each.identifier, " ".join(each.text.split())) for each in told}
    for passage in passages if measured else ():
        for sentence in _figured_sentences(passage.text, measured):
            if (passage.identifier, sentence) not in known and _speaks(sentence, measured, language):
                yield tell(sentence, passage, language, passage.identifier)


def _figured_sentences(text: str, measured: set[str]) -> Iterator[str]:
    """Yield the sentences with a figure, of paragraphs that may speak of a measure; rows of tables are none."""
    for place in _PARAGRAPH.finditer(text):
        paragraph = place[0]
        if _FIGURED.search(paragraph) is None or not any(term[:_LEAST_STEM] in paragraph.lower() for term in measured):
            continue
        for span in sentences.split(paragraph):
            line = paragraph[span.start : span.end]
            sentence = " ".join(line.split())
            if len(sentence) <= _LONGEST and not grids.is_row(line) and _FIGURED.search(sentence):
                yield sentence


def _speaks(text: str, measured: set[str], language: str) -> bool:
    return any(_is_term(term, each) for term in words.terms_of(_CO.sub("co", text), language) for each in measured)


def _stated(text: str, names: frozenset[str], language: str) -> Iterator[StatedFigure]:
    bare = _POSSESSIVE.sub("", _CO.sub("co", text))
    opening = _OPENING.match(bare)
    lead = _terms(opening[0], language) if opening else frozenset[str]()
    before: StatedFigure | None = None
    breaks = [mark.end() for mark in _CLAUSE.finditer(bare)]
    everywhere = frozenset(_YEAR.findall(bare))
    is_shared = len(everywhere) < 2 or _RESPECTIVELY.search(bare) is not None
    for figure in (each for each in figures.figures_of(bare) if not _refers(bare, each)):
        start, end = figure.start, figure.start + len(figure.written)
        at = bisect_right(breaks, start)
        first = max(breaks[at - 1] if at else 0, start - _LONGEST_CLAUSE)
        at = bisect_left(breaks, end)
        last = min(breaks[at] if at < len(breaks) else len(bare), end + _LONGEST_CLAUSE)
        noun = noun_of(bare[first:start], bare[end:last], language)
        measure = _named(noun.words, names, language)
        owner = _terms(" ".join(noun.owner), language) - names - measure
        if not measure and before is not None:
            measure, owner = before.measure, before.owner
        told = _terms(" ".join([*noun.rest, bare[end:last]]), language) | lead
        scope = _scope(bare[end:last], language)
        conditions = {_canonical(term) for term in told | scope} - names - measure - owner - _times()
        if measure:
            # The years of its clause, or of its sentence where the clause has none.
            years = everywhere if is_shared else frozenset(_YEAR.findall(bare, first, last)) or everywhere
            before = StatedFigure(
                figure, figure.kind.rstrip(".") or "#", measure, owner, frozenset(conditions), scope, years
            )
            yield before


def _refers(text: str, figure: WrittenFigure) -> bool:
    """Whether a figure is the number of a page or its like."""
    word = _LAST_WORD.search(text, max(0, figure.start - _LONGEST_WORD), figure.start)
    return not figure.unit and word is not None and word[1].lower() in listed_words("referring")


def _named(noun: Iterable[str], names: frozenset[str], language: str) -> frozenset[str]:
    terms = _terms(" ".join(noun), language) - names
    telling = {term for term in terms if term not in _generic(language) and _canonical(term) not in _times()}
    return frozenset(telling or terms)


def _terms(text: str, language: str) -> frozenset[str]:
    """The terms of a text that tell something apart; what a hyphen joins is one."""
    stop = languages()[language].stop_words
    found: set[str] = set()
    for match in TOKEN.finditer(text):
        word = match[0].lower().replace("\u2010", "-").replace("\u2011", "-")
        if word in stop or word in listed_words("leading"):
            continue
        found |= {word} if "-" in word else set(words.terms_of(word, language))
    return frozenset(found)


def _scope(after: str, language: str) -> frozenset[str]:
    told = (words.terms_of(match[1], language) for match in _PER.finditer(after))
    return frozenset(_canonical(term) for terms in told for term in terms)


def _names(text: str, language: str) -> frozenset[str]:
    """The terms of names; where all nouns are written large, none can be told from them."""
    if language == "de":
        return frozenset()
    runs = [run for run in extractive_question.capitalised(text, language) if _is_name(run)]
    # What the same sentence writes small as well is only written large for show.
    small = {match[0] for match in TOKEN.finditer(text) if match[0].islower()}
    named = [_POSSESSIVE.sub("", word) for run in runs for word in run.words]
    return frozenset(term for word in named if word.lower() not in small for term in words.terms_of(word, language))


def _is_name(run: extractive_question.CapitalRun) -> bool:
    return not run.is_first or len(run.words) > 1 or _POSSESSIVE.search(run.words[0]) is not None


def _differ(one: SourceStatement, other: SourceStatement) -> bool:
    """Whether two sentences speak of different things by name."""
    if one.names or other.names:
        return bool(one.names - other.around or other.names - one.around)
    return bool(one.implied - other.around and other.implied - one.around)


def _is_same(one: StatedFigure, other: StatedFigure) -> bool:
    if one.kind != other.kind or one.years != other.years or not _is_measure(one.measure, other.measure):
        return False
    if one.scope and other.scope and not one.scope & other.scope:
        return False
    return _hold_together(one.conditions, other.conditions)


def _is_measure(one: frozenset[str], other: frozenset[str]) -> bool:
    return all(any(_is_term(term, each) for each in other) for term in one) and all(
        any(_is_term(term, each) for each in one) for term in other
    )


def _is_term(one: str, other: str) -> bool:
    """Whether two terms are one, or one is the other cut short: copay and copayment."""
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) > _LEAST_STEM and long.startswith(short))


def _hold_together(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether both can hold at once: no opposites, and not each for something else."""
    if any(_is_opposite(mine, theirs) for mine in one - other for theirs in other - one):
        return False
    if not (one - other and other - one):
        return True
    return len(one & other) / min(len(one), len(other)) > _ALIKE


def _is_opposite(one: str, other: str) -> bool:
    tails = [term.rsplit("-", 1) for term in (one, other)]
    if all(len(tail) > 1 for tail in tails) and tails[0][1] == tails[1][1]:
        return True
    return any(one in group and other in group for group in _opposites())


def _is_supposed(text: str) -> bool:
    return _SUPPOSED.search(text) is not None or text.rstrip().endswith("?")


def _number(stated: StatedFigure) -> str:
    return stated.figure.number.replace(",", "").removesuffix(".0").removesuffix(".00")


def _about(text: str, figure: WrittenFigure) -> str:
    name = _JOINING.sub("", figures.name_of(text, figure))
    return f"\u201c{name} \u2026\u201d"


@cache
def _generic(language: str) -> frozenset[str]:
    return frozenset(term for word in listed_words("generic") for term in words.terms_of(word, language))


@cache
def _opposites() -> tuple[frozenset[str], ...]:
    return tuple(_group(line) for line in contrasts()["opposites"].strip().splitlines())


@cache
def _times() -> frozenset[str]:
    """Terms for spans of time, which say per when a figure is told and not of what it is one."""
    return frozenset({_canonical(term) for word in listed_words("times") for term in words.terms_of(word, "en")})


@cache
def _canonical(term: str) -> str:
    """One term for all that mean the same."""
    for line in contrasts()["same"].strip().splitlines():
        if term in _group(line):
            return words.terms_of(line.split()[0], "en")[0]
    return term


def _group(line: str) -> frozenset[str]:
    return frozenset(term for word in line.split() for term in (word, *words.terms_of(word, "en")))
