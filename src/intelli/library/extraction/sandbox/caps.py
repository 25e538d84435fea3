"""Resource limits of a child process."""

from dataclasses import dataclass

_CPU_S_PER_MB = 2
_WALL_S_PER_MB = 4


@dataclass(frozen=True, slots=True)
class Caps:
    """Memory, time and output limits of one child; the time limits grow with the size of the file."""

    memory_bytes: int = 1 << 30
    cpu_s: int = 60
    wall_s: float = 120.0
    output_bytes: int = 256 << 20

    def cpu_for(self, size_bytes: int) -> int:
        """Return the CPU time limit in seconds for a file of this size."""
        return self.cpu_s + _CPU_S_PER_MB * (size_bytes >> 20)

    def wall_for(self, size_bytes: int) -> float:
        """Return the wall-clock time limit in seconds for a file of this size."""
        return self.wall_s + _WALL_S_PER_MB * (size_bytes >> 20)
