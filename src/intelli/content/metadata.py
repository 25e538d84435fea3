"""What is kept about an artifact beside its bytes: one model per entity type, and nothing that is not in it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, JsonValue, StringConstraints, ValidationError

from intelli.content.errors import InvalidUpload
from intelli.content.wire import EntityType, Sha256
from intelli.kit.values import HttpUrl
from intelli.kit.wire import Request

# NUL is JSON but nothing that PostgreSQL can hold.
Line = Annotated[str, StringConstraints(max_length=2000, pattern=r"^[^\x00]*$")]
Address = Annotated[HttpUrl, StringConstraints(max_length=2000, pattern=r"^[^\x00]*$")]


class Titled(Request):
    """What every kind may say."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    title: Line | None = None


class WebSource(Titled):
    """A page as it was fetched."""

    url: Address | None = None
    author: Line | None = None
    fetched_at: datetime | None = None


class ApiData(Titled):
    """The answer of a program."""

    url: Address | None = None
    provider: Line | None = None
    fetched_at: datetime | None = None


class SearchResult(Titled):
    """The answer of a search, raw."""

    query: Line | None = None
    provider: Line | None = None
    fetched_at: datetime | None = None


class Extracted(Titled):
    """What was read out of another artifact."""

    source_sha256: Sha256 | None = None
    method: Line | None = None


class Generated(Titled):
    """What a model or a template wrote."""

    model: Line | None = None
    language: Line | None = None


class Written(Titled):
    """What a person gave."""

    author: Line | None = None
    language: Line | None = None


MODELS: Mapping[EntityType, type[Titled]] = {
    EntityType.WEB_SOURCE: WebSource,
    EntityType.API_DATA: ApiData,
    EntityType.GENERATED_CONTENT: Generated,
    EntityType.USER_INPUT: Written,
    EntityType.REPORT: Generated,
    EntityType.SLIDES: Generated,
    EntityType.SEARCH_RESULT: SearchResult,
    EntityType.EXTRACTED_DATA: Extracted,
    EntityType.PLAN: Generated,
    EntityType.KNOWLEDGE: Written,
    EntityType.WEBSITE: Generated,
    EntityType.DOCUMENT: Written,
}


def read(entity_type: EntityType, text: str | None) -> dict[str, JsonValue]:
    """The metadata in a JSON text, as it is kept: only what was said."""
    try:
        said = MODELS[entity_type].model_validate_json(text or "{}")
    except ValidationError as error:
        wrong = ", ".join(sorted({".".join(str(step)[:80] for step in fault["loc"]) for fault in error.errors()}))
        raise InvalidUpload(f"The field 'entity_metadata' does not fit {entity_type}. Check: {wrong}.") from error
    return said.model_dump(mode="json", exclude_none=True)
