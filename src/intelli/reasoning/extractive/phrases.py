"""Sentences and captions that the reasoner without a model says itself, in each language."""

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict


class ReasonerPhrases(BaseModel):
    """Sentences and captions of one language, with numbered slots."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    unanswered: str
    nearest: str
    closest: str
    unsaid: str
    disagreement: str
    clarification: str
    said: str
    amended: str
    period: str
    ours: str
    newest_rows: str
    some_rows: str
    first_rows: str


def phrases_in(language: str) -> ReasonerPhrases:
    """The phrases in a language, by its ISO 639-1 code."""
    return _all_phrases()[language]


@cache
def _all_phrases() -> dict[str, ReasonerPhrases]:
    tables = tomllib.loads(files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8"))
    return {code: ReasonerPhrases.model_validate(table) for code, table in tables.items()}
