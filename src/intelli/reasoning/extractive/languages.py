"""Language data of the extractive reasoner: function words, abbreviations, and its own sentences."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict

DEFAULT = "en"
UNSPACED = "zh"


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split(":", 1) for pair in text.split())


Words = Annotated[frozenset[str], BeforeValidator(str.split)]


class LanguageWords(BaseModel):
    """Data of one language. `compounds` says that it joins words into one.

    The last eight fields are the reasoner's own sentences and captions, with numbered slots.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    stemmer: str
    irregular: Annotated[dict[str, str], BeforeValidator(_pairs)]
    stop_words: Words
    prepositions: Words
    abbreviations: Words
    compounds: bool = False
    unanswered: str
    unsaid: str
    disagreement: str
    clarification: str
    follow_up: str
    newest_rows: str
    some_rows: str
    first_rows: str


@cache
def languages() -> Mapping[str, LanguageWords]:
    """All languages by their ISO 639-1 code."""
    tables = tomllib.loads(files(__package__).joinpath("languages.toml").read_text(encoding="utf-8"))
    return {code: LanguageWords.model_validate(table) for code, table in tables.items()}


@cache
def abbreviations() -> frozenset[str]:
    """The abbreviations of all languages: a text may quote another's."""
    return frozenset().union(*(language.abbreviations for language in languages().values()))
