"""Hash chain of the log: the hash of an entry, and the check of entries in order.

The hash is public: anybody can compute it from the entry, and each covers the one before. The seal over it is keyed,
so only an installation with the secret can make one. A chain that was recomputed has valid hashes but no valid seals.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC
from uuid import UUID

from intelli.audit.keys import AuditKey
from intelli.audit.tables import AuditLogEntry
from intelli.audit.wire import AuditEntry, EventType, FindingKind
from intelli.kit.canonical import sha256

GENESIS = "0" * 64
# Settings changes about the log itself. CREATED is the creation of its workspace, the first entry of every log.
CREATED = "created"
ANCHORED = "log_anchored"
ACCEPTED = "log_accepted"
# After so many separate faults, further ones add no information.
_MOST_FAULTS = 50


Entry = AuditLogEntry | AuditEntry


def entry_hash(entry: Entry, tenant_id: UUID) -> str:
    """Compute the hash over all fields of an entry and the hash before it."""
    return sha256(
        {
            "tenant_id": str(tenant_id),
            "id": str(entry.id),
            "seq": entry.seq,
            "created_at": entry.created_at.astimezone(UTC).isoformat(timespec="microseconds"),
            "event_type": str(entry.event_type),
            "user_id": str(entry.user_id),
            "conversation_id": str(entry.conversation_id),
            "run_id": str(entry.run_id),
            "entity_type": entry.entity_type,
            "entity_id": str(entry.entity_id),
            "success": entry.success,
            "details": entry.details,
            "previous_hash": entry.previous_hash,
        }
    )


@dataclass(slots=True)
class ChainFault:
    """Fault of the entries from `first_seq` to `last_seq`."""

    kind: FindingKind
    first_seq: int
    last_seq: int


@dataclass(frozen=True, slots=True)
class Trust:
    """Expected seals: those of `key`, after the entries that need none.

    With `may_begin_unsealed`, the entries before the first sealed one need none; else those up to `accepted_until`.
    Without a key, the checker has only the public part and ignores seals.
    """

    key: AuditKey | None
    accepted_until: int = 0
    may_begin_unsealed: bool = False


class ChainCheck:
    """Check of entries in order of their numbers, from the first or from a known one.

    After a fault it continues as if that entry were valid, so that one change is reported once. `marks` are the
    numbers whose hashes are recorded in `hash_at`.
    """

    def __init__(
        self, tenant_id: UUID, trust: Trust, *, after: int = 0, previous: str = GENESIS, marks: Iterable[int] = ()
    ) -> None:
        self._tenant_id = tenant_id
        self._trust = trust
        self._marks = frozenset(marks)
        self.accepted_until = trust.accepted_until
        self.seq = after
        self.hash = previous
        self.checked = 0
        self.is_announced = False
        self.has_beginning = False
        self.faults = list[ChainFault]()
        self.hash_at = dict[int, str]()

    def check(self, entry: Entry) -> None:
        """Check the next entry, and add what is wrong with it to `faults`."""
        self.checked += 1
        if entry.seq > self.seq + 1:
            self._add_fault(FindingKind.MISSING, self.seq + 1, entry.seq - 1)
        fault = self._find_fault(entry)
        if fault is not None:
            self._add_fault(fault, entry.seq, entry.seq)
        self._note_log_change(entry)
        if entry.seq in self._marks:
            self.hash_at[entry.seq] = entry.hash
        self.seq, self.hash = entry.seq, entry.hash

    def _note_log_change(self, entry: Entry) -> None:
        details: object = entry.details  # whoever changes rows may put anything there
        is_change = entry.event_type == EventType.SETTINGS_CHANGE and isinstance(details, Mapping)
        change = entry.details.get("change") if is_change else None
        self.is_announced = self.is_announced or change in {ANCHORED, ACCEPTED}
        is_beginning = change == ACCEPTED or (change == CREATED and entry.entity_id == self._tenant_id)
        self.has_beginning = self.has_beginning or (entry.seq == 1 and is_beginning)

    def _find_fault(self, entry: Entry) -> FindingKind | None:
        if entry.seq == self.seq + 1 and entry.previous_hash != self.hash:
            return FindingKind.UNLINKED
        if entry.hash != entry_hash(entry, self._tenant_id):
            return FindingKind.CHANGED
        return self._find_seal_fault(entry, self._trust.key) if self._trust.key else None

    def _find_seal_fault(self, entry: Entry, key: AuditKey) -> FindingKind | None:
        if entry.seq <= self.accepted_until:
            return None
        if entry.seal is None:
            if self._trust.may_begin_unsealed and self.accepted_until == entry.seq - 1:
                self.accepted_until = entry.seq
                return None
            return FindingKind.UNSEALED
        if entry.seal_key != key.name:
            return FindingKind.UNKNOWN_KEY
        return None if key.has_sealed(entry.hash, entry.seal) else FindingKind.REWRITTEN

    def _add_fault(self, kind: FindingKind, first_seq: int, last_seq: int) -> None:
        last = self.faults[-1] if self.faults else None
        if last is not None and last.kind is kind and last.last_seq == first_seq - 1:
            last.last_seq = last_seq
        elif len(self.faults) < _MOST_FAULTS:
            self.faults.append(ChainFault(kind, first_seq, last_seq))
