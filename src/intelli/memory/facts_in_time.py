"""Derive facts from claims: in the claims of a slot, ordered by their time, each stretch of one value is a fact.

The order in which claims are given does not matter, so messages processed in any order lead to one history.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from intelli.memory.tables import ClaimEffect, EndReason

SINCE_EVER = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class TimedClaim:
    """A claim of one episode about a slot: its value, its effect and its place in time."""

    id: UUID
    slot: UUID
    says: ClaimEffect
    value_key: str
    at: datetime
    seq: int
    position: int
    episode_id: UUID
    known_at: datetime
    fact_id: UUID | None = None
    reason: EndReason | None = None

    @property
    def order(self) -> tuple[datetime, int, int]:
        """Its place among the claims of the slot: by its time, then by arrival, then by its place in the message."""
        return self.at, self.seq, self.position


@dataclass(slots=True)
class Stretch:
    """Claims of one value that follow each other, and the claim that ends them."""

    claims: list[TimedClaim] = field(default_factory=list)
    end: TimedClaim | None = None

    @property
    def value_key(self) -> str:
        """The value that holds."""
        return self.claims[0].value_key


@dataclass(frozen=True, slots=True)
class Interval:
    """When a fact holds and when we learned so, and what ended it."""

    valid_at: datetime | None
    known_at: datetime
    invalid_at: datetime | None = None
    expired_at: datetime | None = None
    end_reason: EndReason | None = None
    ended_by_fact: UUID | None = None
    ended_by_episode: UUID | None = None


def stretches(claims: Iterable[TimedClaim]) -> list[Stretch]:
    """Return the history that follows from the claims of one slot, given in any order."""
    found: list[Stretch] = []
    current: Stretch | None = None
    for claim in sorted(claims, key=lambda each: each.order):
        is_same = current is not None and current.value_key == claim.value_key
        if claim.says is ClaimEffect.ENDS:
            if current is not None and is_same:
                current.end, current = claim, None
        elif current is not None and is_same:
            current.claims.append(claim)
        else:
            if current is not None:
                current.end = claim
            current = Stretch([claim])
            found.append(current)
    return found


def interval(stretch: Stretch, *, ended_by_fact: UUID | None) -> Interval:
    """Return the interval of the fact of a stretch; `ended_by_fact` is the fact that its end begins, if any."""
    first, end = stretch.claims[0], stretch.end
    known_at = min(claim.known_at for claim in stretch.claims)
    valid_at = None if first.at == SINCE_EVER else first.at
    return Interval(valid_at, known_at) if end is None else ended(Interval(valid_at, known_at), end, ended_by_fact)


def ended(open_interval: Interval, end: TimedClaim, ended_by_fact: UUID | None) -> Interval:
    """Return the interval closed by a claim."""
    return Interval(
        valid_at=open_interval.valid_at,
        known_at=open_interval.known_at,
        invalid_at=end.at,
        expired_at=max(open_interval.known_at, end.known_at),
        end_reason=reason_of(open_interval.valid_at, end),
        ended_by_fact=ended_by_fact,
        ended_by_episode=end.episode_id,
    )


def reason_of(valid_at: datetime | None, end: TimedClaim) -> EndReason:
    """Return why a claim ends the fact before it."""
    if end.reason is not None:
        return end.reason
    if end.says is ClaimEffect.ENDS:
        return EndReason.ENDED
    # Two values at one moment cannot follow each other: the one said last stands, and the other was wrong.
    return EndReason.CONTRADICTED if end.at == (valid_at or SINCE_EVER) else EndReason.SUPERSEDED


def held_at(claims: Sequence[TimedClaim], *, as_of: datetime, known_at: datetime) -> str | None:
    """Return the key of the value that held at `as_of` by the claims known at `known_at`; None when none did."""
    known = [claim for claim in claims if claim.known_at <= known_at and claim.at <= as_of]
    last = next(iter(stretches(known)[-1:]), None)
    return last.value_key if last is not None and last.end is None else None
