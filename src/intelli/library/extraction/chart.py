"""Charts of Office documents as tables: categories down, series across, from the values the file keeps of them."""

from intelli.library.extraction.table import row_text
from intelli.library.extraction.xml import XmlElement, child, local

_MAX_POINTS = 5000


def chart_table(root: XmlElement) -> str:
    """The title of a chart and what it plots, a row each; empty when it keeps no values."""
    series = [element for element in root.iter() if local(element) == "ser"][:200]
    names = [_text(child(each, "tx")) for each in series]
    categories: list[str] = []
    columns = []
    for each in series:
        labels = _points(child(each, "cat")) or _points(child(each, "xVal"))
        categories = max(categories, labels, key=len)
        columns.append(_points(child(each, "val")) or _points(child(each, "yVal")))
    height = max([len(categories), *(len(column) for column in columns)], default=0)
    rows = [["", *names]] if any(names) else []
    rows += [[_at(categories, number), *(_at(column, number) for column in columns)] for number in range(height)]
    title = _text(child(root, "chart", "title"))
    lines = [title] if title else []
    return "\n".join(lines + [line for row in rows if (line := row_text(row))])


def _at(column: list[str], number: int) -> str:
    return column[number] if number < len(column) else ""


def _text(element: XmlElement | None) -> str:
    """The words of a title, or of a series' name."""
    if element is None:
        return ""
    return " ".join("".join(each.text or "" for each in element.iter() if local(each) in ("t", "v")).split())


def _points(element: XmlElement | None) -> list[str]:
    """The cached points of a reference, each at the index it is kept for."""
    points: list[str] = []
    for point in element.iter() if element is not None else []:
        index = point.get("idx") or ""
        if local(point) != "pt" or not index.isdecimal() or int(index) >= _MAX_POINTS:
            continue
        points += [""] * (int(index) + 1 - len(points))
        found = child(point, "v")
        points[int(index)] = _number(found.text or "") if found is not None else ""
    return points


def _number(text: str) -> str:
    """As a person would write it: 4.2999999999999998 is 4.3."""
    try:
        return f"{float(text):.12g}" if "." in text else text
    except ValueError:
        return text
