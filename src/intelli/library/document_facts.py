"""Facts of a document: what a person corrected, else what its text tells, else what its name or its metadata tell."""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import PurePath
from typing import Any, TypeVar
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.language import document_dates
from intelli.library import change_channel
from intelli.library.fact_wire import AmendmentFact, CorrectFacts, DocumentFactsView, FactValue, PartyFact
from intelli.library.store import documents as store
from intelli.library.structure import covered_period
from intelli.library.structure.told_words import FactOrigin, ToldWords
from intelli.library.tables import Document, Reading

Facts = Mapping[str, Any]  # as they are stored, in JSON
Fact = TypeVar("Fact", bound=FactValue)


def show(document: Document, reading: Reading | None) -> DocumentFactsView:
    """Return the facts of a document; what nothing tells is null or empty."""
    corrected: Facts = document.corrected_facts or {}
    read: Facts = (reading.facts if reading else None) or {}
    name = PurePath(document.name).stem
    return DocumentFactsView(
        kind=_one(corrected, "kind", FactValue, _fact(read.get("kind"))),
        date=_one(corrected, "date", FactValue, _date(read, name)),
        period=_one(corrected, "period", FactValue, _fact(read.get("period")) or _period_of_name(name)),
        parties=_many(corrected, "parties", PartyFact, read),
        amends=_many(corrected, "amends", AmendmentFact, read),
    )


async def find_dates(tx: Tx, document_ids: Sequence[UUID]) -> dict[UUID, date]:
    """Return the dates of documents, as far as something tells them; those of metadata are of the file only."""
    found = await store.find_all_with_readings(tx, document_ids) if document_ids else []
    dates = {}
    for each in found:
        told = show(each.document, each.reading).date
        if told is not None and told.value and told.origin is not FactOrigin.METADATA:
            dates[each.document.id] = date.fromisoformat(told.value)
    return dates


async def find_amended(tx: Tx, document_ids: Sequence[UUID]) -> dict[UUID, tuple[str, ...]]:
    """Return the names of what documents amend or replace, of those that do."""
    found = await store.find_all_with_readings(tx, document_ids) if document_ids else []
    amended = {each.document.id: tuple(one.value for one in show(each.document, each.reading).amends) for each in found}
    return {document_id: names for document_id, names in amended.items() if names}


async def correct(tx: Tx, document: Document, asked: CorrectFacts) -> None:
    """Keep what a person says of a document; null withdraws a correction. A new reading leaves it as it is."""
    given = asked.model_dump(mode="json", include=asked.model_fields_set)
    kept = {**document.corrected_facts, **given}
    document.corrected_facts = {name: value for name, value in kept.items() if value is not None}
    document.updated_at = clock.now()
    await store.flush(tx)
    await change_channel.notify(tx)
    entity = ("document", document.id)
    await record(tx, EventType.FILE_MODIFICATION, entity=entity, action="facts", version=document.version)


def _one(corrected: Facts, name: str, kind: type[Fact], read: Fact | None) -> Fact | None:
    """Return what a person says, if they said anything; an empty word says that there is none."""
    if name not in corrected:
        return read
    value = corrected[name]
    return kind(value=value, words=value, origin=FactOrigin.PERSON) if value else None


def _many(corrected: Facts, name: str, kind: type[Fact], read: Facts) -> list[Fact]:
    if name not in corrected:
        return [kind.model_validate(each) for each in read.get(name, [])]
    said = ({**each, "words": each["value"], "origin": FactOrigin.PERSON} for each in corrected[name])
    return [kind.model_validate(each) for each in said]


def _fact(stored: Facts | None) -> FactValue | None:
    return None if stored is None else FactValue.model_validate(stored)


def _date(read: Facts, name: str) -> FactValue | None:
    """Return the newer of the dates that text and name tell; that of the metadata only where neither does."""
    told = _fact(read.get("date"))
    named = document_dates.date_of_name(name, today=clock.now().date())
    if named is None or (told and told.origin is FactOrigin.TEXT and told.value >= named.day.isoformat()):
        return told
    return FactValue(value=named.day.isoformat(), words=named.written, origin=FactOrigin.NAME)


def _period_of_name(name: str) -> FactValue | None:
    told: ToldWords | None = covered_period.lone_period(name.replace("_", " "), origin=FactOrigin.NAME)
    return None if told is None else FactValue(value=told.value, words=told.words, origin=told.origin)
