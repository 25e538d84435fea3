"""The check of an exported log with the public key alone: no server, no database, no secret."""

import hashlib
import json
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from intelli.audit import statements
from intelli.audit.chain import ChainCheck, Trust
from intelli.audit.statements import ExportProof
from intelli.audit.wire import AuditEntry

_NO_PROOF = "its last line is no proof: the end is missing, or the log was not whole when it was exported"


@dataclass(frozen=True, slots=True)
class ExportVerdict:
    """What an export's proof says, and what does not agree with it."""

    proof: ExportProof | None
    faults: list[str]


def is_export(path: Path) -> bool:
    """True when the file begins as an export in JSON lines does."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(1) == b"{"


def check(path: Path, *, public_key: str | None) -> ExportVerdict:
    """Compare an export with its proof, and the proof with the key, or with the one it names itself."""
    proof = _find_proof(path)
    if proof is None:
        return ExportVerdict(None, [_NO_PROOF])
    is_signed = statements.is_genuine(proof, public_key or proof.public_key)
    faults = [] if is_signed else ["its proof is not signed by the key"]
    return ExportVerdict(proof, faults + _content_faults(path, proof))


def _find_proof(path: Path) -> ExportProof | None:
    with path.open("rb") as file:
        last = deque(file, maxlen=1)
    try:
        found = json.loads(last[0]) if last else None
        return ExportProof.model_validate(found["proof"]) if isinstance(found, dict) and "proof" in found else None
    except ValueError:
        return None


def _content_faults(path: Path, proof: ExportProof) -> list[str]:
    """What the lines before the proof are not: those that were signed, entries, a chain up to the signed end."""
    digest, count, walk, faults = hashlib.sha256(), 0, _Links(proof), list[str]()
    with path.open("rb") as file:
        for line in file:
            if line.startswith(b'{"proof":'):
                break
            digest.update(line)
            count += 1
            walk.take(line)
    if count != proof.entries:
        faults.append(f"it has {count} entries, its proof says {proof.entries}")
    if digest.hexdigest() != proof.sha256:
        faults.append("its lines are not those that were signed")
    return faults + walk.faults()


class _Links:
    """The entries of an export as a chain; of a filtered one, those that stand beside each other."""

    def __init__(self, proof: ExportProof) -> None:
        self._proof = proof
        self._walk = ChainCheck(proof.tenant_id, Trust(None))
        self._unreadable = 0

    def take(self, line: bytes) -> None:
        try:
            entry = AuditEntry.model_validate_json(line)
        except ValidationError:
            self._unreadable += 1
            return
        if self._proof.filters and entry.seq > self._walk.seq + 1:
            self._walk.seq, self._walk.hash = entry.seq - 1, entry.previous_hash
        self._walk.take(entry)

    def faults(self) -> list[str]:
        found = [f"{fault.kind}: entries {fault.first_seq} to {fault.last_seq}" for fault in self._walk.faults]
        if self._unreadable:
            found.append(f"{self._unreadable} of its lines are no entries")
        end = (self._walk.seq, self._walk.hash)
        if not self._proof.filters and end != (self._proof.log_seq, self._proof.log_hash):
            found.append(f"it does not end with entry {self._proof.log_seq} as it was signed")
        return found
