"""Renders charts of Office documents as tables, from the values cached in the file: categories down, series across."""

from intelli.library.extraction.table import row_text
from intelli.library.extraction.xml import XmlElement, child, local_name

_MAX_POINTS = 5000


def chart_table(root: XmlElement) -> str:
    """Return the title of a chart and its values, one row per line; empty when the file has no cached values."""
    series = [element for element in root.iter() if local_name(element) == "ser"][:200]
    names = [_text(child(each, "tx")) for each in series]
    categories: list[str] = []
    columns = []
    for each in series:
        labels = _points(child(each, "cat")) or _points(child(each, "xVal"))
        categories = max(categories, labels, key=len)
        columns.append(_points(child(each, "val")) or _points(child(each, "yVal")))
    height = max([len(categories), *(len(column) for column in columns)], default=0)
    rows = [["", *names]] if any(names) else []
    rows += [
        [_get_or_empty(categories, number), *(_get_or_empty(column, number) for column in columns)]
        for number in range(height)
    ]
    title = _text(child(root, "chart", "title"))
    lines = [title] if title else []
    return "\n".join(lines + [line for row in rows if (line := row_text(row))])


def _get_or_empty(column: list[str], number: int) -> str:
    return column[number] if number < len(column) else ""


def _text(element: XmlElement | None) -> str:
    """Return the text of a title or of a series name."""
    if element is None:
        return ""
    return " ".join("".join(each.text or "" for each in element.iter() if local_name(each) in ("t", "v")).split())


def _points(element: XmlElement | None) -> list[str]:
    """Return the cached points of a reference, each at its index."""
    points: list[str] = []
    for point in element.iter() if element is not None else []:
        index = point.get("idx") or ""
        if local_name(point) != "pt" or not index.isdecimal() or int(index) >= _MAX_POINTS:
            continue
        points += [""] * (int(index) + 1 - len(points))
        found = child(point, "v")
        points[int(index)] = _format_number(found.text or "") if found is not None else ""
    return points


def _format_number(text: str) -> str:
    """Format a number as a person would write it: 4.2999999999999998 is 4.3."""
    try:
        return f"{float(text):.12g}" if "." in text else text
    except ValueError:
        return text
