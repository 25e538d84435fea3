"""What the model adapter needs to know, handed over by the composition root."""

from dataclasses import dataclass
from decimal import Decimal

OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model behind an OpenAI-compatible endpoint; without a name, the product reasons without a model."""

    name: str | None = None
    base_url: str = OPENAI
    api_key: str | None = None
    temperature: float | None = 0
    timeout_s: float = 60
    backoff_s: float = 1
    concurrency: int = 8
    output_tokens: int = 4_000
    context_tokens: int = 32_000
    input_price: Decimal | None = None
    output_price: Decimal | None = None
