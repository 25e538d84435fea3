"""Held: a fact as it stood at an earlier time, made of the claims that were known then."""

from dataclasses import dataclass
from uuid import UUID

from intelli.memory.facts_in_time import Interval
from intelli.memory.stored_claims import StoredClaim


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact as it stood: its claims, and when it held by what was known."""

    fact_id: UUID
    claims: tuple[StoredClaim, ...]
    interval: Interval
