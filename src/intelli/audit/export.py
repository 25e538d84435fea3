"""Exports of the log, streamed: CSV for spreadsheets, JSON lines for programs and for proof.

The last line of JSON lines is a signed statement of what the export holds, which `exported` checks with the public key
alone. Entries that do not fit their chain and seals are exported, but nothing is signed about them.
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
    """What an export is taken of: the entries of a log up to `seq`, of which those that match are in it."""

    tenant_id: UUID
    seq: int
    hash: str
    filters: Mapping[str, str]


def filters_of(which: AuditFilter) -> dict[str, str]:
    """The filter as a proof names it."""
    return {name: str(value) for name, value in asdict(which).items() if value is not None}


async def csv_lines(entries: AsyncIterator[AuditEntry]) -> AsyncIterator[bytes]:
    """The export for spreadsheets, line by line."""
    yield _csv_line(_COLUMNS)
    async for entry in entries:
        yield _csv_line(_cells(entry))


async def json_lines(
    entries: AsyncIterator[AuditEntry], extent: ExportRange, anchors: Anchors, sighting: KnownHeads
) -> AsyncIterator[bytes]:
    """The export for programs, line by line, and its proof."""
    digest, count, check = hashlib.sha256(), 0, _Check(extent, anchors, sighting)
    async for entry in entries:
        line = (entry.model_dump_json() + "\n").encode()
        digest.update(line)
        count += 1
        check.take(entry)
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


class _Check:
    """The check of what is exported: of a whole log as a chain, of a part of it entry by entry."""

    def __init__(self, extent: ExportRange, anchors: Anchors, sighting: KnownHeads) -> None:
        self._extent = extent
        self._head = sighting.newest
        accepted_until = self._head.accepted_until if self._head else 0
        self._trust = Trust(anchors.key, accepted_until, sighting.may_begin_unsealed)
        self._walk = ChainCheck(extent.tenant_id, self._trust, marks=[self._head.seq] if self._head else [])
        self._has_fault = False

    def take(self, entry: AuditEntry) -> None:
        if not self._extent.filters:
            self._walk.take(entry)
            return
        alone = ChainCheck(self._extent.tenant_id, self._trust, after=entry.seq - 1, previous=entry.previous_hash)
        alone.take(entry)
        self._has_fault = self._has_fault or bool(alone.faults)

    def is_whole(self) -> bool:
        extent, head, walk = self._extent, self._head, self._walk
        if self._has_fault or walk.faults or (head is not None and head.seq > extent.seq):
            return False
        if extent.filters:
            return True
        is_all = (walk.seq, walk.hash) == (extent.seq, extent.hash)
        return is_all and (head is None or walk.hash_at.get(head.seq) == head.hash)


def _cells(entry: AuditEntry) -> tuple[str, ...]:
    values = entry.model_dump(mode="json")
    values["details"] = json.dumps(entry.details, ensure_ascii=False, sort_keys=True)
    return tuple(_inert("" if values[name] is None else str(values[name])) for name in _COLUMNS)


def _inert(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell


def _csv_line(cells: tuple[str, ...]) -> bytes:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue().encode()
