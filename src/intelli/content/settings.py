"""What content needs to know, handed over by the composition root."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class ContentSettings:
    """How much may arrive at once, and how long what nobody references is kept."""

    upload_limit_bytes: int = 2 << 30
    grace: timedelta = timedelta(hours=24)
