"""`intelli add`: files and directories become documents, with a progress bar until they can be found."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import adding, gather, show
from intelli.cli.bar import Bar
from intelli.cli.faults import ExitCode
from intelli.cli.options import AsJson, Data
from intelli.cli.workspaces import Workspace
from intelli.library import names

if TYPE_CHECKING:
    from intelli.app import App
    from intelli.cli.gather import LocalFile
    from intelli.cli.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Target:
    """Where the files go, as the command line says it."""

    data: Path | None
    server: str | None
    key: str | None
    email: str | None
    workspace: str | None
    wait: bool


def add(  # noqa: PLR0913  # one for each of its options
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files and directories to add.")],
    *,
    folder: Annotated[str, typer.Option(help="Folder to put them in, such as /reports; made as needed.")] = "/",
    server: Annotated[str | None, typer.Option(metavar="URL", help="Add to the server at this address.")] = None,
    key: Annotated[str | None, typer.Option(help="API key for the server; INTELLI_CLIENT__KEY if not given.")] = None,
    email: Annotated[str | None, typer.Option(help="Account to add them for, when working on this machine.")] = None,
    workspace: Workspace = None,
    wait: Annotated[bool, typer.Option(help="Wait until all of them can be found.")] = True,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Add files, and directories with all that is in them, to the library.

    The tree of directories is kept; what is hidden in it (names that begin with a dot) is passed by, and counted. What
    is there already and has not changed is left alone, so it may be run again and again. Without a server this works on
    the installation of this machine, and reads and indexes the files itself. It ends with 1 when a file could not be
    added or read.
    """
    gathered = gather.gather(paths, folder)
    target = Target(data, server, key, email, workspace, wait)
    report = adding.Report(hidden=gathered.hidden)
    asyncio.run(_add(gathered.files, target, report, quiet=as_json))
    if as_json:
        show.machine(report)
    else:
        _tell(report)
    if report.failed:
        raise typer.Exit(ExitCode.FAILED)


async def _add(files: "list[LocalFile]", target: Target, report: adding.Report, *, quiet: bool) -> None:
    async with _opened(target) as shelf:
        with Bar(quiet=quiet) as bar:
            shelved = await adding.put(shelf, files, report, bar)
            if target.wait:
                await adding.until_settled(shelf, shelved, report, bar)


@asynccontextmanager
async def _opened(target: Target) -> "AsyncIterator[Shelf]":
    """The library to put the files into; on this machine, with a worker that reads them."""
    from intelli import settings
    from intelli.cli import opening, ready, remote, shelf, workspaces

    opening.load(target.data)
    loaded = settings.load(target.data)
    address = remote.address(loaded.settings, target.server, target.key)
    if address is not None:
        async with shelf.on_server(*address) as there:
            yield there
        return
    from intelli.app import App

    with opening.existing_engine(loaded.settings) as engine:
        ready.insist(engine)
        app = App(settings.complete(loaded).settings, engine)
        try:
            meant = await workspaces.find_id(app.db, target.workspace)
            who = await shelf.workspace(app, email=target.email, workspace_id=meant)
            async with _working(app, is_wanted=target.wait):
                yield shelf.LocalShelf(app, who)
        finally:
            await app.close()


@asynccontextmanager
async def _working(app: "App", *, is_wanted: bool) -> AsyncIterator[None]:
    """A worker beside us, which ends what it has begun when we are done."""
    from intelli.app import JOBS
    from intelli.kit.jobs import Queue
    from intelli.worker import Worker

    if not is_wanted:
        yield
        return
    stop = asyncio.Event()
    worker = Worker(
        app.pools.maintenance,
        JOBS,
        queues=(Queue.INDEX,),
        concurrency=app.settings.worker.concurrency,
        parts=app.parts,
        pool_of=app.pools.for_queue,
    )
    async with asyncio.TaskGroup() as group:
        group.create_task(worker.run(stop))
        try:
            yield
        finally:
            stop.set()


def _tell(report: adding.Report) -> None:
    for warned in report.warnings:
        show.line(f"warning: {warned.path}: {warned.warning}")
    for failure in report.failed:
        show.line(f"failed: {names.written_out(failure.path)}: {failure.reason}")
    counts = f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged"
    unread = sum(failure.is_in for failure in report.failed)
    refused = len(report.failed) - unread
    show.line(f"{counts}, {refused} failed." if refused else f"{counts}.")
    if unread:
        show.line(f"Of those in the library, {unread} could not be read; they are marked as failed there.")
    if report.hidden:
        show.line(f"Hidden files and directories that were passed by: {report.hidden}.")
