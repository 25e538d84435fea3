"""What the head of a mail tells: when it was sent, by whom and to whom."""

from dataclasses import dataclass
from email.utils import getaddresses, parsedate_to_datetime

from intelli.library.extraction.model import Extraction, PieceKind
from intelli.library.structure.document_structure import DocumentStructure
from intelli.library.structure.told_words import FactOrigin, PartyRole, ToldParty, ToldWords

_MAIL = ("message/rfc822", "application/vnd.ms-outlook")
_MOST_RECIPIENTS = 5
_CHARS = 200


@dataclass(frozen=True, slots=True)
class MailFacts:
    """Date and parties of a mail; of another document nothing."""

    date: ToldWords | None = None
    parties: tuple[ToldParty, ...] = ()


def read(extraction: Extraction, structure: DocumentStructure) -> MailFacts:
    """Return what the head of a mail tells."""
    if extraction.media_type not in _MAIL:
        return MailFacts()
    head = next((piece for piece in structure.pieces if piece.kind is PieceKind.MAIL_HEADER), None)
    span = (head.start, head.end) if head else None
    return MailFacts(_date(extraction, span), tuple(_parties(extraction, span)))


def _date(extraction: Extraction, head: tuple[int, int] | None) -> ToldWords | None:
    written = extraction.properties.get("date", "")
    try:
        day = parsedate_to_datetime(written).date()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return _told(extraction.text, day.isoformat(), written, head)


def _parties(extraction: Extraction, head: tuple[int, int] | None) -> list[ToldParty]:
    found = []
    for field, role in (("from", PartyRole.SENDER), ("to", PartyRole.RECIPIENT)):
        addresses = getaddresses([extraction.properties.get(field, "")])[:_MOST_RECIPIENTS]
        for name, address in addresses:
            written = name or address
            if written:
                found.append(ToldParty(role, _told(extraction.text, written[:_CHARS], written[:_CHARS], head)))
    return found


def _told(text: str, value: str, written: str, head: tuple[int, int] | None) -> ToldWords:
    """Return words with their place in the head of the mail, if they stand there as they are."""
    at = text.find(written, *head) if head else -1
    span = (at, at + len(written)) if at >= 0 else None
    return ToldWords(value, written, FactOrigin.TEXT if span else FactOrigin.METADATA, span)
