"""`intelli tables`: shows the tables of a file or of a document of a server, and asks them."""

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from intelli.cli import output
from intelli.cli.options import AsJson, Data
from intelli.kit.errors import Invalid, NotFound

if TYPE_CHECKING:
    from intelli.library.table_wire import TableQuery

_ROWS = 1000
_NO_DOCUMENT = UUID(int=0)


def tables(  # noqa: PLR0913  # one for each of its options
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="A file in any format that can be read.")] = None,
    *,
    document: Annotated[UUID | None, typer.Option(help="Id of a document of a server, instead of a file.")] = None,
    table: Annotated[int | None, typer.Option(min=1, help="Show the cells of this table, or ask it.")] = None,
    query: Annotated[
        str | None,
        typer.Option(
            metavar="JSON",
            help='Ask the table, such as {"aggregates": [{"function": "sum", "column": "Revenue"}]}.',
        ),
    ] = None,
    server: Annotated[str | None, typer.Option(metavar="URL", help="Address of a server.")] = None,
    key: Annotated[str | None, typer.Option(help="API key for the server; INTELLI_CLIENT__KEY if not given.")] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Show the tables of a file or document: columns, types, units; with --table its cells, with --query an answer.

    A file is read here, in a process of its own, and needs no server and no database.
    """
    if (file is None) == (document is None):
        raise Invalid("Name a file, or a document of a server with --document.")
    asked = _parse_query(query, document or _NO_DOCUMENT, table or 1) if query else None
    if file is not None:
        _check_file(file)
        found = asyncio.run(_of_file(file, data, table=table, query=asked))
    else:
        assert document is not None, "it is one of the two"
        found = asyncio.run(_of_document(document, data, server, key, table=table, query=asked))
    if as_json:
        output.write_json(found)
    else:
        _print(found)


def _parse_query(query: str, document_id: UUID, table: int) -> "TableQuery":
    from intelli.cli.local import parse_request
    from intelli.library.table_wire import TableQuery

    try:
        fields = json.loads(query)
    except ValueError as error:
        raise Invalid(f"--query is no JSON: {error}.") from error
    if not isinstance(fields, dict):
        raise Invalid('--query is an object, such as {"columns": ["Year"]}.')
    return parse_request(TableQuery, **{"table": {"document_id": str(document_id), "table": table}, **fields})


async def _of_file(path: Path, data: Path | None, *, table: int | None, query: "TableQuery | None") -> Any:
    from intelli.cli import local
    from intelli.library import reading_result, table_view
    from intelli.library.extraction.model import Unreadable
    from intelli.library.extraction.sandbox import Extractor
    from intelli.library.structure import packed_structure
    from intelli.library.table_query.answer import answer
    from intelli.library.table_query.loaded_table import LoadedTable
    from intelli.library.table_wire import DocumentTables

    settings = local.load(data).library
    extractor = Extractor(settings.limits(), settings.caps())
    try:
        made = await extractor.prepare(path, name=path.name, step=reading_result.child_step(settings))
    except Unreadable as error:
        raise Invalid(error.reason) from error
    finally:
        await extractor.close()
    structure = packed_structure.unpack(made.structure, chars=len(made.text))
    number, sha256 = table or 1, _hash(path)
    if (query or table) and number > len(structure.tables):
        raise NotFound(f"{path.name} has {len(structure.tables)} tables, and none of the number {number}.")
    if query is not None:
        own = structure.tables[number - 1]
        loaded = LoadedTable.read(_NO_DOCUMENT, sha256, number=number, table=own, text=made.text)
        return answer(query, [loaded] * (2 if query.join else 1))
    if table is not None:
        return table_view.show_cells(structure, made.text, number, from_row=0, limit=_ROWS)
    shown = list(table_view.show_tables(structure, made.text))
    return DocumentTables(document_id=_NO_DOCUMENT, sha256=sha256, tables=shown)


def _check_file(path: Path) -> None:
    if not path.is_file():
        raise NotFound(f"There is no file {path}.")


def _hash(path: Path) -> str:
    import hashlib

    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


async def _of_document(
    document_id: UUID,
    data: Path | None,
    server: str | None,
    key: str | None,
    *,
    table: int | None,
    query: "TableQuery | None",
) -> Any:
    from intelli.cli import local, remote
    from intelli.library.table_wire import DocumentTables, TableCells, TableResult

    address = remote.find_address(local.load(data), server, key)
    if address is None:
        raise Invalid("A document is on a server: give --server, or set INTELLI_CLIENT__SERVER.")
    async with remote.connect(*address) as client:
        if query is not None:
            sent = query.model_dump(mode="json")
            return TableResult.model_validate_json(_checked(await client.post("tables/query", json=sent)))
        url = f"documents/{document_id}/tables"
        if table is None:
            return DocumentTables.model_validate_json(_checked(await client.get(url)))
        rows = {"limit": _ROWS}
        return TableCells.model_validate_json(_checked(await client.get(f"{url}/{table}", params=rows)))


def _checked(response: Any) -> bytes:
    from intelli.cli import remote

    remote.parse_response(response)
    content: bytes = response.content
    return content


def _print(found: Any) -> None:
    from intelli.library.table_wire import DocumentTables, TableResult

    if isinstance(found, DocumentTables):
        rows = [
            (each.number, each.caption or " > ".join(each.headings[-1:]), _columns(each.columns), each.row_count)
            for each in found.tables
        ]
        output.table(("table", "caption", "columns", "rows"), rows)
    elif isinstance(found, TableResult):
        output.table(
            [column.name for column in found.columns],
            [[_value(value) for value in row] for row in found.rows],
        )
        cells = [cell.place.cells or cell.text for row in found.rows for value in row for cell in value.cells]
        output.line(f"{found.how}; made of {', '.join(dict.fromkeys(cells))}." if cells else f"{found.how}.")
    else:
        width = len(found.table.columns)
        shown = []
        for row in found.rows:
            cells_of = {cell.column: cell.text for cell in row.cells}
            shown.append([row.kind, *(cells_of.get(at, "") for at in range(width))])
        output.table(["", *(column.name for column in found.table.columns)], shown)


def _value(value: Any) -> str:
    return f"{value.text or ''} {value.unit.written if value.unit else ''}".strip()


def _columns(columns: Any) -> str:
    return ", ".join(f"{each.name or '-'} ({each.unit.written})" if each.unit else each.name or "-" for each in columns)
