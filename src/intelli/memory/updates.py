"""Find messages that update earlier ones: of two that give different values for the query, the later is ranked first.

Two disagree when their claims give different values of one functional slot; or when the query asks for a figure or a
date ("How many bikes do I have?"), both have one near words of the query ("3 bikes", "now 4 bikes"), and these differ.
Only their order changes, among the ranks that they have.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from intelli.memory import values
from intelli.memory.relevance import Relevant
from intelli.memory.store.recall import ClaimedValue
from intelli.memory.values import Value, ValueQuery

# So many of the best are compared: messages further down are rarely about the same thing.
_COMPARED = 10
# The share of the query's weight that must be near both values: less where the later message says that something
# changed.
_LEAST_SHARED, _LEAST_IN_CHANGE = 0.4, 0.2
# The part of the earlier value's share that must also be near the later value.
_LEAST_KEPT, _KEPT_IN_CHANGE = 0.6, 0.3
# Values with nearly as great a share as the best one answer the query too.
_NEARLY = 0.6
# Factor for a later message that says that something changed.
_CHANGED = 1.5
_ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A found message: the role of its speaker, its place in time, and its text."""

    id: UUID
    group_id: str
    role_type: str
    order: tuple[datetime, int]
    text: str


@dataclass(frozen=True, slots=True)
class MessageValues:
    """The values in a message that may answer the query, and the names in it."""

    values: tuple[Value, ...]
    names: frozenset[str]


def find_updates(
    messages: Sequence[FoundMessage], asked: ValueQuery | None, claims: Sequence[ClaimedValue]
) -> dict[UUID, UUID]:
    """Return for each of the best messages that a later one updates, by id, the one that does so most surely.

    `messages` are given best first; `asked` is None when the query asks for no value.
    """
    best = messages[:_COMPARED]
    known = {each.id for each in best}
    by_values = _by_values(best, asked) if asked is not None else {}
    return by_values | _by_claims([each for each in claims if each.episode_id in known])


def order_later_first(
    found: Sequence[Relevant], messages: Sequence[FoundMessage], updated_by: Mapping[UUID, UUID]
) -> list[Relevant]:
    """Return the items with those that update each other exchanged among their ranks: the latest comes first."""
    order = {each.id: each.order for each in messages}
    ids = [each.id for each in found]
    for group in _connected(updated_by):
        ranks = sorted(ids.index(each) for each in group)
        latest = sorted(group, key=lambda each: order[each], reverse=True)
        for rank, each in zip(ranks, latest, strict=True):
            ids[rank] = each
    return [Relevant(each, rank.relevance) for each, rank in zip(ids, found, strict=True)]


def _connected(updated_by: Mapping[UUID, UUID]) -> list[set[UUID]]:
    """Return the sets of messages that update each other, directly or through others."""
    found: list[set[UUID]] = []
    for pair in updated_by.items():
        joined = set(pair).union(*(each for each in found if each & set(pair)))
        found = [each for each in found if not each & joined] + [joined]
    return found


def _by_claims(claims: Sequence[ClaimedValue]) -> dict[UUID, UUID]:
    found: dict[UUID, UUID] = {}
    for earlier in claims:
        later = [each for each in claims if each.slot == earlier.slot and each.order > earlier.order]
        last = max(later, key=lambda each: each.order, default=earlier)
        if last.value_key != earlier.value_key and last.episode_id != earlier.episode_id:
            found[earlier.episode_id] = last.episode_id
    return found


def _by_values(messages: Sequence[FoundMessage], asked: ValueQuery) -> dict[UUID, UUID]:
    found_values = {each.id: _values_in(each.text, asked) for each in messages if each.role_type != _ASSISTANT}
    by_time = sorted((each for each in messages if each.id in found_values), key=lambda each: each.order)
    found: dict[UUID, UUID] = {}
    for place, earlier in enumerate(by_time):
        candidates = [
            (_sureness(found_values[earlier.id], found_values[later.id], asked), number)
            for number, later in enumerate(by_time[place + 1 :], place + 1)
            if later.group_id == earlier.group_id
        ]
        best, number = max(candidates, default=(0.0, 0))
        if best > 0:
            found[earlier.id] = by_time[number].id
    return found


def _values_in(text: str, asked: ValueQuery) -> MessageValues:
    """Return the values of a message that are near most of the query's words."""
    found = list(values.find_values(text, asked))
    least = _NEARLY * max((asked.share(each.words) for each in found), default=0.0)
    return MessageValues(tuple(each for each in found if asked.share(each.words) >= least), values.names_of(text))


def _sureness(earlier: MessageValues, later: MessageValues, asked: ValueQuery) -> float:
    """Return how surely the later message updates the earlier one: 0 when it does not."""
    if {each.same_as for each in earlier.values} & {each.same_as for each in later.values}:
        return 0.0
    best = 0.0
    for one in earlier.values:
        for other in later.values:
            if one.kind != other.kind or _is_about_other(other, one, known=earlier.names, asked=asked):
                continue
            shared = asked.share(one.words & other.words)
            least, kept = (_LEAST_IN_CHANGE, _KEPT_IN_CHANGE) if other.is_change else (_LEAST_SHARED, _LEAST_KEPT)
            if shared >= max(least, kept * asked.share(one.words)):
                best = max(best, shared * (_CHANGED if other.is_change else 1))
    return best


def _is_about_other(later: Value, earlier: Value, *, known: frozenset[str], asked: ValueQuery) -> bool:
    """Return True when the later value is near a new name instead of a queried name that the earlier one is near."""
    lacks = (earlier.words & asked.names) - later.words
    return bool(lacks) and bool(later.names - known)
