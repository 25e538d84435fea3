"""Settings of the compute processes, in the group `compute`."""

from pydantic import Field

from intelli.kit.setting_types import SettingsGroup, internal


class ComputeSettings(SettingsGroup):
    """How long and with how much memory one step of work on text may go on, in a process of its own."""

    time_s: float = Field(
        60, gt=0, le=3600, description="Seconds that one step of thinking without a model, or of checking, may take."
    )
    memory_mb: int = Field(1024, ge=16, le=1_048_576, description="Most memory that such a step may use, in megabytes.")
    processes: int = Field(4, ge=1, le=256, description="Such steps at the same time, for one process.")
    result_bytes: int = internal(64 << 20)

    @property
    def memory_bytes(self) -> int:
        """Most memory that a step may use."""
        return self.memory_mb << 20
