"""Comparison of two document versions: a line diff of their texts; long diffs are cut."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx
from intelli.library import document_text, readings, versions, wire
from intelli.library.diff import lines as diff_lines
from intelli.library.diff.lines import LineChange
from intelli.library.wire import DiffLine, LineKind

_CONTEXT = 3
_LINES = 5000
_LINE_CHARS = 2000


@dataclass(frozen=True, slots=True)
class VersionPair:
    """Two versions with the hashes of their texts; `texts` is None when their bytes are the same."""

    before: int
    after: int
    texts: tuple[str, str] | None


async def load_pair(tx: Tx, document_id: UUID, *, before: int, after: int) -> VersionPair:
    """Load what `compare` needs of two versions. Raises VersionNotFound, or NotReadYet when one has no text."""
    first = await versions.get(tx, document_id, before)
    second = await versions.get(tx, document_id, after)
    if first.artifact_sha256 == second.artifact_sha256:
        return VersionPair(before, after, None)
    older, newer = [await readings.get(tx, each.artifact_sha256) for each in (first, second)]
    assert older.text_sha256 is not None, "what has been read has a text"
    assert newer.text_sha256 is not None, "what has been read has a text"
    return VersionPair(before, after, (older.text_sha256, newer.text_sha256))


async def compare(blobs: Blobs, tenant_id: UUID, pair: VersionPair) -> wire.Diff:
    """Build the diff of two versions. `identical` means the same bytes; other bytes may still have the same text."""
    if pair.texts is None:
        return wire.Diff(before=pair.before, after=pair.after, identical=True, hunks=[], truncated=False)
    before, after = [await document_text.load_text(blobs, tenant_id, sha256) for sha256 in pair.texts]
    hunks, truncated = await asyncio.to_thread(build_hunks, before.splitlines(), after.splitlines())
    return wire.Diff(before=pair.before, after=pair.after, identical=False, hunks=hunks, truncated=truncated)


def build_hunks(before: Sequence[str], after: Sequence[str]) -> tuple[list[wire.Hunk], bool]:
    """Return hunks of changed lines with context, up to 5000 lines, and whether more were left out."""
    hunks: list[wire.Hunk] = []
    left = _LINES
    for group in _groups(before, after):
        lines = list(islice(_lines(group, before, after), left + 1))
        if len(lines) > left:
            return hunks or [_hunk(group, lines[:left])], True
        hunks.append(_hunk(group, lines))
        left -= len(lines)
    return hunks, False


def _groups(before: Sequence[str], after: Sequence[str]) -> Iterator[list[LineChange]]:
    """Yield groups of changes that are so close that their context lines meet: one hunk each."""
    group: list[LineChange] = []
    for change in diff_lines.changes(before, after):
        if group and change.before.start - group[-1].before.stop > 2 * _CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _lines(group: Sequence[LineChange], before: Sequence[str], after: Sequence[str]) -> Iterator[DiffLine]:
    at = max(group[0].before.start - _CONTEXT, 0)
    for change in group:
        yield from (_line(LineKind.SAME, line) for line in before[at : change.before.start])
        yield from (_line(LineKind.REMOVED, before[number]) for number in change.before)
        yield from (_line(LineKind.ADDED, after[number]) for number in change.after)
        at = change.before.stop
    yield from (_line(LineKind.SAME, line) for line in before[at : at + _CONTEXT])


def _hunk(group: Sequence[LineChange], lines: list[DiffLine]) -> wire.Hunk:
    first = group[0]
    above = min(first.before.start, _CONTEXT)
    return wire.Hunk(
        before_start=first.before.start - above + 1, after_start=first.after.start - above + 1, lines=lines
    )


def _line(kind: LineKind, text: str) -> DiffLine:
    return DiffLine(kind=kind, text=text if len(text) <= _LINE_CHARS else f"{text[:_LINE_CHARS]}…")
