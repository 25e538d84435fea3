"""Reader of CSV and similar files, whose dialect is detected: tables with cells separated by tabs."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, BlockLocation, Extraction
from intelli.library.extraction.text import load_text

_DELIMITERS = ",;\t|"
_SAMPLE_CHARS = 16_384
_FIELD_CHARS = 1 << 30  # the text is bounded already
BAND_ROWS = 50  # rows of a block: few enough to point at


def row_text(cells: Sequence[str]) -> str:
    """Join cells with tabs into one line; a tab or line feed inside a cell becomes a space."""
    return "\t".join(" ".join(cell.split()) if not cell.isalnum() else cell for cell in cells).rstrip("\t ")


@dataclass(frozen=True, slots=True)
class SpannedCell:
    """A cell that may span columns to its right and rows below."""

    text: str
    columns: int = 1
    rows: int = 1


def expand_spans(rows: Iterable[Sequence[SpannedCell]], *, max_cells: int) -> Iterator[str]:
    """Yield rows as lines, with the text of a merged cell repeated in every row and column it covers.

    So each row can be understood by itself. A cell that is alone in its row is a caption and is written once.
    """
    hanging: dict[int, tuple[int, str]] = {}  # column: rows still covered, text
    cells = 0
    for row in rows:
        line: dict[int, str] = {}
        for column, (left, text) in list(hanging.items()):
            line[column] = text
            hanging[column] = (left - 1, text)
            if left <= 1:
                del hanging[column]
        column = 0
        is_alone = len(row) == 1 and not line
        for cell in row:
            while column in line:
                column += 1
            width = 1 if is_alone else max(1, min(cell.columns, 1000))
            for covered in range(column, column + width):
                line.setdefault(covered, cell.text)
                if cell.rows > 1:
                    hanging[covered] = (min(cell.rows, 65_534) - 1, cell.text)
            column += width
        cells += len(line)
        if cells > max_cells:
            return
        if line and (text := row_text([line.get(column, "") for column in range(max(line) + 1)])):
            yield text


def column_letters(number: int) -> str:
    """Return the letters of a column; column 0 is A."""
    letters = ""
    while number >= 0:
        letters = chr(65 + number % 26) + letters
        number = number // 26 - 1
    return letters


def column_number(letters: str) -> int:
    """Return the number of a column by its letters; A is 0."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def extract_csv(path: Path, limits: Limits) -> Extraction:
    """Extract a file of separated values as a table, in blocks of at most 50 rows."""
    text, warnings = load_text(path, limits)
    assembly = TextAssembler(limits)
    for warning in warnings:
        assembly.warn(warning)
    cells, width, band, first = 0, 1, list[str](), 1
    for number, row in _read_rows(text):
        cells += len(row)
        line = row_text(row)
        # A band never begins with an empty row, so that its first line is the first row of its range.
        if line and (not band or len(band) >= BAND_ROWS):
            _add_band(assembly, band, first, width)
            band, first = [], number
        width = max(width, len(row))
        if line or band:
            band.append(line)
        if cells > limits.max_cells:
            assembly.warn(f"Only the first {number:,} rows were read.")
            break
    _add_band(assembly, band, first, width)
    return assembly.finish("text/csv")


def _add_band(assembly: TextAssembler, band: list[str], first: int, width: int) -> None:
    cells = f"A{first}:{column_letters(width - 1)}{first + len(band) - 1}"
    assembly.add(BlockKind.TABLE, "\n".join(band), BlockLocation(cells=cells, line=first))


def _read_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(_FIELD_CHARS)
    dialect = _detect_dialect(text[:_SAMPLE_CHARS])
    return enumerate(csv.reader(io.StringIO(text), dialect), 1)


def _detect_dialect(sample: str) -> type[csv.Dialect]:
    """Detect the delimiter: the one that splits the most lines into the same number of cells. Quotes are doubled."""
    rows = [line for line in sample.split("\n")[:50] if line.strip()]

    def score(delimiter: str) -> tuple[int, int]:
        widths = [len(row) for row in csv.reader(rows, delimiter=delimiter)]
        widest = max(set(widths), key=widths.count) if widths else 1
        return (widths.count(widest) if widest > 1 else 0, widest)

    best = max(_DELIMITERS, key=score)

    class _Found(csv.excel):
        delimiter = best if score(best)[0] else ","

    return _Found
