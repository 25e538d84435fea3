"""What an endpoint tells of itself: the models it offers, who serves them, and how much they can read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
from pydantic import SecretStr

from intelli.models import providers
from intelli.models.wire import OfferedModel, Provider

_MOST_MODELS = 5000
_LONGEST_NAME = 200
_MOST_TOKENS = 10_000_000
_LIMIT_FIELDS = ("context_length", "max_model_len", "context_window", "max_context_length")
_META_FIELDS = ("n_ctx", "n_ctx_train")
# The list of models there is of the provider's own protocol.
_ANTHROPIC_VERSION = "2023-06-01"
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EndpointAddress:
    """A provider, its address, and the key for it."""

    provider: Provider
    base_url: str
    key: SecretStr | None = None

    def headers(self) -> dict[str, str]:
        """Return the headers that hold the key, for the list of models."""
        if self.key is None:
            return {}
        key = self.key.get_secret_value()
        if self.provider is Provider.ANTHROPIC:
            return {"x-api-key": key, "anthropic-version": _ANTHROPIC_VERSION}
        more = providers.KEY_HEADERS.get(self.provider)
        return {"Authorization": f"Bearer {key}", **({more: key} if more else {})}


@dataclass(frozen=True, slots=True)
class ModelList:
    """The models of an endpoint, and who it says owns them."""

    models: tuple[OfferedModel, ...]
    owners: frozenset[str]


def parse_list(response: httpx.Response) -> ModelList | None:
    """Parse a list of models; None for an answer that is none."""
    try:
        told = response.json()
    except ValueError:
        return None
    rows = told.get("data") if isinstance(told, dict) else None
    if not response.is_success or not isinstance(rows, list):
        return None
    named = [row for row in rows[:_MOST_MODELS] if isinstance(row, dict) and _is_name(row.get("id"))]
    offered = tuple(OfferedModel(name=row["id"], context_tokens=_context_of(row)) for row in named)
    return ModelList(offered, frozenset(str(row.get("owned_by")) for row in named))


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME and value.isprintable()


def _context_of(row: Json) -> int | None:
    meta = row.get("meta")
    told = [row.get(name) for name in _LIMIT_FIELDS]
    told += [meta.get(name) for name in _META_FIELDS] if isinstance(meta, dict) else []
    return next((tokens for value in told if (tokens := parse_tokens(value)) is not None), None)


def parse_tokens(value: object) -> int | None:
    """Return a number of tokens that is one; None for anything else."""
    return value if type(value) is int and 0 < value <= _MOST_TOKENS else None
