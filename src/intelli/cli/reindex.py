"""`intelli reindex`: rebuilds the search index for this version or another embedding while searches go on."""

import asyncio
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import output
from intelli.cli.options import AsJson, Data
from intelli.reasoning.embedding_name import EmbeddingName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from intelli.retrieval.index import Begin

# Building the index of a large workspace takes its time.
_STEP_S = 3600
_LOOK_S = 1.0
_INDEXING = "indexing"


@dataclass(slots=True)
class ReindexReport:
    """Result of reindexing: counts, and the embedding now in use."""

    workspaces: int = 0
    readings: int = 0
    embedding: str = ""


def reindex(
    *,
    embedding: Annotated[
        EmbeddingName | None, typer.Option(help="Embedding to move to; the one in the settings unless given.")
    ] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Index again what an older version or another embedding indexed; searches go on with the old until it is done.

    It may run while the product is in use, and takes up where an earlier run was interrupted. Name the same embedding
    in the settings, or what is uploaded to a new workspace is embedded with the other.
    """
    report = asyncio.run(_reindex(data, embedding))
    if as_json:
        output.write_json(report)
    else:
        output.line(f"{report.readings} readings in {report.workspaces} workspaces; {report.embedding} is in use.")


async def _reindex(data: Path | None, name: EmbeddingName | None) -> ReindexReport:
    from functools import partial

    from intelli.cli import local
    from intelli.identity import installation
    from intelli.kit.context import System, WorkspaceLister
    from intelli.reasoning.embedders import Embedders
    from intelli.retrieval import reindex as retrieval

    loaded = local.load(data)
    embedders = Embedders(loaded.embedding, loaded.data / "models")
    report = ReindexReport()
    try:
        embedder = embedders.named(name) if name else embedders.chosen
        report.embedding = embedder.name
        async with local.database(data, timeout_s=_STEP_S) as db:
            async with db.begin(WorkspaceLister()) as tx:
                workspace_ids = await installation.list_workspace_ids(tx)
            for workspace_id in workspace_ids:
                begin = partial(db.begin, System(workspace_id))
                async with begin() as tx:
                    total = await retrieval.count_remaining(tx, embedder)
                with _progress(report, total) as (count, describe):
                    building = asyncio.create_task(_follow_build(begin, describe))
                    try:
                        await retrieval.reindex(begin, embedder, embedders, on_progress=count)
                    finally:
                        building.cancel()
                report.workspaces += 1
    finally:
        await embedders.close()
    return report


@contextmanager
def _progress(report: ReindexReport, total: int) -> "Iterator[tuple[Callable[[int], None], Callable[[str], None]]]":
    """Yield two functions for a bar on a terminal: one counts readings, also into the report, one says what is done."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(_INDEXING, total=total)

        def count(readings: int) -> None:
            report.readings += readings
            bar.advance(task, readings)

        yield count, lambda what: bar.update(task, description=what)


async def _follow_build(begin: "Begin", describe: "Callable[[str], None]") -> None:
    """Say how far the index of a large workspace is, until cancelled."""
    from intelli.retrieval import vector_builds

    while True:
        async with begin() as tx:
            build = await vector_builds.find_progress(tx)
        describe(vector_builds.describe(build) if build else _INDEXING)
        await asyncio.sleep(_LOOK_S)
