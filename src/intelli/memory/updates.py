"""Updates: of messages that give different values for what is asked, the later one stands before the earlier.

Two disagree when what they claim shares a slot of one value; or when the query asks for a figure or a date, its words
stand beside such in both, and these differ. Only the order changes, among the ranks that they hold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from intelli.memory import values
from intelli.memory.relevance import Relevant
from intelli.memory.store.recall import ClaimedValue
from intelli.memory.values import Value, ValueQuery

# So many of the best are compared: what is further down is rarely about the very same.
_COMPARED = 10
# So much of what the query's words are worth must stand beside both values: less where the later message says that
# something changed.
_LEAST_SHARED, _LEAST_IN_CHANGE = 0.4, 0.2
# Beside the later value must stand so much of what stands beside the earlier.
_LEAST_KEPT, _KEPT_IN_CHANGE = 0.6, 0.3
# Values beside which nearly as much of the query stands as beside the best tell of it too.
_NEARLY = 0.6
# What it counts for that the later message says so.
_CHANGED = 1.5
_ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message that was found: who spoke in general, when, and the words."""

    id: UUID
    group_id: str
    role_type: str
    order: tuple[datetime, int]
    text: str


@dataclass(frozen=True, slots=True)
class MessageValues:
    """What a message tells of what is asked: its values, and the names it speaks of."""

    values: tuple[Value, ...]
    names: frozenset[str]


def find(said: Sequence[FoundMessage], asked: ValueQuery | None, claims: Sequence[ClaimedValue]) -> dict[UUID, UUID]:
    """For each message that a later one of the best corrects, the one that does most surely."""
    best = said[:_COMPARED]
    known = {each.id for each in best}
    by_values = _by_values(best, asked) if asked is not None else {}
    return by_values | _by_claims([each for each in claims if each.episode_id in known])


def later_first(
    found: Sequence[Relevant], said: Sequence[FoundMessage], updated_by: Mapping[UUID, UUID]
) -> list[Relevant]:
    """The same items: those that tell of one thing take the ranks they hold from the latest to the earliest."""
    order = {each.id: each.order for each in said}
    ids = [each.id for each in found]
    for together in _together(updated_by):
        ranks = sorted(ids.index(each) for each in together)
        latest = sorted(together, key=lambda each: order[each], reverse=True)
        for rank, each in zip(ranks, latest, strict=True):
            ids[rank] = each
    return [Relevant(each, rank.relevance) for each, rank in zip(ids, found, strict=True)]


def _together(updated_by: Mapping[UUID, UUID]) -> list[set[UUID]]:
    """Messages that update each other, directly or through others."""
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


def _by_values(said: Sequence[FoundMessage], asked: ValueQuery) -> dict[UUID, UUID]:
    told = {each.id: _told(each.text, asked) for each in said if each.role_type != _ASSISTANT}
    by_time = sorted((each for each in said if each.id in told), key=lambda each: each.order)
    found: dict[UUID, UUID] = {}
    for place, earlier in enumerate(by_time):
        sure = [
            (_sureness(told[earlier.id], told[later.id], asked), number)
            for number, later in enumerate(by_time[place + 1 :], place + 1)
            if later.group_id == earlier.group_id
        ]
        best, number = max(sure, default=(0.0, 0))
        if best > 0:
            found[earlier.id] = by_time[number].id
    return found


def _told(text: str, asked: ValueQuery) -> MessageValues:
    """The values of a message beside which most of the query stands."""
    found = list(values.of(text, asked))
    least = _NEARLY * max((asked.share(each.words) for each in found), default=0.0)
    return MessageValues(tuple(each for each in found if asked.share(each.words) >= least), values.names_of(text))


def _sureness(earlier: MessageValues, later: MessageValues, asked: ValueQuery) -> float:
    """How surely the second message corrects the first: 0 when it does not."""
    if {each.same_as for each in earlier.values} & {each.same_as for each in later.values}:
        return 0.0
    best = 0.0
    for one in earlier.values:
        for other in later.values:
            if one.kind != other.kind or _is_of_another(other, one, known=earlier.names, asked=asked):
                continue
            shared = asked.share(one.words & other.words)
            least, kept = (_LEAST_IN_CHANGE, _KEPT_IN_CHANGE) if other.is_change else (_LEAST_SHARED, _LEAST_KEPT)
            if shared >= max(least, kept * asked.share(one.words)):
                best = max(best, shared * (_CHANGED if other.is_change else 1))
    return best


def _is_of_another(later: Value, earlier: Value, *, known: frozenset[str], asked: ValueQuery) -> bool:
    """Whether the later value lacks a name that is asked for and the earlier has, and stands beside one of its own."""
    lacks = (earlier.words & asked.names) - later.words
    return bool(lacks) and bool(later.names - known)
