"""What reasoning needs to know, handed over by the composition root."""

from dataclasses import dataclass
from enum import StrEnum


class EmbeddingName(StrEnum):
    """The embedders one can choose by name."""

    STATIC = "static"
    MINILM = "minilm"
    OPENAI_COMPATIBLE = "openai-compatible"


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Which embedder new passages are read with, and how to reach one that is a service."""

    name: EmbeddingName = EmbeddingName.STATIC
    base_url: str | None = None
    api_key: str | None = None
    model: str | None = None
    dimensions: int | None = None
    prior: float = 0.7
    background: float = 0.2
    query_prefix: str = ""
    passage_prefix: str = ""
    batch: int = 64
    batch_tokens: int = 8_000
    concurrency: int = 4
    timeout_s: float = 30
