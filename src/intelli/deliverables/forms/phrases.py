"""Titles, captions and verdicts that forms add to the content, by language."""

import datetime as dt
import re
import tomllib
from collections.abc import Mapping
from functools import cache

from pydantic import BaseModel, ConfigDict

from intelli.citations import marks
from intelli.citations.wire import Check
from intelli.deliverables import assets
from intelli.deliverables.brief import Checked

_DEFAULT = "en"
_QUOTED = "(\u201c[^\u201d]*\u201d(?:, \u201c[^\u201d]*\u201d)*)"
_RIGHT_TO_LEFT = {"ar", "fa", "he", "ur"}


class Phrases(BaseModel):
    """Titles, captions and verdicts in one language."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    contents: str
    question: str
    further: str
    figure: str
    table: str
    notes: str
    note: str
    sources: str
    open: str
    page: str
    search: str
    places: str
    close: str
    skip: str
    verified: str
    weak: str
    failed: str
    unchecked: str
    formerly: tuple[str, ...] = ()
    date: str
    months: tuple[str, ...]
    reasons: Mapping[str, str] = {}

    def verdict(self, check: Checked) -> str:
        """Return the words for a check result."""
        return str(getattr(self, check))

    def reason(self, said: str) -> str:
        """Translate the known parts of a reason; `{}` in a pattern stands for words in quotes."""
        for english, own in self.reasons.items():
            found = re.search(re.escape(english).replace(r"\{\}", _QUOTED), said)
            if found is not None:
                told = own.replace("{}", found[1]) if found.lastindex else own
                said = f"{said[: found.start()]}{told}{said[found.end() :]}"
        return said

    def day(self, day: dt.date) -> str:
        """Format a date."""
        month = self.months[day.month - 1] if self.months else day.month
        return self.date.format(day=day.day, month=month, year=day.year)


def phrases(language: str) -> Phrases:
    """Return the phrases of a language; English where there are none."""
    known = _all()
    return known.get(language.partition("-")[0], known[_DEFAULT])


def list_verdicts() -> list[str]:
    """Return every verdict in every language, also those that only files of earlier versions have."""
    checks: tuple[Checked, ...] = ("verified", "weak", "failed", "unchecked")
    return [word for each in _all().values() for word in (*map(each.verdict, checks), *each.formerly)]


def direction(language: str) -> str:
    """Return the writing direction of a language: rtl or ltr."""
    return "rtl" if language.partition("-")[0] in _RIGHT_TO_LEFT else "ltr"


@cache
def _all() -> Mapping[str, Phrases]:
    tables = tomllib.loads(assets.read_own("phrases.toml"))
    tables[_DEFAULT] |= {str(check): marks.WORDS[check] for check in Check}
    return {code: Phrases.model_validate(table) for code, table in tables.items()}
