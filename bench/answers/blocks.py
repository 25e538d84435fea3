"""Reads the Markdown that the labelled documents are written in: headings, paragraphs, items, tables, page breaks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

_HEADING = re.compile(r"(#{1,4}) (.+)")
_ITEM = re.compile(r"(?:-|\d{1,2}\.) (.+)")
_RULE = re.compile(r"[|\s:-]+")


@dataclass(frozen=True)
class HeadingBlock:
    """A heading and its level, from 1."""

    level: int
    text: str


@dataclass(frozen=True)
class ParagraphBlock:
    """Lines joined to one."""

    text: str


@dataclass(frozen=True)
class ItemsBlock:
    """A list."""

    texts: tuple[str, ...]
    is_numbered: bool


@dataclass(frozen=True)
class TableBlock:
    """A table with its head; a cell `<` belongs to the cell on its left."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class PageBreak:
    """A line of three dashes."""


Block = HeadingBlock | ParagraphBlock | ItemsBlock | TableBlock | PageBreak


def read_options(text: str) -> tuple[dict[str, str], str]:
    """Split `key: value` lines between two lines of `+++` from the text behind them."""
    if not text.startswith("+++\n"):
        return {}, text
    told, rest = text[4:].split("\n+++\n", 1)
    pairs = (line.split(":", 1) for line in told.splitlines())
    return {name.strip(): value.strip() for name, value in pairs}, rest


def read_blocks(text: str) -> list[Block]:
    """Read the blocks of a text in their order."""
    lines = text.strip().splitlines()
    groups = ([*group] for is_blank, group in groupby(lines, key=lambda line: not line.strip()) if not is_blank)
    return [block for group in groups for block in _blocks_of(group)]


def _blocks_of(lines: Sequence[str]) -> Iterator[Block]:
    for kind, group in groupby(lines, key=_kind):
        found = [line.strip() for line in group]
        if kind == "heading":
            yield from (_heading(line) for line in found)
        elif kind == "table":
            yield TableBlock(tuple(split_row(line) for line in found if not _RULE.fullmatch(line)))
        elif kind == "break":
            yield PageBreak()
        elif kind == "item":
            yield ItemsBlock(tuple(_ITEM.sub(r"\1", line) for line in found), is_numbered=found[0][0].isdigit())
        else:
            yield ParagraphBlock(" ".join(found))


def _kind(line: str) -> str:
    if _HEADING.match(line):
        return "heading"
    if line.startswith("|"):
        return "table"
    if line.strip() == "---":
        return "break"
    return "item" if _ITEM.match(line) else "text"


def _heading(line: str) -> HeadingBlock:
    marks, text = _HEADING.findall(line)[0]
    return HeadingBlock(len(marks), text)


def split_row(line: str) -> tuple[str, ...]:
    """Split a row into its cells."""
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
