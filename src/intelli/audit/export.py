"""Exports of the log, streamed: CSV for spreadsheets, JSON lines for programs."""

import csv
import io
import json
from collections.abc import AsyncIterator

from intelli.audit.wire import AuditEntry, ExportFormat

MEDIA_TYPES = {ExportFormat.CSV: "text/csv; charset=utf-8", ExportFormat.JSONL: "application/x-ndjson"}
_COLUMNS = tuple(AuditEntry.model_fields)
# A spreadsheet runs a cell that begins with one of these as a formula.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


async def lines(entries: AsyncIterator[AuditEntry], format: ExportFormat) -> AsyncIterator[bytes]:
    """The export, line by line."""
    if format is ExportFormat.CSV:
        yield _csv_line(_COLUMNS)
    async for entry in entries:
        yield _csv_line(_cells(entry)) if format is ExportFormat.CSV else (entry.model_dump_json() + "\n").encode()


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
