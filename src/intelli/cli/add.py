"""`intelli add`: files and directories become documents, with a progress bar until they can be found."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from intelli.cli import gather, show
from intelli.cli.bar import Bar
from intelli.cli.faults import ExitCode
from intelli.cli.options import AsJson, Data

if TYPE_CHECKING:
    from intelli.app import App
    from intelli.cli.gather import LocalFile
    from intelli.cli.shelf import Shelf, Shelved

_AT_ONCE = 4
_LOOK_S = 0.3


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that did not get in, or could not be read, and why."""

    path: str
    reason: str


@dataclass(slots=True)
class Report:
    """What became of the files."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    failed: list[Failure] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Target:
    """Where the files go, as the command line says it."""

    data: Path | None
    server: str | None
    key: str | None
    email: str | None
    workspace: UUID | None
    wait: bool


def add(  # noqa: PLR0913  # one for each of its options
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files and directories to add.")],
    *,
    folder: Annotated[str, typer.Option(help="Folder to put them in, such as /reports; made as needed.")] = "/",
    server: Annotated[str | None, typer.Option(metavar="URL", help="Add to the server at this address.")] = None,
    key: Annotated[str | None, typer.Option(help="API key for the server; INTELLI_CLIENT__KEY if not given.")] = None,
    email: Annotated[str | None, typer.Option(help="Account to add them for, when working on this machine.")] = None,
    workspace: Annotated[UUID | None, typer.Option(metavar="ID", help="Workspace to add them to.")] = None,
    wait: Annotated[bool, typer.Option(help="Wait until all of them can be found.")] = True,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Add files, and directories with all that is in them, to the library.

    The tree of directories is kept. What is there already and has not changed is left alone, so it may be run again and
    again. Without a server this works on the installation of this machine, and reads and indexes the files itself. It
    ends with 1 when a file could not be added or read.
    """
    files = gather.files(paths, folder)
    target = Target(data, server, key, email, workspace, wait)
    report = asyncio.run(_add(files, target, quiet=as_json))
    if as_json:
        show.machine(report)
    else:
        _tell(report)
    if report.failed:
        raise typer.Exit(ExitCode.FAILED)


async def _add(files: "list[LocalFile]", target: Target, *, quiet: bool) -> Report:
    report = Report()
    async with _opened(target) as shelf:
        with Bar(quiet=quiet) as bar:
            shelved = await _put(shelf, files, report, bar)
            if target.wait:
                await _until_settled(shelf, shelved, report, bar)
    return report


async def _put(shelf: "Shelf", files: "list[LocalFile]", report: Report, bar: Bar) -> "list[Shelved]":
    """Put the files in, a few at a time; those that changed nothing are left out of the answer."""
    from intelli.kit.errors import IntelliError, Unauthenticated, Unavailable

    known = await shelf.known()
    shelved: list[Shelved] = []
    places = asyncio.Semaphore(_AT_ONCE)
    bar.begin("Adding", sum(file.size_bytes for file in files))

    async def put(file: "LocalFile") -> None:
        async with places:
            try:
                if known.get(file.path) == await asyncio.to_thread(gather.sha256_of, file.source):
                    report.unchanged += 1
                    return
                document = await shelf.add(file)
            except (Unavailable, Unauthenticated):
                raise
            except (IntelliError, OSError) as error:
                report.failed.append(Failure(file.path, str(error)))
                return
            finally:
                bar.advance(file.size_bytes)
        shelved.append(document)
        if document.version == 1:
            report.added += 1
        else:
            report.updated += 1

    async with asyncio.TaskGroup() as group:
        for file in files:
            group.create_task(put(file))
    return shelved


async def _until_settled(shelf: "Shelf", shelved: "list[Shelved]", report: Report, bar: Bar) -> None:
    bar.begin("Reading", len(shelved))
    for document in shelved:
        settled = await _settled(shelf, document)
        bar.advance(1)
        if settled.status == "failed":
            report.failed.append(Failure(settled.path, settled.reason or "It could not be read."))


async def _settled(shelf: "Shelf", document: "Shelved") -> "Shelved":
    while not document.is_settled:
        await asyncio.sleep(_LOOK_S)
        document = await shelf.look(document.id)
    return document


@asynccontextmanager
async def _opened(target: Target) -> "AsyncIterator[Shelf]":
    """The library to put the files into; on this machine, with a worker that reads them."""
    from intelli import settings
    from intelli.app import App
    from intelli.cli import opening, ready, remote, shelf

    opening.load(target.data)
    loaded = settings.load(target.data)
    address = remote.address(loaded.settings, target.server, target.key)
    if address is not None:
        async with shelf.on_server(*address) as there:
            yield there
        return
    with opening.existing_engine(loaded.settings) as engine:
        ready.insist(engine)
        app = App(settings.complete(loaded).settings, engine)
        try:
            who = await shelf.workspace(app, email=target.email, workspace_id=target.workspace)
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
    worker = Worker(app.db, JOBS, queues=(Queue.INDEX,), concurrency=app.settings.worker.concurrency, parts=app.parts)
    async with asyncio.TaskGroup() as group:
        group.create_task(worker.run(stop))
        try:
            yield
        finally:
            stop.set()


def _tell(report: Report) -> None:
    for failure in report.failed:
        show.line(f"failed: {failure.path}: {failure.reason}")
    counts = f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged"
    show.line(f"{counts}, {len(report.failed)} failed." if report.failed else f"{counts}.")
