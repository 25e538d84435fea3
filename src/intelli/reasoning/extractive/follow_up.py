"""Rewrite a follow-up question so that it stands alone: "and in 2024?" → "What was the revenue in 2024?"."""

import re
from collections.abc import Iterable

from intelli.language import periods, words
from intelli.reasoning.values import Turn

_OPENING = re.compile(
    r"^\W*(?:and|but|or|so|then|also|what about|how about|und|aber|was ist mit|wie (?:sieht|steht) es mit|et|mais|"
    r"qu'en est-il de|y|pero|qu[\u00e9e] (?:tal|hay de)|e|ma|mas|che ne \u00e8 di|e quanto a|en|maar|hoe zit het met|"
    r"\u0438|\u0430|\u0430 \u0447\u0442\u043e)\b[\s,]*(?:and\s+|what about\s+|how about\s+)?",
    re.IGNORECASE,
)
# Where, when or for whom: what is asked stays what it was.
_PLACE = re.compile(
    r"^(?:in|on|at|for|by|from|during|before|after|since|until|with|without|f\u00fcr|im|bei|vor|nach|seit|mit|ohne|"
    r"en|pour|dans|pendant|avant|apr\u00e8s|sur|para|durante|antes|desde|con|per|nel|nella|dopo|prima|no|na|voor|"
    r"\u0432|\u0437\u0430|\u0434\u043b\u044f)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:it|its|they|them|their|theirs|this|that|these|those|he|she|his|her|him|there|"
    r"dies\w*|jene\w*|ihr\w*|sein\w*|deren|dessen|davon|daf\u00fcr|dort|"
    r"cela|celui|celle|leurs?|eux|eso|esto|sus?|aquello|questo|quello|loro|isso|isto|seus?|suas?)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(rf"\b{periods.RECENT_YEAR}\b")
_WHEN = re.compile(rf"\b(?:(?:in|im|en|for|since|by|nel|em|\u0432)\s+)?{periods.RECENT_YEAR}\b", re.IGNORECASE)
_NAME = re.compile(
    r"(?<=[^.?!\s])\s+((?:[A-Z\u00c0-\u00de\u0410-\u042f][\w-]+)(?:\s+[A-Z\u00c0-\u00de\u0410-\u042f][\w-]+)*)"
)
_OF_NAME = re.compile(
    r"\b(?P<of>of|for|at|with|in|by|von|bei|f\u00fcr|mit|de|del|di)\s(?:(?:the|der|die|das|dem|den)\s)?[A-Z\u00c0-\u00de][\w-]{1,40}"
    r"(?:\s[A-Z\u00c0-\u00de][\w-]{1,40}){0,3}"
)
_FEW = 2
_END = " ?\u061f\uff1f.!\u3002"


def standing(question: str, conversation: Iterable[Turn]) -> str:
    """The question with what it takes from the questions before it; one that stands alone as it is."""
    before = ""
    for turn in conversation:
        if turn.role == "user":
            before = _lean(turn.text, before)
    return _lean(question, before)


def _lean(question: str, before: str) -> str:
    text = " ".join(question.split())
    if not before:
        return text
    rest = _OPENING.sub("", text).strip(_END)
    terms = words.terms_of(rest, words.language_of(text))
    if not terms:
        return before
    if not _is_fragment(text, rest, terms):
        return _with_names(text, before) if _POINTING.search(text) else text
    if (instead := _of_another(rest, before)) is not None:
        return instead
    if _is_only_years(terms) or _PLACE.match(rest):
        return _elsewhere(rest, before)
    return _with_names(rest, before)


def _of_another(rest: str, before: str) -> str | None:
    """The question before about another thing: "of Castings" in the place of "of Bearings"; None where it has none."""
    said = _OF_NAME.fullmatch(rest)
    if said is None:
        return None
    same = [each for each in _OF_NAME.finditer(before) if each["of"].lower() == said["of"].lower()]
    return f"{before[: same[0].start()]}{rest}{before[same[0].end() :]}" if len(same) == 1 else None


def _is_fragment(text: str, rest: str, terms: list[str]) -> bool:
    """True for what is no question by itself: a few words, or an opening that goes on from what was said."""
    return len(terms) <= _FEW and (rest != text.strip(_END) or _is_only_years(terms) or bool(_PLACE.match(rest)))


def _is_only_years(terms: list[str]) -> bool:
    return all(_YEAR.fullmatch(term) for term in terms)


def _elsewhere(rest: str, before: str) -> str:
    """The question before, for another time or place."""
    if not _YEAR.search(rest) or len(set(_YEAR.findall(before))) != 1:
        return f"{before.rstrip(_END)} {rest}?"
    when = _WHEN if _PLACE.match(rest) else _YEAR
    return when.sub(lambda _: rest, before, count=1)


def _with_names(question: str, before: str) -> str:
    """The question about what the one before it was about: its names and, where it has none, its year."""
    about = [name for name in dict.fromkeys(_NAME.findall(before)) if name not in question]
    if not _YEAR.search(question):
        about += list(dict.fromkeys(_YEAR.findall(before)))[:1]
    return " ".join([question.rstrip(_END), *about]) if about else f"{question.rstrip(_END)} {before}"
