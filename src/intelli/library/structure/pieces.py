"""Pieces of a document: what each part of its text is, and the heading it stands below."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from intelli.library.extraction.model import Block, BlockKind, Extraction, PieceKind
from intelli.library.structure import captions, mail_parts, plain_text
from intelli.library.structure.draft_piece import DraftPiece
from intelli.library.structure.text_lines import bare_words, ends_sentence, has_marker, is_bibliography, lines_of

# What a finding may rest on. All else names, repeats or decorates what stands elsewhere.
STATEMENT_KINDS = frozenset({PieceKind.PARAGRAPH, PieceKind.LIST_ITEM, PieceKind.TABLE})
_PROSE = frozenset({PieceKind.PARAGRAPH, PieceKind.LIST_ITEM})
_PLAIN = "text/plain"
_KIND_OF = {
    BlockKind.HEADING: PieceKind.HEADING,
    BlockKind.PARAGRAPH: PieceKind.PARAGRAPH,
    BlockKind.TABLE: PieceKind.TABLE,
    BlockKind.CODE: PieceKind.CODE,
    BlockKind.NOTE: PieceKind.FOOTNOTE,
    BlockKind.FURNITURE: PieceKind.FURNITURE,
    BlockKind.ATTACHMENT: PieceKind.ATTACHMENT,
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of the text that is one thing to its reader.

    `heading` is the index of the piece that is the heading above it, -1 without one; `level` is that of a heading.
    A piece that `continues` goes on with the sentence that the last prose before it breaks off in: at the end of a
    page or a column.
    """

    start: int
    end: int
    kind: PieceKind
    level: int = 0
    heading: int = -1
    continues: bool = False


def is_statement(kind: PieceKind) -> bool:
    """Return whether a piece of this kind can say something that a finding may rest on."""
    return kind in STATEMENT_KINDS


def build_pieces(
    extraction: Extraction,
    *,
    contents: frozenset[int],
    prose: frozenset[int],
    records: Sequence[tuple[int, int]] = (),
) -> list[Piece]:
    """Return the pieces of a text in order.

    `contents` are the indexes of blocks that are tables of contents, `prose` those of blocks that were laid out as
    tables but have no columns, `records` the ranges of the text that are records of a table.
    """
    drafts: list[DraftPiece] = []
    for index, block in enumerate(extraction.blocks):
        if index in contents:
            drafts.append(DraftPiece(block.start, block.end, PieceKind.CONTENTS, block))
        elif records and block.told is None:
            drafts += _split_records(extraction, block, records)
        else:
            drafts += _read_block(extraction, block, is_prose=index in prose)
    drafts = mail_parts.mark(extraction.text, drafts)
    _mark_title(extraction, drafts)
    captions.mark(extraction.text, drafts)
    return list(_finish(extraction.text, drafts))


def _read_block(extraction: Extraction, block: Block, *, is_prose: bool) -> Iterator[DraftPiece]:
    if block.told is not None:
        yield DraftPiece(block.start, block.end, block.told, block, block.level)
    elif block.kind is BlockKind.LIST and _links_within(extraction.text, block):
        yield DraftPiece(block.start, block.end, PieceKind.CONTENTS, block)
    elif block.kind is BlockKind.LIST:
        for start, end in _items(extraction.text, block):
            yield DraftPiece(start, end, PieceKind.LIST_ITEM, block)
    elif block.kind is BlockKind.PARAGRAPH and _is_plain(extraction, block):
        yield from plain_text.split_block(extraction.text, block)
    else:
        kind = PieceKind.PARAGRAPH if is_prose else _KIND_OF[block.kind]
        yield DraftPiece(block.start, block.end, kind, block, block.level)


def _split_records(extraction: Extraction, block: Block, records: Sequence[tuple[int, int]]) -> Iterator[DraftPiece]:
    """Yield the parts of a block that are records as tables, and what stands before, between and behind them."""
    at = block.start
    for start, end in records[bisect_right(records, block.start, key=lambda each: each[1]) :]:
        if start >= block.end:
            break
        yield from _rest(extraction, block, at, start)
        at = min(end, block.end)
        yield DraftPiece(max(start, block.start), at, PieceKind.TABLE, block)
    yield from _rest(extraction, block, at, block.end)


