"""Things and claims extracted from an episode, with their times, before things are resolved to nodes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from intelli.memory import names, partial_dates, relations
from intelli.memory.facts_in_time import SINCE_EVER
from intelli.memory.schema import GENERIC, Schema
from intelli.memory.tables import ClaimEffect
from intelli.reasoning.verbs.extract import ExtractedFacts, NamedThing, StatedFact

_LEAST_CONFIDENCE = 0.3
_MAX_VALUE = 500
_MAX_STATEMENT = 600


@dataclass(frozen=True, slots=True)
class ExtractedThing:
    """A thing that the episode names; things with equal `key` are one."""

    key: str
    name: str
    kind: str
    confidence: float
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ExtractedClaim:
    """A claim that a value holds from `at`, or ends then. The value is another thing (its key) or a text."""

    subject: str
    relation: str
    object_key: str | None
    object_text: str | None
    says: ClaimEffect
    at: datetime
    statement: str
    confidence: float
    position: int
    quote: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class ExtractedEpisode:
    """The things and claims extracted from an episode."""

    things: tuple[ExtractedThing, ...] = ()
    claims: tuple[ExtractedClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractionContext:
    """Context of an episode: its group's types, its time, its text, where the content begins there, and known keys."""

    schema: Schema
    reference: datetime
    text: str
    offset: int = 0
    recent_keys: frozenset[str] = frozenset()


def normalise(extracted: ExtractedFacts, context: ExtractionContext) -> ExtractedEpisode:
    """Return the extracted things and claims that the schema allows and whose confidence suffices."""
    in_facts = _keys_of(extracted.facts)
    dropped = {names.key_of(each.name) for each in extracted.things if context.schema.kind_of(each.kind) is None}
    things: dict[str, ExtractedThing] = {}
    for named in extracted.things:
        thing = _thing(named, context.schema)
        is_sure = named.confidence >= _LEAST_CONFIDENCE or thing.key in context.recent_keys or thing.key in in_facts
        if thing.key and thing.key not in dropped and is_sure:
            things.setdefault(thing.key, thing)
    claims: list[ExtractedClaim] = []
    for fact in extracted.facts:
        subject, object_key = names.key_of(fact.subject), names.key_of(fact.object)
        if not subject or not object_key or {subject, object_key} & dropped:
            continue
        owner = things.get(subject) or _unlisted(fact.subject, context.schema)
        if owner is None or not _is_allowed(fact, owner, things.get(object_key), context.schema):
            continue
        things.setdefault(subject, owner)
        claims += _claims(fact, things, context, first=len(claims))
    return ExtractedEpisode(tuple(things.values()), tuple(claims))


def _keys_of(facts: Sequence[StatedFact]) -> set[str]:
    return {names.key_of(name) for fact in facts for name in (fact.subject, fact.object)}


def _thing(named: NamedThing, schema: Schema) -> ExtractedThing:
    kind = schema.kind_of(named.kind) or GENERIC
    declared = {each.casefold() for known in schema.node_types if known.name == kind for each in known.attributes}
    attributes = {
        name: each.value.strip()[:_MAX_VALUE]
        for each in named.attributes
        if (name := relations.key_of(each.name))
        and each.value.strip()
        and (not declared or each.name.casefold() in declared)
    }
    return ExtractedThing(names.key_of(named.name), names.tidy(named.name), kind, named.confidence, attributes)


def _unlisted(name: str, schema: Schema) -> ExtractedThing | None:
    """Build a thing for a fact's subject that is not among the things; None when generic things are excluded."""
    if schema.kind_of(GENERIC) is None:
        return None
    return ExtractedThing(names.key_of(name), names.tidy(name), GENERIC, _LEAST_CONFIDENCE, {})


def _is_allowed(fact: StatedFact, subject: ExtractedThing, object: ExtractedThing | None, schema: Schema) -> bool:
    relation = relations.key_of(fact.relation)
    target = object.kind if object else None
    return bool(relation) and schema.allows(relation, source=subject.kind, target=target)


def _claims(
    fact: StatedFact, things: Mapping[str, ExtractedThing], context: ExtractionContext, *, first: int
) -> Iterator[ExtractedClaim]:
    subject, object_key = names.key_of(fact.subject), names.key_of(fact.object)
    relation, is_thing = relations.key_of(fact.relation), object_key in things
    start = context.text.find(fact.quote, context.offset) if fact.quote else -1
    for number, (says, at) in enumerate(_times(fact, context.reference)):
        yield ExtractedClaim(
            subject=subject,
            relation=relation,
            object_key=object_key if is_thing else None,
            object_text=None if is_thing else " ".join(fact.object.split())[:_MAX_VALUE],
            says=says,
            at=at,
            statement=_statement(fact, relation),
            confidence=things[subject].confidence,
            position=first + number,
            quote=(start, start + len(fact.quote)) if start >= 0 else None,
        )


def _times(fact: StatedFact, reference: datetime) -> Iterator[tuple[ClaimEffect, datetime]]:
    """Yield when the fact begins and ends; a beginning that is not stated is the episode's time, `reference`."""
    since, until = partial_dates.beginning(fact.valid_from), partial_dates.ending(fact.valid_until)
    if fact.is_over:
        if since is not None and until is not None and since < until:
            yield ClaimEffect.HOLDS, since
        # What ended on a day is over when the day begins; it was not so any more when that was said.
        yield ClaimEffect.ENDS, partial_dates.beginning(fact.valid_until) or since or reference
        return
    if until is not None and (since or SINCE_EVER) >= until:
        until = None
    if until is None:
        yield ClaimEffect.HOLDS, since or reference
        return
    yield ClaimEffect.HOLDS, since or (reference if until > reference else SINCE_EVER)
    yield ClaimEffect.ENDS, until


def _statement(fact: StatedFact, relation: str) -> str:
    """Return the quote when it names the subject and is short enough, else a sentence made from the relation."""
    quote = " ".join(fact.quote.split())
    subject = names.tidy(fact.subject)
    if subject.casefold() in quote.casefold() and len(quote) <= _MAX_STATEMENT:
        return quote
    sentence = relations.render(subject, relation, " ".join(fact.object.split()))
    return f"{sentence[:_MAX_STATEMENT]}{' (no longer)' if fact.is_over else ''}"
