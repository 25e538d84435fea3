"""What citations are told of the settings."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """Whether the words that were cited stay readable when their document is deleted."""

    keep_excerpts: bool = True
