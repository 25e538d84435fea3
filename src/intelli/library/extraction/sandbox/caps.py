"""What a child may use of the machine."""

from dataclasses import dataclass

_CPU_S_PER_MB = 2
_WALL_S_PER_MB = 4


@dataclass(frozen=True, slots=True)
class Caps:
    """The caps on one child; larger files get more time."""

    memory_bytes: int = 1 << 30
    cpu_s: int = 60
    wall_s: float = 120.0
    output_bytes: int = 256 << 20

    def cpu_for(self, size_bytes: int) -> int:
        """Seconds of computing for a file of this size."""
        return self.cpu_s + _CPU_S_PER_MB * (size_bytes >> 20)

    def wall_for(self, size_bytes: int) -> float:
        """Seconds from the start to the end for a file of this size."""
        return self.wall_s + _WALL_S_PER_MB * (size_bytes >> 20)
