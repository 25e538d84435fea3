"""Headings and captions that deliverables add to their content, by language."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

_DEFAULT = "en"


class Labels(BaseModel):
    """Headings and captions in one language."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    summary: str
    key_figures: str
    findings: str
    data: str
    timeline: str
    disagreements: str
    open_questions: str
    sources: str
    nothing_open: str
    judgement: str
    calculated: str
    guidance: str
    estimate: str
    delivered: str


def labels(language: str) -> Labels:
    """Return the labels of a language; English where there are none."""
    known = _all()
    return known.get(language, known[_DEFAULT])


@cache
def _all() -> Mapping[str, Labels]:
    tables = tomllib.loads(files(__package__).joinpath("labels.toml").read_text(encoding="utf-8"))
    return {code: Labels.model_validate(table) for code, table in tables.items()}
