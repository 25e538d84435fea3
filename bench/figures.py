"""Measures in interleaved rounds, and prints medians as ratios to a baseline."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from typing import TypeVar

Amount = TypeVar("Amount")
Measurement = Callable[[], Awaitable[float]]


class Size(StrEnum):
    """Amount of work to measure: enough for meaningful figures, or just enough to run every line of a benchmark."""

    USUAL = "usual"
    SMALLEST = "smallest"

    def of(self, usual: Amount, smallest: Amount) -> Amount:
        """The amount for this size."""
        return usual if self is Size.USUAL else smallest


@dataclass(frozen=True)
class Comparison:
    """One thing measured in several ways; the first way is the baseline."""

    name: str
    unit: str
    medians: Mapping[str, float]


async def compare(name: str, unit: str, ways: Mapping[str, Measurement], *, rounds: int) -> Comparison:
    """Measure several ways of one thing."""
    return Comparison(name, unit, await medians(ways, rounds=rounds))


async def medians(ways: Mapping[str, Measurement], *, rounds: int, warm_ups: int = 1) -> dict[str, float]:
    """Measure each way once per round, so that a slow moment of the machine falls on all; warm-ups do not count."""
    measured: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(rounds + warm_ups):
        for way, measure in ways.items():
            value = await measure()
            if number >= warm_ups:
                measured[way].append(value)
    return {way: median(values) for way, values in measured.items()}


def show(question: str, comparisons: list[Comparison]) -> None:
    """Print a table."""
    print(f"\n{question}\n")
    for comparison in comparisons:
        baseline = next(iter(comparison.medians.values()))
        print(f"  {comparison.name}")
        for way, value in comparison.medians.items():
            note = "baseline" if value is baseline or not baseline else f"{value / baseline:.2f} x"
            print(f"    {way:<58} {value:>10,.1f} {comparison.unit:<10} {note:>10}")
    print(flush=True)
