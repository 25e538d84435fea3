"""Pick the section that treats what an open question asks about: its statements, in their order."""

from collections.abc import Mapping, Sequence

from intelli.language import words
from intelli.reasoning.extractive import precedence, question, weigh
from intelli.reasoning.extractive.pick import Picked
from intelli.reasoning.extractive.question import ParsedQuestion, QuestionKind
from intelli.reasoning.extractive.token_match import place_of
from intelli.reasoning.extractive.weigh import Candidate
from intelli.reasoning.values import SourceText

_PARTS = "\u203a"
# A heading must have so much of what is asked, names and the document's own words aside.
_LEAST_SHARE = 0.5
_MOST = 6
# How likely the section answers, by its share of what is asked.
_LEAST_SURE, _SURER = 0.5, 0.3


def pick_section(found: Sequence[Candidate], wanted: ParsedQuestion, limit: int) -> list[Picked]:
    """Return the statements of the section whose heading says what is asked; none where no heading does."""
    if wanted.kind is not QuestionKind.OPEN or not wanted.is_question:
        return []
    passages = list({each.passage.identifier: each.passage for each in found}.values())
    rarity = weigh.rarity(wanted.terms, found)
    shares = [(_share(passage, wanted, rarity), passage) for passage in passages]
    best = max((share for share, _ in shares), default=0.0)
    if best < _LEAST_SHARE:
        return []
    meant = max(
        (passage for share, passage in shares if share == best),
        key=lambda passage: (precedence.precedence(passage), -passages.index(passage)),
    )
    relevance = round(_LEAST_SURE + _SURER * best, 4)
    inside = [each for each in found if _is_of(each.passage, meant)]
    said = frozenset[str]().union(*(each.terms for each in inside), words.terms_of(place_of(meant), wanted.language))
    if not all(name.is_in(said) for name in wanted.names):
        return []
    return [Picked(each, relevance) for each in sorted(inside, key=lambda each: each.position)][: min(limit, _MOST)]


def _share(passage: SourceText, wanted: ParsedQuestion, rarity: Mapping[str, float]) -> float:
    """The share of what is asked that a passage's own heading has; rare words count more."""
    document, _, heading = f"{passage.title} {_PARTS} {passage.section or ''}".rpartition(_PARTS)
    known = set(words.terms_of(document.replace("_", " "), wanted.language))
    named = {term for name in wanted.names for term in name.terms} | wanted.years
    asked = {term for term in wanted.terms if term not in known and term not in named and not _is_vague(term)}
    said = set(words.terms_of(heading, wanted.language))
    return sum(rarity[term] for term in asked & said) / sum(rarity[term] for term in asked) if asked else 0.0


def _is_vague(term: str) -> bool:
    return term in question.heads("vague") or term in question.heads("told")


def _is_of(passage: SourceText, meant: SourceText) -> bool:
    digest = meant.identifier.partition(".")[0]
    return passage.identifier.partition(".")[0] == digest and passage.section == meant.section
