"""`intelli research`: answers a question from a folder of files, with a private server and no configuration."""

import asyncio
import hashlib
import os
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from intelli.cli import gather, own_outputs
from intelli.cli import output as cli_output
from intelli.cli.ask import (
    ApprovalAsked,
    AskOptions,
    ClarificationAsked,
    check_question,
    export_conversation,
    put_question,
)
from intelli.cli.deliverables import DeliveryOptions, KindOption, deliver, parse_options
from intelli.cli.options import AsJson, Data
from intelli.deliverables.forms import FORMS
from intelli.kit.errors import IntelliError, NotFound
from intelli.library import names

if TYPE_CHECKING:
    import httpx

    from intelli.cli.gather import LocalFile

_PLACE = "research"
DeliveredTo = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to this file: the answer as .md, .html or .json; a document as .pdf or .docx, slides as .pptx, GML "
        "as .gml, the sources as .bib or .csl.json; all the evidence as .zip. With --kind a report is written as .md "
        "or .html, and its brief as .json.",
    ),
]
Json = dict[str, Any]


class NothingToRead(NotFound):
    """The folder holds no file that could be read."""

    code = "nothing_to_read"


def research(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A directory of documents, or one document.")],
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    *,
    output: DeliveredTo = None,
    kind: Annotated[KindOption | None, typer.Option(help="Make this kind of deliverable from the answer.")] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help=f"Write the deliverable in this form, whatever the file is called: {', '.join(FORMS)}.",
        ),
    ] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Read the documents in a folder and answer a question from them, with numbered sources, page and quote.

    Needs nothing: it works in a place of its own, below the data directory, and keeps there what it has read, so that
    the next question is answered at once. With INTELLI_MODEL__… set, that model does the thinking.
    """
    check_question(question)
    asked = parse_options(output, kind, form)
    directory = _directory(data)
    files, ours = own_outputs.split(directory, gather.list_files([folder], _library_folder(folder)))
    if not files:
        raise NothingToRead(f"There are no files in {folder}.")
    if ours:
        listed = ", ".join(names.escape(file.name) for file in ours)
        typer.echo(f"Not read, because an earlier question wrote it: {listed}", err=True)
    message = asyncio.run(_research(directory, files, question, asked, quiet=as_json))
    if asked.output is not None and asked.output.is_file():
        own_outputs.record(directory, asked.output)
    if as_json:
        cli_output.write_json(message)


def _directory(data: Path | None) -> Path:
    from intelli.cli import local

    return local.load(data).data / _PLACE


def _library_folder(folder: Path) -> str:
    """Return the library folder of a directory: stable, and never that of another directory."""
    whole = folder.resolve()
    return f"/{hashlib.sha256(os.fsencode(whole)).hexdigest()[:12]}"


async def _research(
    directory: Path, files: "list[LocalFile]", question: str, asked: DeliveryOptions, *, quiet: bool
) -> Json:
    from intelli.cli import own_server, remote

    async with own_server.ensure_running(directory) as address, remote.connect(*address) as client:
        folder = _root_of(files)
        await _sync_library(client, files, folder, quiet=quiet)
        conversation = UUID(remote.parse_response(await client.post("conversations", json={}))["id"])
        try:
            options = AskOptions(question, folder=folder, deliverable_type=asked.deliverable_type)
            message = await put_question(client, conversation, options, quiet=quiet)
        except ClarificationAsked as back:
            raise ClarificationAsked(f"{back} Ask again, with that in the question.") from None
        except ApprovalAsked as change:
            raise ApprovalAsked(f"{change.detail.partition(' Decide with')[0]} Ask in a terminal to decide.") from None
        if asked.is_answer and asked.output is not None:
            await export_conversation(client, conversation, asked.output)
        else:
            await deliver(client, message, asked, quiet=quiet)
        return message


def _root_of(files: "list[LocalFile]") -> str:
    return "/" + files[0].folder.split("/")[1]


async def _sync_library(client: "httpx.AsyncClient", files: "list[LocalFile]", folder: str, *, quiet: bool) -> None:
    """Update the library folder to exactly these files, as they are now, and wait until all are read.

    Print the files that could not be read; raise NothingToRead when none could be.
    """
    from intelli.cli.add_files import AddReport, add_changed, wait_until_read
    from intelli.cli.library_client import RemoteLibraryClient
    from intelli.cli.progress_bar import ProgressBar

    library = RemoteLibraryClient(client)
    report = AddReport()
    with ProgressBar(quiet=quiet) as bar:
        await _delete_missing(client, files, folder)
        await add_changed(library, files, report, bar)
        # Also those that another command has added and that are not read yet.
        await wait_until_read(library, await library.list_below(folder), report, bar)
    for failure in report.failed:
        name = failure.path.removeprefix(f"{folder}/")
        typer.echo(f"Not read: {names.escape(name)}: {failure.reason}", err=True)
    if len(report.failed) == len(files):
        raise NothingToRead("None of the files could be read.")


async def _delete_missing(client: "httpx.AsyncClient", files: "list[LocalFile]", folder: str) -> None:
    from intelli.cli import remote
    from intelli.cli.library_client import RemoteLibraryClient

    wanted = set[str]()
    for file in files:
        with suppress(IntelliError):  # an invalid name is reported when the file is added
            wanted.add(file.library_path)
    for document in await RemoteLibraryClient(client).list_documents():
        if document["path"].startswith(f"{folder}/") and document["path"] not in wanted:
            response = await client.delete(f"documents/{document['id']}")
            # Another command that reads the same folder may have been faster.
            if response.status_code != HTTPStatus.NOT_FOUND and not response.is_success:
                remote.parse_response(response)
