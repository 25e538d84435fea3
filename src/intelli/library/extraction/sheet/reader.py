"""Reader of workbooks (XLSX, XLSB, XLS, ODS): each sheet is a heading, its cells are tables with their range."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from intelli.library.extraction import compound
from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, BlockLocation, Extraction, PieceKind, Refusal, Unreadable
from intelli.library.extraction.odf import check_unlocked
from intelli.library.extraction.ooxml import Package
from intelli.library.extraction.sheet.margins import Margins
from intelli.library.extraction.table import BAND_ROWS, column_letters, row_text
from intelli.library.extraction.zip_files import open_zip

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_XLS = "application/vnd.ms-excel"
_ODS = "application/vnd.oasis.opendocument.spreadsheet"
_GAP_ROWS = 1
_MERGED_CELLS = 200
Row = tuple[
    int, int, Sequence[object]
]  # number of the row, of the first column, and the cells; both numbers begin at 0


def extract_sheet(path: Path, limits: Limits) -> Extraction:
    """Extract a workbook with calamine; with openpyxl an XLSX file that calamine cannot read."""
    media_type = _check_media_type(path, limits)
    try:
        return _read_fast(path, limits, media_type)
    except (Unreadable, MemoryError):
        raise
    except BaseException:  # a panic of calamine is no Exception
        if media_type != _XLSX:
            raise
    return extract_sheet_slowly(path, limits)


def _read_fast(path: Path, limits: Limits, media_type: str) -> Extraction:
    import python_calamine

    assembly = TextAssembler(limits)
    try:
        with (
            python_calamine.CalamineWorkbook.from_path(path) as workbook,
            _open_margins(path, limits, media_type) as margins,
        ):
            book = _Book(assembly, margins)
            for name in workbook.sheet_names:
                try:
                    sheet = workbook.get_sheet_by_name(name)
                except python_calamine.WorksheetNotFound:  # a sheet that is only a chart
                    book.add(name, ())
                    continue
                _, left = sheet.start or (0, 0)
                # calamine gives the empty rows above the first cell, but not the empty columns before it.
                rows = ((number, left, row) for number, row in enumerate(sheet.iter_rows()))
                book.add(name, _fill_merged_cells(rows, sheet.merged_cell_ranges or ()))
    except python_calamine.PasswordError as error:
        reason = "The workbook is protected by a password. Remove it and upload the file again."
        raise Unreadable(Refusal.ENCRYPTED, reason) from error
    return assembly.finish(media_type)


@contextmanager
def _open_margins(path: Path, limits: Limits, media_type: str) -> Iterator[Margins | None]:
    if media_type != _XLSX:
        yield None
        return
    with Package(path, limits) as package:
        try:
            margins = Margins(package)
        except Unreadable:
            margins = None
        yield margins


def _fill_merged_cells(rows: Iterable[Row], ranges: Iterable[tuple[tuple[int, int], tuple[int, int]]]) -> Iterator[Row]:
    """Repeat the value of a merged cell in every cell it covers, unless it covers a large part of the sheet."""
    covers: dict[int, list[tuple[int, int, int]]] = {}
    for (top, left), (bottom, right) in ranges:
        if (bottom - top + 1) * (right - left + 1) <= _MERGED_CELLS:
            for number in range(top, bottom + 1):
                covers.setdefault(number, []).append((top, left, right))
    above: dict[tuple[int, int], object] = {}
    for number, first, row in rows:
        cells = list(row)
        for top, left, right in covers.get(number, ()):
            if not first <= left < first + len(cells):
                continue
            if top == number:
                above[top, left] = cells[left - first]
            for column in range(left - first, min(right - first + 1, len(cells))):
                cells[column] = above.get((top, left), cells[column])
        yield number, first, cells


def extract_sheet_slowly(path: Path, limits: Limits) -> Extraction:
    """Extract an XLSX workbook with openpyxl, row by row.

    It is slower than calamine, but a sheet with two distant cells costs no memory.
    """
    media_type = _check_media_type(path, limits)
    if media_type != _XLSX:
        raise Unreadable(Refusal.UNSUPPORTED, "There is no other reader for this workbook.")
    import openpyxl

    assembly = TextAssembler(limits)
    # Given a path, openpyxl would judge the file by its name.
    with path.open("rb") as file, _open_margins(path, limits, media_type) as margins:
        workbook = openpyxl.load_workbook(file, read_only=True, data_only=True)
        book = _Book(assembly, margins)
        for sheet in workbook.worksheets:
            sheet.reset_dimensions()
            book.add(sheet.title, _openpyxl_rows(sheet.iter_rows()))
        workbook.close()
    return assembly.finish(media_type)


def _openpyxl_rows(rows: Iterable[tuple[object, ...]]) -> Iterator[Row]:
    for row in rows:
        filled = [cell for cell in row if getattr(cell, "value", None) is not None]
        if filled:
            first = filled[0]
            values = {getattr(cell, "column", 1) - 1: getattr(cell, "value", None) for cell in filled}
            left = min(values)
            width = min(max(values) - left + 1, 16_384)
            cells = [values.get(left + number) for number in range(width)]
            yield getattr(first, "row", 1) - 1, left, cells


def _check_media_type(path: Path, limits: Limits) -> str:
    """Detect the kind of workbook and return its media type. Raises Unreadable when it is encrypted or hostile."""
    with path.open("rb") as file:
        if file.read(len(compound.MAGIC)) == compound.MAGIC:
            return _XLS
    with open_zip(path, limits) as archive:
        if "content.xml" not in archive.namelist():
            return _XLSX
        check_unlocked(archive)
        return _ODS


class _Book:
    """Appends the sheets of a workbook to the assembler, up to one limit on cells."""

    def __init__(self, assembly: TextAssembler, margins: Margins | None) -> None:
        self._assembly = assembly
        self._margins = margins
        self._max_cells = assembly.limits.max_cells
        self._cells = 0

    def add(self, name: str, rows: Iterable[Row]) -> None:
        """Append a sheet: its name as a heading, then bands of rows; an empty row ends a table."""
        self._assembly.add(BlockKind.HEADING, name, BlockLocation(sheet=name), 1)
        band: list[Row] = []
        for number, left, row in rows:
            cells = [format_cell(value) for value in row]
            if not any(map(str.strip, cells)):
                continue
            if band and (number > band[-1][0] + _GAP_ROWS or len(band) == BAND_ROWS):
                self._flush(name, band)
            band.append((number, left, cells))
            self._cells += len(cells)
            if self._cells > self._max_cells:
                self._assembly.warn(
                    f"Only the first {self._max_cells:,} cells were read; sheet {name} ends at row {number + 1:,}."
                )
                break
        self._flush(name, band)
        self._add_margins(name)

    def _add_margins(self, name: str) -> None:
        if self._margins is None:
            return
        for table in self._margins.charts(name):
            self._assembly.add(BlockKind.TABLE, table, BlockLocation(sheet=name))
        for comment in self._margins.comments(name):
            author = f"Comment by {comment.author}" if comment.author else "Comment"
            place = BlockLocation(sheet=name, cells=comment.cell or None)
            text = f"{author} at {comment.cell}: {comment.text}"
            self._assembly.add(BlockKind.NOTE, text, place, told=PieceKind.COMMENT)

    def _flush(self, name: str, band: list[Row]) -> None:
        """Append a band of rows as a table block and clear it."""
        if not band:
            return
        used = [start + number for _, start, cells in band for number, cell in enumerate(cells) if cell]
        first, last = min(used), max(used)
        rows = (
            [""] * (start - first) + [str(cell) for cell in cells[max(0, first - start) :]] for _, start, cells in band
        )
        text = "\n".join(row_text(row) for row in rows)
        cells = f"{column_letters(first)}{band[0][0] + 1}:{column_letters(last)}{band[-1][0] + 1}"
        self._assembly.add(BlockKind.TABLE, text, BlockLocation(sheet=name, cells=cells))
        band.clear()


def format_cell(value: object) -> str:
    """Format the value of a cell as a person would write it; dates in ISO format."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, dt.datetime):
        has_time = value.time() != dt.time()
        return value.isoformat(" ", "seconds") if has_time else value.date().isoformat()
    if isinstance(value, dt.time):
        return value.isoformat("seconds")
    return "" if value is None else str(value)
