"""Wire models of what a document tells of itself, and of what a person corrects."""

import datetime as dt
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from intelli.kit.wire import Request, Wire
from intelli.library.structure.told_words import FactOrigin, PartyRole


class FactValue(Wire):
    """A value, the words it was read from, and where these stand in the text, if they do."""

    value: str
    words: str
    origin: FactOrigin
    start: int | None = None
    end: int | None = None


class PartyFact(FactValue):
    """A party of a document, or who issued, sent or got it."""

    role: PartyRole


class AmendmentFact(FactValue):
    """The name of what a document amends, or puts out of force (`replaces`)."""

    replaces: bool


class DocumentFactsView(Wire):
    """What a document is: its kind, date (ISO), period ("2024", "2024-Q3", "2019/2023"), parties, what it amends."""

    kind: FactValue | None
    date: FactValue | None
    period: FactValue | None
    parties: list[PartyFact]
    amends: list[AmendmentFact]


def _check_date(value: str) -> str:
    if value:
        dt.date.fromisoformat(value)
    return value


_Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]
_Period = Annotated[str, Field(pattern=r"^(|\d{4}|\d{4}/\d{4}|\d{4}-(Q[1-4]|H[12]|9M))$")]
_Date = Annotated[str, Field(max_length=10), AfterValidator(_check_date)]


class CorrectedParty(Request):
    """A party as a person names it."""

    value: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
    role: PartyRole = PartyRole.PARTY


class CorrectedAmendment(Request):
    """What a document amends or replaces, as a person names it."""

    value: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
    replaces: bool = False


class CorrectFacts(Request):
    """Corrections. What is left out stays; null goes back to what was read; an empty word says that there is none."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"date": "2025-03-14", "period": "2024"}]})

    kind: _Words | None = None
    date: _Date | Literal[""] | None = None
    period: _Period | None = None
    parties: list[CorrectedParty] | None = Field(None, max_length=20)
    amends: list[CorrectedAmendment] | None = Field(None, max_length=20)
