"""What runs are told of the settings."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How much a run may spend, how many tasks it works on at once, and how often events are written."""

    budget_cents: Decimal = Decimal(200)
    parallel_tasks: int = 4
    max_tasks: int = 5
    flush_s: float = 0.03
