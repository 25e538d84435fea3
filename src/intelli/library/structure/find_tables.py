"""Finds the tables of a text: of sheets and files of values, of documents and pages, and of plain text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from intelli.language import text_tables
from intelli.language.notation import Decimals
from intelli.library.extraction.assemble import continues_cells, parse_cell_range
from intelli.library.extraction.model import Block, BlockKind, Extraction, PieceKind
from intelli.library.extraction.table import column_number
from intelli.library.structure import placed_columns, records, table_rows, table_shape
from intelli.library.structure.document_table import ColumnType, DocumentTable, RowKind, TableBand, TableColumn
from intelli.library.structure.pieces import Piece
from intelli.library.structure.placed_columns import Row, WordIndex
from intelli.library.structure.records import RecordTable
from intelli.library.structure.table_shape import TableShape

MOST_TABLES = 5000
MOST_COLUMNS = 512
MOST_PLACED_CELLS = 400_000
_LEAST_ROWS, _LEAST_COLUMNS = 2, 2
_AROUND_CHARS = 300
_LONGEST_TITLE = 2000
_MOST_JOINED = 20
_MARKDOWN = "text/markdown"
_SHEETS = ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.ms-excel")


@dataclass(slots=True)
class TableBlocks:
    """Blocks of one table, with the columns of each row's cells where they come from a page; or its records."""

    bands: list[TableBand]
    columns_of: list[tuple[int, ...]] | None = None
    width: int = 0
    records: RecordTable | None = None


@dataclass(slots=True)
class FoundTables:
    """Tables by their blocks, and the blocks that were laid out as tables and have no columns in common."""

    drafts: list[TableBlocks] = field(default_factory=list)
    prose: set[int] = field(default_factory=set)

    @property
    def record_spans(self) -> list[tuple[int, int]]:
        """The ranges of the text that are records, in order."""
        return [(each.bands[0].start, each.bands[-1].end) for each in self.drafts if each.records is not None]


def find_blocks(extraction: Extraction, contents: frozenset[int]) -> FoundTables:
    """Group the blocks that are tables: bands of a sheet follow each other, blocks of a page may share columns."""
    found = FoundTables([TableBlocks(list(each.bands), records=each) for each in records.find_records(extraction)])
    pages = _PageIndex(extraction)
    last: int | None = None
    for index, block in enumerate(extraction.blocks):
        if block.kind is not BlockKind.TABLE or index in contents:
            continue
        is_next = last == index - 1 and bool(found.drafts)
        last = index
        if pages.has_words(block):
            if not _add_placed(found, extraction.text, block, pages, is_next=is_next):
                found.prose.add(index)
                last = None
            continue
        before = extraction.blocks[index - 1] if index else None
        band = TableBand(block.start, block.end, block.place, _left(block))
        if is_next and before is not None and continues_cells(before.place, block.place):
            found.drafts[-1].bands.append(band)
        else:
            found.drafts.append(TableBlocks([band]))
    return found


def build_tables(extraction: Extraction, pieces: Sequence[Piece], found: FoundTables) -> list[DocumentTable]:
    """Return the tables of a text as values, in order."""
    at_start = {piece.start: at for at, piece in enumerate(pieces)}
    drafts = [*found.drafts, *_plain_tables(extraction, pieces, found)]
    tables = (_build(extraction, pieces, at_start, draft) for draft in sorted(drafts, key=lambda d: d.bands[0].start))
    return [table for table in tables if table is not None][:MOST_TABLES]


def _left(block: Block) -> int:
    return column_number(parse_cell_range(block.place.cells)[0][0]) if block.place.cells else 0


class _PageIndex:
    """The words of pages that tables stand on; a page is read once."""

    def __init__(self, extraction: Extraction) -> None:
        self._pages = {page.number: page for page in extraction.pages if page.words}
        self._read: tuple[int, WordIndex] | None = None
        self.cells_left = MOST_PLACED_CELLS

    def has_words(self, block: Block) -> bool:
        return block.place.page in self._pages

    def words(self, block: Block) -> WordIndex:
        number = block.place.page
        assert number is not None, "only a block on a page is asked for"
        if self._read is None or self._read[0] != number:
            self._read = (number, WordIndex(self._pages[number]))
        return self._read[1]


def _add_placed(found: FoundTables, text: str, block: Block, pages: _PageIndex, *, is_next: bool) -> bool:
    """Add a table on a page, or join it to the one above when both have the same columns; False when it is prose."""
    rows = pages.words(block).place_rows(text, block.start, block.end)
    if rows is None:
        found.drafts.append(TableBlocks([TableBand(block.start, block.end, block.place)]))
        return True
    columns = placed_columns.find_columns(rows)
    band = TableBand(block.start, block.end, block.place)
    above = found.drafts[-1] if is_next else None
    if above is not None and _may_join(above, block):
        whole = [row for each in (*above.bands, band) for row in _rows(pages, text, block, each)]
        shared = placed_columns.find_columns(whole)
        if len(shared) == max(above.width, len(columns)):
            above.bands.append(band)
            above.columns_of, above.width = _assigned(whole, shared, pages), len(shared)
            return True
    if not placed_columns.is_table(rows, columns):
        return False
    found.drafts.append(TableBlocks([band], _assigned(rows, columns, pages), len(columns)))
    return True


def _may_join(above: TableBlocks, block: Block) -> bool:
    is_same_page = above.columns_of is not None and above.bands[-1].place == block.place
    return is_same_page and len(above.bands) < _MOST_JOINED


