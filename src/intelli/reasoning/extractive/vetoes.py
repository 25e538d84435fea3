"""Veto statements that cannot answer: guesses, those of another year, code or measure, without what is asked for."""

import re
from collections.abc import Sequence

from intelli.language import dates, guesses, periods, words
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
# Of these a date is no answer, though it has figures. What is measured may be a day: "the deadline".
_QUANTITIES = frozenset({QuestionKind.COUNT, QuestionKind.AMOUNT})
# A name with figures that are joined to it: "2024-0165", "KO-250S".
_CODE = re.compile(r"(?<![\w-])(?=[\w-]*\d)[^\W_]+(?:[-/][^\W_]+)+(?![\w-])")


def find_vetoed(found: Sequence[Candidate], wanted: ParsedQuestion) -> list[bool]:
    """Return for each candidate whether it cannot answer."""
    return [_is_vetoed(each, wanted) for each in found]


def _is_vetoed(candidate: Candidate, wanted: ParsedQuestion) -> bool:
    if not wanted.is_question:
        return False
    return (
        guesses.is_guess(candidate.quote)
        or _is_of_another_year(candidate, wanted)
        or _is_of_another_code(candidate, wanted)
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


def _is_of_another_code(candidate: Candidate, wanted: ParsedQuestion) -> bool:
    """Whether a statement tells codes, and none of them or of what stands around it is the asked one."""
    asked = _codes(wanted.text)
    said = _codes(candidate.quote)
    around = f"{candidate.passage.title} {candidate.passage.section or ''} {candidate.passage.text}".casefold()
    return bool(asked) and not asked & said and (bool(said) or not any(code in around for code in asked))


def _codes(text: str) -> frozenset[str]:
    return frozenset(found.casefold() for found in _CODE.findall(text))


def _shows(text: str, wanted: ParsedQuestion) -> bool:
    name = _SIGNS.get(wanted.kind)
    if wanted.kind in _QUANTITIES:
        text = _without_dates(text)
    return name is None or question.sign(name).search(text) is not None


def _without_dates(text: str) -> str:
    for day in reversed(dates.dates_of(text)):
        text = f"{text[: day.start]} {text[day.end :]}"
    return periods.WRITTEN_YEAR.sub(" ", text)


def _has_noun(candidate: Candidate, wanted: ParsedQuestion) -> bool:
    """Whether what a figure is asked of is spoken of in a statement or over it."""
    if not wanted.noun or wanted.noun[-1] in question.heads("told"):
        return True
    place = frozenset(words.terms_of(place_of(candidate.passage), wanted.language))
    return wanted.noun[-1] in candidate.terms | place
