"""Text of the shapes and tables of PowerPoint."""

from collections.abc import Iterable, Iterator

from intelli.library.extraction.docx.equations import render_equation
from intelli.library.extraction.table import SpannedCell
from intelli.library.extraction.xml import XmlElement, child, children_of, local_name


def read_text_body(body: XmlElement | None) -> tuple[str, bool]:
    """Return the paragraphs of a text body, one per line, and whether they are list items."""
    lines: list[str] = []
    numbers: dict[int, int] = {}
    is_list = False
    for paragraph in children_of(body):
        if local_name(paragraph) != "p":
            continue
        text = "".join(_runs(paragraph)).strip()
        if not text:
            continue
        label = _next_label(child(paragraph, "pPr"), numbers)
        is_list = is_list or bool(label)
        lines.append(f"{label} {text}" if label else text)
    return "\n".join(lines), is_list


def _runs(paragraph: Iterable[XmlElement]) -> Iterator[str]:
    for element in paragraph:
        name = local_name(element)
        if name in ("r", "fld"):
            found = child(element, "t")
            yield found.text or "" if found is not None else ""
        elif name == "br":
            yield "\n"
        elif name in ("m", "oMath", "oMathPara"):
            yield render_equation(element)
        elif name == "AlternateContent":
            yield from _runs(children_of(element, "Choice"))


def _next_label(properties: XmlElement | None, numbers: dict[int, int]) -> str:
    """Return the bullet or number that a paragraph sets itself, counted in `numbers`; inherited ones are ignored."""
    level = (properties.get("lvl") if properties is not None else None) or "0"
    depth = int(level) if level.isdecimal() and len(level) < 3 else 0
    for deeper in [number for number in numbers if number > depth]:
        del numbers[deeper]
    automatic = child(properties, "buAutoNum")
    if automatic is None:
        numbers.pop(depth, None)
        return "-" if child(properties, "buChar") is not None or child(properties, "buBlip") is not None else ""
    start = automatic.get("startAt") or "1"
    first = int(start) if start.isdecimal() and len(start) < 6 else 1
    numbers[depth] = numbers.get(depth, first - 1) + 1
    return f"{numbers[depth]}."


def read_table_rows(table: XmlElement) -> Iterator[list[SpannedCell]]:
    """Yield the rows of a table without cells that another covers: the covering cell has the span."""
    for row in table:
        if local_name(row) != "tr":
            continue
        yield [
            SpannedCell(read_text_body(child(cell, "txBody"))[0], _span(cell, "gridSpan"), _span(cell, "rowSpan"))
            for cell in row
            if local_name(cell) == "tc"
            and cell.get("hMerge") not in ("1", "true")
            and cell.get("vMerge") not in ("1", "true")
        ]


def _span(cell: XmlElement, name: str) -> int:
    text = cell.get(name) or "1"
    return int(text) if text.isdecimal() and len(text) < 5 else 1
