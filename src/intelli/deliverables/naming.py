"""Names of columns as people say them: `revenue_m_eur` is how a table is kept, not how it is read."""

import re
from pathlib import PurePath

from intelli.citations.quotes import skeleton
from intelli.deliverables.brief import DataBrief, Table

_IDENTIFIER = re.compile(r"[^\W_]+(?:_+[^\W_]+)+")
# Shorter ones may be units, which are written small.
_WORD = re.compile(r"[a-z]{4,}")
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
    series = tuple(each.model_copy(update={"title": readable(each.title)}) for each in brief.series)
    tables = tuple(_table(each, brief) for each in brief.tables)
    return brief.model_copy(update={"metrics": metrics, "series": series, "tables": tables})


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
