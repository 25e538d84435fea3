"""Words around figures by grammatical role, loaded from data, for all languages together."""

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from intelli.language import languages


class FigureWords(BaseModel):
    """Words around figures, by grammatical role."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    being: languages.Words
    level: languages.Words
    increase: languages.Words
    decrease: languages.Words
    reached: languages.Words
    moved: languages.Words
    modal: languages.Words
    hoped: languages.Words
    expecting: languages.Words
    acting: languages.Words
    setting: languages.Words
    imagined: languages.Words
    telling: languages.Words
    owning: languages.Words
    compared: languages.Words
    relative: languages.Words
    conditions: languages.Words
    subordinate: languages.Words
    pronouns: languages.Words
    determiners: languages.Words
    prepositions: languages.Words
    approximate: languages.Words
    counted: languages.Words
    times: languages.Words
    generic: languages.Words
    belonging: languages.Words
    actors: languages.Words
    measured: languages.Words


@cache
def known_words() -> FigureWords:
    """The words, read once."""
    text = files(__package__).joinpath("figure_words.toml").read_text(encoding="utf-8")
    return FigureWords.model_validate(tomllib.loads(text))
