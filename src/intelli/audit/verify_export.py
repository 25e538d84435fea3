"""Check of an exported log with the public key alone: no server, no database, no secret."""

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
    """Result of the check of an export: its proof, and the faults found."""

    proof: ExportProof | None
    faults: list[str]


def is_export(path: Path) -> bool:
    """Return True when the file begins as an export in JSON lines does."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(1) == b"{"


def check(path: Path, *, public_key: str | None) -> ExportVerdict:
    """Check an export against its proof, and the proof against the key; without one, against the key it names."""
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
    """List the faults of the lines before the proof: changed, unreadable, or no chain up to the signed end."""
    digest, count, chain, faults = hashlib.sha256(), 0, _ExportedChain(proof), list[str]()
    with path.open("rb") as file:
        for line in file:
            if line.startswith(b'{"proof":'):
                break
            digest.update(line)
            count += 1
            chain.check(line)
    if count != proof.entries:
        faults.append(f"it has {count} entries, its proof says {proof.entries}")
    if digest.hexdigest() != proof.sha256:
        faults.append("its lines are not those that were signed")
    return faults + chain.list_faults()


class _ExportedChain:
    """Check of the entries of an export as a chain; in a filtered one, gaps between entries are allowed."""

    def __init__(self, proof: ExportProof) -> None:
        self._proof = proof
        self._chain = ChainCheck(proof.tenant_id, Trust(None))
        self._unreadable = 0

    def check(self, line: bytes) -> None:
        try:
            entry = AuditEntry.model_validate_json(line)
        except ValidationError:
            self._unreadable += 1
            return
        if self._proof.filters and entry.seq > self._chain.seq + 1:
            self._chain.seq, self._chain.hash = entry.seq - 1, entry.previous_hash
        self._chain.check(entry)

    def list_faults(self) -> list[str]:
        found = [f"{fault.kind}: entries {fault.first_seq} to {fault.last_seq}" for fault in self._chain.faults]
        if self._unreadable:
            found.append(f"{self._unreadable} of its lines are no entries")
        end = (self._chain.seq, self._chain.hash)
        if not self._proof.filters and end != (self._proof.log_seq, self._proof.log_hash):
            found.append(f"it does not end with entry {self._proof.log_seq} as it was signed")
        return found
