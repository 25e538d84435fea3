"""`intelli search`: searches the library of this machine's installation, or of a server."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from intelli.cli import output
from intelli.cli.options import AsJson, Data
from intelli.cli.workspaces import Workspace
from intelli.kit.errors import Invalid, NotFound

if TYPE_CHECKING:
    from intelli.kit.db import Database
    from intelli.retrieval.wire import Search, SearchResult

_SHOWN = 300


class WorkspaceUnclear(NotFound):
    """There is not exactly one workspace, so one has to be named."""

    code = "workspace_unclear"


def search(  # noqa: PLR0913  # one for each of its options
    query: Annotated[str, typer.Argument(help="What to search for, in words or as a question.")],
    *,
    folder: Annotated[str | None, typer.Option(help="Path or id of a folder to search below.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Most documents to show.")] = 10,
    threshold: Annotated[float | None, typer.Option(min=0, max=1, help="Least relevance of a passage.")] = None,
    workspace: Workspace = None,
    server: Annotated[str | None, typer.Option(metavar="URL", help="Search this server instead.")] = None,
    key: Annotated[str | None, typer.Option(help="API key for the server; INTELLI_CLIENT__KEY if not given.")] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Find the passages that bear on a query, grouped by document, the most relevant first."""
    from intelli.cli import local, remote
    from intelli.cli.local import parse_request
    from intelli.retrieval.wire import Search

    asked = parse_request(Search, query=query, folder=folder, limit=limit, threshold=threshold)
    address = remote.find_address(local.load(data), server, key)
    if address is not None:
        found = asyncio.run(_search_server(address, asked, workspace=workspace))
    else:
        found = asyncio.run(_search(data, asked, workspace=workspace))
    if as_json:
        output.write_json(found)
    else:
        _print_result(found, query)


async def _search_server(address: tuple[str, str], request: "Search", *, workspace: str | None) -> "SearchResult":
    from intelli.cli import remote
    from intelli.retrieval.wire import SearchResult

    if workspace is not None:
        raise Invalid("A key belongs to one workspace. Leave out --workspace, or give a key of the other one.")
    async with remote.connect(*address) as client:
        body = request.model_dump(mode="json", exclude_none=True)
        return SearchResult.model_validate(remote.parse_response(await client.post("search", json=body)))


async def _search(data: Path | None, request: "Search", *, workspace: str | None) -> "SearchResult":
    from functools import partial

    from intelli.cli import local
    from intelli.kit.context import System
    from intelli.library.sources import SOURCES, Sources
    from intelli.reasoning.embedders import Embedders
    from intelli.retrieval import search as retrieval
    from intelli.retrieval.rerank import Rerankers

    settings = local.load(data)
    embedders = Embedders(settings.embedding, settings.data / "models")
    reranker = Rerankers(embedders, settings.search).interactive
    try:
        async with local.database(data) as db:
            who = System(await choose_workspace(db, workspace))
            begin = partial(db.begin, who, is_snapshot=True)
            async with begin() as tx:
                await retrieval.check_folder(tx, request)
            return await retrieval.search(
                begin, request, embedders=embedders, reranker=reranker, sources=Sources(SOURCES)
            )
    finally:
        await embedders.close()


async def choose_workspace(db: "Database", workspace: str | None) -> UUID:
    """Return the workspace that is named, or the only one."""
    from intelli.cli import workspaces
    from intelli.identity import installation
    from intelli.kit.context import WorkspaceLister

    if meant := await workspaces.find_id(db, workspace):
        return meant
    async with db.begin(WorkspaceLister()) as tx:
        known = await installation.list_workspace_ids(tx)
    if len(known) != 1:
        raise WorkspaceUnclear("Name the workspace with --workspace; `intelli users list` shows which there are.")
    return known[0]


def _print_result(found: "SearchResult", query: str) -> None:
    from intelli.retrieval import excerpts

    for source in found.sources:
        is_earlier = source.version < source.latest_version
        version = f"  (version {source.version} of {source.latest_version})" if is_earlier else ""
        output.line(f"{source.relevance_score:.2f}  {source.path}{version}")
        for excerpt in source.excerpts[:3]:
            words = " ".join(excerpt.content.split())
            where = f"page {excerpt.page}: " if excerpt.page else ""
            output.line(f"      {where}{excerpts.shorten(words, query, most=_SHOWN)}")
    searched = found.search_metadata
    output.line(
        f"{len(found.sources)} documents; {searched.total_chunks_searched} passages searched in "
        f"{searched.elapsed_ms:.0f} ms."
    )
    if searched.words_only_reason:
        output.line(f"Meaning was not searched, only words. {searched.words_only_reason}")
