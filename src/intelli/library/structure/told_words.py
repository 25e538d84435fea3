"""What a document tells of itself, as values with the words that tell them."""

from dataclasses import dataclass
from enum import StrEnum


class FactOrigin(StrEnum):
    """Where a fact of a document was read, or that a person corrected it."""

    TEXT = "text"
    METADATA = "metadata"
    NAME = "name"
    PERSON = "person"


class PartyRole(StrEnum):
    """What a party is to a document."""

    PARTY = "party"
    ISSUER = "issuer"
    SENDER = "sender"
    RECIPIENT = "recipient"


@dataclass(frozen=True, slots=True)
class ToldWords:
    """A value, the words it was read from, and where these stand in the text, if they do."""

    value: str
    words: str
    origin: FactOrigin
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ToldParty:
    """A party of a document, or who issued or sent it."""

    role: PartyRole
    words: ToldWords


@dataclass(frozen=True, slots=True)
class ToldAmendment:
    """The name of what a document amends, or puts out of force."""

    words: ToldWords
    replaces: bool = False
