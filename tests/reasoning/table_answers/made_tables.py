"""Makes tables for tests from lines: `|` parts cells, the first line has the names, `#` marks figures and `@` times."""

import re
from datetime import date
from decimal import Decimal

from intelli.language import words
from intelli.reasoning.table_answers.answer import answer
from intelli.reasoning.table_answers.source_table import SourceCell, SourceColumn, SourceRow, SourceTable
from intelli.reasoning.table_answers.tell import ToldTable, tell

_UNIT = re.compile(r"\b(EUR(?: million)?|Euro)\b")


def make_table(
    lines: str, *, document: str = "a.csv", around: str = "", opening: str = "", dated: date | None = None
) -> SourceTable:
    """A table; a line that begins with `=` adds up others."""
    head, *body = [line.strip() for line in lines.strip().splitlines()]
    names = _cells(head)
    columns = tuple(
        SourceColumn(name.strip("#@"), _unit(name), name.startswith("#"), name.startswith("@")) for name in names
    )
    rows = []
    for number, line in enumerate(body):
        texts = _cells(line.removeprefix("="))
        cells = {at: SourceCell(text, _number(text, columns[at])) for at, text in enumerate(texts) if text}
        rows.append(SourceRow(cells, number * 10, number * 10 + 9, is_total=line.startswith("=")))
    return SourceTable(document, around, opening, columns, tuple(rows), 0, len(rows) * 10, dated)


def told(question: str, *tables: SourceTable) -> str:
    """The sentence that tables answer with; empty without one."""
    found = ask(question, *tables)
    return found.text if found else ""


def ask(question: str, *tables: SourceTable) -> ToldTable | None:
    """The answer of tables, told."""
    found = answer(question, tables)
    return tell(found, words.tongue_of(question)) if found else None


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")]


def _unit(name: str) -> str:
    found = _UNIT.search(name)
    return found.group() if found and name.startswith("#") else ""


def _number(text: str, column: SourceColumn) -> Decimal | None:
    if not column.is_number:
        return None
    plain = text.replace(".", "").replace(",", ".") if re.search(r",\d{1,2}$|\.\d{3}$", text) else text.replace(",", "")
    return Decimal(plain)
