"""Pick the statements that answer a question.

Each candidate is described by numbers: how much of the question it says itself, under its headings and beyond what
they say, how its tokens match where an encoder is there, whether years and names are the asked ones, and how it stands
beside the other candidates. A logistic regression turns them into the probability that it answers, which is shown as
relevance. `bench/learn_pick.py` learns the weights in `pick.toml`.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from intelli.language import grids, periods, words
from intelli.language.languages import languages
from intelli.reasoning.extractive import precedence, statements, vetoes, weigh
from intelli.reasoning.extractive.question import ParsedQuestion
from intelli.reasoning.extractive.token_match import StatementMatch, place_of
from intelli.reasoning.extractive.weigh import Candidate

Floats = NDArray[np.float64]
WORD_FEATURES = (
    "said", "rest", "rest_near", "placed_words", "in_passage", "rank", "is_row", "unknown", "year", "names", "length",
    "placed_words_most", "lead", "pairs", "more", "is_closed",
)  # fmt: skip
TOKEN_FEATURES = (
    *WORD_FEATURES, "rest_tokens", "placed_tokens", "placed_tokens_most", "lead_tokens", "across", "across_tokens",
)  # fmt: skip
_WORD = re.compile(r"\w+")
# Below it the best candidate is no answer, and nothing is taken.
THRESHOLD = 0.32
# What stands beside the best: as likely as this share of it, and this many.
_BESIDE, _BESIDE_OPEN = 0.6, 0.35
_MOST, _MOST_OPEN = 2, 5
_MOST_CLOSEST, _CLOSE = 3, 0.05
# What is left of the probability of a statement that cannot answer: it may still be among the closest.
VETOED = 0.3
_LONGEST = 40
_MOST_PAIRS, _MOST_MORE = 4, 12
# What a whole sentence, a label or a clause ends with, and what may stand behind it.
_ENDS, _BEHIND_END = (".", "!", ":", ";", "\u3002"), '"\u201d\u201c\u00bb)*'
_UNSURE_YEAR = 0.5


@dataclass(frozen=True, slots=True)
class Picked:
    """A candidate and the probability that it answers."""

    candidate: Candidate
    relevance: float


def pick(found: Sequence[Candidate], chances: Floats, wanted: ParsedQuestion, limit: int) -> list[Picked]:
    """Return the candidates that answer, best first; none where the best is not likely enough."""
    if not len(found) or chances.max() < THRESHOLD:
        return []
    ranked = _in_force(_ranked(found, chances), wanted)
    best = ranked[0].relevance
    beside, most = (_BESIDE, _MOST) if wanted.is_pointed else (_BESIDE_OPEN, _MOST_OPEN)
    chosen: list[Picked] = []
    for each in ranked:
        if len(chosen) == min(most, limit) or each.relevance < beside * best:
            break
        if not any(_repeats(each.candidate, other.candidate) for other in chosen):
            chosen.append(each)
    return chosen


def list_closest(found: Sequence[Candidate], chances: Floats) -> list[Picked]:
    """Return the likeliest candidate of each of the likeliest passages, where none answers; none that is far off."""
    best: dict[str, Picked] = {}
    for each in _ranked(found, chances):
        if len(best) == _MOST_CLOSEST or each.relevance < _CLOSE:
            break
        # A row out of its table misleads.
        if not grids.is_row(each.candidate.quote):
            best.setdefault(each.candidate.passage.identifier, each)
    return list(best.values())


def chances_of(
    found: Sequence[Candidate], wanted: ParsedQuestion, matches: Sequence[StatementMatch] | None, *, model: str = ""
) -> Floats:
    """Return the probability of each candidate that it answers, by words alone where no encoder matched tokens."""
    if not found:
        return np.empty(0)
    known = weights()
    if matches is None or model not in known:
        chances = known["words"].chances(word_features(found, wanted))
    else:
        chances = known[model].chances(token_features(found, wanted, matches))
    return np.where(vetoes.find_vetoed(found, wanted), chances * VETOED, chances)


def word_features(found: Sequence[Candidate], wanted: ParsedQuestion) -> Floats:
    """Return a row of WORD_FEATURES for each candidate."""
    signs = weigh.signs(wanted.terms, found, wanted.language)
    rarity = weigh.rarity(wanted.terms, found)
    places = {each.passage.identifier: _place_terms(each, wanted.language) for each in found}
    before = {(id(each.passage), each.start): each.terms for each in reversed(found)}
    known = frozenset[str]().union(*(each.terms for each in found), *places.values())
    total = sum(rarity.values()) or 1.0
    unknown = sum(weight for term, weight in rarity.items() if term not in known) / total
    ranks = {name: at for at, name in enumerate(dict.fromkeys(each.passage.identifier for each in found))}
    placed = np.array([each.said_under_title for each in signs])
    said = np.array([each.said for each in signs])
    pairs = _pairs(wanted.text, wanted.language)
    asked = frozenset(wanted.terms)
    rows = []
    for each, sign in zip(found, signs, strict=True):
        place = places[each.passage.identifier]
        near = each.terms | before.get((id(each.passage), each.before), frozenset())
        rest = {term: weight for term, weight in rarity.items() if term not in place}
        rows.append(
            (
                sign.said,
                _share(rest, each.terms, sign.said),
                _share(rest, near, sign.said),
                sign.said_under_title,
                sign.said_in_passage,
                1 / (1 + ranks[each.passage.identifier]),
                float(grids.is_row(each.quote)),
                unknown,
                _year(each, wanted),
                _names(near | place, wanted),
                min(len(each.quote.split()), _LONGEST) / _LONGEST,
                placed.max(),
                sign.said - _second(said),
                min(len(pairs & _pairs(each.quote, wanted.language)), _MOST_PAIRS) / _MOST_PAIRS,
                min(len(each.terms - asked - place), _MOST_MORE) / _MOST_MORE,
                float(_is_closed(each)),
            )
        )
    return np.array(rows)


def token_features(found: Sequence[Candidate], wanted: ParsedQuestion, matches: Sequence[StatementMatch]) -> Floats:
    """Return a row of TOKEN_FEATURES for each candidate."""
    placed = np.array([each.placed for each in matches])
    across = _across(found, wanted)
    tokens = (
        np.array([each.rest for each in matches]),
        placed,
        np.full(len(placed), placed.max()),
        placed - _second(placed),
        across,
        across * placed,
    )
    return np.column_stack([word_features(found, wanted), *tokens])


@dataclass(frozen=True, slots=True)
class PickWeights:
    """Weights of a logistic regression in the order of its features, and the bias."""

    bias: float
    weights: Floats

    def chances(self, features: Floats) -> Floats:
        """Return the probability for each row of features."""
        odds = np.clip(self.bias + features @ self.weights, -30, 30)
        return np.asarray(1 / (1 + np.exp(-odds)), np.float64)


def features_of(name: str) -> tuple[str, ...]:
    """Return the features that a set of weights is for: "words", or an encoder by name."""
    return WORD_FEATURES if name == "words" else TOKEN_FEATURES


@cache
def weights() -> Mapping[str, PickWeights]:
    """Return the weights that were learnt: for words, and for each encoder that tokens are matched with."""
    read = tomllib.loads(files(__package__).joinpath("pick.toml").read_text("utf-8"))
    return {
        name: PickWeights(
            each["bias"],
            np.array([each["weights"][feature] for feature in features_of(name)]),
        )
        for name, each in read.items()
    }


def _ranked(found: Sequence[Candidate], chances: Floats) -> list[Picked]:
    order = sorted(range(len(found)), key=lambda at: (-chances[at], at))
    return [Picked(found[at], float(chances[at])) for at in order]


def _in_force(ranked: list[Picked], wanted: ParsedQuestion) -> list[Picked]:
    """Put before statements of an undated question those that say the same of a newer time, or of what is in force."""
    if wanted.years:
        return ranked
    kept: list[Picked] = []
    left = list(ranked)
    while left and len(kept) < _MOST_OPEN:
        alike = [left[0], *(other for other in left[1:] if _are_of_two_times(left[0], other))]
        first = max(alike, key=lambda other: precedence.precedence(other.candidate.passage))
        kept.append(Picked(first.candidate, left[0].relevance))
        outdone = {id(other) for other in alike}
        left = [other for other in left if id(other) not in outdone]
    return [*kept, *left]


def _are_of_two_times(one: Picked, other: Picked) -> bool:
    mine, theirs = one.candidate.passage, other.candidate.passage
    if mine.identifier.partition(".")[0] == theirs.identifier.partition(".")[0]:
        return False
    if other.relevance < _CLOSE or grids.is_row(one.candidate.quote) or grids.is_row(other.candidate.quote):
        return False
    return precedence.are_alike(one.candidate.terms, other.candidate.terms)


def _repeats(one: Candidate, other: Candidate) -> bool:
    """Whether a statement says nothing that another does not, or overlaps it."""
    if one.passage.identifier == other.passage.identifier and one.start < other.end and other.start < one.end:
        return True
    shorter = min(len(one.terms), len(other.terms))
    return bool(shorter) and len(one.terms & other.terms) == shorter


def _share(rest: Mapping[str, float], terms: frozenset[str], otherwise: float) -> float:
    """The share of weighted terms that are among others; `otherwise` where there are none to look for."""
    total = sum(rest.values())
    return sum(weight for term, weight in rest.items() if term in terms) / total if total else otherwise


def _across(found: Sequence[Candidate], wanted: ParsedQuestion) -> Floats:
    """1 where a passage is not of the question's language: words say little there, and tokens are further apart."""
    passages = {each.passage.identifier: each.passage for each in found}
    foreign = {name: words.language_of(each.text) != wanted.language for name, each in passages.items()}
    return np.array([float(foreign[each.passage.identifier]) for each in found])


