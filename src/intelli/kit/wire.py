"""Base classes of wire models, which are the only definition of our JSON."""

import unicodedata
from typing import Annotated, Generic, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

Item = TypeVar("Item")
_REORDERING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


class Wire(BaseModel):
    """An answer: frozen, built from rows or keywords, every field present in the JSON."""

    model_config = ConfigDict(frozen=True, from_attributes=True, json_schema_serialization_defaults_required=True)


class Request(BaseModel):
    """A request body: frozen, and a field nobody knows is refused instead of ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Page(Wire, Generic[Item]):
    """One page of a list. Pass `next_cursor` back as `cursor` for the next one; null means there is no more."""

    items: list[Item]
    next_cursor: str | None = None


class Problem(Wire):
    """An RFC 9457 problem. `code` is stable and meant for programs, `detail` for people."""

    type: str = Field(examples=["https://intelli.dev/problems/not_found"])
    title: str
    status: int
    detail: str
    code: str
    errors: list["FieldError"] = []


class FieldError(Wire):
    """What is wrong with one field of a request."""

    field: str
    message: str


def _is_deceptive(character: str) -> bool:
    """Return True for a control character, or one that reorders the text around it."""
    return unicodedata.category(character) == "Cc" or unicodedata.bidirectional(character) in _REORDERING


def _check_readable(name: str) -> str:
    if any(_is_deceptive(character) for character in name):
        raise ValueError("it must not hold control characters or marks that change the direction of text")
    if not any(unicodedata.category(character)[0] in "LNPS" for character in name):
        raise ValueError("it must have something to see in it")
    return name


Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120), AfterValidator(_check_readable)
]
