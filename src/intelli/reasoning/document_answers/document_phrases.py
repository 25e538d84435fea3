"""Phrases around the words of documents, by language."""

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict


class DocumentPhrases(BaseModel):
    """Phrases of one language, with numbered slots."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mention: str
    folder: str
    first: str
    summary: str
    title: str
    kind: str
    date: str
    period: str
    parties: str
    below_title: str
    line: str
    table: str
    row: str


def find_phrases(language: str) -> DocumentPhrases:
    """Return the phrases of a language, those of English where it has none."""
    known = _phrases()
    return known.get(language) or known["en"]


@cache
def _phrases() -> dict[str, DocumentPhrases]:
    tables = tomllib.loads(files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8"))
    return {code: DocumentPhrases.model_validate(table) for code, table in tables.items()}
