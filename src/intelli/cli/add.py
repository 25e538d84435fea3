"""`intelli add`: uploads files and directories as documents and waits, with a progress bar, until they are indexed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import add_files, gather, output
from intelli.cli.error_exit import ExitCode
from intelli.cli.options import AsJson, Data
from intelli.cli.progress_bar import ProgressBar
from intelli.cli.workspaces import Workspace
from intelli.library import names

if TYPE_CHECKING:
    from intelli.app import App
    from intelli.cli.gather import LocalFile
    from intelli.cli.library_client import LibraryClient


@dataclass(frozen=True, slots=True)
class AddTarget:
    """Options of the command line that select the library to add to."""

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
    target = AddTarget(data, server, key, email, workspace, wait)
    report = add_files.AddReport(hidden=gathered.hidden)
    asyncio.run(_add(gathered.files, target, report, quiet=as_json))
    if as_json:
        output.write_json(report)
    else:
        _print_report(report)
    if report.failed:
        raise typer.Exit(ExitCode.FAILED)


async def _add(files: "list[LocalFile]", target: AddTarget, report: add_files.AddReport, *, quiet: bool) -> None:
    async with _open_library(target) as library:
        with ProgressBar(quiet=quiet) as bar:
            added = await add_files.add_changed(library, files, report, bar)
            if target.wait:
                await add_files.wait_until_read(library, added, report, bar)


@asynccontextmanager
async def _open_library(target: AddTarget) -> "AsyncIterator[LibraryClient]":
    """Open the library to add to: of a server, or of this machine, then with a worker that reads the files."""
    from intelli import settings
    from intelli.cli import library_client, local, prepare_database, remote, workspaces

    local.load(target.data)
    loaded = settings.load(target.data)
    address = remote.find_address(loaded.settings, target.server, target.key)
    if address is not None:
        async with library_client.connect(*address) as there:
            yield there
        return
    from intelli.app import App

    with local.existing_engine(loaded.settings) as engine:
        prepare_database.check_migrated(engine)
        app = App(settings.complete(loaded).settings, engine)
        try:
            meant = await workspaces.find_id(app.db, target.workspace)
            who = await library_client.choose_context(app.db, email=target.email, workspace_id=meant)
            async with _run_worker(app, is_wanted=target.wait):
                yield library_client.LocalLibraryClient(app, who)
        finally:
            await app.close()


@asynccontextmanager
async def _run_worker(app: "App", *, is_wanted: bool) -> AsyncIterator[None]:
    """Run a worker of the index queue beside the block, if wanted; at the end it finishes the jobs it has begun."""
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


def _print_report(report: add_files.AddReport) -> None:
    for warned in report.warnings:
        output.line(f"warning: {warned.path}: {warned.warning}")
    for failure in report.failed:
        output.line(f"failed: {names.escape(failure.path)}: {failure.reason}")
    counts = f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged"
    unread = sum(failure.is_in for failure in report.failed)
    refused = len(report.failed) - unread
    output.line(f"{counts}, {refused} failed." if refused else f"{counts}.")
    if unread:
        output.line(f"Of those in the library, {unread} could not be read; they are marked as failed there.")
    if report.hidden:
        output.line(f"Hidden files and directories that were passed by: {report.hidden}.")
