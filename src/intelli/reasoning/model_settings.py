"""Settings of the model; the root puts them under `model`."""

from decimal import Decimal
from typing import Literal, Self

from pydantic import Field, SecretStr, model_validator

from intelli.kit import setting_types
from intelli.kit.setting_types import SettingsGroup, internal

OPENAI = "https://api.openai.com/v1"
HUB = "https://huggingface.co"


class ModelSettings(SettingsGroup):
    """The model that runs think with, behind any endpoint that speaks OpenAI's protocol."""

    name: str | None = Field(None, description="Name of the model; empty reasons without one, from the sources' words.")
    base_url: setting_types.HttpUrl = Field(
        OPENAI, description="Address of the model's endpoint, up to and with its version."
    )
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
    shape: Literal["auto", "full", "short"] = Field(
        "auto",
        description="How the model is asked: with all rules in one prompt (full), one short thing at a time (short) or "
        "as its test shows (auto).",
    )
    private_endpoints: bool | None = Field(
        None,
        description="Whether owners and admins of workspaces may connect models of this machine and its network; "
        "empty: yes, where the database is embedded and registration is not open.",
    )
    hub_url: setting_types.HttpUrl = Field(
        HUB, description="Address of the model hub, or of a copy of it, that `intelli models install` fetches from."
    )
    backoff_s: float = internal(1)
    # Of a model that a workspace connected: where it is changed, whether addresses are checked, what its test showed.
    is_of_workspace: bool = internal(False)
    is_guarded: bool = internal(False)
    takes_schema: bool = internal(True)
    key_header: str | None = internal(None)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.context_tokens < 2 * self.output_tokens:
            raise ValueError("model.context_tokens must be at least twice model.output_tokens, or sources do not fit")
        return self
