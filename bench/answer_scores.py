"""Scores of answers to questions with known answers: right, wrong, made up or abstained. Pure functions."""

import math
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

from bench.abstentions import abstains

# An answer may say more, but has to say it early.
_EARLY_WORDS = 60
_NEAR = 0.5
_TAG = re.compile(r"<gml-inlinecitation\b[^>]*?/?>(?:\s*</gml-inlinecitation>)?")
_MARK = re.compile(r"\[(?:s?\d+)(?:\s*,\s*s?\d+)*\]")
_ARTICLES = re.compile(r"\b(?:a|an|the|der|die|das|den|dem|des|ein|eine|einen|einem|einer|eines)\b")
# What joins two words; all other punctuation is dropped, as in "U.S.".
_JOINTS = re.compile(r"[\s/\u2010-\u2015\u2212-]+")


class Outcome(StrEnum):
    """What became of a question."""

    RIGHT = "right"
    WRONG = "wrong"
    ABSTAINED = "abstained"
    MADE_UP = "made up"
    FAILED = "failed"


def without_citations(text: str) -> str:
    """The text of an answer without its citations."""
    return _MARK.sub("", _TAG.sub("", text)).strip()


def normalised(text: str) -> str:
    """The words of a text as SQuAD compares them: in lower case, without punctuation and articles."""
    lower = _JOINTS.sub(" ", unicodedata.normalize("NFKC", text).lower())
    kept = "".join(letter for letter in lower if not _is_punctuation(letter))
    return " ".join(_ARTICLES.sub(" ", kept).split())


def _is_punctuation(letter: str) -> bool:
    return letter in string.punctuation or unicodedata.category(letter).startswith("P")


def contains(text: str, answer: str) -> bool:
    """Whether a text has an answer, in whole words. An answer of articles and marks alone is taken as it stands."""
    wanted = normalised(answer)
    if not wanted:
        return answer.strip().lower() in text.lower()
    return f" {wanted} " in f" {normalised(text)} "


def is_right(text: str, answers: Iterable[str]) -> bool:
    """Whether an answer says one of the right strings, early if it is long."""
    early = " ".join(without_citations(text).split()[:_EARLY_WORDS])
    return any(contains(early, answer) for answer in answers)


def is_near(text: str, answers: Iterable[str]) -> bool:
    """Whether an answer has half of its words in common with a right one, as SQuAD's F1 counts: "1756" for a date."""
    said = Counter(normalised(without_citations(text)).split())
    return any(_overlap(said, Counter(normalised(answer).split())) >= _NEAR for answer in answers)


def _overlap(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def is_abstention(text: str, answers: Iterable[str] = ()) -> bool:
    """Whether an answer says that the sources do not say it; one that has a right string never does."""
    plain = without_citations(text)
    return not any(contains(plain, answer) for answer in answers) and abstains(plain)


def judge(text: str, answers: Sequence[str], *, is_answerable: bool) -> Outcome:
    """What an answer comes to."""
    if is_answerable and is_right(text, answers):
        return Outcome.RIGHT
    if is_abstention(text, answers):
        return Outcome.ABSTAINED
    return Outcome.WRONG if is_answerable else Outcome.MADE_UP


def wilson(hits: int, count: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if count == 0:
        return 0.0, 1.0
    share = hits / count
    centre = share + z * z / (2 * count)
    spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    below = 1 + z * z / count
    return max(0.0, (centre - spread) / below), min(1.0, (centre + spread) / below)
