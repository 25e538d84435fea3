"""Reads a paragraph of plain text by its lines: headings, list items, tables, quoted lines and heads of mails."""

from collections.abc import Iterator, Sequence
from functools import cache

from intelli.language import text_tables
from intelli.language.languages import languages
from intelli.library.extraction.model import Block, PieceKind
from intelli.library.structure.draft_piece import DraftPiece
from intelli.library.structure.text_lines import LineSpan, ends_sentence, has_marker, is_numbered, lines_of

_HEADING_CHARS = 80
_HEADING_WORDS = 10
_RULES = frozenset("=-~_*")
_LEAST_RULE = 3
_LEAST_FIELDS = 2
_FIELD_CHARS = 12
_TABLE_SIGNS = ("\t", "|", "  ")


def split_block(text: str, block: Block) -> Iterator[DraftPiece]:
    """Yield the pieces of a block between two blank lines."""
    words = text[block.start : block.end]
    if _is_prose(words):
        yield DraftPiece(block.start, block.end, PieceKind.PARAGRAPH, block)
        return
    tables = _find_tables(text, block)
    at = block.start
    for start, end in tables:
        yield from _split_lines(text, block, at, start)
        yield DraftPiece(start, end, PieceKind.TABLE, block)
        at = end
    yield from _split_lines(text, block, at, block.end)


def _is_prose(words: str) -> bool:
    """Return whether a block is one long line that begins with a letter: most of most texts, and nothing else."""
    return len(words) > _HEADING_CHARS and words[0].isalpha() and words[1:2].isalpha() and "\n" not in words


def _find_tables(text: str, block: Block) -> Sequence[tuple[int, int]]:
    words = text[block.start : block.end]
    if "\n" not in words or not any(sign in words for sign in _TABLE_SIGNS):
        return ()
    return [(block.start + each.start, block.start + each.end) for each in text_tables.find_tables(words)]


def _split_lines(text: str, block: Block, start: int, end: int) -> Iterator[DraftPiece]:
    lines = list(lines_of(text, start, end))
    # Headings that are underlined may follow each other without a blank line between them.
    at = 0
    while at + 1 < len(lines) and _is_rule(lines[at + 1].text) and not _is_rule(lines[at].text):
        level = 1 if lines[at + 1].text[0] in "=*" else 2
        yield DraftPiece(lines[at].start, lines[at + 1].end, PieceKind.HEADING, block, level)
        at += 2
    lines = lines[at:]
    if not lines:
        return
    if is_mail_head(lines):
        yield DraftPiece(lines[0].start, lines[-1].end, PieceKind.MAIL_HEADER, block)
    elif len(lines) == 1 and _is_heading(lines[0].text):
        yield DraftPiece(lines[0].start, lines[0].end, PieceKind.HEADING, block, _level(lines[0].text))
    else:
        yield from _split_prose(lines, block)


def _split_prose(lines: Sequence[LineSpan], block: Block) -> Iterator[DraftPiece]:
    """Yield paragraphs, list items and quoted lines; a line goes on with what it stands below."""
    current: DraftPiece | None = None
    for line in lines:
        kind = _line_kind(line.text, current.kind if current else None)
        if current is not None and kind is current.kind and not (kind is PieceKind.LIST_ITEM and has_marker(line.text)):
            current.end = line.end
            continue
        if current is not None:
            yield current
        current = DraftPiece(line.start, line.end, kind, block)
    if current is not None:
        yield current


def _line_kind(line: str, above: PieceKind | None) -> PieceKind:
    if line.startswith(">"):
        return PieceKind.QUOTED_REPLY
    if has_marker(line) or above is PieceKind.LIST_ITEM:
        return PieceKind.LIST_ITEM
    return PieceKind.PARAGRAPH


def is_mail_head(lines: Sequence[LineSpan]) -> bool:
    """Return whether lines are the head of a mail: each is a field with its value, and two are of those mails have."""
    fields = [line.text.partition(":")[0].casefold() for line in lines if ":" in line.text[: _FIELD_CHARS + 1]]
    known = sum(field.strip("* ") in _mail_fields() for field in fields)
    return known >= _LEAST_FIELDS and len(fields) * 2 > len(lines)


@cache
def _mail_fields() -> frozenset[str]:
    return frozenset(word for known in languages().values() for word in known.mail_fields)


def _is_rule(line: str) -> bool:
    return len(line) >= _LEAST_RULE and line[0] in _RULES and line.strip(line[0]) == ""


def _is_heading(line: str) -> bool:
    """Return whether a line that stands alone is a heading: short, not a sentence, and numbered or in capitals."""
    if len(line) > _HEADING_CHARS or len(line.split()) > _HEADING_WORDS or ends_sentence(line) or line.endswith(","):
        return False
    letters = [letter for letter in line if letter.isalpha()]
    if len(letters) < 3 or line.startswith(">"):
        return False
    is_capital = all(letter.isupper() for letter in letters)
    first = next(iter(letters))
    return is_capital or (is_numbered(line) and first.isupper()) or _is_section(line)


def _is_section(line: str) -> bool:
    return line.startswith(("\u00a7", "#")) and len(line.split()) > 1


def _level(line: str) -> int:
    """Return the level of a heading: "2.1" is one below "2"."""
    label = line.split(maxsplit=1)[0].strip("().#")
    return min(label.count(".") + 1, 6) if label.replace(".", "").isdigit() else 1
