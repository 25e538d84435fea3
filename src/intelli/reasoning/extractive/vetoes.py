"""Veto statements that cannot answer: guesses, those of another year or measure, without a figure, date or reason."""

from collections.abc import Sequence

from intelli.language import guesses, periods, words
from intelli.reasoning.extractive import question
from intelli.reasoning.extractive.question import ParsedQuestion, QuestionKind
from intelli.reasoning.extractive.token_match import place_of
from intelli.reasoning.extractive.weigh import Candidate

# By what a statement shows that it has an answer of a kind.
_SIGNS = {
    QuestionKind.PHONE: "phone",
    QuestionKind.MAIL: "mail",
    QuestionKind.LINK: "link",
    QuestionKind.SHARE: "share",
    QuestionKind.COUNT: "number",
    QuestionKind.AMOUNT: "number",
    QuestionKind.MEASURE: "number",
    QuestionKind.EXTENT: "number",
    QuestionKind.WHEN: "when",
    QuestionKind.OFTEN: "often",
    QuestionKind.WHY: "reason",
}
_NAMED = frozenset({QuestionKind.MEASURE})


def find_vetoed(found: Sequence[Candidate], wanted: ParsedQuestion) -> list[bool]:
    """Return for each candidate whether it cannot answer."""
    return [_is_vetoed(each, wanted) for each in found]


def _is_vetoed(candidate: Candidate, wanted: ParsedQuestion) -> bool:
    if not wanted.is_question:
        return False
    return (
        guesses.is_guess(candidate.quote)
        or _is_of_another_year(candidate, wanted)
        or not _shows(candidate.quote, wanted)
        or (wanted.kind in _NAMED and not _has_noun(candidate, wanted))
    )


def _is_of_another_year(candidate: Candidate, wanted: ParsedQuestion) -> bool:
    """Whether a statement tells years, or the headings over it do, and none of them is an asked one."""
    if not wanted.years:
        return False
    said = set(map(str, periods.years_of(candidate.quote)))
    over = set(map(str, periods.years_of(place_of(candidate.passage))))
    years = said or over
    return bool(years) and not years & wanted.years


def _shows(text: str, wanted: ParsedQuestion) -> bool:
    name = _SIGNS.get(wanted.kind)
    return name is None or question.sign(name).search(text) is not None


def _has_noun(candidate: Candidate, wanted: ParsedQuestion) -> bool:
    """Whether what a figure is asked of is spoken of in a statement or over it."""
    if not wanted.noun or wanted.noun[-1] in question.heads("told"):
        return True
    place = frozenset(words.terms_of(place_of(candidate.passage), wanted.language))
    return wanted.noun[-1] in candidate.terms | place
