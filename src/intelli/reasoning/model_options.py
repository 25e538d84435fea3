"""How the model is set. The root hangs these options under `model`."""

from decimal import Decimal
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

from intelli.kit import values
from intelli.reasoning import prices
from intelli.reasoning.errors import ModelRefused
from intelli.reasoning.model_settings import OPENAI, ModelSettings


class ModelOptions(BaseModel):
    """The model that runs think with, behind any endpoint that speaks OpenAI's protocol."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    name: str | None = Field(None, description="Name of the model; empty reasons without one, from the sources' words.")
    base_url: values.HttpUrl = Field(OPENAI, description="Address of the model's endpoint, up to and with its version.")
    api_key: SecretStr | None = Field(None, description="Key for the model's endpoint.")
    temperature: float | None = Field(0, ge=0, le=2, description="How freely the model chooses its words.")
    timeout_s: float = Field(60, gt=0, le=3600, description="Seconds that the model may be silent.")
    concurrency: int = Field(8, ge=1, le=1000, description="Calls to the model at the same time, for one process.")
    output_tokens: int = Field(4_000, ge=100, description="Most tokens that the model may write in one call.")
    context_tokens: int = Field(32_000, ge=2_000, description="Tokens that the model can read and write in one call.")
    input_price: Decimal | None = Field(
        None, ge=0, description="US dollars for a million tokens read; empty takes the built-in price table."
    )
    output_price: Decimal | None = Field(
        None, ge=0, description="US dollars for a million tokens written; empty takes the built-in price table."
    )

    @model_validator(mode="after")
    def _fits_and_is_priced(self) -> Self:
        if self.context_tokens < 2 * self.output_tokens:
            raise ValueError("model.context_tokens must be at least twice model.output_tokens, or sources do not fit")
        if self.name:
            try:
                prices.price_of(self.settings())
            except ModelRefused as refused:
                raise ValueError(refused.detail) from None
        return self

    def settings(self) -> ModelSettings:
        """What reasoning is told of it; the key in clear."""
        key = self.api_key.get_secret_value() if self.api_key else None
        return ModelSettings(**{**self.model_dump(), "api_key": key})
