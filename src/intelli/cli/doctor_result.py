"""What `intelli doctor` finds: the result of a check, and what to do about it."""

from dataclasses import dataclass
from enum import StrEnum


class CheckStatus(StrEnum):
    """Result of a check."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """Result of one check: what it found, and what to do about it."""

    name: str
    status: CheckStatus
    found: str
    remedy: str | None = None