def _is_closed(candidate: Candidate) -> bool:
    """Whether a statement has an end: its mark, or that it is an item of a list, or all that its passage says."""
    quote = candidate.quote.strip()
    is_item = statements.bare(quote) != quote
    is_alone = quote == candidate.passage.text.strip()
    return is_item or is_alone or quote.rstrip(_BEHIND_END).endswith(_ENDS)


def _second(values: Floats) -> float:
    """The second highest value, or the only one."""
    return float(np.sort(values)[-2:][0])


def _pairs(text: str, language: str) -> set[tuple[str, str]]:
    """The words of a text that stand side by side, at least one of which says something."""
    stop = languages()[language].stop_words
    written = _WORD.findall(text.lower())
    return {(one, other) for one, other in pairwise(written) if one not in stop or other not in stop}


def _place_terms(candidate: Candidate, language: str) -> frozenset[str]:
    return frozenset(words.terms_of(place_of(candidate.passage), language))


def _year(candidate: Candidate, wanted: ParsedQuestion) -> float:
    """1 where the asked year is told, 0 where another is, between them where none is asked or told."""
    if not wanted.years:
        return _UNSURE_YEAR
    told = set(map(str, periods.years_of(candidate.quote)))
    over = set(map(str, periods.years_of(place_of(candidate.passage))))
    for years in (told, over):
        if years:
            return float(bool(years & wanted.years))
    return _UNSURE_YEAR


def _names(terms: frozenset[str], wanted: ParsedQuestion) -> float:
    """The share of the asked names that are told in a statement, before it or over it."""
    return sum(name.is_in(terms) for name in wanted.names) / len(wanted.names) if wanted.names else 1.0
