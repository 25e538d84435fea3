"""Tables of a Word report: those of the paper, with a repeated head, and figures side by side."""

from collections.abc import Sequence
from typing import Any, Protocol

from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt

from intelli.deliverables.brief import Metric
from intelli.deliverables.forms import columns
from intelli.deliverables.forms.docx import fields, styles
from intelli.deliverables.forms.layout import PaperLayout, numeric_columns
from intelli.deliverables.paper import Runs, TableBlock

_A_LINE = 4
# A table of so many rows is kept on one page.
MOST_ROWS_KEPT = 12
# The space that Word leaves at both sides of a cell's text.
_PADDING = 4
_UPRIGHT = columns.TableSpace(styles.TEXT_WIDTH.pt, _PADDING, tuple(styles.CELLS))
_TURNED = columns.TableSpace(styles.TURNED_WIDTH.pt, _PADDING, tuple(styles.CELLS))
_RULES = {
    "top": (8, styles.INK),
    "left": (0, ""),
    "bottom": (8, styles.INK),
    "right": (0, ""),
    "insideH": (4, styles.LINE),
    "insideV": (0, ""),
}
_BOXES = dict.fromkeys(("top", "left", "bottom", "right", "insideH", "insideV"), (4, styles.LINE))


class TableWriter(Protocol):
    """Interface of the document writer that tables use."""

    document: Any
    layout: PaperLayout
    styles: styles.StyleIds

    def runs(self, paragraph: Any, runs: Runs) -> None:
        """Write text with its styles, links and footnotes."""

    def cite(self, paragraph: Any, identifiers: Sequence[str]) -> None:
        """Write footnotes for identifiers."""


def fit(layout: PaperLayout, table: TableBlock) -> columns.TableFit:
    """Fit a table of the paper to the page, upright or landscape."""
    return columns.fit(layout, table, _UPRIGHT, _TURNED)


def write_table(writer: TableWriter, table: TableBlock) -> None:
    """Write a table of the paper."""
    if not table.columns:
        return
    made = _table(writer, 1 + len(table.rows), len(table.columns), _RULES)
    is_numeric, fitted = numeric_columns(table), fit(writer.layout, table)
    _set_widths(made, fitted.widths)
    contents: list[tuple[str, ...] | tuple[Runs, ...]] = [table.columns, *table.rows]
    for row_number, (row, cells) in enumerate(zip(made.rows, contents, strict=True)):
        _keep_whole(row, repeats=row_number == 0)
        for at, cell in enumerate(row.cells):
            paragraph = cell.paragraphs[0]
            writer.styles.put(paragraph, styles.CELLS[fitted.size])
            paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT if is_numeric[at] else None
            if row_number < len(table.rows) <= MOST_ROWS_KEPT:
                paragraph.paragraph_format.keep_with_next = True
            content = cells[at] if at < len(cells) else ""
            if isinstance(content, str):
                paragraph.add_run(content).bold = True
            else:
                writer.runs(paragraph, content)
    _add_gap(writer)


def write_metrics(writer: TableWriter, figures: Sequence[Metric]) -> None:
    """Write figures side by side, each above its name."""
    for start in range(0, len(figures), _A_LINE):
        line = figures[start : start + _A_LINE]
        made = _table(writer, 1, len(line), _BOXES)
        _keep_whole(made.rows[0], repeats=False)
        for cell, metric in zip(made.rows[0].cells, line, strict=True):
            shown = cell.paragraphs[0]
            writer.styles.put(shown, "Intelli Metric")
            shown.add_run(metric.shown)
            writer.cite(shown, [metric.citation])
            about = ", ".join(each for each in (metric.name, metric.entity, metric.period) if each)
            writer.styles.put(cell.add_paragraph(about), "Intelli Metric Name")
        _add_gap(writer)


def _table(writer: TableWriter, rows: int, columns: int, lines: dict[str, tuple[int, str]]) -> Any:
    table = writer.document.add_table(rows, columns)
    table.autofit = True
    properties = table._tbl.tblPr  # the library has no call for borders
    properties.find(qn("w:tblW")).addnext(fields.borders("w:tblBorders", lines))
    return table


def _set_widths(table: Any, widths: Sequence[float]) -> None:
    """Fix the widths of columns: else a program breaks words to make columns equal."""
    table.autofit = False
    margins = OxmlElement("w:tblCellMar")
    for side in ("left", "right"):
        margin = OxmlElement(f"w:{side}")
        margin.set(qn("w:w"), str(_PADDING * 20))
        margin.set(qn("w:type"), "dxa")
        margins.append(margin)
    table._tbl.tblPr.find(qn("w:tblLayout")).addnext(margins)
    for at, width in enumerate(widths):
        table.columns[at].width = Pt(width)
    for row in table.rows:
        for cell, width in zip(row._tr.tc_lst, widths, strict=True):
            cell.width = Pt(width)


def _keep_whole(row: Any, *, repeats: bool) -> None:
    properties = row._tr.get_or_add_trPr()
    properties.append(OxmlElement("w:cantSplit"))
    if repeats:
        properties.append(OxmlElement("w:tblHeader"))


def _add_gap(writer: TableWriter) -> None:
    """Add a small empty paragraph, since Word joins adjacent tables."""
    paragraph = writer.document.add_paragraph()
    paragraph.paragraph_format.space_after = Pt(4)
    paragraph.paragraph_format.line_spacing = Pt(6)
