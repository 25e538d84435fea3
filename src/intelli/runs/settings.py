"""The settings of runs. The root hangs them under `budget`."""

from decimal import Decimal

from pydantic import Field

from intelli.kit.setting_types import SettingsGroup, internal


class RunSettings(SettingsGroup):
    """How much a run may spend, and how many tasks it works on."""

    cents_per_run: Decimal = Field(
        Decimal(200), ge=0, le=1_000_000, description="Most that the models of one run may cost, in US cents."
    )
    parallel_tasks: int = internal(4)
    max_tasks: int = internal(5)
