"""`intelli card`: what a document of this machine's installation is, and what is in it."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import output
from intelli.cli.options import AsJson, Data
from intelli.cli.workspaces import Workspace

if TYPE_CHECKING:
    from intelli.runs.wire import DocumentCard


_STEP_S = 60


def card(
    path: Annotated[str, typer.Argument(help="Name or path of a document in the library.")],
    *,
    workspace: Workspace = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Tell what a document is: its kind, date, period and parties, its chapters and its key figures."""
    found = asyncio.run(_load(data, path, workspace=workspace))
    if as_json:
        output.write_json(found)
    else:
        _print(found)


async def _load(data: Path | None, path: str, *, workspace: str | None) -> "DocumentCard":
    from intelli.cli import local
    from intelli.cli.search import choose_workspace
    from intelli.kit.context import System
    from intelli.library import text_documents
    from intelli.library.errors import DocumentNotFound
    from intelli.runs import document_card
    from intelli.runs.document_reader import DocumentReader
    from intelli.runs.ports import EMPTY_LIBRARY, LibraryAccess
    from intelli.runs.table_reader import TableReader

    async with local.stores(data, timeout_s=_STEP_S) as (db, blobs):
        who = System(await choose_workspace(db, workspace))
        async with db.begin(who) as tx:
            standing = await text_documents.find(tx, text_documents.normalise_path(path))
        if standing is None:
            raise DocumentNotFound(f"There is no document {path}. `intelli search` shows which there are.")
        library = LibraryAccess(
            search=EMPTY_LIBRARY.search,
            read=EMPTY_LIBRARY.read,
            list=EMPTY_LIBRARY.list,
            read_tables=TableReader(db, blobs).read_tables,
            read_sources=DocumentReader(db, blobs).read_sources,
        )
        return await document_card.build_card(library, db, who, standing.document_id)


def _print(found: "DocumentCard") -> None:
    facts = found.facts
    told = {
        "Kind": facts.kind.value if facts.kind else "",
        "Date": facts.date.value if facts.date else "",
        "Period": facts.period.value if facts.period else "",
        "Parties": ", ".join(each.value for each in facts.parties),
        "Amends": ", ".join(each.value for each in facts.amends),
    }
    typer.echo(found.title or found.name)
    for name, value in told.items():
        if value:
            typer.echo(f"  {name}: {value}")
    for title, lines in (
        ("Chapters", [each.text for each in found.headings]),
        ("Key figures", [f"{each.name}: {each.value}" for each in found.figures]),
    ):
        if lines:
            typer.echo("\n".join((f"  {title}:", *(f"    {line}" for line in lines))))
