"""Readers of JSON and JSON lines.

JSON is written out with indentation, and its blocks have the keys that lead to them; JSON lines are records of fields.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from intelli.library.extraction.assemble import clean, shorten_heading
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Block, BlockKind, BlockLocation, Extraction
from intelli.library.extraction.text import extract_text, iter_lines, load_text

_JSON = "application/json"
_LINES = "application/x-ndjson"
_KEY = re.compile(r'"((?:[^"\\]|\\.)*)": ')
_BETWEEN = "\n\n"
_ENOUGH, _TOO_MUCH = 1000, 4000  # characters of a block: from when it may end, and when it must


def extract_json(path: Path, limits: Limits) -> Extraction:
    """Extract a JSON file; one that is invalid or has many documents is read as JSON lines or as plain text."""
    source, warnings = load_text(path, limits)
    try:
        value = json.loads(source)
    except (ValueError, RecursionError):
        return extract_json_lines(path, limits) if _is_lines(source) else extract_text(path, limits)
    text = clean(json.dumps(value, indent=2, ensure_ascii=False))[: limits.max_chars]
    return Extraction(text, tuple(_blocks(text)), _JSON, warnings=warnings)


def extract_json_lines(path: Path, limits: Limits) -> Extraction:
    """Extract JSON lines: each record as lines of "field: value"; a line that is not JSON stays as it is."""
    source, warnings = load_text(path, limits)
    pieces: list[str] = []
    blocks: list[Block] = []
    position = 0
    for number, start, end in iter_lines(source):
        record = _format_record(source[start:end]).strip()[: limits.max_chars - position]
        if not record:
            continue
        blocks.append(Block(position, position + len(record), BlockKind.LIST, BlockLocation(line=number)))
        pieces.append(record)
        position += len(record) + len(_BETWEEN)
    return Extraction(_BETWEEN.join(pieces), tuple(blocks), _LINES, warnings=warnings)


def _is_lines(source: str) -> bool:
    first = [line for line in source[:20_000].split("\n") if line.strip()][:2]
    return len(first) == 2 and all(_is_json(line) for line in first)


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _format_record(line: str) -> str:
    """Format a record, one field per line, as people search for it: without quotes, braces and escapes."""
    try:
        # Numbers stay as they are written.
        value = json.loads(line, parse_float=str, parse_int=str)
        return clean("\n".join(_fields(value, "")))
    except (ValueError, RecursionError):
        return line


def _fields(value: object, name: str) -> Iterator[str]:
    """Yield "name: value" for each leaf of a value; nested names are joined by dots: "author.name: Ada"."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _fields(inner, f"{name}.{shorten_heading(key)}" if name else shorten_heading(key))
        return
    if isinstance(value, list) and any(isinstance(inner, dict | list) for inner in value):
        for position, inner in enumerate(value, 1):
            yield from _fields(inner, f"{name}.{position}" if name else str(position))
        return
    text = ", ".join(map(_format_scalar, value)) if isinstance(value, list) else _format_scalar(value)
    if text:
        yield f"{name}: {text}" if name else text


def _format_scalar(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(slots=True)
class _JsonPath:
    """The keys and positions that lead to the current line; each level of indentation is one of them."""

    keys: list[str] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def enter(self, depth: int, line: str) -> tuple[str, ...]:
        """Advance to a line at this depth and return the path to it."""
        if depth == 0 or line[:1] in "]}":
            del self.keys[depth:]
            del self.counts[depth + 1 :]
            return tuple(self.keys)
        del self.keys[depth - 1 :]
        self.counts += [0] * (depth + 1 - len(self.counts))
        self.counts[depth] += 1
        del self.counts[depth + 1 :]
        found = _KEY.match(line)
        self.keys.append(shorten_heading(found[1]) if found else str(self.counts[depth]))
        return tuple(self.keys)


def _blocks(text: str) -> Iterator[Block]:
    """Yield ranges of lines, cut where an element begins that is no deeper than the first of the range."""
    where = _JsonPath()
    begun: tuple[int, int, int, tuple[str, ...]] | None = None  # line, start, depth, path
    last, path = 0, tuple[str, ...]()
    for number, start, end in iter_lines(text):
        line = text[start:end]
        depth = (len(line) - len(line.lstrip(" "))) // 2
        here = where.enter(depth, line.lstrip(" "))
        if begun:
            length = last - begun[1]
            if length > _TOO_MUCH or (
                length > _ENOUGH and depth <= max(begun[2], 1) and line.lstrip(" ")[:1] not in "]}"
            ):
                yield _block(begun, last, path)
                begun = None
        begun = begun or (number, start, depth, here)
        last, path = end, here
    if begun:
        yield _block(begun, last, path)


def _block(begun: tuple[int, int, int, tuple[str, ...]], end: int, last_path: tuple[str, ...]) -> Block:
    """Build a block whose path is the common prefix of the paths of its first and last line."""
    line, start, _, path = begun
    shared = 0
    while shared < min(len(path), len(last_path)) and path[shared] == last_path[shared]:
        shared += 1
    return Block(start, end, BlockKind.CODE, BlockLocation(line=line), path=path[:shared])
