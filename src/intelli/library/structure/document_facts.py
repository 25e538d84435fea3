"""What a document tells of itself: its kind, date, period, parties, and what it amends, each with the words for it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from intelli.kit import clock
from intelli.language import company_names, document_dates
from intelli.library.extraction import untrusted
from intelli.library.extraction.model import Extraction, PieceKind
from intelli.library.structure import amendments, covered_period, mail_facts
from intelli.library.structure.document_structure import DocumentStructure
from intelli.library.structure.heading_words import heading_words
from intelli.library.structure.told_words import FactOrigin, PartyRole, ToldAmendment, ToldParty, ToldWords

_BEGINNING = 2500
_MOST_PARTIES = 6
_CHARS = 500
_MOST_TOLD = 20


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What the text and the metadata of a document tell; what neither tells is None or empty."""

    kind: ToldWords | None = None
    date: ToldWords | None = None
    period: ToldWords | None = None
    parties: tuple[ToldParty, ...] = field(default=())
    amends: tuple[ToldAmendment, ...] = field(default=())


def find_facts(extraction: Extraction, structure: DocumentStructure) -> DocumentFacts:
    """Return what a document tells of itself."""
    heads = heading_words(extraction.text, structure)
    today = clock.now().date()
    mail = mail_facts.read(extraction, structure)
    return DocumentFacts(
        kind=covered_period.find_kind(heads),
        date=mail.date or _find_date(extraction, structure, today),
        period=covered_period.find_period(extraction, structure, heads),
        parties=mail.parties or tuple(_find_parties(extraction, structure)),
        amends=tuple(amendments.find_amendments(extraction.text, structure, heads))[:_MOST_TOLD],
    )


def _find_date(extraction: Extraction, structure: DocumentStructure, today: date) -> ToldWords | None:
    """Return the date that the first lines tell, furniture of the page aside; else that of the metadata."""
    first = next((piece.start for piece in structure.pieces if piece.kind is not PieceKind.FURNITURE), 0)
    found = document_dates.date_of_beginning(extraction.text[first : first + document_dates.BEGINNING], today=today)
    if found is not None:
        return ToldWords(
            found.day.isoformat(), found.written, FactOrigin.TEXT, (first + found.start, first + found.end)
        )
    written = extraction.properties.get("created", "")[:10]
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return None
    return ToldWords(day.isoformat(), written, FactOrigin.METADATA)


def _find_parties(extraction: Extraction, structure: DocumentStructure) -> Iterator[ToldParty]:
    """Yield the parties that a contract begins with, else the company that a document is headed by."""
    text = extraction.text[:_BEGINNING]
    named = company_names.companies_of(text)
    opening = amendments.find_between(text)
    behind = [each for each in named if opening is not None and each.start >= opening]
    if len(behind) > 1:
        for each in behind[:_MOST_PARTIES]:
            words = ToldWords(
                each.name, extraction.text[each.start : each.end], FactOrigin.TEXT, (each.start, each.end)
            )
            yield ToldParty(PartyRole.PARTY, words)
        return
    place = structure.place_of
    for each in named:
        found = place(each.start, each.end)
        if found is not None and found.piece.kind in {PieceKind.TITLE, PieceKind.HEADING, PieceKind.FURNITURE}:
            words = ToldWords(
                each.name, extraction.text[each.start : each.end], FactOrigin.TEXT, (each.start, each.end)
            )
            yield ToldParty(PartyRole.ISSUER, words)
            return
    if author := extraction.properties.get("author", "").strip():
        yield ToldParty(PartyRole.ISSUER, ToldWords(author[:_CHARS], author[:_CHARS], FactOrigin.METADATA))


def dump(facts: DocumentFacts) -> dict[str, object]:
    """Return facts as JSON."""
    found: dict[str, object] = {
        name: _dump_words(words) for name in ("kind", "date", "period") if (words := getattr(facts, name)) is not None
    }
    if facts.parties:
        found["parties"] = [{"role": each.role, **_dump_words(each.words)} for each in facts.parties]
    if facts.amends:
        found["amends"] = [{"replaces": each.replaces, **_dump_words(each.words)} for each in facts.amends]
    return found


def load(value: object, *, chars: int) -> DocumentFacts:
    """Read and check facts. Raises ValueError when they are not what they must be."""
    fields = untrusted.check_object(value, ())
    parties = untrusted.check_list(fields.get("parties", []), _MOST_TOLD)
    amends = untrusted.check_list(fields.get("amends", []), _MOST_TOLD)
    return DocumentFacts(
        kind=_load_optional(fields.get("kind"), chars),
        date=_load_optional(fields.get("date"), chars),
        period=_load_optional(fields.get("period"), chars),
        parties=tuple(
            ToldParty(PartyRole(_text(untrusted.check_object(each, ("role",))["role"])), _load(each, chars))
            for each in parties
        ),
        amends=tuple(
            ToldAmendment(_load(each, chars), replaces=untrusted.check_object(each, ("replaces",))["replaces"] is True)
            for each in amends
        ),
    )


def _dump_words(words: ToldWords) -> dict[str, object]:
    found: dict[str, object] = {"value": words.value, "words": words.words, "origin": words.origin}
    return found if words.span is None else {**found, "start": words.span[0], "end": words.span[1]}


def _load_optional(value: object, chars: int) -> ToldWords | None:
    return None if value is None else _load(value, chars)


def _load(value: object, chars: int) -> ToldWords:
    fields = untrusted.check_object(value, ("value", "words", "origin"))
    span = untrusted.check_span(fields["start"], fields["end"], chars) if "start" in fields else None
    return ToldWords(_text(fields["value"]), _text(fields["words"]), FactOrigin(_text(fields["origin"])), span)


def _text(value: object) -> str:
    return untrusted.check_text(value, _CHARS)
