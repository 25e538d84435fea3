"""Slots: the claims that compete. A functional relation has one slot for each subject, others one for each value.

Whoever removes, retracts or moves claims locks the group and rebuilds the facts of their slots here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any
from uuid import UUID

from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.memory import facts_in_time, names
from intelli.memory.facts_in_time import SINCE_EVER, Stretch, TimedClaim
from intelli.memory.store import claims as store
from intelli.memory.store.claims import Found
from intelli.memory.tables import ClaimEffect, EndReason

_LONGEST_KEY = 120


@dataclass(frozen=True, slots=True)
class CreatedFact:
    """A fact that was created, with its statement. It is not in the search index yet."""

    id: UUID
    group_id: str
    statement: str
    claim_id: UUID


def slot_of(group_id: str, subject: UUID, relation: str, *, value_key: str, is_functional: bool) -> UUID:
    """Return the slot of a claim: a hash of group, subject, relation and, unless functional, the value."""
    parts = (group_id, str(subject), relation, "" if is_functional else value_key)
    return UUID(bytes=blake2b("\0".join(parts).encode(), digest_size=16).digest())


def value_key_of(node: UUID | None, text: str | None) -> str:
    """Return the key of a value: its node, or its text in any spelling."""
    if node is not None:
        return f"node:{node}"
    key = names.key_of(text or "")
    is_long = len(key) > _LONGEST_KEY
    return f"text:{blake2b(key.encode(), digest_size=16).hexdigest() if is_long else key}"


async def rebuild(tx: Tx, slots: Iterable[UUID]) -> list[CreatedFact]:
    """Rebuild the facts of slots from their claims that are not retracted; return new facts without a search entry.

    The caller has locked the group. A fact keeps its id while a claim behind it remains.
    """
    wanted = list(dict.fromkeys(slots))
    if not wanted:
        return []
    rows = await store.list_by_slots(tx, wanted)
    behind = {row.fact_id for row in rows if row.fact_id is not None}
    known = {row.id: row for row in await store.facts_of_slots(tx, wanted, also=tuple(behind))}
    work = _Rebuild({row.id: row for row in rows}, known)
    for slot in wanted:
        work.rebuild_slot([row for row in rows if row.slot == slot])
    await store.write_rebuilt(tx, facts=work.facts, places=work.places, alike=work.alike, gone=work.gone)
    return work.made


async def reassign_claims(tx: Tx, node_ids: Sequence[UUID]) -> list[CreatedFact]:
    """Move the claims of merged or split nodes to their slots of now, and rebuild these; return new facts."""
    moved: list[dict[str, Any]] = []
    touched: dict[UUID, None] = {}
    for row in await store.list_by_nodes(tx, node_ids):
        value_key = value_key_of(row.object_root, row.object_text)
        slot = slot_of(
            row.group_id, row.subject_root, row.relation, value_key=value_key, is_functional=row.is_functional
        )
        touched |= dict.fromkeys((row.slot, slot))
        if (slot, value_key) != (row.slot, row.value_key):
            moved.append({"id": row.id, "slot": slot, "value_key": value_key})
    if moved:
        await store.move(tx, moved)
    return await rebuild(tx, touched)


class _Rebuild:
    """Rebuild of the facts of some slots: collects the rows to write; unchanged rows are left out."""

    def __init__(self, rows: dict[UUID, Found], known: dict[UUID, Found]) -> None:
        self._rows = rows
        self._known = known
        self._taken: set[UUID] = set()
        self.facts: list[dict[str, Any]] = []
        self.places: list[dict[str, Any]] = []
        self.alike: list[dict[str, Any]] = []
        self.made: list[CreatedFact] = []

    @property
    def gone(self) -> list[UUID]:
        """Facts that no claim supports any more."""
        return [fact_id for fact_id in self._known if fact_id not in self._taken]

    def rebuild_slot(self, rows: Sequence[Found]) -> None:
        """Rebuild one slot from all its claims, in their order."""
        active = [_claim(row) for row in rows if row.retracted_at is None]
        found = facts_in_time.stretches(active)
        ids = {id(stretch): self._id_of(stretch) for stretch in found}
        place = {claim.id: ids[id(stretch)] for stretch in found for claim in stretch.claims}
        ends = {
            stretch.end.id: ids[id(stretch)]
            for stretch in found
            if stretch.end and stretch.end.says is ClaimEffect.ENDS
        }
        for claim in active:
            fact_id = place.get(claim.id) or ends.get(claim.id)
            if fact_id != claim.fact_id:
                self.places.append({"id": claim.id, "fact_id": fact_id})
        for stretch in found:
            self._update_fact(stretch, ids[id(stretch)], ended_by=place.get(stretch.end.id) if stretch.end else None)
        self._update_corrected([row for row in rows if row.retracted_at is not None])

    def _id_of(self, stretch: Stretch) -> UUID:
        """Return the id of a fact that the claims supported and no other stretch took, else a new id."""
        behind = [fact_id for claim in stretch.claims if (fact_id := claim.fact_id) and fact_id in self._known]
        free = next((each for each in behind if each not in self._taken), None)
        fact_id = free or uuid7()
        self._taken.add(fact_id)
        if free is None:
            self._add_new(fact_id, stretch, behind[0] if behind else None)
        return fact_id

    def _add_new(self, fact_id: UUID, stretch: Stretch, like: UUID | None) -> None:
        if like is not None:
            self.alike.append({"id": fact_id, "like_id": like})
            return
        row = self._rows[stretch.claims[0].id]
        self.made.append(CreatedFact(fact_id, row.group_id, row.statement, row.id))

    def _update_fact(self, stretch: Stretch, fact_id: UUID, *, ended_by: UUID | None) -> None:
        first = self._rows[stretch.claims[0].id]
        interval = facts_in_time.interval(stretch, ended_by_fact=ended_by)
        fact = {"id": fact_id, **_columns(first), **asdict(interval)}
        if not _is_unchanged(self._known.get(fact_id), fact):
            self.facts.append(fact)

    def _update_corrected(self, retracted: Sequence[Found]) -> None:
        """Keep the facts of retracted claims as facts that were never valid, so that earlier knowledge can be shown."""
        for row in retracted:
            if row.fact_id is None or row.fact_id in self._taken or row.says == ClaimEffect.ENDS:
                continue
            self._taken.add(row.fact_id)
            valid_at = None if row.at == SINCE_EVER else row.at
            ended = {"invalid_at": row.at, "expired_at": row.retracted_at, "end_reason": EndReason.CORRECTED}
            unknown = {"ended_by_fact": None, "ended_by_episode": row.retracted_by}
            fact = {
                "id": row.fact_id,
                **_columns(row),
                "valid_at": valid_at,
                "known_at": row.known_at,
                **ended,
                **unknown,
            }
            if not _is_unchanged(self._known.get(row.fact_id), fact):
                self.facts.append(fact)


def _columns(row: Found) -> dict[str, Any]:
    return {
        "group_id": row.group_id,
        "slot": row.slot,
        "subject_id": row.subject_root,
        "relation": row.relation,
        "object_id": row.object_root,
        "object_text": row.object_text,
        "value_key": row.value_key,
        "statement": row.statement,
        "confidence": row.confidence,
    }


def _is_unchanged(row: Found | None, fact: dict[str, Any]) -> bool:
    return row is not None and all(getattr(row, name) == value for name, value in fact.items())


def _claim(row: Found) -> TimedClaim:
    return TimedClaim(
        id=row.id,
        slot=row.slot,
        says=ClaimEffect(row.says),
        value_key=row.value_key,
        at=row.at,
        seq=row.seq,
        position=row.position,
        episode_id=row.episode_id,
        known_at=row.known_at,
        fact_id=row.fact_id,
        reason=EndReason(row.reason) if row.reason else None,
    )
