"""Check a citation: are its figures, dates and names in the quote, and does the quote support the statement?

Only what the quote says word for word (after the documented normalisation), or what a model has judged, is *verified*.
The same in other words is *weak*: a reader must look. A figure that the quote neither contains nor yields *fails*.
"""

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from intelli.citations.figures import FigureEntry
from intelli.citations.numbers import Number, is_same, numbers_of
from intelli.citations.quotes import QuoteIndex, numbers, skeleton
from intelli.citations.wire import Check
from intelli.reasoning.extractive import words
from intelli.reasoning.verbs.judge import Judgement, Verdict

_RELATED = 0.4
_SURE = 0.5
# A statement that has nearly all of its words from the quote must have its figures from there, too.
_NEARLY_ALL = 0.9
# How much words and nearness in meaning count, where both can be told.
_BY_WORDS = 0.6
_LEAST_QUOTED_WORDS = 3
_QUOTED = re.compile(
    r"\u201c([^\u201c\u201d]{8,})\u201d|\u201e([^\u201c-\u201e]{8,})[\u201c\u201d]|\u00ab([^\u00ab\u00bb]{8,})\u00bb|\"([^\"]{8,})\""
)
_NAME = re.compile(
    r"(?<=[\w,;:)\u2019']\s)[A-Z\u00c0-\u00de\u0410-\u042f][\w'\u2019-]*|\b\w*[A-Z]\w*[A-Z0-9]\w*|\b[A-Z]+-?\d+\b"
)
_SHOUTED = re.compile(r"[^\WA-Z]*+[A-Z][^\WA-Z0-9]*+[A-Z0-9]\w*+|[A-Z]+-?\d+")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|fail(?:s|ed)? to|lacks?|nicht|kein(?:e|en|er)?|nie|ohne|pas|"
    r"jamais|sans|nunca|sin|non|mai|senza|n\u00e3o|sem|niet|geen|\u043d\u0435|\u043d\u0435\u0442|\u0431\u0435\u0437)\b|n[\u2019']t\b|\u4e0d|\u6ca1|\u7121",
    re.IGNORECASE,
)
_OTHER_WORDS = "The source says this in other words. Read it before you rely on it."
_OTHER_FIGURES = "The source has the same words with other figures."
_UNRELATED = "The quote does not say this."


@dataclass(frozen=True, slots=True)
class CheckSubject:
    """What is checked: a statement, the quote it rests on, and what stands around the quote."""

    statement: str
    quote: str
    surroundings: str
    is_verbatim: bool
    entries: tuple[FigureEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What a check came to. What is not `is_settled` may still be judged."""

    check: Check
    reason: str
    score: float
    is_settled: bool = True


def examine(subject: CheckSubject) -> CheckOutcome:
    """The check by words and figures alone."""
    if subject.is_verbatim:
        return CheckOutcome(Check.VERIFIED, "", 1.0)
    score = _share(subject)
    missing = [entry.written for entry in subject.entries if not entry.is_found]
    if missing:
        return CheckOutcome(Check.FAILED, f"The quote does not have {_listed(missing)}.", score)
    if score >= _NEARLY_ALL and _has_other_figures(subject):
        return CheckOutcome(Check.FAILED, _OTHER_FIGURES, score)
    unquoted = _not_quoted(subject)
    if unquoted is not None:
        return CheckOutcome(Check.FAILED, f"The source does not have the words \u201c{unquoted[:80]}\u201d.", score)
    return _by_words(subject, score)


def with_nearness(outcome: CheckOutcome, nearness: float) -> CheckOutcome:
    """The same with how near statement and quote are in meaning, from 0 to 1."""
    if outcome.is_settled:
        return outcome
    score = _BY_WORDS * outcome.score + (1 - _BY_WORDS) * nearness
    if outcome.reason in {_OTHER_WORDS, _UNRELATED}:
        return _related(score)
    return replace(outcome, score=score)


def with_judgement(outcome: CheckOutcome, judgement: Judgement) -> CheckOutcome:
    """The same with what a model made of it, which decides what words could not."""
    if outcome.is_settled:
        return outcome
    if judgement.verdict is Verdict.SUPPORTED and judgement.score >= _SURE:
        return CheckOutcome(Check.VERIFIED, "", judgement.score)
    if judgement.verdict is Verdict.SUPPORTED:
        return replace(outcome, check=Check.WEAK, is_settled=True)
    reason = judgement.reason.strip() or _UNRELATED
    return CheckOutcome(Check.FAILED, reason[:500], min(outcome.score, 1 - judgement.score))


def _by_words(subject: CheckSubject, score: float) -> CheckOutcome:
    if score < _RELATED:
        return _related(score)
    unknown = _unknown_names(subject)
    if unknown:
        return CheckOutcome(Check.WEAK, f"The quote does not name {_listed(unknown)}.", score, is_settled=False)
    if bool(_NEGATION.search(subject.statement)) != bool(_NEGATION.search(subject.quote)):
        return CheckOutcome(Check.WEAK, "One of the two says no, the other yes.", score, is_settled=False)
    return _related(score)


def _related(score: float) -> CheckOutcome:
    if score < _RELATED:
        return CheckOutcome(Check.FAILED, _UNRELATED, score, is_settled=False)
    return CheckOutcome(Check.WEAK, _OTHER_WORDS, score, is_settled=False)


def _share(subject: CheckSubject) -> float:
    """Which share of the statement's terms the quote has."""
    language = words.language_of(f"{subject.statement} {subject.quote}")
    wanted = set(words.terms_of(subject.statement, language))
    return len(wanted & set(words.terms_of(subject.quote, language))) / len(wanted) if wanted else 0.0


def _has_other_figures(subject: CheckSubject) -> bool:
    """As many figures as the quote has, but not the same, however they are written."""
    mine, theirs = sorted(numbers(subject.statement)), sorted(numbers(subject.quote))
    if len(mine) != len(theirs) or mine == theirs:
        return False
    one, other = numbers_of(subject.statement), numbers_of(subject.quote, subject.surroundings)
    # A number inside of a name is not among these: what it is worth says nothing.
    if not len(one) == len(other) == len(mine):
        return True
    return any(not is_same(*pair) for pair in zip(sorted(one, key=_worth), sorted(other, key=_worth), strict=True))


def _worth(number: Number) -> Decimal:
    return number.worth


def _not_quoted(subject: CheckSubject) -> str | None:
    """Words in quotation marks that the source does not have."""
    said = [next(filter(None, match.groups())) for match in _QUOTED.finditer(subject.statement)]
    index = QuoteIndex(f"{subject.quote}\n\n{subject.surroundings}")
    long = (each for each in said if len(each.split()) >= _LEAST_QUOTED_WORDS)
    return next((each for each in long if index.find(each) is None), None)


def _unknown_names(subject: CheckSubject) -> list[str]:
    """Names that neither the quote nor what stands around it has. German writes all nouns large: there only others."""
    names = dict.fromkeys(match[0] for match in _NAME.finditer(subject.statement))
    if words.language_of(subject.statement) == "de":
        names = {name: None for name in names if _SHOUTED.fullmatch(name)}
    known = skeleton(f"{subject.quote} {subject.surroundings}")
    return [name for name in names if skeleton(name).removesuffix("s") not in known]


def _listed(things: list[str]) -> str:
    return ", ".join(f"\u201c{each}\u201d" for each in things[:3])
