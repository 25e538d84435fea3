"""What an operator can set about computing. The root hangs these options under `compute`."""

from pydantic import BaseModel, ConfigDict, Field

from intelli.kit.compute.limits import ComputeLimits


class ComputeOptions(BaseModel):
    """How long and with how much memory one step of work on text may go on, in a process of its own."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    time_s: float = Field(
        60, gt=0, le=3600, description="Seconds that one step of thinking without a model, or of checking, may take."
    )
    memory_mb: int = Field(1024, ge=16, le=1_048_576, description="Most memory that such a step may use, in megabytes.")
    processes: int = Field(4, ge=1, le=256, description="Such steps at the same time, for one process.")

    def limits(self) -> ComputeLimits:
        """What the pool is told."""
        return ComputeLimits(time_s=self.time_s, memory_bytes=self.memory_mb << 20, processes=self.processes)
