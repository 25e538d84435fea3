"""table_query: ask a table of a document: filter, join, group, sum, count, mean, extremes, rank, sort."""

from intelli.library.table_wire import TableQuery, TableResult
from intelli.runs.tools.tool import Tool, ToolContext


async def _ask(asked: TableQuery, context: ToolContext) -> TableResult:
    return await context.library.query_table(context.who, asked, scope=context.scope)


TOOL = Tool(
    "table_query",
    "Calculate with a table of a document; each figure of the result names the cells it was made of.",
    TableQuery,
    TableResult,
    _ask,
    label="Calculate",
)
