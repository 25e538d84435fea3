"""Finds the tables of JSON and JSON lines: objects with the same keys, each of which is a row.

The text of such a file stays as it is: a row is a range of it, and its cells are the values in there.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from intelli.library.extraction.model import BlockLocation, Extraction
from intelli.library.structure.document_table import TableBand

JSON, JSON_LINES = "application/json", "application/x-ndjson"
MOST_ROWS = 100_000
_MOST_COLUMNS = 128
_NAME_CHARS = 200
_LEAST_ROWS, _LEAST_COLUMNS = 2, 2
_DEEPEST = 12
# Shares of a table's cells: at least so many have values, at most so many are long; else it is prose in fields.
_LEAST_FILLED, _MOST_LONG, _LONG_CHARS = 0.5, 0.2, 200
_LEAST_SHARE = 0.05  # of the records that have a field; what fewer have is a line of a value
_KEY = re.compile(r'"((?:[^"\\]++|\\.)*+)": ')
_OPENING = ("{", "[")
_INDENT = 2


@dataclass(frozen=True, slots=True)
class RecordTable:
    """Records that form a table: a band and a row each, the names of their fields, and the key they stand under."""

    bands: Sequence[TableBand]
    names: Sequence[str]
    caption: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class FieldSpan:
    """A field of a record: its name, and where its value stands in the text."""

    name: str
    start: int
    end: int


@dataclass(slots=True)
class _List:
    """A list of JSON as it is read: where its objects begin and end, and whether it has anything else."""

    depth: int
    key: tuple[int, int] | None
    starts: list[tuple[int, int]] = field(default_factory=list)  # place and line
    ends: list[int] = field(default_factory=list)
    is_mixed: bool = False


def find_records(extraction: Extraction) -> list[RecordTable]:
    """Return the tables of a file of JSON or JSON lines, in order; those of other files are told by their blocks."""
    text = extraction.text
    if extraction.media_type == JSON_LINES:
        bands = [TableBand(block.start, block.end, block.place) for block in extraction.blocks]
        table = _table(text, bands, None)
        return [table] if table else []
    if extraction.media_type != JSON:
        return []
    found: list[RecordTable] = []
    # A list that is a table comes before those that stand in its objects.
    for each in sorted(_lists(text), key=lambda each: (each.starts[0][0], each.depth)):
        if found and each.starts[0][0] < found[-1].bands[-1].end:
            continue
        bands = [
            TableBand(start, end, BlockLocation(line=line))
            for (start, line), end in zip(each.starts, each.ends, strict=False)
        ]
        if table := _table(text, bands, each.key):
            found.append(table)
    return found


def fields_of(text: str, band: TableBand, names: frozenset[str] | None = None) -> Iterator[FieldSpan]:
    """Yield the fields of a record that have values.

    Of JSON lines only those with `names`, where these are known: lines without one of them go on with a value.
    """
    if text[band.start] == "{" and text[band.start + 1 : band.start + 2] in {"\n", "}"}:
        yield from _json_fields(text, band)
    else:
        yield from _line_fields(text, band, names)


def _table(text: str, bands: Sequence[TableBand], caption: tuple[int, int] | None) -> RecordTable | None:
    if not _LEAST_ROWS <= len(bands) <= MOST_ROWS:
        return None
    counts = Counter[str]()
    long = 0
    for band in bands:
        found = {each.name: each.end - each.start for each in fields_of(text, band)}
        counts.update(found.keys())
        long += sum(length > _LONG_CHARS for length in found.values())
    names = [name for name, count in counts.items() if count >= _LEAST_SHARE * len(bands)]
    filled = sum(counts[name] for name in names)
    is_even = filled >= _LEAST_FILLED * len(bands) * len(names)
    if not _LEAST_COLUMNS <= len(names) <= _MOST_COLUMNS or not is_even or long > _MOST_LONG * filled:
        return None
    return RecordTable(bands, names, caption)


def _lists(text: str) -> list[_List]:
    """Return the lists of a JSON text that hold objects and nothing else."""
    found: list[_List] = []
    open_lists: list[_List] = []
    for number, (start, depth, content) in enumerate(_lines(text, 0, len(text)), 1):
        while open_lists and depth <= open_lists[-1].depth:
            found.append(open_lists.pop())
        if open_lists and depth == open_lists[-1].depth + 1:
            _add_element(open_lists[-1], start, number, content)
        key = _KEY.match(content)
        if content[key.end() if key else 0 :] == "[" and depth <= _DEEPEST:
            span = (start + key.start(1), start + key.end(1)) if key else None
            open_lists.append(_List(depth, span))
    found += open_lists
    return [each for each in found if each.starts and not each.is_mixed]


def _add_element(within: _List, start: int, line: int, content: str) -> None:
    bare = content.rstrip(",")
    if bare in {"{", "{}"}:
        within.starts.append((start, line))
    if bare in {"}", "{}"}:
        within.ends.append(start + len(bare))
    elif bare != "{":
        within.is_mixed = True


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield place, depth and words of the lines of an indented JSON text."""
    while start < end:
        after = text.find("\n", start, end)
        after = end if after < 0 else after
        content = text[start:after].lstrip(" ")
        begin = after - len(content)
        yield begin, (begin - start) // _INDENT, content
        start = after + 1


def _json_fields(text: str, band: TableBand) -> Iterator[FieldSpan]:
    """Yield the fields of an object; those of objects in it have the keys that lead to them, joined by dots."""
    first = text.rfind("\n", 0, band.start) + 1
    base = (band.start - first) // _INDENT
    keys: list[str] = []
    skipped: int | None = None  # the depth of a list that is left out
    for start, depth, content in _lines(text, first, band.end):
        if skipped is not None and depth > skipped:
            continue
        skipped = None
        key = _KEY.match(content)
        if key is None:
            continue
        del keys[depth - base - 1 :]
        keys.append(key[1])
        value = content[key.end() :].removesuffix(",")
        if value == "[":
            skipped = depth
        elif value and not value.startswith(_OPENING):
            begin = start + key.end()
            is_quoted = value.startswith('"')
            end = begin + len(value) - (is_quoted and len(value) > 1 and value.endswith('"'))
            if end > begin + is_quoted:
                yield FieldSpan(".".join(keys)[:_NAME_CHARS], begin + is_quoted, end)


def _line_fields(text: str, band: TableBand, names: frozenset[str] | None) -> Iterator[FieldSpan]:
    current: FieldSpan | None = None
    at = band.start
    for line in text[band.start : band.end].split("\n"):
        name, mark, value = line.partition(": ")
        is_field = bool(mark) and len(name) <= _NAME_CHARS and (names is None or name in names)
        if is_field:
            if current is not None:
                yield current
            begin = at + len(name) + len(mark)
            current = FieldSpan(name, begin, begin + len(value))
        elif current is not None:
            current = FieldSpan(current.name, current.start, at + len(line))
        at += len(line) + 1
    if current is not None:
        yield current
