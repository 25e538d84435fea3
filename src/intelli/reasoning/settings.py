"""Settings of embeddings and of entailment; the root puts them under `embedding` and `entailment`."""

from typing import Self

from pydantic import Field, SecretStr, model_validator

from intelli.kit import setting_types
from intelli.kit.setting_types import SettingsGroup
from intelli.reasoning.embedding_name import EmbeddingName


class EmbeddingSettings(SettingsGroup):
    """Which model reads passages and queries for their meaning. After a change, run `intelli reindex`."""

    name: EmbeddingName = Field(
        EmbeddingName.MINILM,
        description="Embedding model: minilm (an encoder), multilingual, static (coarse) or openai-compatible.",
    )
    base_url: setting_types.HttpUrl | None = Field(
        None, description="Address of an OpenAI-compatible API, such as http://localhost:11434/v1."
    )
    api_key: SecretStr | None = Field(None, description="Key of the OpenAI-compatible API.")
    model: str | None = Field(None, description="Model that the OpenAI-compatible API embeds with.")
    dimensions: int | None = Field(None, ge=1, le=4000, description="Length of that model's vectors.")
    prior: float = Field(
        0.8, ge=0, le=1, description="How far that model is trusted beside the words of a query, 0 to 1."
    )
    background: float = Field(
        0.2, ge=-1, lt=1, description="Cosine that two unrelated texts usually have with that model."
    )
    query_prefix: str = Field("", description="What that model wants in front of a query.")
    passage_prefix: str = Field("", description="What that model wants in front of a passage.")
    batch: int = Field(64, ge=1, le=2048, description="Texts that one request to the API carries.")
    batch_tokens: int = Field(8000, ge=256, description="Tokens that one request to the API may carry, about.")
    concurrency: int = Field(4, ge=1, le=64, description="Requests to the API at the same time.")
    timeout_s: float = Field(30, gt=0, le=600, description="Seconds that the API may take to answer.")

    @model_validator(mode="after")
    def _says_what_the_api_needs(self) -> Self:
        if self.name is EmbeddingName.OPENAI_COMPATIBLE and not (self.base_url and self.model and self.dimensions):
            raise ValueError("openai-compatible needs embedding.base_url, embedding.model and embedding.dimensions")
        return self


class EntailmentSettings(SettingsGroup):
    """Entailment model that judges statements where no language model does; the root puts it under `entailment`."""

    model: str | None = Field(
        None,
        description="Entailment model: a folder with model.onnx, tokenizer.json and config.json, or a name on a hub.",
    )
    sure: float = Field(0.9, gt=0.5, lt=1, description="Probability from which its word counts.")
