"""Labelled questions over documents of many kinds, answered without a model and read by rules.

`python -m bench.answers` asks them; `bench/answers/README.md` tells how they are made and read.
"""

from bench.answers import baselines
from bench.answers.ask import Choice, ask_half
from bench.answers.documents import HALVES
from bench.answers.product import NAME
from bench.answers.scores import Grade
from bench.answers.totals import AskedQuestion, calibrate, is_rightly_silent, shares
from bench.figures import Comparison, Size

QUESTION = "How many questions on people's documents are answered rightly without a model, and how many wrongly?"
_SMALLEST = Choice(limit=4, folders=("halden",))


async def measure(size: Size) -> list[Comparison]:
    """Ask the product and the baseline, and return the figures that are goals."""
    halves = size.of(HALVES, HALVES[:1])
    asked = {half: ask_half(half, size.of(Choice(), _SMALLEST)) for half in halves}
    return [
        comparison for half, systems in asked.items() for comparison in _compare(half, systems[NAME], _rest(systems))
    ]


def _rest(systems: dict[str, list[AskedQuestion]]) -> list[AskedQuestion]:
    return systems[baselines.NAME]


def _compare(half: str, ours: list[AskedQuestion], simple: list[AskedQuestion]) -> list[Comparison]:
    systems = {NAME: ours, baselines.NAME: simple}
    answerable = {name: [each for each in asked if each.question.is_answerable] for name, asked in systems.items()}
    found = {name: shares(asked) for name, asked in answerable.items()}
    silent = {name: _silent(asked) for name, asked in systems.items()}
    return [
        Comparison(f"{half}: right", "%", {name: each[Grade.RIGHT] for name, each in found.items()}),
        Comparison(
            f"{half}: wrong or nonsense",
            "%",
            {name: each[Grade.WRONG] + each[Grade.NONSENSE] for name, each in found.items()},
        ),
        Comparison(f"{half}: silent where there is no answer", "%", silent),
        Comparison(f"{half}: calibration error", "", {NAME: calibrate(ours).error}),
    ]


def _silent(asked: list[AskedQuestion]) -> float:
    rest = [each for each in asked if not each.question.is_answerable]
    return 100 * sum(map(is_rightly_silent, rest)) / len(rest) if rest else 0.0