def _rows(pages: _PageIndex, text: str, block: Block, band: TableBand) -> Sequence[Row]:
    return pages.words(block).place_rows(text, band.start, band.end) or []


def _assigned(
    rows: Sequence[Row], columns: Sequence[tuple[float, float]], pages: _PageIndex
) -> list[tuple[int, ...]] | None:
    pages.cells_left -= sum(map(len, rows))
    return [tuple(placed_columns.assign(row, columns)) for row in rows] if pages.cells_left > 0 else None


def _plain_tables(extraction: Extraction, pieces: Sequence[Piece], found: FoundTables) -> Iterator[TableBlocks]:
    """Yield the tables that lines of plain text form; beside records there are none."""
    if found.record_spans:
        return
    taken = {band.start for draft in found.drafts for band in draft.bands}
    blocks = {block.start: block for block in extraction.blocks}
    block: Block | None = None
    for piece in pieces:
        block = blocks.get(piece.start, block)
        if piece.kind is PieceKind.TABLE and piece.start not in taken and block is not None:
            yield TableBlocks([TableBand(piece.start, piece.end, block.place)])


def _build(
    extraction: Extraction, pieces: Sequence[Piece], at_start: dict[int, int], draft: TableBlocks
) -> DocumentTable | None:
    if draft.records is not None:
        return _build_of_records(extraction.text, draft.records)
    text = extraction.text
    first = draft.bands[0]
    is_piped = _is_piped(text, first)
    columns_of = tuple(draft.columns_of) if draft.columns_of is not None else None
    bare = DocumentTable(tuple(draft.bands), (), {}, 0, is_piped=is_piped, columns_of=columns_of)
    rows = list(table_rows.row_words(text, bare, most_columns=MOST_COLUMNS))
    width = max((max(row) + 1 for row in rows if row), default=0)
    if len(rows) < _LEAST_ROWS or width < _LEAST_COLUMNS:
        return None
    at = at_start.get(first.start)
    caption = _find_caption(text, pieces, at) if at is not None else None
    around = " ".join(_words_around(text, pieces, at, caption))
    decimals = Decimals.POINT if extraction.media_type in _SHEETS else None
    has_head = extraction.media_type == _MARKDOWN and is_piped
    shape = table_shape.find_shape(rows, width, around=around, decimals=decimals, has_head=has_head)
    return replace(
        bare,
        columns=shape.columns,
        kinds=shape.kinds,
        row_count=len(rows),
        decimals=shape.decimals,
        unit=shape.unit,
        caption=caption or _caption_row(text, bare, shape),
    )


def _build_of_records(text: str, found: RecordTable) -> DocumentTable:
    columns = tuple(TableColumn(name, ColumnType.TEXT) for name in found.names)
    bare = DocumentTable(tuple(found.bands), columns, {}, len(found.bands), is_of_records=True, caption=found.caption)
    rows = list(table_rows.row_words(text, bare, most_columns=MOST_COLUMNS))
    around = text[slice(*found.caption)][:_AROUND_CHARS] if found.caption else ""
    shape = table_shape.find_record_shape(rows, found.names, around=around)
    return replace(bare, columns=shape.columns, kinds=shape.kinds, decimals=shape.decimals, unit=shape.unit)


def _caption_row(text: str, table: DocumentTable, shape: TableShape) -> tuple[int, int] | None:
    """Return the span of the words in the first row when that is a caption."""
    if shape.kinds.get(0) is not RowKind.CAPTION:
        return None
    first = next(table_rows.read_rows(text, table, limit=1))
    return next(((cell.start, cell.end) for cell in first.cells if cell.text), None)


def _is_piped(text: str, band: TableBand) -> bool:
    """Return whether lines of a table are written in another way than with tabs between the cells."""
    words = text[band.start : band.end]
    return "\t" not in words and bool(text_tables.find_tables(words))


def _find_caption(text: str, pieces: Sequence[Piece], at: int) -> tuple[int, int] | None:
    """Return the span of the caption right before or behind a table, or of the title that an empty row keeps apart."""
    for other in (at - 1, at + 1):
        if 0 <= other < len(pieces) and pieces[other].kind is PieceKind.CAPTION:
            return pieces[other].start, pieces[other].end
    above = pieces[at - 1] if at else None
    if above is None or above.kind is not PieceKind.TABLE or above.heading != pieces[at].heading:
        return None
    return _title_span(text, above)


def _title_span(text: str, piece: Piece) -> tuple[int, int] | None:
    """Return the span of the only words in a row of a sheet: those of its one cell, or of cells that are merged."""
    words = text[piece.start : piece.end][:_LONGEST_TITLE]
    cells = set(words.split("\t")) - {""}
    if "\n" in words or len(cells) != 1 or not any(map(str.isalpha, words)):
        return None
    start = piece.start + len(words) - len(words.lstrip("\t"))
    return start, start + len(*cells)


def _words_around(text: str, pieces: Sequence[Piece], at: int | None, caption: tuple[int, int] | None) -> Iterator[str]:
    """Yield the caption, the short line before the table, and the heading above it."""
    if caption is not None:
        yield text[caption[0] : caption[1]][:_AROUND_CHARS]
    if at is None:
        return
    if at and pieces[at - 1].kind is PieceKind.PARAGRAPH and pieces[at - 1].end - pieces[at - 1].start <= _AROUND_CHARS:
        yield text[pieces[at - 1].start : pieces[at - 1].end]
    heading = pieces[at].heading
    if heading >= 0:
        yield text[pieces[heading].start : pieces[heading].end][:_AROUND_CHARS]
