"""Streamed exports of the log: CSV for spreadsheets, JSON lines for programs, with a signed proof.

The last line of JSON lines is a signed statement of the content, which `verify_export` checks with the public key.
Entries that do not match their chain and seals are exported, but the export is then not signed.
"""

import csv
import hashlib
import io
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, dataclass
from uuid import UUID

from intelli.audit import statements
from intelli.audit.anchors import Anchors, KnownHeads
from intelli.audit.chain import ChainCheck, Trust
from intelli.audit.statements import ExportProof
from intelli.audit.store import AuditFilter
from intelli.audit.wire import AuditEntry, ExportFormat
from intelli.kit import clock

MEDIA_TYPES = {ExportFormat.CSV: "text/csv; charset=utf-8", ExportFormat.JSONL: "application/x-ndjson"}
_UNPROVEN = (
    "The log is not whole, so nothing is signed about this export. An admin learns more at /api/v1/audit/verify."
)
_COLUMNS = tuple(AuditEntry.model_fields)
# A spreadsheet runs a cell that begins with one of these as a formula.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class ExportRange:
    """Range of an export: the entries of a log up to `seq` that match `filters`. `hash` is that of entry `seq`."""

    tenant_id: UUID
    seq: int
    hash: str
    filters: Mapping[str, str]


def describe_filter(which: AuditFilter) -> dict[str, str]:
    """Convert a filter to texts for the proof, without the fields that are not set."""
    return {name: str(value) for name, value in asdict(which).items() if value is not None}


async def csv_lines(entries: AsyncIterator[AuditEntry]) -> AsyncIterator[bytes]:
    """Yield the export as CSV, line by line. Cells that a spreadsheet would run as formulas are escaped."""
    yield _csv_line(_COLUMNS)
    async for entry in entries:
        yield _csv_line(_cells(entry))


async def json_lines(
    entries: AsyncIterator[AuditEntry], extent: ExportRange, anchors: Anchors, known: KnownHeads
) -> AsyncIterator[bytes]:
    """Yield the export as JSON lines, and at the end its proof, or the reason why there is none."""
    digest, count, check = hashlib.sha256(), 0, _ExportCheck(extent, anchors, known)
    async for entry in entries:
        line = (entry.model_dump_json() + "\n").encode()
        digest.update(line)
        count += 1
        check.add(entry)
        yield line
    if not check.is_whole():
        yield json.dumps({"proof": None, "fault": _UNPROVEN}).encode() + b"\n"
        return
    proof = ExportProof(
        signed_at=clock.now(),
        public_key=anchors.key.public_key,
        tenant_id=extent.tenant_id,
        filters=dict(extent.filters),
        entries=count,
        sha256=digest.hexdigest(),
        log_seq=extent.seq,
        log_hash=extent.hash,
    )
    yield b'{"proof":%s}\n' % statements.sign(proof, anchors.key).model_dump_json().encode()


class _ExportCheck:
    """Check of exported entries: a whole log as a chain, a filtered one entry by entry."""

    def __init__(self, extent: ExportRange, anchors: Anchors, known: KnownHeads) -> None:
        self._extent = extent
        self._head = known.newest
        accepted_until = self._head.accepted_until if self._head else 0
        self._trust = Trust(anchors.key, accepted_until, known.may_begin_unsealed)
        self._chain = ChainCheck(extent.tenant_id, self._trust, marks=[self._head.seq] if self._head else [])
        self._has_fault = False

    def add(self, entry: AuditEntry) -> None:
        if not self._extent.filters:
            self._chain.check(entry)
            return
        alone = ChainCheck(self._extent.tenant_id, self._trust, after=entry.seq - 1, previous=entry.previous_hash)
        alone.check(entry)
        self._has_fault = self._has_fault or bool(alone.faults)

    def is_whole(self) -> bool:
        extent, head, chain = self._extent, self._head, self._chain
        if self._has_fault or chain.faults or (head is not None and head.seq > extent.seq):
            return False
        if extent.filters:
            return True
        is_all = (chain.seq, chain.hash) == (extent.seq, extent.hash)
        return is_all and (head is None or chain.hash_at.get(head.seq) == head.hash)


def _cells(entry: AuditEntry) -> tuple[str, ...]:
    values = entry.model_dump(mode="json")
    values["details"] = json.dumps(entry.details, ensure_ascii=False, sort_keys=True)
    return tuple(_escape_formula("" if values[name] is None else str(values[name])) for name in _COLUMNS)


def _escape_formula(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell


def _csv_line(cells: tuple[str, ...]) -> bytes:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue().encode()
