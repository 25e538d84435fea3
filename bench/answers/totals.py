"""Counts how answers were read, by kind and language, and how far confidence can be trusted."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bench.answer_scores import wilson
from bench.answers.questions import LabelledQuestion
from bench.answers.scores import AnswerReading, GivenAnswer, Grade

_BINS = 5
HIGH = "high"


@dataclass(frozen=True)
class AskedQuestion:
    """A question with the answer of a system and how it was read."""

    question: LabelledQuestion
    given: GivenAnswer
    read: AnswerReading


@dataclass(frozen=True)
class Calibration:
    """Expected calibration error over bins of confidence, and how often answers shown as high are right."""

    error: float
    bins: tuple[tuple[float, float, int], ...]
    high_right: int
    high: int


def shares(asked: Sequence[AskedQuestion]) -> dict[Grade, float]:
    """Return the share of each reading, in per cent."""
    counts = Counter(each.read.grade for each in asked)
    return {reading: 100 * counts[reading] / len(asked) if asked else 0.0 for reading in Grade}


def is_rightly_silent(each: AskedQuestion) -> bool:
    """Whether a question without an answer got none, or what is true instead."""
    return each.read.grade in {Grade.ABSTAINED, Grade.RIGHT}


def calibrate(asked: Iterable[AskedQuestion]) -> Calibration:
    """Compare confidence with rightness over all answers that say something and show a confidence."""
    said = [
        (each.given.confidence, each.read.grade is Grade.RIGHT, each.given.level)
        for each in asked
        if each.given.confidence is not None and each.read.grade is not Grade.ABSTAINED
    ]
    bins = []
    for number in range(_BINS):
        least, most = number / _BINS, (number + 1) / _BINS
        inside = [each for each in said if least <= each[0] < most or (each[0] == 1 and number == _BINS - 1)]
        if inside:
            mean = sum(confidence for confidence, _, _ in inside) / len(inside)
            bins.append((mean, sum(is_right for _, is_right, _ in inside) / len(inside), len(inside)))
    error = sum(abs(mean - right) * count for mean, right, count in bins) / len(said) if said else 0.0
    high = [is_right for _, is_right, level in said if level == HIGH]
    return Calibration(error, tuple(bins), sum(high), len(high))


def table(asked: Sequence[AskedQuestion]) -> str:
    """Lay out the totals: all, by kind, by language; questions without an answer apart, by their sort."""
    answerable = [each for each in asked if each.question.is_answerable]
    rest = [each for each in asked if not each.question.is_answerable]
    names = [each.value for each in Grade]
    lines = [f"{'':<30}{'count':>6}" + "".join(f"{name:>11}" for name in names)]
    lines += _rows("answerable", answerable, lambda each: each.question.kind)
    lines += _rows("answerable, by language", answerable, lambda each: each.question.language)[1:]
    lines += _rows("unanswerable", rest, lambda each: each.question.sort)
    return "\n".join(lines)


def _rows(name: str, asked: Sequence[AskedQuestion], key: Callable[[AskedQuestion], str]) -> list[str]:
    groups = sorted({key(each) for each in asked})
    return [
        _row(name, asked),
        *(_row(f"  {group}", [each for each in asked if key(each) == group]) for group in groups),
    ]


def _row(name: str, asked: Sequence[AskedQuestion]) -> str:
    counts = Counter(each.read.grade for each in asked)
    return f"{name:<30}{len(asked):>6}" + "".join(
        f"{counts[reading]:>4} {100 * counts[reading] / max(1, len(asked)):>4.0f} %" for reading in Grade
    )


def summary(asked: Sequence[AskedQuestion]) -> str:
    """Say the figures that are goals, with the 95 % interval of the first."""
    answerable = [each for each in asked if each.question.is_answerable]
    rest = [each for each in asked if not each.question.is_answerable]
    part = shares(answerable)
    right = sum(each.read.grade is Grade.RIGHT for each in answerable)
    low, high = wilson(right, len(answerable))
    silent = sum(map(is_rightly_silent, rest))
    told = calibrate(asked)
    return (
        f"right {part[Grade.RIGHT]:.1f} % of {len(answerable)} answerable ({100 * low:.0f} to {100 * high:.0f} %), "
        f"wrong or nonsense {part[Grade.WRONG] + part[Grade.NONSENSE]:.1f} %; "
        f"silent on {silent} of {len(rest)} without an answer; "
        f"calibration error {told.error:.3f}, right {told.high_right} of {told.high} shown as high\n"
        + "  ".join(f"[{mean:.2f} → {share:.2f}, {count}]" for mean, share, count in told.bins)
    )