def _rest(extraction: Extraction, block: Block, start: int, end: int) -> Iterator[DraftPiece]:
    words = extraction.text[start:end]
    if words.strip():
        start += len(words) - len(words.lstrip())
        yield from _read_block(extraction, replace(block, start=start, end=start + len(words.strip())), is_prose=False)


def _is_plain(extraction: Extraction, block: Block) -> bool:
    """Return whether a paragraph is one of plain text, in which lines show what is a heading, a list or a table."""
    return block.place.line is not None and (extraction.media_type == _PLAIN or block.place.part == "body")


def _links_within(text: str, block: Block) -> bool:
    """Return whether each line of a list of Markdown links to a heading of its own document."""
    return "](#" in text[block.start : block.end] and all(
        "](#" in line.text for line in lines_of(text, block.start, block.end)
    )


def _items(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """Yield the spans of the items of a list. Without any mark, each line is one; else a line without goes on."""
    lines = list(lines_of(text, block.start, block.end))
    marked = [has_marker(line.text) for line in lines]
    starts = [line.start for line, is_marked in zip(lines, marked, strict=True) if is_marked or not any(marked)]
    starts = [block.start, *(start for start in starts if start > lines[0].start)] if lines else []
    for start, after in zip(starts, [*starts[1:], block.end], strict=True):
        end = start + len(text[start:after].rstrip())
        yield start, end


def _mark_title(extraction: Extraction, drafts: Sequence[DraftPiece]) -> None:
    """Mark the title where the format tells none: the first heading, when nothing but furniture stands before it."""
    if any(draft.kind is PieceKind.TITLE for draft in drafts):
        return
    for draft in drafts:
        if draft.kind is PieceKind.HEADING:
            if draft.block.place.sheet is None:
                draft.kind = PieceKind.TITLE
            return
        if draft.kind is not PieceKind.FURNITURE:
            break
    title = bare_words(extraction.title or "")
    named = (each for each in drafts if each.kind is PieceKind.HEADING)
    found = next(
        (each for each in named if title and bare_words(extraction.text[each.start : each.end]) == title), None
    )
    if found is not None:
        found.kind = PieceKind.TITLE


def _finish(text: str, drafts: Iterable[DraftPiece]) -> Iterator[Piece]:
    """Yield the pieces with the headings above them; below the heading of a bibliography are references."""
    open_headings: list[tuple[int, int]] = []
    references_level = 0
    before: Piece | None = None
    for index, draft in enumerate(drafts):
        if draft.kind in {PieceKind.HEADING, PieceKind.TITLE}:
            level = 0 if draft.kind is PieceKind.TITLE else max(draft.level, 1)
            while open_headings and open_headings[-1][0] >= level:
                open_headings.pop()
            heading = open_headings[-1][1] if open_headings else -1
            open_headings.append((level, index))
            if not references_level or level <= references_level:
                references_level = level if is_bibliography(text[draft.start : draft.end]) else 0
            before = None
            yield Piece(draft.start, draft.end, draft.kind, draft.level, heading)
            continue
        heading = open_headings[-1][1] if open_headings else -1
        kind = PieceKind.REFERENCE if references_level and draft.kind in _PROSE else draft.kind
        goes_on = kind in _PROSE and before is not None and _goes_on(text, before, draft.start)
        piece = Piece(draft.start, draft.end, kind, 0, heading, goes_on)
        if kind in _PROSE:
            before = piece
        elif kind in {PieceKind.TABLE, PieceKind.CODE}:
            before = None
        yield piece


def _goes_on(text: str, before: Piece, start: int) -> bool:
    """Return whether a piece goes on with a sentence: the one before has not ended, and it begins in lower case."""
    return text[start].islower() and not ends_sentence(text[max(before.start, before.end - 20) : before.end])
