"""The words that forms say themselves, by language."""

import tomllib
from collections.abc import Mapping
from functools import cache

from pydantic import BaseModel, ConfigDict

from intelli.deliverables import assets
from intelli.deliverables.brief import Checked

_DEFAULT = "en"
_RIGHT_TO_LEFT = {"ar", "fa", "he", "ur"}


class Phrases(BaseModel):
    """Titles, captions and verdicts in one language."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    contents: str
    figure: str
    table: str
    notes: str
    note: str
    sources: str
    open: str
    also_read: str
    page: str
    search: str
    places: str
    close: str
    skip: str
    verified: str
    weak: str
    failed: str
    unchecked: str

    def verdict(self, check: Checked) -> str:
        """What a check came to."""
        return str(getattr(self, check))


def phrases(language: str) -> Phrases:
    """The phrases of a language; English where we do not speak it."""
    known = _all()
    return known.get(language.partition("-")[0], known[_DEFAULT])


def verdicts() -> list[str]:
    """Every verdict in every language."""
    checks: tuple[Checked, ...] = ("verified", "weak", "failed", "unchecked")
    return [each.verdict(check) for each in _all().values() for check in checks]


def direction(language: str) -> str:
    """How the lines of a language run."""
    return "rtl" if language.partition("-")[0] in _RIGHT_TO_LEFT else "ltr"


@cache
def _all() -> Mapping[str, Phrases]:
    tables = tomllib.loads(assets.own("phrases.toml"))
    return {code: Phrases.model_validate(table) for code, table in tables.items()}
