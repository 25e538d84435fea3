"""Readable names of columns: `revenue_m_eur` is a name for storage, not for readers."""

import re
from pathlib import PurePath

from intelli.deliverables import charts
from intelli.deliverables.brief import DataBrief, Series, Table
from intelli.language.quotes import skeleton

_IDENTIFIER = re.compile(r"(?<![^\W_])[^\W_]++(?:_++[^\W_]++)++")
# Shorter ones may be units, which are written small.
_WORD = re.compile(r"[a-z]{4,}")
_MEASURE = re.compile(r"(.*\S)\s*\(([^()]+)\)")
_FILE = re.compile(r"\.[A-Za-z0-9]{1,5}$")


def readable(name: str) -> str:
    """A name without underscores that begins large; the letters stay as they are."""
    line = " ".join(name.split())
    if _FILE.search(line):
        return line
    if not _IDENTIFIER.search(line):
        return line.capitalize() if _WORD.fullmatch(line) else line
    said = _IDENTIFIER.sub(lambda match: " ".join(filter(None, match[0].split("_"))), line)
    return said[:1].upper() + said[1:]


def named(brief: DataBrief) -> DataBrief:
    """The brief with readable names of its figures, series and tables."""
    metrics = tuple(each.model_copy(update={"name": readable(each.name)}) for each in brief.metrics)
    series = tuple(_series(each, brief) for each in brief.series)
    tables = tuple(_table(each, brief) for each in brief.tables)
    return brief.model_copy(update={"metrics": metrics, "series": series, "tables": tables})


def _series(series: Series, brief: DataBrief) -> Series:
    """A series; one without a unit of its own says what its labels all say, or the head of the table it stands in."""
    named = series.model_copy(update={"title": readable(series.title)})
    if named.unit:
        return named
    told = [_MEASURE.fullmatch(point.label) for point in named.points]
    measures = {match[2] for match in told if match is not None}
    if all(told) and len(measures) == 1:
        bare = named.model_copy(update={"unit": measures.pop()})
        return _relabelled(bare, [match[1] for match in told if match is not None])
    head = next((table.columns[0] for table in brief.tables if _has_row(table, series)), "")
    is_measure = _MEASURE.fullmatch(head) is not None
    return named.model_copy(update={"title": f"{readable(head)}: {named.title}"}) if is_measure else named


def _relabelled(series: Series, labels: list[str]) -> Series:
    """A series with shorter labels; words before all of its periods are part of what it is of."""
    lead = labels[0].rpartition(" ")[0]
    periods = [label.removeprefix(f"{lead} ") for label in labels]
    title = series.title
    if lead and all(label.startswith(f"{lead} ") for label in labels) and charts.kind_of(periods) != "bar":
        title, labels = f"{title}: {lead}", periods
    points = (point.model_copy(update={"label": label}) for point, label in zip(series.points, labels, strict=True))
    return series.model_copy(update={"title": title, "points": tuple(points)})


def _has_row(table: Table, series: Series) -> bool:
    """Whether a series is a row of a table."""
    labels = {point.label for point in series.points}
    return labels <= set(table.columns[1:]) and any(row and row[0].text == series.title for row in table.rows)


def _table(table: Table, brief: DataBrief) -> Table:
    """A table; one whose title only repeats its columns is called as its file is."""
    title = table.title
    if skeleton(title) == skeleton("".join(table.columns)):
        title = _file(table, brief) or title
    return table.model_copy(update={"title": readable(title), "columns": tuple(map(readable, table.columns))})


def _file(table: Table, brief: DataBrief) -> str:
    identifier = next((cell.citation for row in table.rows for cell in row if cell.citation), None)
    cited = brief.cited(identifier) if identifier is not None else None
    source = brief.source(cited.source) if cited is not None else None
    return PurePath(source.file_name).stem if source is not None else ""
