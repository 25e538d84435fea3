"""answer_from_tables: look for the cells of tables that a question asks for, calculate, and cite their rows."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from pydantic import Field

from intelli.content.passage import Passage
from intelli.kit.wire import Request, Wire
from intelli.language import words
from intelli.reasoning.table_answers.answer import TableAnswer, answer
from intelli.reasoning.table_answers.tell import ToldRow, ToldTable, tell
from intelli.reasoning.values import FindingRow, FindingTable, QuotedFinding, SourceQuote
from intelli.runs.ports import ReadTable
from intelli.runs.tools.search_documents import FoundPassage
from intelli.runs.tools.tool import Tool, ToolContext

# A table of so many characters is cited whole, with the names of its columns; of a larger one the rows are.
_WHOLE = 2_500
# Rows that are cited one by one; of more the stretch from the first to the last is, up to so many characters.
_MOST_ROWS, _LONGEST = 12, 20_000
# How sure an answer is that accounts for all of the question, and for the least of it.
_SUREST, _LEAST_SURE, _LEAST_SHARE = 0.94, 0.7, 0.74


class AskTables(Request):
    """A question, and the documents that were found for it."""

    question: str
    document_ids: list[UUID] = Field([], max_length=60)


class TablesAnswer(Wire):
    """What the tables answer, with the passages that it cites; no finding where they do not."""

    finding: QuotedFinding | None
    passages: list[FoundPassage]


async def _ask(asked: AskTables, context: ToolContext) -> TablesAnswer:
    read = await context.library.read_tables(context.who, asked.document_ids, scope=context.scope)
    return await asyncio.to_thread(_answer, asked.question, read)


def _answer(question: str, read: Sequence[ReadTable]) -> TablesAnswer:
    found = answer(question, [each.table for each in read])
    if found is None:
        return TablesAnswer(finding=None, passages=[])
    told = tell(found, words.tongue_of(question))
    cited = _passages(told, {id(each.table): each for each in read})
    passages = {passage.identifier: passage for passage, _ in cited}
    return TablesAnswer(
        finding=_finding(found, told, cited), passages=[FoundPassage.of(each) for each in passages.values()]
    )


def _finding(found: TableAnswer, told: ToldTable, cited: Sequence[tuple[Passage, str]]) -> QuotedFinding:
    (first, quote), *others = cited
    quotes = (SourceQuote(text=words, identifier=passage.identifier) for passage, words in others)
    further = dict.fromkeys(each for each in quotes if (each.text, each.identifier) != (quote, first.identifier))
    rows = tuple(
        FindingRow(cells=row.cells, identifier=passage.identifier)
        for row, (passage, _) in zip(told.rows, cited, strict=False)
    )
    share = (min(found.share, 1) - _LEAST_SHARE) / (1 - _LEAST_SHARE)
    return QuotedFinding(
        text=told.text,
        identifier=first.identifier,
        quote=quote,
        relevance=round(_LEAST_SURE + (_SUREST - _LEAST_SURE) * share, 4),
        further=tuple(further),
        table=FindingTable(columns=told.columns, rows=rows) if told.columns else None,
    )


def _passages(told: ToldTable, read: dict[int, ReadTable]) -> list[tuple[Passage, str]]:
    """Return the passages that an answer cites, each with the words of it that the answer rests on."""
    if len(told.rows) > _MOST_ROWS and len({id(row.table) for row in told.rows}) == 1:
        table = read[id(told.rows[0].table)]
        start, end = min(row.row.start for row in told.rows), max(row.row.end for row in told.rows)
        passage = table.passage(start, min(end, start + _LONGEST))
        return [(passage, passage.text)]
    rows = told.rows[:_MOST_ROWS]
    return [(_passage(row, read[id(row.table)]), _quote(row, rows, read[id(row.table)])) for row in rows]


def _passage(row: ToldRow, read: ReadTable) -> Passage:
    table = read.table
    if table.end - table.start <= _WHOLE:
        return read.passage(table.start, table.end)
    return read.passage(row.row.start, row.row.end)


def _quote(row: ToldRow, rows: Sequence[ToldRow], read: ReadTable) -> str:
    """The words of a row; of one in a table that is cited whole, those from its first to its last row that is told.

    A passage is cited once, so one quote has to hold all rows of it.
    """
    start, end = row.row.start, row.row.end
    if read.table.end - read.table.start <= _WHOLE:
        same = [each.row for each in rows if each.table is row.table]
        start, end = min(each.start for each in same), max(each.end for each in same)
    return read.document.text[start:end]


TOOL = Tool(
    "answer_from_tables",
    "Find the cells of tables that a question asks for, and calculate with them.",
    AskTables,
    TablesAnswer,
    _ask,
    label="Read tables",
)
